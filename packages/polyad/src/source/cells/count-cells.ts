import type { Label } from '@polyad/core'
import type { Tables } from '../../duckdb/client.ts'
import { literal } from '../../duckdb/sql-text.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import { sortTexts, spelledLabels } from '../../table/values/labels.ts'
import { checkCounted, noBinRule } from '../../table/view/value-fault.ts'
import type { Counted, CountPlan, ModePlan } from '../../table/view/view.ts'
import { type BadValue, badValueError } from '../relation/bad-value.ts'
import { binSql } from '../relation/bin-sql.ts'
import type { Relation } from '../relation/relation.ts'
import { sampleOf } from '../relation/sample-sql.ts'
import { type CellKeys, cellKeys, codedRows, prepareKeys, restSql, wordsSql } from './cell-keys.ts'
import { labelCells, readCells } from './read-cells.ts'

/** One mode as it is to be read. */
export interface ModeSource extends ModePlan {
  /** SQL of its value as text, NULL where missing. */
  readonly value: string
  /** SQL of its value with the case it is written in, where `value` is without. */
  readonly spelling: string | undefined
}

/** How rows are counted; `weight` is the SQL of the count of a row. */
export interface CountSource extends CountPlan {
  readonly weight: string
}

/** Counts the distinct combinations in DuckDB and brings back only those, as codes: no row becomes an object. */
export const countCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
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
  const labels = modes.map((mode, n) => {
    const own = labelCells(cells, keys, n)
    const dictionary = dictionaryOf(mode, own.texts)
    own.place(dictionary.positions)
    return dictionary.labels
  })
  const spelled = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, labels[n])))
  const { indices, values, weights } = cells
  return { rows, dropped, weighed, labels: spelled, indices, values, weights }
}

/** Refuses a table without rows, with rows that cannot be used, or with nothing in any of them. */
export const checkRows = async (
  tables: Tables,
  relation: Relation,
  bad: readonly BadValue[],
  { rows, dropped, faults }: { readonly rows: number; readonly dropped: number; readonly faults: number },
): Promise<void> => {
  if (faults > 0) throw await badValueError(tables, relation, bad)
  checkCounted(relation.name, rows, dropped)
}

/**
 * The statement that counts. Sums of whole numbers are exact in any order. Sums of fractions are not, and the order is
 * DuckDB's own: then equal fractions are counted together, and the library adds them up in a fixed order.
 */
const groupBy = (
  relation: Relation,
  modes: readonly ModeSource[],
  { column, weight, sampling, ...count }: CountSource,
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
  { column, weight }: Pick<CountSource, 'column' | 'weight'>,
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
export const keySql = ({ value, spelling, binning, missingAs }: ModeSource): string => {
  if (binning !== undefined) return `CAST(${binSql(value, binning)} AS VARCHAR)`
  if (missingAs === undefined) return value
  const label = spelling === undefined ? literal(missingAs) : `lower(${literal(missingAs)})`
  return `coalesce(${value}, ${label})`
}

/** The ways in which a row can be unusable for a mode. */
export const badValues = ({ column, value, binning }: ModeSource): BadValue[] => {
  if (binning === undefined) return []
  const condition = `(${value} IS NOT NULL AND ${binSql(value, binning)} IS NULL)`
  return [{ column: column.name, sql: column.key, condition, rule: noBinRule(binning) }]
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
  return spelledLabels(labels, new Map(rows), missingAs)
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
  return modes.map(mode => {
    return sortTexts(knownTexts(mode) ?? ((found[asked.indexOf(mode)] ?? []) as readonly string[]))
  })
}

/** The texts of a mode that is read as it was inspected. */
const knownTexts = ({ column, binning, missingAs }: ModeSource): readonly string[] | undefined =>
  binning === undefined && missingAs === undefined && column.style === undefined ? column.values : undefined
