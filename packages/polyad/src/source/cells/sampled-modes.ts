import type { Tables } from '../../duckdb/client.ts'
import type { Relation } from '../relation/relation.ts'
import { sampleOf } from '../relation/sample-sql.ts'
import { keyedRows, type ModeSource } from './keyed-rows.ts'

/** What the first rows say of a mode. */
export interface Sampled {
  /** Bytes of its longest text. */
  readonly bytes: number
  /** The share of rows whose text no other row has: about as many of the rows that follow have a text that is not among these. */
  readonly unseen: number
}

/** What the first rows say of a table's cells. */
export interface SampledCells {
  readonly modes: readonly Sampled[]
  /** How many cells there would be if each were as frequent as every other: pairs of rows are alike so often. */
  readonly cells: number
}

export const sampleModes = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
): Promise<SampledCells> => {
  const names = modes.map((_, n) => `m${n}`)
  const sample = keyedRows({ ...relation, from: sampleOf(relation) }, modes, { column: undefined, weight: '1' }, [])
  // All modes in one statement, as rows of mode and text: a query for each of a thousand modes takes minutes.
  const found = (await tables.rows(
    `WITH s AS MATERIALIZED ${sample}, ` +
      `g AS (SELECT k, v, count(*) AS n FROM (UNPIVOT s ON COLUMNS(*) INTO NAME k VALUE v) GROUP BY k, v) ` +
      `SELECT '', CAST(count(*) AS DOUBLE), CAST(coalesce((SELECT sum(n * (n - 1)) FROM (SELECT count(*) AS n FROM s GROUP BY hash(${names.join(', ')}))), 0) AS DOUBLE) FROM s ` +
      'UNION ALL SELECT k, CAST(max(strlen(v)) AS DOUBLE), CAST(count(*) FILTER (n = 1) AS DOUBLE) FROM g GROUP BY k',
  )) as [string, number, number][]
  const figures = new Map(found.map(([name, ...own]) => [name, own]))
  const [rows, pairs] = figures.get('') ?? [0, 0]
  return {
    modes: names.map(name => {
      const [bytes, unseen] = figures.get(name) ?? [0, 0]
      return { bytes, unseen: unseen / Math.max(1, rows) }
    }),
    cells: (rows * (rows - 1)) / Math.max(1, pairs),
  }
}
