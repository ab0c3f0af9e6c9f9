import { labelArray } from '@polyad/core/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTables, type Tables } from '../../packages/polyad/src/duckdb/client.ts'
import { codeRows } from '../../packages/polyad/src/source/cells/code-rows.ts'
import { countCodes } from '../../packages/polyad/src/source/cells/count-codes.ts'
import { groupCells } from '../../packages/polyad/src/source/cells/group-cells.ts'
import { sampleModes } from '../../packages/polyad/src/source/cells/sampled-modes.ts'
import { countSource, duckView, modeSources } from '../../packages/polyad/src/source/duck-view.ts'
import { openRelation } from '../../packages/polyad/src/source/relation/relation.ts'
import { tensorDigest } from '../../packages/polyad/src/table/view/tensor-digest.ts'
import { tensorOfCells } from '../../packages/polyad/src/table/view/tensor-of-cells.ts'
import type { Counted } from '../../packages/polyad/src/table/view/view.ts'
import { testFolder } from '../test-folder.ts'

/** Cells of rows that come over as codes, beside those that DuckDB groups and those that are counted here, one by one. */

const { file } = testFolder()
let tables: Tables
beforeAll(async () => {
  tables = await openTables()
  return () => tables.close()
})

type Rows = readonly (readonly (string | null)[])[]

const quoted = (text: string | null): string => (text === null ? '' : `"${text.replaceAll('"', '""')}"`)

interface Ways {
  readonly weight?: boolean
  readonly sampling?: boolean
  readonly fractions?: boolean
  readonly bytes?: number
  readonly mergeRows?: number
}

/** Reads columns a, b, … and counts them both ways. */
const bothWays = async (
  rows: Rows,
  { weight, sampling = false, fractions = weight === true, bytes, mergeRows }: Ways = {},
) => {
  const names = Array.from({ length: rows[0].length }, (_, n) => String.fromCharCode(97 + n))
  const path = file('rows.csv', `${names.join()}\n${rows.map(row => row.map(quoted).join()).join('\n')}\n`)
  const relation = await openRelation(tables, [path], { missing: [], delimiter: ',', header: true })
  const { columns } = await duckView(tables, relation)
  const reading = { missing: [] }
  const own = weight === true ? columns.slice(0, -1) : columns
  const plans = own.map(column => ({ column, binning: undefined, missingAs: undefined, top: undefined }))
  const modes = modeSources(relation, plans, reading)
  const plan = { column: weight === true ? columns.at(-1) : undefined, sampling, fractions }
  const count = countSource(relation, plan, reading)
  const sampled = (await sampleModes(tables, relation, modes)).modes
  const coded = await countCodes(tables, relation, modes, count, bytes === undefined ? sampled : sampled.map(each => ({ ...each, bytes })), mergeRows) // biome-ignore format: one call
  const grouped = await groupCells(tables, relation, modes, count)
  const summary = (counted: Counted) => {
    const { tensor, squares, rowWeights } = tensorOfCells(counted, plans)
    const { rows, dropped, labels } = counted
    return { digest: tensorDigest(tensor), squares: squares && tensorDigest(squares), rowWeights, rows, dropped, labels } // biome-ignore format: one line
  }
  expect(summary(coded)).toEqual(summary(grouped))
  return coded
}

/** How often each combination of texts is there, counted one by one. */
const counted = (rows: Rows) => {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(JSON.stringify(row), (counts.get(JSON.stringify(row)) ?? 0) + 1)
  return counts
}

const cellsOf = ({ labels, indices, values }: Counted) =>
  new Map(
    Array.from(values, (value, cell) => [
      JSON.stringify(labels.map((own, n) => (indices[n][cell] < 0 ? null : labelArray(own)[indices[n][cell]]))),
      value,
    ]),
  )

const ODD = [
  ...[
    'a',
    'A',
    ' a',
    'a ',
    '\u00e4',
    'a\u0308',
    '"',
    "'",
    "o'hara",
    'a,b',
    'a\nb',
    '\\',
    'NULL',
    'null',
    '0',
    '00',
    '1',
    '1.0',
    '1e0',
    '-0',
  ],
  ...[
    '\u{1f989}',
    '\uffee',
    'twelve bytes',
    'thirteen byte',
    'thirteen bytes',
    'x'.repeat(24),
    'x'.repeat(25),
    `${'x'.repeat(24)}y`,
  ],
  ...['ß'.repeat(6), `${'ß'.repeat(6)}s`, 'é'.repeat(200), `${'é'.repeat(199)}e`, '\u200b', '\t', 'user-000001'],
]

describe('rows as codes', () => {
  it('give the cells of rows counted one by one, whatever the texts', async () => {
    const pick = (i: number) => (i % 13 === 5 ? null : ODD[(i * i + (i >> 3)) % ODD.length])
    const rows = Array.from({ length: 900 }, (_, i) => [pick(i), pick(i * 3 + 1), `label ${i % 4}`])
    for (const bytes of [undefined, 1, 20, 1e6])
      expect(cellsOf(await bothWays(rows, bytes === undefined ? {} : { bytes }))).toEqual(counted(rows))
  })

  it('may be merged while they come', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => [
      i % 5 === 0 ? null : `u${i % 9}`,
      i % 2 === 0 ? null : `v${(i * i) % 7}`,
    ])
    const whole = rows.map((row, i) => [...row, String(i % 4)])
    for (const mergeRows of [1, 100]) {
      await bothWays(rows, { mergeRows })
      await bothWays(whole, { weight: true, fractions: false, mergeRows })
    }
  })

  it('leave out rows that have nothing, and say how many', async () => {
    const rows = [
      ['a', null],
      [null, null],
      ['a', 'b'],
      [null, null],
      [null, 'b'],
    ]
    expect(await bothWays(rows)).toMatchObject({ rows: 5, dropped: 2, ordered: true })
  })

  it('make one label of numbers that are the same', async () => {
    const rows = [
      ['1', 'x'],
      ['1.0', 'x'],
      ['10', 'y'],
      ['2', 'x'],
      ['1e0', 'y'],
    ]
    expect((await bothWays(rows)).labels).toEqual([[1, 2, 10], ['x', 'y']]) // biome-ignore format: labels
  })

  it('add fractions to the same bits, and keep rows of sampling weights apart', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => [`u${i % 7}`, `v${(i * i) % 5}`, String((1 + (i % 9)) / 10)])
    await bothWays(rows, { weight: true })
    const { weights } = await bothWays(rows, { weight: true, sampling: true })
    expect(new Set(weights).size).toBe(9)
    await bothWays(rows.map(([a, b, w], i) => [a, b, i % 3 === 0 ? '0' : w]), { weight: true, sampling: true }) // biome-ignore format: one call
  })

  it('refuse a column with too many labels, with the number: before the rows are read if it looks like an identifier', async () => {
    const told = async (label: string) => {
      const sql = `SELECT ${label} AS id, i % 3 AS b FROM range(3000) AS t(i)`
      const relation = await openRelation(tables, [], { sql })
      const { columns } = await duckView(tables, relation)
      const plans = columns.map(column => ({ column, binning: undefined, missingAs: undefined, top: undefined }))
      const modes = modeSources(relation, plans, { missing: [] })
      const count = countSource(relation, { column: undefined, sampling: false, fractions: false }, { missing: [] })
      const { modes: sampled } = await sampleModes(tables, relation, modes)
      let rows = 0
      const reading = codeRows(tables, relation, modes, count, sampled, () => rows++, 1000)
      await expect(reading).rejects.toThrow(
        /column "id" has about [1-3],\d{3} different values, more than the 1,000 that a variable can have/,
      )
      expect(rows).toBe(0)
    }
    await told("'x' || i")
    await told("'x' || (i // 2)")
  })

  it('have a zero byte in their texts like any other', async () => {
    const relation = await openRelation(tables, [], { sql: "SELECT 'a' || chr(0) || (i % 3) AS a, 'b' || chr(0) AS b FROM range(7) AS t(i)" }) // biome-ignore format: a query
    const { columns } = await duckView(tables, relation)
    const plans = columns.map(column => ({ column, binning: undefined, missingAs: undefined, top: undefined }))
    const modes = modeSources(relation, plans, { missing: [] })
    const count = countSource(relation, { column: undefined, sampling: false, fractions: false }, { missing: [] })
    const { modes: sampled } = await sampleModes(tables, relation, modes)
    const { labels, values } = await countCodes(tables, relation, modes, count, sampled)
    expect(labels).toEqual([['a\0' + '0', 'a\0' + '1', 'a\0' + '2'], ['b\0']]) // biome-ignore format: labels
    expect([...values]).toEqual([3, 2, 2])
  })
})
