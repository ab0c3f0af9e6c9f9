import { describe, expect, it } from 'vitest'
import { ConcurrencyLimit } from './concurrency-limit.ts'

const never = new AbortController().signal

describe('turns', () => {
  it('are taken in order, two at a time', async () => {
    const turns = new ConcurrencyLimit(2)
    const ends: (() => void)[] = []
    const began: number[] = []
    const all = [0, 1, 2, 3].map(n =>
      turns.run(never, () => {
        began.push(n)
        return new Promise<number>(resolve => ends.push(() => resolve(n)))
      }),
    )
    await Promise.resolve()
    await Promise.resolve()
    expect(began).toEqual([0, 1])
    ends[1]()
    await all[1]
    expect(began).toEqual([0, 1, 2])
    ends[0]()
    await all[0]
    ends[2]()
    await all[2]
    ends[3]()
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
  })

  it('are lost by who goes away, and those behind move up', async () => {
    const turns = new ConcurrencyLimit(1)
    const gone = new AbortController()
    let end = () => {}
    const first = turns.run(
      never,
      () =>
        new Promise<void>(resolve => {
          end = resolve
        }),
    )
    const second = turns.run(gone.signal, async () => 'second')
    const third = turns.run(never, async () => 'third')
    gone.abort()
    await expect(second).rejects.toThrow('cancelled')
    end()
    await first
    expect(await third).toBe('third')
    await expect(turns.run(gone.signal, async () => 'late')).rejects.toThrow('cancelled')
    await turns.idle()
  })

  it('go on after work that fails', async () => {
    const turns = new ConcurrencyLimit(1)
    const failing = turns.run(never, async () => Promise.reject(new Error('no')))
    expect(await turns.run(never, async () => 'yes')).toBe('yes')
    await expect(failing).rejects.toThrow('no')
  })
})
