import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import { readingOf } from '../view/reading.ts'
import type { TableView } from '../view/view.ts'
import { checkRecoded, knownRecode } from './recode-notes.ts'

describe('columns that cannot be recoded', () => {
  const recode = { age: [{ from: ['1'], to: 'x' }] }
  it('are those that are cut, and the one that counts', async () => {
    const check = (cut: string[], count?: string) =>
      refusal(() =>
        checkRecoded(
          recode,
          cut.map(name => ({ name })),
          count === undefined ? undefined : { name: count },
        ),
      )
    expect(await check([])).toBeUndefined()
    expect(await check(['other'], 'n')).toBeUndefined()
    expect(await check(['toString'])).toBeUndefined()
    expect(await check(['other', 'age'])).toBe(
      'OptionError: recode: "age" is cut into intervals, which are not recoded; leave out one of the two, or choose other cuts',
    )
    expect(await check([], 'age')).toBe(
      'OptionError: recode: "age" is the column of counts or weights, and has no categories',
    )
  })
})

describe('a recoding as the table has it', () => {
  /** A table of which the first rows have some categories, and later ones others. */
  const known = (
    recode: readonly { from: string[]; to: string }[],
    first: readonly string[],
    later: readonly string[] = [],
    all = true,
  ) => {
    const asked: unknown[][] = []
    const view = {
      codesFound: async (
        codes: readonly string[],
        columns: readonly { name: string }[],
        reading: object,
        whole: boolean,
      ) => {
        asked.push([codes, columns.map(({ name }) => name), 'recode' in reading, whole])
        return codes.map(code => first.includes(code) || (whole && later.includes(code)))
      },
      firstValues: async () => [['very good', 'bad', '10', '9']],
    } as unknown as TableView
    const reading = { ...readingOf({}), recode: { 'q, 1': recode } }
    return knownRecode(view, looked('q, 1'), recode, reading, all).then(found => ({ ...found, asked }))
  }

  it('categories that stood under the new name are among those that became one', async () => {
    expect((await known([{ from: ['a'], to: 'x' }], ['a', 'x'])).recode).toEqual([{ from: ['a', 'x'], to: 'x' }])
    expect((await known([{ from: ['a'], to: 'x' }], ['a'])).recode).toEqual([{ from: ['a'], to: 'x' }])
    expect((await known([{ from: ['a', 'x'], to: 'x' }], ['a', 'x'])).recode).toEqual([{ from: ['a', 'x'], to: 'x' }])
    // What is itself recoded into something else is not.
    const swapped = [
      { from: ['a'], to: 'b' },
      { from: ['b'], to: 'a' },
    ]
    expect((await known(swapped, ['a', 'b'])).recode).toEqual(swapped)
  })

  it('those that never occur are a note with the nearest spelling', async () => {
    const { notes, asked } = await known([{ from: ['very god', 'nothing', 'bad'], to: 'x' }], ['bad'])
    expect(notes.map(({ kind, text }) => [kind, text])).toEqual([
      [
        'warning',
        'recode: no row has "very god" (did you mean "very good"?), "nothing" in "q, 1"; check how it is written',
      ],
    ])
    expect(asked).toEqual([[['very god', 'nothing', 'bad', 'x'], ['q, 1'], false, true]])
    expect((await known([{ from: ['bad'], to: 'x' }], ['bad'])).notes).toEqual([])
    const many = 'mnopqrstu'.split('')
    expect((await known([{ from: many, to: 'x' }], [])).notes[0].text).toContain('"r" and 3 more in "q, 1"')
  })

  it('are looked for in all rows if the first do not have them', async () => {
    const { notes, asked, recode } = await known([{ from: ['a', 'b'], to: 'x' }], ['a'], ['b', 'x'], false)
    expect(notes).toEqual([])
    expect(recode).toEqual([{ from: ['a', 'b'], to: 'x' }])
    expect(asked).toEqual([
      [['a', 'b', 'x'], ['q, 1'], false, false],
      [['b'], ['q, 1'], false, true],
    ])
    expect((await known([{ from: ['a'], to: 'x' }], ['a'], [], false)).asked).toHaveLength(1)
    expect((await known([{ from: ['a', 'c'], to: 'x' }], ['a'], ['b'], false)).notes[0].text).toContain(
      'no row has "c" in',
    )
  })
})
