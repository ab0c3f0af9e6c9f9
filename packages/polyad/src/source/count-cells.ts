import { DataError, type Label, type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import { type BadValue, badValueError } from './bad-value.ts'
import { type Binning, binSql } from './bins.ts'
import { type CellKeys, cellKeys, codedRows, prepareKeys, restSql, wordsSql } from './cell-keys.ts'
import { type Column, sampleOf } from './columns.ts'
import type { CountChoice } from './count-column.ts'
import { dictionaryOf } from './dictionary.ts'
import { mergeRare, orderLabels } from './labels.ts'
import { quoted } from './note.ts'
import { labelCells, readCells } from './read-cells.ts'
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
  const keys = cellKeys(await firstTexts(tables, relation, modes))
  const rowsSum = count.column === undefined ? 'sum(value)' : 'sum(rows)'
  const absent = [...keys.words.map((_, w) => `w${w} = 0`), 'rest IS NULL'].join(' AND ')
  const sums = [
    rowsSum,
    // What cannot occur is not asked for: with many cells every column of the counted table costs.
    bad.length === 0 ? '0' : 'sum(bad)',
    `${rowsSum} FILTER (${absent})`,
    `count(*) FILTER (rest IS NULL AND NOT (${absent}))`,
    'count(rest)',
    count.sampling ? `sum(rows) FILTER (NOT (${absent}) AND value > 0)` : '0',
  ].map(sum => `CAST(coalesce(${sum}, 0) AS DOUBLE)`)
  const [[rows, faults, dropped, coded, late, weighed]] = (await tables.rows(
    [
      ...prepareKeys(keys),
      // To keep the rows in their order takes memory, and here it is of no use.
      'SET preserve_insertion_order = false',
      groupBy(relation, modes, count, bad, keys),
      'RESET preserve_insertion_order',
      `SELECT ${sums.join(', ')} FROM cells`,
    ].join('; '),
  )) as number[][]
  await checkRows(tables, relation, bad, { rows, dropped, faults })
  const cells = await readCells(tables, keys, coded, late, `NOT (${absent})`, count.sampling)
  const labels = modes.map(({ column, binning }, n) => {
    const own = labelCells(cells, keys, n)
    const dictionary = dictionaryOf({ column: column.name, binning }, own.texts)
    own.place(dictionary.positions)
    return dictionary.labels
  })
  const spelled = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, labels[n])))
  const { indices, values, squares } = cells
  return { rows, dropped, weighed, labels: spelled, indices, values, squares }
}

/** Refuses a table without rows, with rows that cannot be used, or with nothing in any of them. */
export const checkRows = async (
  tables: Tables,
  relation: Relation,
  bad: readonly BadValue[],
  { rows, dropped, faults }: { readonly rows: number; readonly dropped: number; readonly faults: number },
): Promise<void> => {
  if (rows === 0) throw new DataError(`${relation.name} has no rows`)
  if (faults > 0) throw await badValueError(tables, relation, bad)
  if (rows === dropped) throw new DataError(`${relation.name}: every mode is missing in all of its ${rows} rows`)
}

/**
 * The tensor of counted cells, with rare labels merged. Of sampling weights also the tensor of their
 * squares, of the same cells; they may be rescaled to sum to the rows that weigh something.
 */
export const tensorOfCells = (
  { labels, indices, values, squares, weighed }: Counted,
  modes: readonly ModeSource[],
  rescale = false,
): { tensor: Tensor; squares: Tensor | undefined } => {
  const kept = modes.map(({ top }, n) => mergeRare(indices[n], values, labels[n], top))
  const options = {
    shape: kept.map(each => each.labels.length),
    modes: modes.map((mode, n) => modeOptions(mode, labels[n], kept[n].labels)),
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
  return { tensor, squares: squared }
}

/** A mode of the tensor. @param kept of its labels those that were not merged */
export const modeOptions = (
  { column, binning }: ModeSource,
  labels: readonly Label[],
  kept: readonly Label[],
): ModeOptions => ({
  name: column.name,
  labels: kept,
  ordered: binning !== undefined || labels.every(label => typeof label === 'number'),
})

/**
 * The statement that counts. Sums of whole numbers are exact in any order. Sums of fractions are not, and the order is
 * DuckDB's own: then equal fractions are counted together, and the library adds them up in a fixed order.
 */
const groupBy = (
  relation: Relation,
  modes: readonly ModeSource[],
  { column, weight, sampling, ...count }: CountChoice,
  bad: readonly BadValue[],
  keys: CellKeys,
): string => {
  const fractions = count.fractions || sampling
  const value =
    column === undefined ? 'CAST(count(*) AS DOUBLE)' : fractions ? 'any_value(weight) * count(*)' : 'sum(weight)'
  const by = [...wordsSql(keys).map((word, w) => `${word} AS w${w}`), `${restSql(keys)} AS rest`]
  if (fractions) by.push('weight')
  const counted = [
    `${value} AS value`,
    ...(sampling ? [`${value} * any_value(weight) AS square`] : []),
    ...(column === undefined ? [] : ['count(*) AS rows']),
    ...(bad.length === 0 ? [] : ['count(*) FILTER (bad) AS bad']),
  ]
  const from = codedRows(keys, keyedRows(relation, modes, { column, weight }, bad))
  return `CREATE OR REPLACE TEMP TABLE cells AS SELECT ${[...by, ...counted].join(', ')} FROM ${from} GROUP BY ${by.map((_, i) => i + 1).join(', ')}`
}

/** SQL of the rows with columns m0, m1, … of the texts by which they are told apart, and weight and bad where there are any. */
export const keyedRows = (
  relation: Relation,
  modes: readonly ModeSource[],
  { column, weight }: Pick<CountChoice, 'column' | 'weight'>,
  bad: readonly BadValue[],
): string => {
  const own = [
    ...modes.map((mode, n) => `${keySql(mode)} AS m${n}`),
    ...(column === undefined ? [] : [`${weight} AS weight`]),
    ...(bad.length === 0 ? [] : [`(${bad.map(({ condition }) => condition).join(' OR ')}) AS bad`]),
  ]
  return `(SELECT ${own.join(', ')} FROM ${relation.from})`
}

/** SQL of the text by which rows are told apart in a mode. */
const keySql = ({ value, spelling, binning, missingAs }: ModeSource): string => {
  if (binning !== undefined) return `CAST(${binSql(value, binning)} AS VARCHAR)`
  if (missingAs === undefined) return value
  const label = spelling === undefined ? literal(missingAs) : `lower(${literal(missingAs)})`
  return `coalesce(${value}, ${label})`
}

/** The ways in which a row can be unusable for a mode. */
export const badValues = ({ column, value, binning }: ModeSource): BadValue[] => {
  if (binning === undefined) return []
  const wanted = binning.kind === 'date' ? 'a date or time such as 2024-05-31 13:45' : 'a number'
  const condition = `(${value} IS NOT NULL AND ${binSql(value, binning)} IS NULL)`
  const rule = (shown: string | null) =>
    `${JSON.stringify(shown)} is not ${wanted}, as bins need; if it means missing, add missing ${quoted(shown ?? '')}`
  return [{ column: column.name, sql: column.sql, condition, rule }]
}

/** Labels as they are most often written, where case was ignored. */
export const spellings = async (
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

/** For each mode the texts by which the first rows are told apart, in the order of its labels. */
const firstTexts = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
): Promise<readonly (readonly string[])[]> => {
  const asked = modes.filter(mode => knownTexts(mode) === undefined)
  const [found] =
    asked.length === 0
      ? [[]]
      : await tables.rows(
          `SELECT ${asked
            .map(keySql)
            .map(key => `list(DISTINCT ${key}) FILTER (${key} IS NOT NULL)`)
            .join(', ')} FROM ${sampleOf(relation)}`,
        )
  return modes.map(mode => inLabelOrder(knownTexts(mode) ?? ((found[asked.indexOf(mode)] ?? []) as readonly string[])))
}

/** Texts in the order of the labels they stand for. */
export const inLabelOrder = (texts: readonly string[]): readonly string[] => {
  const { positions } = orderLabels(texts)
  return [...texts.keys()].sort((a, b) => positions[a] - positions[b]).map(i => texts[i])
}

/** The texts of a mode that is read as it was inspected. */
const knownTexts = ({ column, binning, missingAs }: ModeSource): readonly string[] | undefined =>
  binning === undefined && missingAs === undefined && column.commas !== true ? column.values : undefined
