import { readFileSync } from 'node:fs'
import { term, words } from '@polyad/core/options'
import { inspectTable, openTable, readView } from 'polyad/table'
import { describe, expect, it } from 'vitest'
import { pageWords } from '../worker/page-naming.ts'
import { rankWords, verdictWords } from './page-words.ts'

const table = (header: string, line: (i: number) => string, rows = 60) =>
  openTable({ name: 'a.csv', text: `${header}\n${Array.from({ length: rows }, (_, i) => line(i)).join('\n')}\n` })

const notesOf = async (...given: Parameters<typeof table>) => (await readView(await table(...given))).notes

/** Names of the library's options, as advice gives them. */
const OPTION = /\b(bins|missing|count|weights|top:|trim|ignoreCase|timeZone)\b( '| ")|with (trim|ignoreCase)/

describe('advice in a page', () => {
  it('names no option of the library', async () => {
    const found = [
      ...(await notesOf('a,b,c', i => `${i % 3 === 0 ? 99 : (i % 3) + 1},${i % 2},${i}.5`)),
      ...(await notesOf('a,b', i => `${['Good', 'good', 'Bad '][i % 3]},${i % 2}`)),
      ...(await notesOf('a,b,n', i => `${i % 2},${i % 3},${i % 7}`)),
      ...(await notesOf('a,b,time', i => `${i % 2},${i % 3},2024-01-${String((i % 28) + 1).padStart(2, '0')}`)),
    ]
    const times = await table('a,time', i => `${i % 2},2024-01-01T${String(i % 24).padStart(2, '0')}:00:00Z`)
    found.push(...(await readView(times, { bins: ['time:hour'] })).notes)
    const survey = new URL('../../../../test/data/survey/pspp-bytes.sav', import.meta.url)
    const weighted = await openTable({ name: 'a.sav', bytes: new Uint8Array(readFileSync(survey)) })
    found.push(...(await readView(weighted)).notes)
    expect(found.some(({ text }) => /weights '/.test(text))).toBe(true)
    expect(found.some(({ text }) => /timeZone '/.test(text))).toBe(true)
    expect(found.some(({ text }) => OPTION.test(text))).toBe(true)
    for (const { text, wording = text } of found) expect(pageWords(wording), text).not.toMatch(OPTION)
  })

  it('says variables where the library says modes', () => {
    expect(pageWords(words`both must have the same ${term('modes')}`)).toBe('both must have the same variables')
  })

  it('says what to do about a table that has too little in it', async () => {
    const single = await table('a;b', i => `${i % 2};${i % 3}`)
    const one = await inspectTable(await openTable({ name: 'a.csv', text: 'a\nx\ny\nx\n' }))
    const cut = await inspectTable(await table('a,b', i => `${i % 2},${i}.${i % 7}`))
    const ids = await inspectTable(await table('a,b', i => `${i % 2},person ${i}`))
    expect(cut.problem).toMatch(/cut others with bins 'b:q5', or name the variables with modes:/)
    const notes = [...single.notes, ...one.notes].map(({ text, wording = text }) => wording)
    const problems = [cut, ids].map(({ problemWording = '' }) => problemWording)
    for (const text of [...notes, ...problems]) expect(pageWords(text)).not.toMatch(/delimiter '|with modes|bins '/)
  })

  it('says numbers of classes, not ranks', () => {
    expect(rankWords('BIC is best at rank 3, 12.5 ahead of rank 1; ranks 4, 5 left aside; rank 6 not judged')).toBe(
      'BIC is best at 3 classes, 12.5 ahead of 1 class; 4, 5 classes left aside; 6 classes not judged',
    )
    expect(rankWords('it is the largest rank tried: try more')).toBe('it is the largest number tried: try more')
    expect(verdictWords('closed form: the global optimum; stationary to 0e+0')).toBe('closed form: the global optimum')
    const usual = '9 of 9 starts reached the best solution; stationary to 1e-9'
    expect(verdictWords(usual)).toBe(usual)
  })

  it('leaves other words as they are', () => {
    expect(pageWords('3 rows left out: every variable is missing in them')).toBe(
      '3 rows left out: every variable is missing in them',
    )
  })
})
