import { describe, expect, it } from 'vitest'
import { counting, looked, number, seen } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from '../reading/inspect-table.ts'
import type { BinRequest } from '../values/bins.ts'
import { chooseModes, judgeColumns, type ModeRequest, reasonAgainst } from './choose-modes.ts'
import type { Column } from './columns.ts'
import type { CountChoice } from './count-column.ts'

const textOf = (sentence: unknown) =>
  typeof sentence === 'string'
    ? sentence
    : (sentence as { option?: string; lead?: string; values?: string[] }[])
        ?.map(part => (typeof part === 'string' ? part : `${part.lead} ${part.option} ${part.values}`))
        .join('')

describe('why a column does not look categorical', () => {
  it.each<[string, Column, number, boolean, string | undefined]>([
    ['lists', looked('x', { kind: 'nested' }), 100, true, 'lists or records'],
    ['nothing', looked('x', { kind: 'empty', distinct: 0 }), 100, true, 'no values'],
    ['a constant', looked('x', { distinct: 1 }), 100, true, 'the same value in every row'],
    ['a constant at first', looked('x', { distinct: 1 }), 20_000, false, 'the same value in the first 20,000 rows'],
    [
      'times of day',
      looked('start', { kind: 'date', type: 'TIME', distinct: 30 }),
      100,
      true,
      'times of day. Group them with bins start:hour',
    ],
    [
      'dates',
      looked('when', { kind: 'date', distinct: 30 }),
      100,
      true,
      'dates or times. Group them with bins when:month (or hour, weekday, year, …)',
    ],
    ['50 numbers, twice each', number('x', 50), 100, true, undefined],
    [
      '50 numbers, less than twice',
      number('x', 50),
      99,
      true,
      '50 different values in 99 rows. Use them as numbers with items x, or group them with bins x:q5',
    ],
    [
      '51 numbers',
      number('x', 51),
      1000,
      true,
      '51 different values in 1,000 rows. Use them as numbers with items x, or group them with bins x:q5',
    ],
    [
      '51 at first',
      number('x', 51),
      20_000,
      false,
      '51 different values in the first 20,000 rows. Use them as numbers with items x, or group them with bins x:q5',
    ],
    [
      'as many numbers as rows',
      number('x', 60),
      60,
      true,
      '60 different values in 60 rows. If these are no identifiers, use them as numbers with items x, or group them with bins x:q5',
    ],
    [
      'few numbers in few rows',
      number('x', 9),
      17,
      true,
      '9 different values in 17 rows: too few rows to tell whether it is a category',
    ],
    [
      'ten numbers in few rows',
      number('x', 10),
      17,
      true,
      '10 different values in 17 rows. Use them as numbers with items x, or group them with bins x:q5',
    ],
    ['two texts', looked('x'), 100, true, undefined],
    ['20 texts', looked('x', { distinct: 20 }), 20, true, undefined],
    ['21 texts, seen twice', looked('x', { distinct: 21 }), 42, true, undefined],
    [
      '21 texts, less than twice',
      looked('x', { distinct: 21 }),
      41,
      true,
      '21 different values in 41 rows: an identifier or free text',
    ],
    [
      'numbers and a word',
      looked('x', { distinct: 90, numeric: 0.81, word: 'n.v.' }),
      100,
      true,
      '90 different values in 100 rows, nearly all numbers, but not "n.v.": if that means missing, add missing n.v.',
    ],
    [
      'fewer numbers and a word',
      looked('x', { distinct: 90, numeric: 0.8, word: 'n.v.' }),
      100,
      true,
      '90 different values in 100 rows: an identifier or free text',
    ],
    [
      'numbers alone',
      looked('x', { distinct: 90, numeric: 0.9 }),
      100,
      true,
      '90 different values in 100 rows: an identifier or free text',
    ],
  ])('%s', (_, column, rows, all, reason) =>
    expect(textOf(reasonAgainst(column, seen([column], rows, all)))).toBe(reason),
  )
})

const view = { name: 'x.csv' }
const judged = (
  columns: readonly Column[],
  options: ModeRequest = {},
  count: Partial<CountChoice> = {},
  bins: ReadonlyMap<Column, BinRequest> = new Map(),
  weight?: string,
) => judgeColumns(seen(columns), { ...view, weight }, options, counting(count), bins)

it('remarks are free text, however few rows there are', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => `${i % 2},${i % 3 === 0 ? '' : `she said ${i}`},r${i % 3}`)
  const table = await openTable({ name: 'x.csv', text: `q,Comment,remark\n${rows.join('\n')}\n` })
  const { columns } = await inspectTable(table)
  expect(columns.map(({ guess, reason }) => [guess, reason.replace(/^.*: /, '')])).toEqual([
    ['mode', '2 different values in 12 rows'],
    ['ignore', 'free text'],
    ['mode', '3 different values in 12 rows'],
  ])
})

describe('what is made of columns', () => {
  const [a, b, n] = [looked('a'), looked('b'), number('n', 3)]
  const id = looked('id', { distinct: 100 })

  it('what was asked for, before what it looks like', () => {
    const uses = (options: ModeRequest, count = {}) =>
      judged([a, b, n, id], options, count).map(
        ({ use, reason, unfit }) => `${use}: ${textOf(reason)}${unfit ? ' (unfit)' : ''}`,
      )
    const wanted = 'mode: it is used as requested'
    expect(uses({})).toEqual([
      'mode: 2 different values in 100 rows',
      'mode: 2 different values in 100 rows',
      'mode: 3 different values in 100 rows',
      'ignore: 100 different values in 100 rows: an identifier or free text (unfit)',
    ])
    expect(uses({ modes: ['a', 'id'] })).toEqual([
      wanted,
      'ignore: it is not among the variables named',
      'ignore: it is not among the variables named',
      wanted,
    ])
    expect(uses({ include: ['id'] })[3]).toBe(wanted)
    expect(uses({ beside: ['id'] })[3]).toBe(wanted)
    expect(uses({ exclude: ['a'], include: ['a'] })[0]).toBe('ignore: it is left out as requested')
    expect(uses({ modes: ['n'] }, { column: n, reason: 'it was named' })[2]).toBe('count: it was named')
    expect(uses({}, { leftOut: [n, id], reason: 'it may hold counts' }).slice(2)).toEqual([
      'ignore: it may hold counts',
      'ignore: 100 different values in 100 rows: an identifier or free text (unfit)',
    ])
    expect(uses({}, { aside: [{ column: id, reason: 'it looks like clusters' }] })[3]).toBe(
      'ignore: it looks like clusters',
    )
    expect(judged([a, id], {}, {}, new Map([[id, { kind: 'int' }]]))[1].use).toBe('mode')
    expect(judged([a, id], {}, { leftOut: [id], reason: 'declared' }, new Map(), 'id')[1]).toMatchObject({
      use: 'ignore',
      reason: 'declared',
      unfit: false,
    })
    expect(judged([a, id], {}, { reason: 'declared' }, new Map(), 'id')[1].unfit).toBe(true)
  })

  it('numbers of many values are proposed to be cut, and weights to be weights', () => {
    const [fine, twenty] = [number('age', 21), number('few', 20)]
    const proposals = (options: ModeRequest = {}, count = {}, bins = new Map<Column, BinRequest>()) =>
      judged([fine, twenty, a], options, count, bins).map(({ proposal }) => proposal)
    expect(proposals()).toEqual([{ use: 'mode', bins: 'q5' }, undefined, undefined])
    expect(proposals({ include: ['age'] })).toEqual([undefined, undefined, undefined])
    expect(proposals({}, {}, new Map([[fine, { kind: 'int' }]]))).toEqual([undefined, undefined, undefined])
    expect(proposals({ exclude: ['age'] }, { proposedWeights: fine })).toEqual([
      { use: 'weight' },
      undefined,
      undefined,
    ])
    expect(proposals({}, { proposedWeights: fine })[0]).toEqual({ use: 'mode', bins: 'q5' })
    expect(proposals({ exclude: ['age'] })[0]).toBeUndefined()
  })
})

describe('the choice of modes', () => {
  const [a, b] = [looked('a'), looked('b, c')]
  const id = looked('id', { distinct: 100 })
  const choose = (
    columns: readonly Column[],
    options: ModeRequest = {},
    count: Partial<CountChoice> = {},
    bins: ReadonlyMap<Column, BinRequest> = new Map(),
  ) => {
    const chosen = chooseModes(seen(columns), view, options, counting(count), bins)
    return {
      names: chosen.columns.map(({ name }) => name),
      said: chosen.notes.map(({ kind, text }) => `${kind}: ${text}`),
    }
  }
  const refused = (...args: Parameters<typeof choose>) => refusal(() => choose(...args))

  it('is said, with what is left out and what may be cut', () => {
    expect(choose([a, b, id])).toEqual({
      names: ['a', 'b, c'],
      said: [
        'choice: variables: a, "b, c" (2 of 3 columns; choose others with modes)',
        'choice: id not used: 100 different values in 100 rows: an identifier or free text',
      ],
    })
    const [age, income] = [number('age', 36), number('income', 49)]
    expect(choose([a, age]).said[1]).toBe(
      "choice: every value is a category of its own in age (36); to cut it, use bins 'age:q5'",
    )
    expect(choose([a, age, income]).said[1]).toBe(
      "choice: every value is a category of its own in age (36), income (49); to cut them, use bins 'age:q5', bins 'income:q5'",
    )
    const many = Array.from({ length: 8 }, (_, i) => number(`q${i}`, 30))
    expect(choose([a, ...many]).said[1]).toBe(
      "choice: every value is a category of its own in q0 (30), q1 (30), q2 (30), q3 (30), q4 (30), q5 (30) and 2 more; to cut them, use bins 'q0:q5', bins 'q1:q5', bins 'q2:q5', …",
    )
    expect(choose([a, ...many.slice(0, 3)]).said[1]).toMatch(/bins 'q2:q5'$/)
    expect(choose([a, age], { include: ['age'] }).said).toHaveLength(1)
    expect(choose([a, age], {}, {}, new Map([[age, { kind: 'int' }]])).said).toHaveLength(1)
  })

  it('names some of a thousand columns', async () => {
    const used = Array.from({ length: 102 }, (_, i) => looked(`q${i}`))
    const ids = Array.from({ length: 31 }, (_, i) => looked(`id${i}`, { distinct: 100 }))
    const { said } = choose([...used, ...ids])
    expect(said[0]).toMatch(
      /^choice: variables: q0, q1, .* q98, q99 and 2 more \(102 of 133 columns; choose others with modes\)$/,
    )
    expect(said.slice(1)).toEqual([
      `choice: ${ids
        .slice(0, 30)
        .map(({ name }) => name)
        .join(', ')} not used: 100 different values in 100 rows: an identifier or free text`,
      'choice: 1 more column not used',
    ])
    // A damaged file may have names of any length.
    const long = looked('x'.repeat(9000), { distinct: 100 })
    expect(await refused([long])).toMatch(/:\n {2}x{200}… not used: 100 different values/)
    expect(await refused([...ids, looked('last', { distinct: 100 })])).toMatch(/\n {2}2 more columns not used$/)
  })

  it('by name is in the order of the names, each once', () => {
    const columns = [a, b, id]
    expect(choose(columns, { modes: ['id', 'A', 'id'] })).toEqual({ names: ['id', 'a'], said: [] })
    expect(choose(columns, { modes: ['a'], include: ['id'], beside: ['b, c'] }).names).toEqual(['a', 'id', 'b, c'])
    expect(choose(columns, { modes: ['a', 'id'], exclude: ['a'] }).names).toEqual(['id'])
    expect(choose(columns, { modes: ['a'] }, {}, new Map([[id, { kind: 'int' }]])).names).toEqual(['a', 'id'])
    // Columns of the design are read beside, and nothing is said of them.
    const labelled = looked('psu', { order: ['x'] })
    expect(choose([a, b, labelled], { beside: ['psu'] })).toEqual({
      names: ['a', 'b, c', 'psu'],
      said: ['choice: variables: a, "b, c"'],
    })
    expect(choose([a, b, labelled], { modes: ['a'], beside: ['psu'] }).said).toEqual([])
    expect(choose([a, b, labelled], { modes: ['a', 'psu'] }).said).toEqual([
      'choice: categories are value labels, in the order of their codes: psu',
    ])
    expect(choose([a, labelled]).said[1]).toBe('choice: categories are value labels, in the order of their codes: psu')
  })

  it('is refused if it cannot be', async () => {
    const n = number('n', 3)
    const nested = looked('list', { kind: 'nested' })
    expect(await refused([a, nested], { modes: ['a', 'list'] })).toBe(
      'OptionError: column "list" holds lists or records and cannot be a variable',
    )
    expect(await refused([a, n], { modes: ['a', 'n'] }, { column: n })).toBe(
      'OptionError: column "n" cannot be both a variable and the count',
    )
    expect(await refused([a, n], { modes: ['a'], beside: ['n'] }, { column: n, sampling: true })).toBe(
      'OptionError: column "n" cannot be both a covariate or a part of the design and the weight',
    )
    expect(await refused([a, b], { modes: ['a'], exclude: ['a'] })).toBe(
      'OptionError: no variable is left: all that modes names is in exclude',
    )
    expect(await refused([a, b], { modes: ['aa'] })).toBe('OptionError: x.csv has no column "aa"; did you mean "a"?')
    expect(await refused([id])).toBe(
      'OptionError: x.csv has no column that looks categorical; name some with modes:\n  id not used: 100 different values in 100 rows: an identifier or free text',
    )
  })

  it('of a single column is refused if there were others, unless it was asked for', async () => {
    const age = number('age', 80)
    const said = await refused([b, id])
    expect(said).toBe(
      'OptionError: x.csv has a single column that looks categorical, "b, c"; name more with modes:\n  id not used: 100 different values in 100 rows: an identifier or free text',
    )
    expect(await refused([a, id, age])).toContain(
      "categorical, a; cut others with bins 'age:q5', or name the variables with modes:\n  id not used",
    )
    expect(await refused([a, id, age])).toContain('free text\n  age not used: 80 different values')
    expect(choose([a]).names).toEqual(['a'])
    expect(choose([a, id], { include: ['a'] }).names).toEqual(['a'])
    expect(choose([a, id], {}, {}, new Map([[a, { kind: 'int' }]])).names).toEqual(['a'])
    expect(choose([a, id], { exclude: ['id'] }).names).toEqual(['a'])
  })
})
