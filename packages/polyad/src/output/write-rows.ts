import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defined } from '@polyad/core/options'
import { openTables } from '../duckdb/client.ts'
import { openRelation } from '../source/relation/relation.ts'
import { copiedField, plainField } from '../table/files/csv-field.ts'
import { formatOfName } from '../table/formats/formats.ts'
import type { ColumnMeaning } from '../table/view/view.ts'
import { writeAtomically } from './atomic-file.ts'
import { printed } from './print-table.ts'
import { checkTablePath, STANDARD_OUTPUT, writeTable } from './write-table.ts'

export type Cell = string | number | null

/** Lines of text in pieces of a useful size. */
function* textOf<T>(rows: Iterable<readonly T[]>, field: (value: T) => string, delimiter = ','): Generator<string> {
  let text = ''
  for (const row of rows) {
    text += `${row.map(field).join(delimiter)}\n`
    if (text.length < 1 << 16) continue
    yield text
    text = ''
  }
  yield text
}

/** Whether rows are written as plain text, which needs no DuckDB. */
export const isPlainText = (output: string): boolean =>
  output === STANDARD_OUTPUT || (['csv', 'tsv'].includes(formatOfName(output) ?? '') && !/\.(gz|zst)$/i.test(output))

/** Writes rows of texts, the first of which is the header, as DuckDB would write them: to a file, or to standard output. */
export const writeLines = async (rows: Iterable<readonly (string | null)[]>, output: string): Promise<void> => {
  const delimiter = formatOfName(output) === 'tsv' ? '\t' : ','
  const text = Readable.from(textOf(rows, field => copiedField(field, delimiter), delimiter))
  if (output === STANDARD_OUTPUT) await printed(text)
  else await writeAtomically(output, path => pipeline(text, createWriteStream(path)))
}

function* withHeader(columns: readonly string[], rows: Iterable<readonly Cell[]>): Generator<readonly Cell[]> {
  yield columns
  yield* rows
}

/** Writes rows to a file by the format its name says, or as CSV to standard output where there is no name. */
export const writeRows = async (
  columns: readonly string[],
  rows: Iterable<readonly Cell[]>,
  output: string | undefined,
  meanings?: ReadonlyMap<string, ColumnMeaning>,
): Promise<void> => {
  const text = Readable.from(textOf(withHeader(columns, rows), plainField))
  if (output === undefined || output === STANDARD_OUTPUT) {
    await printed(text)
    return
  }
  checkTablePath(output)
  const write = (path: string) => pipeline(text, createWriteStream(path))
  if (isPlainText(output) && formatOfName(output) === 'csv') return writeAtomically(output, write)
  // Other formats are DuckDB's to write: from a CSV file beside.
  const tables = await openTables()
  try {
    const path = join(tables.scratch, 'rows.csv')
    await write(path)
    // A query, so that numbers are written as numbers.
    const relation = await openRelation(tables, [path], { sql: 'SELECT * FROM data', missing: [''] })
    await writeTable(tables, { ...relation, ...defined({ meanings }) }, `SELECT * FROM ${relation.from}`, output)
  } finally {
    await tables.close()
  }
}
