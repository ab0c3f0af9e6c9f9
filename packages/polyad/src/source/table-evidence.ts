import type { Tables } from '../duckdb/client.ts'
import type { Column } from './columns.ts'
import type { Relation } from './relation.ts'
import { type Reading, valueSql } from './values.ts'

/** Whether the rows of a table are counted combinations, each there once, or observations. */
export interface Evidence {
  readonly verdict: 'counted' | 'repeated' | 'unclear'
  readonly rows: number
  /** Distinct combinations of the columns. */
  readonly distinct: number
}

/** A table that has this share of all combinations there could be is a table of combinations. */
const COVERED = 0.5

/** Where at least this many pairs of equal rows would be expected among observations, and there is none, they are no observations. */
const EXPECTED_PAIRS = 2

/**
 * Counted combinations never repeat; observations of a few categories do, and the more so the more there are. So a
 * table in which no row repeats is one of counts where it holds most of the combinations there are, or where
 * observations with the same margins would have made several pairs of equal rows by chance (as independent columns
 * would; those that depend on each other make more). An identifier makes both unlikely, and nothing is concluded.
 */
export const weighEvidence = async (
  tables: Tables,
  relation: Relation,
  columns: readonly Column[],
  reading: Reading,
): Promise<Evidence> => {
  if (columns.length === 0) return { verdict: 'unclear', rows: 0, distinct: 0 }
  const values = columns.map((column, i) => `coalesce(${valueSql(column, relation, reading)}, chr(0)) AS v${i}`)
  const table = `(SELECT ${values.join(', ')} FROM ${relation.from})`
  const labels = columns.map((_, i) => `CAST(len(map_values(histogram(v${i}))) AS DOUBLE)`)
  const pairs = columns.map(
    (_, i) => `CAST(list_sum(list_transform(map_values(histogram(v${i})), lambda n: n * (n - 1.0))) AS DOUBLE)`,
  )
  const [[rows, distinct, ...figures]] = (await tables.rows(
    `WITH t AS MATERIALIZED ${table} SELECT CAST(count(*) AS DOUBLE), ` +
      `(SELECT CAST(count(*) AS DOUBLE) FROM (SELECT DISTINCT * FROM t)), ${[...labels, ...pairs].join(', ')} FROM t`,
  )) as number[][]
  if (distinct < rows) return { verdict: 'repeated', rows, distinct }
  const sizes = figures.slice(0, columns.length)
  const cells = sizes.reduce((product, size) => product * size, 1)
  const named = columns.length > 1 && sizes.some(size => size === rows)
  const equal = figures.slice(columns.length).reduce((chance, n) => chance * (n / (rows * (rows - 1))), 1)
  const expected = (equal * rows * (rows - 1)) / 2
  const counted = (rows >= COVERED * cells && !named) || expected >= EXPECTED_PAIRS
  return { verdict: counted ? 'counted' : 'unclear', rows, distinct }
}
