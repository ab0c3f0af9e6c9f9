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
  const figures = [
    'count(*)',
    `(SELECT sum(n * (n - 1)) FROM (SELECT count(*) AS n FROM s GROUP BY ${names.join(', ')}))`,
    ...names.map(name => `max(strlen(${name}))`),
    ...names.map(
      name => `(SELECT count(*) FROM (SELECT 1 FROM s WHERE ${name} IS NOT NULL GROUP BY ${name} HAVING count(*) = 1))`,
    ),
  ].map(figure => `CAST(coalesce(${figure}, 0) AS DOUBLE)`)
  const [[rows, pairs, ...own]] = (await tables.rows(
    `WITH s AS MATERIALIZED ${sample} SELECT ${figures.join(', ')} FROM s`,
  )) as number[][]
  return {
    modes: modes.map((_, n) => ({ bytes: own[n], unseen: own[modes.length + n] / Math.max(1, rows) })),
    cells: (rows * (rows - 1)) / Math.max(1, pairs),
  }
}
