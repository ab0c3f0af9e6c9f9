import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import { explained } from '../source/relation/faults.ts'
import type { Relation } from '../source/relation/relation.ts'
import { checkFormat, formatOfName } from '../table/files/formats.ts'
import { checkWritable, writeAtomically } from './atomic-file.ts'

/** As the name of a file: standard output, which gets CSV. */
export const STANDARD_OUTPUT = '-'

/** The result of a query as a file whose name says its format: there whole, or not at all; `-` is standard output. */
export const writeTable = async (
  tables: Tables,
  relation: Pick<Relation, 'name'>,
  select: string,
  output: string,
): Promise<void> => {
  const options = copyOptions(output)
  if (output === STANDARD_OUTPUT) return printTable(tables, relation, select)
  checkWritable(output)
  await writeAtomically(output, temporary =>
    explained(relation, () => tables.run(`COPY (${select}) TO ${literal(temporary)} (${options})`)),
  )
}

/** DuckDB writes to a file, since its process has no standard output of ours; from there the rows stream on. */
const printTable = async (tables: Tables, relation: Pick<Relation, 'name'>, select: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'polyad-rows-'))
  try {
    const path = join(folder, 'rows.csv')
    await writeTable(tables, relation, select, path)
    await printed(createReadStream(path))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies a stream to standard output. A reader that has had enough (`| head`) is not an error. */
export const printed = async (text: Readable): Promise<void> => {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

export const copyOptions = (output: string): string => {
  if (output === STANDARD_OUTPUT) return copyOptions('rows.csv')
  const gzip = /\.gz$/i.test(output) ? ', COMPRESSION gzip' : ''
  const format = formatOfName(output)
  if (format === 'csv') return `FORMAT csv, HEADER${gzip}`
  if (format === 'tsv') return `FORMAT csv, DELIMITER '\t', HEADER${gzip}`
  if (format === 'parquet') return 'FORMAT parquet'
  if (format === 'json') return `FORMAT json${/\.json(\.gz)?$/i.test(output) ? ', ARRAY true' : ''}${gzip}`
  if (format === undefined) checkFormat(/\.([^.]*)$/.exec(output)?.[1] ?? output)
  throw new OptionError(`a table is written as .csv, .tsv, .parquet, .json or .ndjson (got ${JSON.stringify(output)})`)
}
