import type { Tables } from '../../duckdb/client.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import { sortTexts } from '../../table/values/labels.ts'
import type { Counted } from '../../table/view/view.ts'
import type { BadValue } from '../relation/bad-value.ts'
import type { Relation } from '../relation/relation.ts'
import { sampleOf } from '../relation/sample-sql.ts'
import { type CellKeys, cellKeys, codedRows, prepareKeys, restSql, wordsSql } from './cell-keys.ts'
import { badValues, type CountSource, checkRows, keyedRows, keySql, type ModeSource, spellings } from './keyed-rows.ts'
import { labelCells, readCells } from './read-cells.ts'

/** Has DuckDB count them, and brings back only those, as codes. */
export const groupCells = async (
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
  ].map(sum => `CAST(coalesce(${sum}, 0) AS DOUBLE)`)
  const [[rows, faults, dropped, coded, late]] = (await tables.rows(
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
  return { rows, dropped, labels: spelled, indices, values, weights, ordered: false }
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
