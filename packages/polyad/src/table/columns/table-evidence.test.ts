import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { readingOf } from '../view/reading.ts'
import type { Repetition, TableView } from '../view/view.ts'
import { weighEvidence } from './table-evidence.ts'

/** Evidence of a table whose columns have these sizes and pairs; the last of each is that of the files. */
const weigh = (figures: Partial<Repetition>, columns = 2) => {
  const given = { rows: 10, distinct: 10, apart: 10, sizes: [2, 5, 1], pairs: [40, 10, 90], ...figures }
  const view = { repetition: async () => given } as unknown as TableView
  return weighEvidence(
    view,
    Array.from({ length: columns }, (_, i) => looked(`c${i}`)),
    readingOf({}),
    true,
  )
}

describe('whether rows are counted combinations', () => {
  it('is asked of the other columns, and of all rows', async () => {
    const asked: unknown[][] = []
    const view = {
      repetition: async (...args: unknown[]) => {
        asked.push(args)
        return { rows: 4, distinct: 4, apart: 4, sizes: [2, 2, 1], pairs: [4, 4, 12] }
      },
    } as unknown as TableView
    const columns = [looked('a'), looked('b')]
    const reading = readingOf({})
    expect(await weighEvidence(view, columns, reading, false)).toEqual({
      rows: 4,
      repeats: 0,
      combinations: true,
      categorical: true,
      all: false,
    })
    expect(asked).toEqual([[columns, reading, false]])
    expect(await weighEvidence(view, [], reading, true)).toEqual({
      rows: 0,
      repeats: 0,
      combinations: false,
      categorical: false,
      all: true,
    })
  })

  it.each<[string, Partial<Repetition>, number, boolean]>([
    // Half of all combinations, and no fewer.
    ['half of the combinations', { sizes: [4, 5, 1], pairs: [0, 0, 90] }, 2, true],
    ['fewer', { sizes: [3, 7, 1], pairs: [0, 0, 90] }, 2, false],
    // A column whose values never come again names the rows, unless it is the only one.
    ['a column of names', { sizes: [1, 10, 1], pairs: [90, 0, 90] }, 2, false],
    ['names alone', { sizes: [10, 1], pairs: [0, 90] }, 1, true],
    // Two pairs of equal rows are expected by chance, and there is none.
    ['45 × 90/90 × 4/90 pairs expected', { sizes: [30, 30, 1], pairs: [90, 4, 90] }, 2, true],
    ['45 × 40/90 × 8/90 pairs expected', { sizes: [30, 30, 1], pairs: [40, 8, 90] }, 2, false],
    ['fewer than two', { sizes: [30, 30, 1], pairs: [90, 3.9, 90] }, 2, false],
    // Where rows repeat, ten times as many pairs must be expected.
    ['one repeat, ten pairs', { apart: 9, distinct: 9, sizes: [30, 30, 1], pairs: [90, 20, 90] }, 2, true],
    ['one repeat, fewer', { apart: 9, distinct: 9, sizes: [30, 30, 1], pairs: [90, 19, 90] }, 2, false],
    // Where files have the same combinations, the file is one more column.
    ['files apart', { distinct: 5, apart: 10, sizes: [2, 5, 3], pairs: [0, 0, 0] }, 2, false],
    ['two files apart', { distinct: 5, apart: 10, sizes: [2, 5, 2], pairs: [0, 0, 0] }, 2, true],
    ['files alike', { distinct: 10, apart: 10, sizes: [4, 5, 3], pairs: [0, 0, 0] }, 2, true],
  ])('%s', async (_, figures, columns, combinations) => {
    expect((await weigh(figures, columns)).combinations).toBe(combinations)
  })

  it('counts repeats, and knows categories by values that come again', async () => {
    expect(await weigh({ apart: 7 })).toMatchObject({ rows: 10, repeats: 3, categorical: true })
    expect((await weigh({ sizes: [2, 6, 1] })).categorical).toBe(false)
    expect((await weigh({ sizes: [6, 6, 1] })).categorical).toBe(false)
    expect((await weigh({ sizes: [2, 5, 9] })).categorical).toBe(true)
  })
})
