import { OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import { explained } from '../source/faults.ts'
import { checkFormat, formatOfName } from '../source/files.ts'
import type { Relation } from '../source/relation.ts'
import { checkWritable, writeAtomically } from './atomic-file.ts'

/** The result of a query as a file whose name says its format: there whole, or not at all. */
export const writeTable = async (
  tables: Tables,
  relation: Pick<Relation, 'name'>,
  select: string,
  output: string,
): Promise<void> => {
  const options = copyOptions(output)
  checkWritable(output)
  await writeAtomically(output, temporary =>
    explained(relation, () => tables.run(`COPY (${select}) TO ${literal(temporary)} (${options})`)),
  )
}

export const copyOptions = (output: string): string => {
  const gzip = /\.gz$/i.test(output) ? ', COMPRESSION gzip' : ''
  const format = formatOfName(output)
  if (format === 'csv') return `FORMAT csv, HEADER${gzip}`
  if (format === 'tsv') return `FORMAT csv, DELIMITER '\t', HEADER${gzip}`
  if (format === 'parquet') return 'FORMAT parquet'
  if (format === 'json') return `FORMAT json${/\.json(\.gz)?$/i.test(output) ? ', ARRAY true' : ''}${gzip}`
  if (format === undefined) checkFormat(/\.([^.]*)$/.exec(output)?.[1] ?? output)
  throw new OptionError(`a table is written as .csv, .tsv, .parquet, .json or .ndjson (got ${JSON.stringify(output)})`)
}
