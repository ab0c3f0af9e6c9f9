import { describe, expect, it } from 'vitest'
import { openTable } from './memory-table.ts'

/** Some blocks of separated text, with quoted line breaks, so that a block may end anywhere. */
const bytes = new TextEncoder().encode(`a,b\r\n${'1,"two\r\nlines"\r\n22,"x,""y"""\r\n,z\r\n'.repeat(250_000)}`)

describe('a long file', () => {
  it('is read to the same table block by block, and says how far it is', async () => {
    const shares: number[] = []
    const watched = await openTable({ name: 'a.csv', bytes }, { onProgress: share => void shares.push(share) })
    const plain = await openTable({ name: 'a.csv', bytes })
    expect(watched.rows).toBe(750_000)
    expect(watched.preview(749_997, 3)).toEqual([
      ['1', 'two\r\nlines'],
      ['22', 'x,"y"'],
      ['', 'z'],
    ])
    expect(await watched.figures()).toEqual(await plain.figures())
    expect(shares.length).toBeGreaterThan(1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(Math.max(...shares)).toBeLessThan(1)
  })

  it('can be ended while it is read', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const stop = () => controller.abort(new Error('enough'))
    await expect(openTable({ name: 'a.csv', bytes }, { signal, onProgress: stop })).rejects.toThrow('enough')
  })

  it('has its faults in the line where they are', async () => {
    const broken = bytes.slice()
    broken.set(new TextEncoder().encode('\r\n1,2,3\r\n'), 6_000_000)
    const plain = await openTable({ name: 'a.csv', bytes: broken }).catch(error => (error as Error).message)
    const watched = openTable({ name: 'a.csv', bytes: broken }, { onProgress: () => undefined })
    await expect(watched).rejects.toThrow(String(plain))
  })
})
