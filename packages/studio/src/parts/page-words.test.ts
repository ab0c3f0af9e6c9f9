import { openTable, readView } from 'polyad/table'
import { describe, expect, it } from 'vitest'
import { pageWords } from './page-words.ts'

const table = (header: string, line: (i: number) => string, rows = 60) =>
  openTable({ name: 'a.csv', text: `${header}\n${Array.from({ length: rows }, (_, i) => line(i)).join('\n')}\n` })

const notesOf = async (...given: Parameters<typeof table>) =>
  (await readView(await table(...given))).notes.map(({ text }) => text)

/** Names of the library's options, as advice gives them. */
const OPTION = /\b(bins|missing|count|top:|trim|ignoreCase|rescaleWeights)\b( '| ")|with (trim|ignoreCase)/

describe('advice in a page', () => {
  it('names no option of the library', async () => {
    const found = [
      ...(await notesOf('a,b,c', i => `${i % 3 === 0 ? 99 : (i % 3) + 1},${i % 2},${i}.5`)),
      ...(await notesOf('a,b', i => `${['Good', 'good', 'Bad '][i % 3]},${i % 2}`)),
      ...(await notesOf('a,b,n', i => `${i % 2},${i % 3},${i % 7}`)),
      ...(await notesOf('a,b,time', i => `${i % 2},${i % 3},2024-01-${String((i % 28) + 1).padStart(2, '0')}`)),
    ]
    expect(found.some(text => OPTION.test(text))).toBe(true)
    for (const text of found) expect(pageWords(text), text).not.toMatch(OPTION)
  })

  it('leaves other words as they are', () => {
    expect(pageWords('3 rows left out: every mode is missing in them')).toBe(
      '3 rows left out: every mode is missing in them',
    )
  })
})
