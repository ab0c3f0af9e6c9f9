import { EngineError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { counting, looked, number, seen } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import { readingOf } from '../view/reading.ts'
import type { CountFigures, Repetition, TableView } from '../view/view.ts'
import type { Column } from './columns.ts'
import { type CountOptions, chooseCount, countNotes } from './count-column.ts'

const REPETITION: Repetition = { rows: 10, distinct: 10, apart: 10, sizes: [2, 5, 1], pairs: [40, 10, 90] }

interface Given {
  readonly columns: readonly Column[]
  readonly options?: CountOptions
  readonly figures?: Partial<CountFigures>
  readonly repetition?: Partial<Repetition>
  /** Of the first rows, if that differs. */
  readonly first?: Partial<Repetition>
  readonly values?: readonly string[]
  readonly weight?: string
  readonly all?: boolean
  readonly missing?: readonly string[]
}

const choose = ({
  columns,
  options = {},
  figures,
  repetition,
  first,
  values = ['30', '12', '7', '55'],
  weight,
  all = true,
  missing,
}: Given) => {
  const view = {
    name: 'x.csv',
    columns,
    weight,
    countFigures: async () => ({ rows: 10, bad: 0, fractions: 0, grouping: 0, zeros: 0, ...figures }),
    repetition: async (_: unknown, __: unknown, whole: boolean) => ({
      ...REPETITION,
      ...(whole ? repetition : (first ?? repetition)),
    }),
    firstValues: async (asked: readonly unknown[]) => asked.map(() => values),
    firstFault: async () => ({ test: 0, where: 'x.csv, line 4', line: 4, row: 3, value: '-3' }),
  } as unknown as TableView
  return chooseCount(view, seen(columns, 10, all), readingOf({ ...(missing && { missing }) }), options)
}
const shown = async (given: Given) => {
  const { column, sampling, found, leftOut, aside, proposedWeights, reason, notes } = await choose(given)
  return {
    count: column?.name,
    ...(sampling && { sampling }),
    ...(found && { found }),
    ...(leftOut.length > 0 && { leftOut: leftOut.map(({ name }) => name) }),
    ...(aside.length > 0 && { aside: aside.map(each => each.column.name) }),
    ...(proposedWeights && { proposedWeights: proposedWeights.name }),
    ...(reason !== '' && { reason }),
    ...(notes.length > 0 && { said: notes.map(({ kind, text }) => `${kind}: ${text}`) }),
  }
}

const [a, b] = [looked('a'), looked('b')]
const counted = (name = 'n') => [a, b, number(name, 4)]
const FOUND = { found: true, reason: 'it says how often each combination of the others was seen' }
const without = (name: string, why: string, options = '') => ({
  count: undefined,
  leftOut: [name],
  reason: `it may hold counts, but ${why}`,
  said: [
    `warning: every row counts once and ${name} is left out, since ${why}; to count by it: count '${name}'; to use it as a variable, name it with modes${options}`,
  ],
})
const UNCLEAR = 'the other columns are not clearly a table of counted combinations'
const SPARSE = { sizes: [30, 30, 1], pairs: [4, 1, 90] }

describe('the column of counts', () => {
  it('is the one that is named', async () => {
    expect(await shown({ columns: counted(), options: { count: 'N' } })).toEqual({
      count: 'n',
      reason: 'it was named as the count',
    })
    expect(await shown({ columns: counted(), options: { weights: 'n' } })).toEqual({
      count: 'n',
      sampling: true,
      reason: 'it was named as the weight',
    })
    expect(await shown({ columns: counted(), options: { count: 'none' } })).toEqual({ count: undefined })
    expect(await refusal(() => choose({ columns: counted(), options: { count: 'nn' } }))).toBe(
      'OptionError: x.csv has no column "nn" for count; did you mean "n"?',
    )
    expect(await refusal(() => choose({ columns: counted(), options: { weights: 'wxyz' } }))).toBe(
      'OptionError: x.csv has no column "wxyz" of weights; there are a, b, n',
    )
    expect(
      await choose({ columns: counted(), options: { count: 'n' }, figures: { fractions: 3, zeros: 2 } }),
    ).toMatchObject({ fractions: true, zeros: 2, found: false })
    expect(await choose({ columns: counted(), options: { count: 'n' } })).toMatchObject({
      fractions: false,
      zeros: 0,
      sampling: false,
    })
  })

  it.each(
    'n N nobs nn_obs obs count Counts freq freqs frequency frequencies cases Anzahl häufigkeit haeufigkeiten fälle faelle total value'.split(
      ' ',
    ),
  )('is found by the name %s', async name =>
    expect(await shown({ columns: counted(name) })).toEqual({ count: name, ...FOUND }),
  )
  it.each('nx xn m number ncases counter frequent totals values xtotal xvalue obsx'.split(' '))(
    'is not found by the name %s',
    async name => expect(await shown({ columns: counted(name) })).toEqual({ count: undefined }),
  )

  it('must hold numbers, and not be wanted for something else', async () => {
    const n = (more: Partial<Column>) => shown({ columns: [a, b, looked('n', more)] })
    expect(await n({ kind: 'text', numeric: 0.6 })).toMatchObject({ count: 'n' })
    expect(await n({ kind: 'text', numeric: 0.5 })).toEqual({ count: undefined })
    expect(await n({ kind: 'date', numeric: 1 })).toEqual({ count: undefined })
    const columns = counted()
    expect(await shown({ columns, options: { claimed: [columns[2]] } })).toEqual({ count: undefined })
  })

  it('is left out if rows repeat, or nothing is clear', async () => {
    const repeats = (distinct: number) => ({ distinct, apart: distinct })
    expect(await shown({ columns: counted('total'), repetition: repeats(8) })).toEqual(
      without('total', '2 of 10 rows repeat the other columns of an earlier one'),
    )
    expect(await shown({ columns: counted('total'), repetition: repeats(9) })).toEqual(
      without('total', '1 of 10 rows repeats the other columns of an earlier one'),
    )
    expect(await shown({ columns: counted(), repetition: SPARSE })).toEqual(without('n', UNCLEAR))
    // A single repeat is a mistake if the numbers look like counts, more than a tenth are not.
    expect(await shown({ columns: counted(), repetition: repeats(9) })).toMatchObject({ count: 'n' })
    expect(await shown({ columns: counted(), repetition: repeats(8) })).toMatchObject({ leftOut: ['n'] })
    expect(
      await shown({
        columns: counted(),
        repetition: { ...repeats(90), rows: 100, sizes: [2, 5, 1], pairs: [9900, 9900, 9900] },
      }),
    ).toMatchObject({ count: 'n' })
    expect(
      await shown({
        columns: counted(),
        repetition: { ...repeats(89), rows: 100, sizes: [2, 5, 1], pairs: [9900, 9900, 9900] },
      }),
    ).toMatchObject({ leftOut: ['n'] })
    for (const values of [
      ['1', '2', '3', '4'],
      ['1.5', '80'],
      ['-1', '80', '3'],
    ])
      expect(await shown({ columns: counted(), repetition: repeats(9), values })).toMatchObject({ leftOut: ['n'] })
    // Half as many again as there are values.
    expect(await shown({ columns: counted(), repetition: repeats(9), values: ['1', '2', '3', '6'] })).toMatchObject({
      leftOut: ['n'],
    })
    expect(await shown({ columns: counted(), repetition: repeats(9), values: ['1', '2', '3', '7'] })).toMatchObject({
      count: 'n',
    })
    expect(
      await shown({ columns: counted(), repetition: repeats(9), values: ['0', '1', '2', '3', '999'] }),
    ).toMatchObject({ leftOut: ['n'] })
  })

  it('that is hardly called otherwise is one if the others are categories', async () => {
    const categories = { rows: 100, distinct: 100, apart: 100, sizes: [50, 50, 1], pairs: [4, 1, 90] }
    for (const name of ['count', 'counts', 'freq', 'frequencies', 'Anzahl', 'häufigkeit', 'haeufigkeiten'])
      expect(await shown({ columns: counted(name), repetition: categories })).toMatchObject({ count: name })
    for (const name of ['n', 'obs', 'cases', 'total'])
      expect(await shown({ columns: counted(name), repetition: categories })).toMatchObject({ leftOut: [name] })
    expect(await shown({ columns: counted('count'), repetition: { ...categories, sizes: [51, 50, 1] } })).toEqual(
      without('count', UNCLEAR),
    )
    expect(await shown({ columns: counted('count'), repetition: categories, values: ['1', '2'] })).toEqual(
      without('count', UNCLEAR),
    )
  })

  it('one of two cannot be told, unless only one has the name of counts', async () => {
    const two = [a, b, number('n', 4), number('freq, all', 4), number('obs', 4)]
    expect(await shown({ columns: two })).toMatchObject({
      leftOut: ['n', 'obs'],
      said: [
        "warning: every row counts once and n and obs are left out, since both n and obs may hold counts; to count by it: count 'n'; to use it as a variable, name it with modes",
      ],
    })
    expect(await shown({ columns: [a, b, number('total', 4), number('n', 4)] })).toMatchObject({ count: 'n' })
    expect(await shown({ columns: [a, b, number('total', 4), number('value', 4)] })).toMatchObject({
      leftOut: ['total', 'value'],
    })
  })

  it('of a large table is told from the first rows if they repeat', async () => {
    const repeats = { distinct: 5, apart: 5 }
    expect(await shown({ columns: counted(), all: false, first: repeats })).toEqual(
      without('n', '5 of the first 10 rows repeat the other columns of an earlier one'),
    )
    expect(await shown({ columns: counted(), all: false, repetition: repeats, first: {} })).toEqual(
      without('n', '5 of 10 rows repeat the other columns of an earlier one'),
    )
    expect(await shown({ columns: counted(), all: false })).toMatchObject({ count: 'n' })
  })

  it('is to be named if there is too little memory to find out', async () => {
    const failing = (error: Error) => {
      const columns = counted('n')
      const view = {
        name: 'x.csv',
        columns,
        firstValues: async () => [['30']],
        repetition: async () => Promise.reject(error),
      } as unknown as TableView
      return chooseCount(view, seen(columns), readingOf({}), {})
    }
    const cause = new EngineError('out of memory')
    expect(await refusal(() => failing(cause))).toBe(
      "OptionError: there are too many rows to find out in this memory whether n contains counts: if it does, use count 'n', or count 'none'",
    )
    expect((await failing(cause).catch((error: Error) => error)) as Error).toMatchObject({ cause })
    expect(await refusal(() => failing(new TypeError('a bug')))).toBe('TypeError: a bug')
  })
})

describe('counts that cannot be used', () => {
  const advice = "; correct it, name the column of counts, or let every row count once with count 'none'"
  const place = 'DataError: x.csv, line 4, column "n": '
  it('are refused with their place', async () => {
    const bad = { columns: counted(), figures: { bad: 1 } }
    expect(await refusal(() => choose(bad))).toBe(`${place}a count must be a number ≥ 0 (got "-3")${advice}`)
    expect(await refusal(() => choose({ ...bad, options: { count: 'n' } }))).toBe(
      `${place}a count must be a number ≥ 0 (got "-3")`,
    )
    expect(await refusal(() => choose({ ...bad, options: { weights: 'n' } }))).toBe(
      `${place}a weight must be a number ≥ 0 (got "-3")`,
    )
  })

  it.each([
    [
      '9',
      ['9'],
      "the count 9 means missing here, and a count cannot be missing; if the code is only for some columns, use missingIn 'q1:9' instead",
    ],
    [
      '9.0',
      ['9'],
      "the count 9.0 means missing here, and a count cannot be missing; if the code is only for some columns, use missingIn 'q1:9.0' instead",
    ],
    [
      '0',
      ['0'],
      "the count 0 means missing here, and a count cannot be missing; if the code is only for some columns, use missingIn 'q1:0' instead",
    ],
    ['-9', ['-9'], 'a count must be a number ≥ 0 (got "-9")'],
    ['x', ['9'], 'a count must be a number ≥ 0 (got "x")'],
    [null, ['9'], 'the count is missing'],
  ])('%j with the missing codes %j', async (value, missing, message) => {
    const columns = counted()
    const view = {
      name: 'x.csv',
      columns,
      countFigures: async () => ({ rows: 10, bad: 1, fractions: 0, grouping: 0, zeros: 0 }),
      firstFault: async (tests: readonly { is: string; column: unknown }[]) => {
        expect(tests.map(({ is, column }) => [is, column])).toEqual([['no count', columns[2]]])
        return { test: 0, where: 'x.csv, line 4', line: 4, row: 3, value }
      },
    } as unknown as TableView
    const choice = chooseCount(view, seen(columns), readingOf({ missing }), { count: 'n' })
    expect(await refusal(() => choice)).toBe(`${place}${message}`)
  })

  it('a few fractions are mistakes, and so are those that look like thousands', async () => {
    const message = `${place}"-3" is not whole, as other counts are; if it is right, say so with count 'n'`
    const of = (figures: Partial<CountFigures>, name = 'n', options: CountOptions = {}) =>
      refusal(() => choose({ columns: counted(name), figures: { rows: 100, ...figures }, options }))
    expect(await of({ fractions: 9 })).toBe(message)
    expect(await of({ fractions: 10 })).toBeUndefined()
    expect(await of({ fractions: 50, grouping: 50 })).toBe(message)
    expect(await of({ fractions: 50, grouping: 49 })).toBeUndefined()
    expect(await of({ fractions: 100, grouping: 100 })).toBeUndefined()
    expect(await of({ fractions: 0 })).toBeUndefined()
    expect(await of({ fractions: 9 }, 'total')).toBeUndefined()
    expect(await of({ fractions: 9 }, 'n', { count: 'n' })).toBeUndefined()
  })
})

describe('weights that are not asked for', () => {
  const wt = number('wt', 50)
  it('are set aside and proposed, unless their whole numbers count combinations', async () => {
    const fractions = ['1.5', '2']
    expect(await shown({ columns: [a, b, wt], values: fractions })).toMatchObject({
      count: undefined,
      aside: ['wt'],
      proposedWeights: 'wt',
    })
    expect(await shown({ columns: [a, b, wt] })).toEqual({ count: 'wt', ...FOUND })
    expect(await shown({ columns: [a, b, wt], repetition: SPARSE })).toMatchObject({ count: undefined, aside: ['wt'] })
    expect(await shown({ columns: [a, b, wt, number('wt2', 9)] })).toMatchObject({
      count: undefined,
      aside: ['wt', 'wt2'],
    })
    expect(await shown({ columns: [a, b, wt, number('n', 9)] })).toMatchObject({ count: 'n', aside: ['wt'] })
    // Of several, nothing is proposed once it is said how rows count; a column that counts is not set aside.
    expect(await shown({ columns: [a, b, wt, number('w', 9)], options: { weights: 'w' } })).toMatchObject({
      count: 'w',
      aside: ['wt'],
    })
    expect((await shown({ columns: [a, b, wt, number('w', 9)], options: { weights: 'w' } })).said).toBeUndefined()
    expect(await shown({ columns: [a, b, wt, number('w', 9)], options: { weights: 'w' } })).not.toHaveProperty(
      'proposedWeights',
    )
    expect(await shown({ columns: [a, b, wt, number('n', 9)], options: { count: 'n' } })).not.toHaveProperty(
      'proposedWeights',
    )
    expect(await shown({ columns: [a, b, wt], options: { count: 'none' } })).toEqual({
      count: undefined,
      aside: ['wt'],
    })
    expect((await shown({ columns: [a, b, wt, looked('psu')], values: fractions })).said).toHaveLength(2)
    expect(
      (await shown({ columns: [a, b, wt, looked('psu')], values: fractions, options: { design: true } })).said,
    ).toHaveLength(1)
  })

  it.each<[string, Partial<Column>, boolean]>([
    ['numbers', {}, true],
    ['from zero', { range: [0, 5] }, true],
    ['below zero', { range: [-1, 5] }, false],
    ['missing somewhere', { missing: 1 }, false],
    ['with words', { kind: 'text' }, false],
  ])('%s', async (_, more, usable) => {
    const { proposedWeights } = await shown({ columns: [a, b, number('wt', 50, more)], values: ['1.5'] })
    expect(proposedWeights).toBe(usable ? 'wt' : undefined)
  })

  it('that a file declares are said, and not used by themselves', async () => {
    const w = number('gew, x', 50)
    const said =
      'warning: the file declares "gew, x" as its weight variable: use weights \'gew, x\'; until then every row counts once'
    expect(await shown({ columns: [a, b, w], weight: 'gew, x' })).toEqual({
      count: undefined,
      leftOut: ['gew, x'],
      proposedWeights: 'gew, x',
      reason: 'the file declares it as its weight variable',
      said: [said],
    })
    const n = number('n', 4)
    const repetition = SPARSE
    expect(await shown({ columns: [a, b, n, w], weight: 'gew, x', repetition })).toMatchObject({
      leftOut: ['n', 'gew, x'],
      reason: `it may hold counts, but ${UNCLEAR}`,
      said: [without('n', UNCLEAR).said[0], said],
    })
    // A column of counts that the file declares as weights is mentioned as weights.
    expect(await shown({ columns: [a, b, n], weight: 'n', repetition })).toMatchObject({
      leftOut: ['n'],
      reason: 'the file declares it as its weight variable',
      said: [said.replaceAll('"gew, x"', 'n').replaceAll('gew, x', 'n')],
    })
    expect(await shown({ columns: [a, b, n], weight: 'n' })).toEqual({ count: 'n', ...FOUND })
    expect(await shown({ columns: [a, b, w], weight: 'gew, x', options: { claimed: [w] } })).toEqual({
      count: undefined,
    })
    expect(await shown({ columns: [a, b, w], weight: 'gew, x', options: { count: 'none' } })).toEqual({
      count: undefined,
    })
    expect((await shown({ columns: [a, b, w, wt], weight: 'gew, x', values: ['1.5'] })).said).toEqual([said])
  })
})

describe('what is said of counts', () => {
  const n = number('n, all', 4)
  const said = (more: Parameters<typeof counting>[0], rows = 10, total = 1234, scale = 1) =>
    countNotes(counting(more), rows, total, scale).map(({ kind, text }) => `${kind}: ${text}`)

  it('that were found, or have zeros', () => {
    expect(said({})).toEqual([])
    expect(said({ column: n })).toEqual([])
    expect(said({ column: n, found: true })).toEqual([
      'choice: counting by column "n, all": N = 1,234 in 10 rows (every row once: count \'none\')',
    ])
    expect(said({ column: n, zeros: 1 }, 1)).toEqual([
      'choice: counting by column "n, all": N = 1,234 in 1 row, of which 1 with "n, all" = 0 counts for nothing',
    ])
    expect(said({ column: n, zeros: 2, found: true })[0]).toContain('2 with "n, all" = 0 count for nothing (every')
    expect(said({ column: number('wt', 4), found: true })[1]).toBe(
      "choice: if wt holds sampling weights, use weights 'wt'",
    )
    expect(said({ column: number('wt', 4), zeros: 1 })).toHaveLength(1)
  })

  it('that are weights', () => {
    const weights = { column: n, sampling: true }
    expect(said(weights)).toEqual([])
    expect(said(weights, 10, 10.4, 1.009)).toEqual([])
    expect(said(weights, 10, 10.4, 0.991)).toEqual([])
    expect(said(weights, 10, 10.4, 0.5)).toEqual([
      'choice: "n, all": weights are divided by their mean, so that they sum to the number of rows that are used',
    ])
    expect(said(weights, 10, 10, 3)).toHaveLength(1)
    expect(said({ ...weights, zeros: 2 })).toEqual(['choice: of 10 rows, 2 with "n, all" = 0 count for nothing'])
  })
})
