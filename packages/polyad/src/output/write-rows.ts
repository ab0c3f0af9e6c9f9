import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openTables } from '../duckdb/client.ts'
import { openRelation } from '../source/relation/relation.ts'
import { plainField } from '../table/files/csv-field.ts'
import { formatOfName } from '../table/files/formats.ts'
import { writeAtomically } from './atomic-file.ts'
import { printed } from './print-table.ts'
import { copyOptions, STANDARD_OUTPUT, writeTable } from './write-table.ts'

export type Cell = string | number | null

const csvLine = (fields: readonly Cell[]): string => `${fields.map(plainField).join(',')}\n`

/** CSV text in pieces of a useful size. */
function* csvText(columns: readonly string[], rows: Iterable<readonly Cell[]>): Generator<string> {
  let text = csvLine(columns)
  for (const row of rows) {
    text += csvLine(row)
    if (text.length < 1 << 16) continue
    yield text
    text = ''
  }
  yield text
}

/** Writes rows to a file by the format its name says, or as CSV to standard output where there is no name. */
export const writeRows = async (
  columns: readonly string[],
  rows: Iterable<readonly Cell[]>,
  output: string | undefined,
): Promise<void> => {
  if (output === undefined || output === STANDARD_OUTPUT) {
    await printed(Readable.from(csvText(columns, rows)))
    return
  }
  copyOptions(output)
  const plain = formatOfName(output) === 'csv' && !/\.(gz|zst)$/i.test(output)
  const write = (path: string) => pipeline(Readable.from(csvText(columns, rows)), createWriteStream(path))
  if (plain) return writeAtomically(output, write)
  // Other formats are DuckDB's to write: from a CSV file beside.
  const tables = await openTables()
  try {
    const path = join(tables.scratch, 'rows.csv')
    await write(path)
    // A query, so that numbers are written as numbers.
    const relation = await openRelation(tables, [path], { sql: 'SELECT * FROM data', missing: [''] })
    await writeTable(tables, relation, `SELECT * FROM ${relation.from}`, output)
  } finally {
    await tables.close()
  }
}
