import { describe, expect, it } from 'vitest'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from '../reading/inspect-table.ts'
import { readView, type TableOptions } from '../reading/read-view.ts'
import type { Column } from './columns.ts'
import { looksLikeWeights, replicateFamilies } from './design-columns.ts'
import { missingCodes } from './missing-codes.ts'

/** A table in memory, read with options: what became of it. */
const read = async (text: string, options: TableOptions = {}) => {
  const { tensor, notes } = await readView(await openTable({ name: 'x.csv', text }), options)
  const table = new Map<string, number>()
  for (let cell = 0; cell < tensor.cells; cell++) {
    const row = tensor.indices.map((column, n) => (column[cell] < 0 ? '' : String(tensor.modes[n].label(column[cell]))))
    table.set(row.join('|'), tensor.values[cell])
  }
  return {
    names: tensor.modes.map(({ name }) => name),
    labels: tensor.modes.map(({ labels }) => labels),
    table: Object.fromEntries(table),
    total: tensor.total,
    said: notes.map(({ text }) => String(text)).join('\n'),
  }
}
const csv = (head: string, rows: readonly (readonly (string | number)[])[]) =>
  `${head}\n${rows.map(row => row.join()).join('\n')}\n`

const answers = Array.from({ length: 24 }, (_, i) => [['yes', 'no'][i % 2], ['a', 'b', 'c'][i % 3], i % 4])

describe('which rows, and how often', () => {
  const counted = csv('vote,city,n', answers)

  it('a column of counts says how often a row was seen', async () => {
    const { total, table, names } = await read(counted, { count: 'n' })
    expect(names).toEqual(['vote', 'city'])
    expect(total).toBe(answers.reduce((sum, row) => sum + Number(row[2]), 0))
    const expected: Record<string, number> = {}
    for (const [vote, city, n] of answers)
      if (Number(n) > 0) expected[`${vote}|${city}`] = (expected[`${vote}|${city}`] ?? 0) + Number(n)
    expect(table).toEqual(expected)
  })

  it('only those that meet a condition', async () => {
    const { total, table } = await read(counted, { modes: ['vote', 'city'], where: "vote = 'yes' and city != 'c'" })
    expect(Object.keys(table).sort()).toEqual(['yes|a', 'yes|b'])
    expect(total).toBe(answers.filter(([vote, city]) => vote === 'yes' && city !== 'c').length)
    await expect(read(counted, { where: "vote = 'perhaps'" })).rejects.toThrow(/where/)
    await expect(read(counted, { where: "vot = 'yes'" })).rejects.toThrow(/did you mean "?vote/)
  })

  it('counts must be numbers, and not below zero', async () => {
    await expect(
      read(
        csv('a,b,n', [
          ['x', 'u', -1],
          ['y', 'v', 2],
        ]),
        { count: 'n' },
      ),
    ).rejects.toThrow(/n/)
    await expect(
      read(
        csv('a,b,n', [
          ['x', 'u', 'many'],
          ['y', 'v', 2],
        ]),
        { count: 'n' },
      ),
    ).rejects.toThrow(/many/)
    await expect(
      read(
        csv('a,b,n', [
          ['x', 'u', 0],
          ['y', 'v', 0],
        ]),
        { count: 'n' },
      ),
    ).rejects.toThrow()
  })
})

describe('what becomes of values', () => {
  it('codes for missing values are left out where they are named, for all columns or for one', async () => {
    const text = csv('a,b', [
      ['1', 'x'],
      ['2', '-'],
      ['9', 'y'],
      ['9', 'x'],
      ['1', 'y'],
    ])
    expect((await read(text, { modes: ['a', 'b'], missing: ['9', '-'] })).labels).toEqual([
      [1, 2],
      ['x', 'y'],
    ])
    expect((await read(text, { modes: ['a', 'b'], missingIn: ['a:9'] })).labels).toEqual([
      [1, 2],
      ['-', 'x', 'y'],
    ])
    expect((await read(text, { modes: ['a', 'b'] })).labels).toEqual([
      [1, 2, 9],
      ['-', 'x', 'y'],
    ])
    await expect(read(text, { modes: ['a', 'b'], missingIn: ['c:9'] })).rejects.toThrow(/c/)
    await expect(read(text, { modes: ['a', 'b'], missing: ['a:9'] })).rejects.toThrow("use missingIn 'a:9'")
  })

  it('numbers are cut into widths and groups, dates by their parts', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => [i, `2024-${String((i % 3) + 1).padStart(2, '0')}-15`, i % 2])
    const text = csv('age,day,sex', rows)
    const { labels } = await read(text, { modes: ['age', 'day', 'sex'], bins: ['age:10', 'day:month'] })
    expect(labels[0]).toEqual(['[0,10)', '[10,20)', '[20,30)', '[30,40)'])
    expect(labels[1]).toEqual(['January', 'February', 'March'])
    expect((await read(text, { modes: ['age', 'sex'], bins: ['age:q4'] })).labels[0]).toHaveLength(4)
    await expect(read(text, { bins: ['old:10'] })).rejects.toThrow(/old/)
  })

  it('rare labels become one, the others stay', async () => {
    const rows = 'aaaaabbbbccd'.split('').map((letter, i) => [letter, i % 2])
    const { labels, table } = await read(csv('letter,side', rows), { modes: ['letter', 'side'], top: 2 })
    expect(labels[0]).toEqual(['a', 'b', '(other)'])
    expect(Object.values(table).reduce((sum, n) => sum + n, 0)).toBe(12)
  })
})

describe('an inspection', () => {
  it('tells identifiers, constants, measurements and categories', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => [
      `id${i}`,
      'same',
      (i * 7.3).toFixed(1),
      ['low', 'high'][i % 2],
      '',
      i % 3,
    ])
    const { columns } = await inspectTable(
      await openTable({ name: 'x.csv', text: csv('id,one,length,level,none,kind', rows) }),
    )
    expect(columns.map(({ name, kind, guess }) => [name, kind, guess])).toEqual([
      ['id', 'text', 'ignore'],
      ['one', 'text', 'ignore'],
      ['length', 'number', 'ignore'],
      ['level', 'text', 'mode'],
      ['none', 'empty', 'ignore'],
      ['kind', 'number', 'mode'],
    ])
    expect(columns.map(({ distinct }) => distinct)).toEqual([50, 1, 50, 2, 0, 3])
    expect(columns.map(({ missing }) => missing)).toEqual([0, 0, 0, 0, 50, 0])
  })
})

describe('names of the columns of a design', () => {
  const column = (name: string, kind = 'number', numeric = 1) => ({ name, kind, numeric }) as unknown as Column

  it('replicate weights are families of four or more numbers', () => {
    const family = (beginning: string, count: number) =>
      Array.from({ length: count }, (_, i) => column(`${beginning}${i + 1}`))
    for (const beginning of 'rw rwt repw repwt repwgt rep_weight repweights replicate_weight pwgtp wgtp brr brrwt fay jk jkw bsw bootw bootwt bootwgts w_fstr w_fsturwt wtrep earnwtrep perwtrep rw_'.split(
      ' ',
    )) {
      const [found, ...others] = replicateFamilies(family(beginning, 4))
      expect([found?.pattern, found?.columns.length, others.length], beginning).toEqual([`${beginning}*`, 4, 0])
    }
    expect(replicateFamilies(family('rw', 3))).toEqual([])
    for (const beginning of ['q', 'xrw', 'rwx', 'wave', ''])
      expect(replicateFamilies(family(beginning, 9)), beginning).toEqual([])
    expect(replicateFamilies([...family('rw', 3), column('rw4', 'text', 0.2)])).toEqual([])
    expect(replicateFamilies([...family('rw', 3), column('rw4', 'text', 0.9)])).toHaveLength(1)
    expect(replicateFamilies([...family('rw', 4), ...family('jk', 5)]).map(({ pattern }) => pattern)).toEqual([
      'rw*',
      'jk*',
    ])
  })

  it.each([
    'awt',
    'basewt',
    'comb_wt',
    'designweight',
    'hh_wgt',
    'household_weight',
    'intwt',
    'natwt',
    'person_weight',
    'postwt',
    'stuwt',
    'student_weight',
    'svywt',
    'survey_weights',
    'totwgt',
    'wt2019',
    'weight_base',
    'weights_all',
    'wtint2yr',
    'wtsaf',
    'wtph1',
    'gewichte',
    'weighting',
    'wghts',
  ])('%s is called as weights are', name => {
    expect(looksLikeWeights({ name })).toBe(true)
  })

  it.each(['wx', 'weightx', 'xyweight', 'wt12345', 'wtf', 'bodyweight', 'weight_loss', 'ww'])('%s is not', name => {
    expect(looksLikeWeights({ name })).toBe(false)
  })
})

describe('codes for missing values', () => {
  it.each<[(string | number)[], string[]]>([
    [['yes', 'no', 'perhaps', 99], ['99']],
    [['yes', 'no', 5], []],
    [['yes', 'no', 'Refused'], ['Refused']],
    [["Don't know", 'Refused', 'yes'], []],
    [[1, 2, 3, 4, 5, -99], ['-99']],
    [[1, 2, 3, 4, 5, 999], ['999']],
    [[1, 99], []],
    [
      [-5, 1, 2, 99],
      ['-5', '99'],
    ],
    [[1.5, 2.5, 30.25, 9999], ['9999']],
    [[10, 60, 99], []],
  ])('of %j are %j', (labels, codes) => {
    expect(missingCodes(labels)).toEqual(codes)
  })
})
