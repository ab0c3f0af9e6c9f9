import { DataError, type Label } from '@polyad/core'
import { type Binning, binLabel, binRange } from './bins.ts'
import { orderLabels } from './labels.ts'

/** The labels of one mode, and how to get from the codes of the counted table to their positions. */
export interface Dictionary {
  readonly labels: readonly Label[]
  /** SQL of a cell's code: an INTEGER, −1 where missing. */
  readonly code: string
  /** The position of the label of each code. */
  readonly positions: Int32Array
}

/** Column m<n> of the table `cells`, of which the dictionary is made. */
export interface DictionarySource {
  readonly column: string
  readonly binning: Binning | undefined
}

/** SQL that prepares the dictionaries: an ENUM numbers the labels in DuckDB, so that only whole numbers are sent. */
export const prepareSql = (modes: readonly DictionarySource[]): string[] =>
  modes.flatMap(({ binning }, n) =>
    binning === undefined
      ? [
          `DROP TYPE IF EXISTS labels${n}`,
          `CREATE TYPE labels${n} AS ENUM (SELECT DISTINCT m${n} FROM cells WHERE m${n} IS NOT NULL)`,
        ]
      : [],
  )

/** SQL of the list of labels or bins in each column. */
export const entriesSql = (modes: readonly DictionarySource[]): string[] =>
  modes.map(({ binning }, n) =>
    binning === undefined
      ? `enum_range(NULL::labels${n})::VARCHAR[]`
      : `(SELECT list(DISTINCT CAST(m${n} AS DOUBLE)) FROM cells WHERE m${n} IS NOT NULL)`,
  )

/** The dictionary of a column from what `entriesSql` gave for it. */
export const dictionaryOf = ({ column, binning }: DictionarySource, n: number, entries: unknown): Dictionary => {
  const list = (entries ?? []) as readonly unknown[]
  if (list.length === 0) throw new DataError(`column ${JSON.stringify(column)} has no label in any row`, { column })
  if (binning !== undefined) return binDictionary(n, column, binning, list as readonly number[])
  const code = `CAST(coalesce(enum_code(CAST(m${n} AS labels${n})), -1) AS INTEGER)`
  return { ...orderLabels(list as readonly string[]), code }
}

const binDictionary = (n: number, column: string, binning: Binning, seen: readonly number[]): Dictionary => {
  const bins = binRange(seen, binning, column)
  const positions = new Int32Array(bins[bins.length - 1] - bins[0] + 1).fill(-1)
  bins.forEach((bin, i) => {
    positions[bin - bins[0]] = i
  })
  return {
    labels: bins.map(bin => binLabel(bin, binning)),
    positions,
    code: `CAST(coalesce(m${n} - (${bins[0]}), -1) AS INTEGER)`,
  }
}
