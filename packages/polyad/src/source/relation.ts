import { DataError, OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { identifier, list, literal } from '../duckdb/sql-text.ts'
import { type Dialect, type DialectOptions, readDialect } from './csv-dialect.ts'
import { checkReadable, type Format, formatOfBytes, formatOfName, isPattern, readHead } from './files.ts'

/** What is missing, as text, beside NULL and NaN. */
export const MISSING_TEXTS: readonly string[] = ['', 'NA', 'NULL', 'NaN']

/** A table as SQL can select from it, and what it is made of. */
export interface Relation {
  /** Something that may stand after FROM. */
  readonly from: string
  /** The files in order, each selectable by itself: to find the line of a fault. Empty for a query. */
  readonly parts: readonly Part[]
  /** Whether the columns are all text, as in CSV: what they mean is then for us to say. */
  readonly text: boolean
  /** What to call it in messages. */
  readonly name: string
}

export interface Part {
  readonly path: string
  readonly from: string
  readonly dialect: Dialect | undefined
}

export interface RelationOptions extends DialectOptions {
  readonly format?: Format
  readonly missing?: readonly string[]
  /** A query, in which the files are the table `data`. */
  readonly sql?: string
}

/** The files a name stands for: itself, or what a pattern finds. */
export const expand = async (tables: Tables, path: string): Promise<readonly string[]> => {
  if (!isPattern(path)) {
    checkReadable(path)
    return [path]
  }
  const found = await tables.rows(`SELECT file FROM glob(${literal(path)}) ORDER BY file`)
  if (found.length === 0) throw new DataError(`no file matches ${path}`)
  const files = found.map(([file]) => String(file))
  files.forEach(checkReadable)
  return files
}

/** The format of files that go through DuckDB: as asked, as named, or as their first bytes show. */
export const formatOf = (path: string, asked: Format | undefined): Format =>
  asked ?? formatOfName(path) ?? formatOfBytes(readHead(path, 4096))

export const openRelation = async (
  tables: Tables,
  paths: readonly string[],
  options: RelationOptions,
): Promise<Relation> => {
  const files = (await Promise.all(paths.map(path => expand(tables, path)))).flat()
  if (files.length === 0 && options.sql === undefined) throw new OptionError('name a file to read, or give --sql')
  const formats = files.map(file => formatOf(file, options.format))
  const other = formats.find(format => format !== formats[0])
  if (other !== undefined) throw new DataError(`the files must be of one format (got ${formats[0]} and ${other})`)
  const parts = files.map((file, i) => partOf(file, formats[i], options))
  const from = union(parts)
  const text = formats[0] === 'csv' || formats[0] === 'tsv'
  const name = files.length === 1 ? files[0] : `${files.length} files`
  if (options.sql === undefined) return { from, parts, text, name }
  if (parts.length > 0) await tables.run(`CREATE TEMP VIEW data AS SELECT * FROM ${from}`)
  return { from: `(${options.sql.trim().replace(/;$/, '')})`, parts: [], text: false, name: 'the query' }
}

const partOf = (path: string, format: Format, options: RelationOptions): Part => {
  if (format === 'parquet') return { path, from: `read_parquet(${literal(path)})`, dialect: undefined }
  if (format === 'json') return { path, from: `read_json(${literal(path)})`, dialect: undefined }
  if (format !== 'csv' && format !== 'tsv') throw new DataError(`${path} is a .${format} file, which is not a table`)
  const dialect = readDialect(path, format === 'tsv', options)
  return { path, from: readCsv([path], dialect, options), dialect }
}

/** Everything about the file is said, so that DuckDB has nothing to guess and a bad line is an error with its number. */
const readCsv = (
  paths: readonly string[],
  dialect: Dialect,
  { missing = MISSING_TEXTS, sql }: RelationOptions,
): string => {
  const types = dialect.columns.map(name => `${literal(name)}: 'VARCHAR'`)
  // A query wants numbers as numbers; a plain table keeps its texts as they are.
  const typing = sql === undefined ? `auto_detect=false, columns={${types.join(', ')}}` : 'auto_detect=true'
  return (
    `read_csv(${list(paths)}, ${typing}, header=${dialect.header}, skip=0, delim=${literal(dialect.delimiter)}, ` +
    `quote='"', escape='"', nullstr=${list(missing.length === 0 ? [''] : missing)}, new_line=${literal(dialect.newline)})`
  )
}

const union = (parts: readonly Part[]): string => {
  if (parts.length === 0) return ''
  if (parts.length === 1) return parts[0].from
  return `(${parts.map(({ from }) => `SELECT * FROM ${from}`).join(' UNION ALL BY NAME ')})`
}

/** A column's value as text, or NULL where it is missing: for tables whose columns have types. */
export const cleaned = (column: string, type: string, { text }: Relation, missing: readonly string[]): string => {
  const name = identifier(column)
  if (text) return name
  const value = /^(DOUBLE|FLOAT|REAL)$/.test(type) ? `CASE WHEN isnan(${name}) THEN NULL ELSE ${name} END` : name
  const shown = `CAST(${value} AS VARCHAR)`
  return missing.length === 0
    ? shown
    : `CASE WHEN ${shown} IN (${missing.map(literal).join(', ')}) THEN NULL ELSE ${shown} END`
}
