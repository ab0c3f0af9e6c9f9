import { EngineError, OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import type { Relation } from '../source/relation/relation.ts'
import { formatOfName, formatsList, isTableFormat, writtenExtensions } from '../table/formats/formats.ts'
import { checkWritable, DISK_FULL, writeAtomically } from './atomic-file.ts'
import { printRows } from './print-table.ts'
import { isWrittenHere, writeSurvey } from './write-survey.ts'

/** As the name of a file: standard output, which gets CSV. */
export const STANDARD_OUTPUT = '-'

/** The result of a query as a file whose name says its format: there whole, or not at all; `-` is standard output. */
export const writeTable = async (
  tables: Tables,
  relation: Pick<Relation, 'name' | 'meanings'>,
  select: string,
  output: string,
): Promise<void> => {
  checkTablePath(output)
  if (isWrittenHere(output)) {
    checkWritable(output)
    return rewordErrors(relation, () => writeSurvey(tables, select, output, relation.meanings))
  }
  const options = copyOptions(output)
  // DuckDB must not write to yet another file first: this one may be a pipe, and is renamed if it is not.
  const copy = (path: string) =>
    rewordErrors(relation, () =>
      tables.run(`COPY (${select}) TO ${literal(path)} (${options}, USE_TMP_FILE false)`).catch(error => {
        throw isFull(error, path) ? new EngineError(DISK_FULL, { cause: error }) : error
      }),
    )
  if (output === STANDARD_OUTPUT) return printRows(tables, copy)
  checkWritable(output)
  await writeAtomically(output, copy)
}

/** Whether it is this file that no longer fits on the disk, and not a temporary one. */
const isFull = ({ message }: Error, path: string): boolean =>
  message.includes(path) && /No space left|[Qq]uota exceeded/.test(message)

/** Refuses a name that says no format that rows are written in. */
export const checkTablePath = (output: string): void => {
  if (!isWrittenHere(output)) copyOptions(output)
}

const copyOptions = (output: string): string => {
  if (output === STANDARD_OUTPUT) return copyOptions('rows.csv')
  const gzip = /\.gz$/i.test(output) ? ', COMPRESSION gzip' : ''
  const format = formatOfName(output)
  if (format === 'csv') return `FORMAT csv, HEADER${gzip}`
  if (format === 'tsv') return `FORMAT csv, DELIMITER '\t', HEADER${gzip}`
  if (format === 'parquet') return 'FORMAT parquet'
  if (format === 'json') return `FORMAT json${/\.json(\.gz)?$/i.test(output) ? ', ARRAY true' : ''}${gzip}`
  const endings = formatsList(writtenExtensions(isTableFormat), 'disjunction')
  throw new OptionError(`a table is written as ${endings} (got ${JSON.stringify(output)})`)
}
