import { DataError, type Label } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { type Binning, binLabel, binRange } from './bins.ts'
import { orderLabels } from './labels.ts'

/** The labels of one mode, and how to get from the engine's codes to their positions. */
export interface Dictionary {
  readonly labels: readonly Label[]
  /** SQL of a cell's code: an INTEGER, −1 where missing. */
  readonly code: string
  /** The position of the label of each code. */
  readonly positions: Int32Array
}

/** Makes the dictionary of the column m<n> of the table `cells`. */
export const readDictionary = (
  tables: Tables,
  n: number,
  column: string,
  binning: Binning | undefined,
): Promise<Dictionary> =>
  binning === undefined ? textDictionary(tables, n, column) : binDictionary(tables, n, column, binning)

const textDictionary = async (tables: Tables, n: number, column: string): Promise<Dictionary> => {
  // An ENUM numbers the texts in the engine, so that what is sent are whole numbers.
  await tables.run(`DROP TYPE IF EXISTS labels${n}`)
  await tables.run(
    `CREATE TYPE labels${n} AS ENUM (SELECT m${n} FROM (SELECT DISTINCT m${n} FROM cells WHERE m${n} IS NOT NULL) ORDER BY 1)`,
  )
  const rows = await tables.rows(`SELECT unnest(enum_range(NULL::labels${n})::VARCHAR[])`)
  if (rows.length === 0) throw nothing(column)
  const { labels, positions } = orderLabels(rows.map(([text]) => text as string))
  return { labels, positions, code: `CAST(coalesce(enum_code(CAST(m${n} AS labels${n})), -1) AS INTEGER)` }
}

const binDictionary = async (tables: Tables, n: number, column: string, binning: Binning): Promise<Dictionary> => {
  const seen = await tables.rows(`SELECT DISTINCT CAST(m${n} AS DOUBLE) FROM cells WHERE m${n} IS NOT NULL`)
  if (seen.length === 0) throw nothing(column)
  const bins = binRange(
    seen.map(([bin]) => bin as number),
    binning,
    column,
  )
  const position = new Int32Array(bins[bins.length - 1] - bins[0] + 1).fill(-1)
  bins.forEach((bin, i) => {
    position[bin - bins[0]] = i
  })
  return {
    labels: bins.map(bin => binLabel(bin, binning)),
    positions: position,
    code: `CAST(coalesce(m${n} - (${bins[0]}), -1) AS INTEGER)`,
  }
}

const nothing = (column: string): DataError =>
  new DataError(`column ${JSON.stringify(column)} has no label in any row`, { column })
