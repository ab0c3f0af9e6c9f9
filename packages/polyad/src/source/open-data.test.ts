import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { openData } from './open-data.ts'

const files = testFolder()

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => void setImmediate(resolve))
}

it('leaves no file to keep if it was stopped, whenever that was', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => `a${i % 71},b${i % 13},c${(i * i) % 29}`)
  const path = files.file('rows.csv', `a,b,c\n${rows.join('\n')}\n`)
  let [stopped, whole] = [0, 0]
  for (let after = 0; whole < 2; after++) {
    const keep = files.path(`kept-${after}.polyad`)
    const stop = new AbortController()
    const opening = openData(path, { keep, signal: stop.signal }).then(
      data => data.close().then(() => true),
      error => {
        expect(error).toMatchObject({ name: 'AbortError' })
        return false
      },
    )
    await turns(after)
    stop.abort()
    const isWhole = await opening
    // What goes on in spite of the signal has its time.
    await turns(100)
    expect(existsSync(keep), `stopped after ${after} turns`).toBe(isWhole)
    if (isWhole) whole++
    else stopped++
  }
  expect(stopped).toBeGreaterThan(2)
  expect(readdirSync(files.path('.')).filter(name => name.endsWith('.part'))).toEqual([])
})
