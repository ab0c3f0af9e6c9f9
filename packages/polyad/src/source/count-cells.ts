import { DataError, type Label, type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import { type BadValue, badValueError } from './bad-value.ts'
import { type Binning, binSql } from './bins.ts'
import type { Column } from './columns.ts'
import type { CountChoice } from './count-column.ts'
import { type Dictionary, dictionaryOf, entriesSql, prepareSql } from './dictionary.ts'
import { mergeRare } from './labels.ts'
import { quoted } from './note.ts'
import type { Relation } from './relation.ts'

/** One mode as it is to be read. */
export interface ModeSource {
  readonly column: Column
  /** SQL of its value as text, NULL where missing. */
  readonly value: string
  /** SQL of its value with the case it is written in, where `value` is without. */
  readonly spelling: string | undefined
  readonly binning: Binning | undefined
  /** What missing values are called where they are to be a label. */
  readonly missingAs: string | undefined
  /** Keep this many of the most frequent labels, and merge the rest. */
  readonly top: number | undefined
}

export interface Counted {
  readonly rows: number
  /** Rows in which every mode was missing. */
  readonly dropped: number
  /** For each mode, the labels in their order and the position of every cell's among them. */
  readonly labels: readonly (readonly Label[])[]
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
  /** Of sampling weights, the sums of their squares; and how many rows weigh something. */
  readonly squares: Float64Array | undefined
  readonly weighed: number
}

/** Counts the distinct combinations in DuckDB and brings back only those, as codes: no row becomes an object. */
export const countCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountChoice,
): Promise<Counted> => {
  const bad = modes.flatMap(badValues)
  const sources = modes.map(({ column, binning }) => ({ column: column.name, binning }))
  await tables.run([groupBy(relation, modes, count, bad), ...prepareSql(sources)].join('; '))
  const absent = modes.map((_, n) => `m${n} IS NULL`).join(' AND ')
  const rowsSum = count.column === undefined ? 'sum(value)' : 'sum(rows)'
  const sums = [
    rowsSum,
    // What cannot occur is not asked for: with many cells every column of the counted table costs.
    bad.length === 0 ? '0' : 'sum(bad)',
    `${rowsSum} FILTER (${absent})`,
    `count(*) FILTER (NOT (${absent}))`,
    count.sampling ? `sum(rows) FILTER (NOT (${absent}) AND value > 0)` : '0',
  ].map(sum => `CAST(coalesce(${sum}, 0) AS DOUBLE)`)
  const [[rows, faults, dropped, cells, weighed, ...entries]] = (await tables.rows(
    `SELECT ${[...sums, ...entriesSql(sources)].join(', ')} FROM cells`,
  )) as [number, number, number, number, number, ...unknown[]][]
  if (rows === 0) throw new DataError(`${relation.name} has no rows`)
  if (faults > 0) throw await badValueError(tables, relation, bad)
  if (rows === dropped) throw new DataError(`${relation.name}: every mode is missing in all of its ${rows} rows`)
  const dictionaries = sources.map((source, n) => dictionaryOf(source, n, entries[n]))
  const spelled = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, dictionaries[n].labels)))
  const read = await readCells(tables, dictionaries, cells, `NOT (${absent})`, count.sampling)
  return { rows, dropped, weighed, labels: spelled, ...read }
}

/**
 * The tensor of counted cells, with rare labels merged, and for each mode how many those were. Of sampling weights also the tensor of their
 * squares, of the same cells; they may be rescaled to sum to the rows that weigh something.
 */
export const tensorOfCells = (
  { labels, indices, values, squares, weighed }: Counted,
  modes: readonly ModeSource[],
  rescale = false,
): { tensor: Tensor; squares: Tensor | undefined; merged: readonly number[] } => {
  const kept = modes.map(({ top }, n) => mergeRare(indices[n], values, labels[n], top))
  const options = {
    shape: kept.map(each => each.labels.length),
    modes: modes.map(({ column, binning }, n): ModeOptions => {
      const ordered = binning !== undefined || labels[n].every(label => typeof label === 'number')
      return { name: column.name, labels: kept[n].labels, ordered }
    }),
  }
  const scale = rescale ? weighed / values.reduce((sum, value) => sum + value, 0) : 1
  const of = (sums: Float64Array, times: number) =>
    tensorFromColumns(
      kept.map(each => each.indices),
      times === 1 ? sums : sums.map(value => value * times),
      options,
    )
  const tensor = of(values, scale)
  const squared = squares === undefined ? undefined : of(squares, scale * scale)
  if (squared !== undefined && squared.cells !== tensor.cells)
    throw new DataError('some weights are so small that their squares are zero: multiply them all by a constant')
  return { tensor, squares: squared, merged: kept.map(({ merged }) => merged) }
}

/**
 * The statement that counts. Sums of whole numbers are exact in any order. Sums of fractions are not, and the order is
 * DuckDB's own: then equal fractions are counted together, and the library adds them up in a fixed order.
 */
const groupBy = (
  relation: Relation,
  modes: readonly ModeSource[],
  { column, weight, sampling, ...count }: CountChoice,
  bad: readonly BadValue[],
): string => {
  const fractions = count.fractions || sampling
  const keys = modes.map((mode, n) => `${keySql(mode)} AS m${n}`)
  const value =
    column === undefined ? 'CAST(count(*) AS DOUBLE)' : fractions ? `any_value(${weight}) * count(*)` : `sum(${weight})`
  const columns = [
    ...keys,
    ...(fractions ? [`${weight} AS weight`] : []),
    `${value} AS value`,
    ...(sampling ? [`${value} * any_value(${weight}) AS square`] : []),
    ...(column === undefined ? [] : ['count(*) AS rows']),
    ...(bad.length === 0 ? [] : [`count(*) FILTER (${bad.map(({ condition }) => condition).join(' OR ')}) AS bad`]),
  ]
  const by = Array.from({ length: modes.length + (fractions ? 1 : 0) }, (_, i) => i + 1)
  return `CREATE OR REPLACE TEMP TABLE cells AS SELECT ${columns.join(', ')} FROM ${relation.from} GROUP BY ${by.join(', ')}`
}

/** SQL by which rows are told apart in a mode. */
const keySql = ({ value, spelling, binning, missingAs }: ModeSource): string => {
  if (binning !== undefined) return binSql(value, binning)
  if (missingAs === undefined) return value
  const label = spelling === undefined ? literal(missingAs) : `lower(${literal(missingAs)})`
  return `coalesce(${value}, ${label})`
}

/** The ways in which a row can be unusable for a mode. */
const badValues = ({ column, value, binning }: ModeSource): BadValue[] => {
  if (binning === undefined) return []
  const wanted = binning.kind === 'date' ? 'a date or time such as 2024-05-31 13:45' : 'a number'
  const condition = `(${value} IS NOT NULL AND ${binSql(value, binning)} IS NULL)`
  const rule = (shown: string | null) =>
    `${JSON.stringify(shown)} is not ${wanted}, as bins need; if it means missing, add missing ${quoted(shown ?? '')}`
  return [{ column: column.name, sql: column.sql, condition, rule }]
}

/** Labels as they are most often written, where case was ignored. */
const spellings = async (
  tables: Tables,
  relation: Relation,
  { value, spelling, binning, missingAs }: ModeSource,
  labels: readonly Label[],
): Promise<readonly Label[]> => {
  if (spelling === undefined || binning !== undefined || typeof labels[0] === 'number') return labels
  const rows = (await tables.rows(
    `SELECT key, arg_max(spelling, (n, spelling)) FROM (SELECT ${value} AS key, ${spelling} AS spelling, count(*) AS n ` +
      `FROM ${relation.from} GROUP BY 1, 2) WHERE key IS NOT NULL GROUP BY key`,
  )) as [string, string][]
  const written = new Map(rows)
  const absent = missingAs?.toLowerCase()
  return labels.map(label => written.get(String(label)) ?? (label === absent ? (missingAs ?? label) : label))
}

/** Brings the counted cells over, each piece straight to its place. */
const readCells = async (
  tables: Tables,
  dictionaries: readonly Dictionary[],
  cells: number,
  condition: string,
  sampling: boolean,
) => {
  const indices = dictionaries.map(() => new Int32Array(cells))
  const values = new Float64Array(cells)
  const squares = sampling ? new Float64Array(cells) : undefined
  const codes = dictionaries.map(({ code }) => code).join(', ')
  let from = 0
  await tables.columns(`SELECT ${codes}, value${sampling ? ', square' : ''} FROM cells WHERE ${condition}`, piece => {
    dictionaries.forEach(({ positions }, n) => {
      const [column, given] = [indices[n], piece[n]]
      for (let i = 0; i < given.length; i++) column[from + i] = given[i] < 0 ? given[i] : positions[given[i]]
    })
    const given = piece[dictionaries.length]
    values.set(given, from)
    squares?.set(piece[dictionaries.length + 1], from)
    from += given.length
  })
  return { indices, values, squares }
}
