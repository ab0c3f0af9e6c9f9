import { DataError, OptionError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'
import type { Tables } from '../../duckdb/client.ts'
import { identifier, list, literal } from '../../duckdb/sql-text.ts'
import { type ColumnNames, differences, nameColumns } from '../../table/files/column-names.ts'
import { BLANKS, type Dialect, type DialectOptions, dialectOf } from '../../table/files/csv-dialect.ts'
import {
  checkFormatOptions,
  type Format,
  formatOfBytes,
  formatOfName,
  isSurveyFormat,
} from '../../table/formats/formats.ts'
import type { Note } from '../../table/values/note.ts'
import { writtenMissing } from '../../table/view/reading.ts'
import { MISSING_TEXTS } from '../../table/view/recipe.ts'
import type { ColumnMeaning } from '../../table/view/view.ts'
import { encodedFile } from './encoded-file.ts'
import { checkGzip, checkReadable, isGzipped, isPattern, readHead } from './files.ts'
import { surveyParts } from './survey-parts.ts'

/** A table as SQL can select from it, and what it is made of. */
export interface Relation {
  /** Something that may stand after FROM. */
  readonly from: string
  /** The files in order, each selectable by itself: to find the line of a fault. Empty for a query. */
  readonly parts: readonly Part[]
  /** Whether the columns are all text, as in CSV, so that what they mean is for us to say. */
  readonly text: boolean
  /** What to call it in messages. */
  readonly name: string
  /** For names in SQL the names in the files, where they may differ. */
  readonly shown: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
  /** For names in SQL what the files say of the columns, beside their values. */
  readonly meanings?: ReadonlyMap<string, ColumnMeaning>
  /** The column by which the files say that rows are to be weighted. */
  readonly weight?: string | undefined
  /** SQL of what the rows of `from` meet, if they are not all rows of the parts. */
  readonly where?: string
  /** If `from` has some of the rows only: SQL of all of them, and of the condition that those of `from` meet. */
  readonly chosen?: { readonly from: string; readonly where: string }
  /** Copies that DuckDB reads, and the files that they are copies of. */
  readonly copies?: ReadonlyMap<string, string>
}

export interface Part {
  readonly path: string
  /** What is read in its place: a copy in UTF-8. */
  readonly copy?: string
  readonly from: string
  readonly dialect: Dialect | undefined
}

export interface RelationOptions extends DialectOptions {
  readonly format?: Format
  /** All that means missing in a CSV file. */
  readonly missing?: readonly string[]
  /** Columns of survey files whose values are read as their labels, or as their codes. */
  readonly labelled?: ReadonlyMap<string, boolean>
  /** A query, in which the files are the table `data`. */
  readonly sql?: string
}

/** The files a name stands for: itself, or what a pattern finds. Names have been checked to be readable before. */
const expand = async (tables: Tables, path: string): Promise<readonly string[]> => {
  if (!isPattern(path)) return [path]
  const found = await tables.rows(`SELECT file FROM glob(${literal(path)}) ORDER BY file`)
  if (found.length === 0) throw new DataError(`no file matches ${path}`)
  const files = found.map(([file]) => String(file))
  files.forEach(checkReadable)
  return files
}

/** The format of files that go through DuckDB: as asked, as named, or as their first bytes show. */
const formatOf = (path: string, asked: Format | undefined): Format =>
  asked ?? formatOfName(path) ?? formatOfBytes(readHead(path, 4096))

export const openRelation = async (
  tables: Tables,
  paths: readonly string[],
  options: RelationOptions,
): Promise<Relation> => {
  const files = (await Promise.all(paths.map(path => expand(tables, path)))).flat()
  if (files.length === 0 && options.sql === undefined)
    throw new OptionError(words`no data was given: name a file, or ${advise('use', 'sql')}`)
  const formats = files.map(file => formatOf(file, options.format))
  const other = formats.find(format => format !== formats[0])
  if (other !== undefined) throw new DataError(`the files must be of one format (got ${formats[0]} and ${other})`)
  const text = formats[0] === 'csv' || formats[0] === 'tsv'
  const [format] = formats
  for (const [i, path] of files.entries()) checkFormatOptions(path, formats[i], options)
  const opened: Parts = text
    ? await csvParts(tables, files, format === 'tsv', options)
    : isSurveyFormat(format)
      ? await surveyParts(tables, files, format, options)
      : await otherParts(tables, files, format, options.sql !== undefined)
  const { parts } = opened
  if (formats[0] !== 'parquet') await Promise.all(files.map(checkGzip))
  const from = union(parts)
  const name = files.length === 1 ? files[0] : `${files.length} files`
  if (options.sql === undefined) return { ...opened, from, text, name }
  if (parts.length > 0) await tables.run(`CREATE OR REPLACE TEMP VIEW data AS SELECT * FROM ${from}`)
  return { ...opened, from: `(${options.sql.trim().replace(/;$/, '')})`, parts: [], text: false, name: 'the query' }
}

/** The rows of a relation that meet a condition. */
export const filteredRelation = (relation: Relation, where: string): Relation => ({
  ...relation,
  from: `(SELECT * FROM ${relation.from} WHERE ${where})`,
  where: relation.where === undefined ? where : `(${relation.where} AND ${where})`,
  chosen: chosenRows(relation, where),
})

/** Those of the rows that meet a condition too. */
export const chosenRows = ({ from, chosen }: Relation, where: string): NonNullable<Relation['chosen']> =>
  chosen === undefined ? { from, where } : { from: chosen.from, where: `(${chosen.where}) AND (${where})` }

/** SQL of the rows with their number among all rows, those that were left out too, as `polyad_row`. */
export const numberedRows = ({ from, chosen }: Relation): string => {
  const numbered = `(SELECT *, row_number() OVER () AS polyad_row FROM ${chosen?.from ?? from})`
  return chosen === undefined ? numbered : `(SELECT * FROM ${numbered} WHERE ${chosen.where})`
}

export const readDialect = (path: string, tabs: boolean, options: DialectOptions, copy = path): Dialect =>
  dialectOf(path, readHead(copy), tabs, options)

type Parts = Pick<Relation, 'parts' | 'shown' | 'notes' | 'meanings' | 'weight' | 'copies'>

const csvParts = async (
  tables: Tables,
  files: readonly string[],
  tabs: boolean,
  options: RelationOptions,
): Promise<Parts> => {
  const { encoding } = options
  const read =
    encoding === undefined ? files : await Promise.all(files.map((path, i) => encodedFile(tables, path, encoding, i)))
  const dialects = files.map((path, i) => readDialect(path, tabs, options, read[i]))
  const names: ColumnNames = nameColumns(files.map((path, i) => ({ path, columns: dialects[i].columns })))
  const parts = files.map((path, i): Part => {
    const from = dialects[i].delimiter === BLANKS ? readBlanks : readCsv
    return { path, copy: read[i], from: from(read[i], dialects[i], names.sql[i], options), dialect: dialects[i] }
  })
  return {
    parts,
    shown: names.shown,
    notes: [...dialects.flatMap(({ notes }) => notes), ...names.notes],
    copies: new Map(read.map((copy, i) => [copy, files[i]])),
  }
}

const otherParts = async (
  tables: Tables,
  files: readonly string[],
  format: Format | undefined,
  queried: boolean,
): Promise<Parts> => {
  const parts = files.map((path): Part => {
    // Times stay as they are written: as timestamps they would lose what they say of their zone. A query wants them as such.
    const typing = queried ? '' : `, timestampformat='-'`
    if (format === 'json')
      return { path, from: `read_json(${literal(path)}${typing}${packing(path)})`, dialect: undefined }
    if (format === 'parquet') return { path, from: `read_parquet(${literal(path)})`, dialect: undefined }
    throw new DataError(`${path} is a .${format} file, which is not a table`)
  })
  const shown = new Map<string, string>()
  if (parts.length < 2) return { parts, shown, notes: [] }
  const columns: string[][] = []
  for (const { from } of parts)
    columns.push((await tables.rows(`DESCRIBE SELECT * FROM ${from}`)).map(([name]) => String(name)))
  return { parts, shown, notes: differences(files, columns, shown) }
}

/** What columns of CSV may be for a query. Not BOOLEAN, by which yes and no become true and false, and not TIME, by which 07:00 becomes 07:00:00. */
const QUERY_TYPES = ['BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'VARCHAR']

/** Everything about the file is said, so that DuckDB has nothing to guess and a bad line is an error with its number. */
const readCsv = (
  path: string,
  { header, skip, delimiter, newline }: Dialect,
  columns: readonly string[],
  { missing = MISSING_TEXTS, sql }: RelationOptions,
): string => {
  const types = columns.map(name => `${literal(name)}: 'VARCHAR'`)
  // A query wants numbers as numbers; a plain table keeps its values as they are written.
  const typing =
    sql === undefined
      ? `auto_detect=false, columns={${types.join(', ')}}`
      : `auto_detect=true, auto_type_candidates=${list(QUERY_TYPES)}`
  const absent = sql === undefined ? absentTexts(missing) : missing
  return (
    `read_csv(${literal(path)}, ${typing}, header=${header}, skip=${skip}, delim=${literal(delimiter)}, ` +
    `quote='"', escape='"', nullstr=${list(absent.length === 0 ? [''] : absent)}, new_line=${literal(newline)}${packing(path)})`
  )
}

/** Texts that mean missing as they are written: of a list without any of the usual ones, one that does not occur. */
const absentTexts = (missing: readonly string[]): readonly string[] => {
  const usual = writtenMissing(missing)
  return missing.length > 0 && usual.length === 0 ? ['\u0002'] : usual
}

/** An argument that says that a file is gzipped: DuckDB would judge by its name. */
const packing = (path: string): string => (isGzipped(path) ? `, compression='gzip'` : '')

/** What DuckDB is made to say of a line with too many or too few fields; `faults.ts` finds the line. */
export const UNEVEN = 'polyad: uneven line in '

/** A file whose fields are separated by blanks: it is read by lines, which are then split. */
const readBlanks = (
  path: string,
  { header, skip, newline }: Dialect,
  columns: readonly string[],
  { missing = MISSING_TEXTS }: RelationOptions,
): string => {
  const lines =
    `read_csv(${literal(path)}, auto_detect=false, columns={'line': 'VARCHAR'}, header=false, skip=${skip + (header ? 1 : 0)}, ` +
    `delim='\u0001', quote='', escape='', nullstr='\u0002', strict_mode=false, new_line=${literal(newline)}${packing(path)})`
  const split = `SELECT regexp_split_to_array(trim(line, ' \t\r'), '[ \t]+') AS fields FROM ${lines} WHERE trim(line, ' \t\r') <> ''`
  const even = `CASE WHEN len(fields) = ${columns.length} THEN fields ELSE error(${literal(UNEVEN + path)} || left(fields[1], 0)) END`
  const absent = writtenMissing(missing)
  const values = columns.map((name, i) => {
    const field = `fields[${i + 1}]`
    const kept =
      absent.length === 0
        ? field
        : `CASE WHEN ${field} IN (${absent.map(literal).join(', ')}) THEN NULL ELSE ${field} END`
    return `${kept} AS ${identifier(name)}`
  })
  return `(SELECT ${values.join(', ')} FROM (SELECT ${even} AS fields FROM (${split})))`
}

const union = (parts: readonly Part[]): string => {
  if (parts.length < 2) return parts[0]?.from ?? ''
  return `(${parts.map(({ from }) => `SELECT * FROM ${from}`).join(' UNION ALL BY NAME ')})`
}
