import { statSync } from 'node:fs'
import type { Tables } from '../../duckdb/client.ts'
import type { Relation } from '../relation/relation.ts'
import { badValues, type CountSource, checkRows, keyedRows, type ModeSource } from './keyed-rows.ts'

/** What is found out about a table before its cells are counted. */
export interface CellEstimate {
  readonly rows: number
  /** Rows in which every mode is missing. */
  readonly dropped: number
  /** About how many distinct cells there are. */
  readonly cells: number
}

/** How many times its size a gzipped file may have when it is unpacked, as a rule. */
const UNPACKED = 50

/** A plan may think too little of what a condition lets through. */
const DOUBT = 10

/** Hardly more rows than this are in the table: by what its files say of themselves, by their size, or by the plan of a query. */
export const rowsAtMost = async (tables: Tables, relation: Relation): Promise<number> => {
  if (relation.parts.length === 0) {
    const plan = String(await tables.rows(`EXPLAIN (FORMAT json) SELECT * FROM ${relation.from}`))
    const rows = [...plan.matchAll(/Estimated Cardinality[": ]+(\d+)/g)].map(([, number]) => Number(number))
    return rows.length === 0 ? Number.POSITIVE_INFINITY : DOUBT * Math.max(...rows)
  }
  if (relation.parts.every(({ from }) => /^(read_parquet|survey_)/.test(from))) {
    const [[rows]] = (await tables.rows(`SELECT CAST(count(*) AS DOUBLE) FROM ${relation.from}`)) as number[][]
    return rows
  }
  // A row has at least a character and the end of its line.
  const bytes = relation.parts.map(({ path }) => statSync(path).size * (/\.(gz|zst)$/i.test(path) ? UNPACKED : 1))
  return bytes.reduce((sum, size) => sum + size / 2, 0)
}

/** Looks through a table once, holding nothing of it: distinct cells are counted by a sketch, within a few percent. */
export const estimateCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
): Promise<CellEstimate> => {
  const bad = modes.flatMap(badValues)
  const absent = modes.map((_, n) => `m${n} IS NULL`).join(' AND ')
  const numbers = [
    'count(*)',
    bad.length === 0 ? '0' : 'count(*) FILTER (bad)',
    `count(*) FILTER (${absent})`,
    `approx_count_distinct(hash(${modes.map((_, n) => `m${n}`).join(', ')}))`,
  ].map(number => `CAST(${number} AS DOUBLE)`)
  const [[rows, faults, dropped, cells]] = (await tables.rows(
    `SELECT ${numbers.join(', ')} FROM ${keyedRows(relation, modes, count, bad)}`,
  )) as number[][]
  await checkRows(tables, relation, bad, { rows, dropped, faults })
  return { rows, dropped, cells: Math.min(cells, rows) }
}
