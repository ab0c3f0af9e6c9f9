import { DataError, type Mode, OptionError } from '@polyad/core'
import type { Structure } from '@polyad/core/model'
import { omit } from '@polyad/core/options'
import { columnCodes } from '../columns/column-codes.ts'
import { columnNamed } from '../columns/columns.ts'
import { nameColumns } from '../files/column-names.ts'
import { type DialectOptions, dialectOf, headOfText } from '../files/csv-dialect.ts'
import type { FileHead } from '../files/file-head.ts'
import { asUtf8 } from '../files/text-encoding.ts'
import { unpacked } from '../files/unpack.ts'
import { refuseForeign } from '../formats/foreign-formats.ts'
import {
  checkFormat,
  checkFormatOptions,
  type Format,
  formatOfBytes,
  formatOfName,
  isSurveyFormat,
  readSurvey,
  type SurveyFormat,
} from '../formats/formats.ts'
import { filterView } from '../reading/filter-view.ts'
import { readingOfTable, usedRows } from '../reading/read-view.ts'
import type { SurveyFile } from '../survey/survey-file.ts'
import { surveyTable } from '../survey/survey-table.ts'
import { type ReadingOptions, readingOf } from '../view/reading.ts'
import { labelledColumns, type Recipe } from '../view/recipe.ts'
import type { ViewColumn } from '../view/view.ts'
import { type ColumnFigures, columnFigures, type FigureOptions } from './column-figures.ts'
import { parseCsv, type Watching } from './csv-parser.ts'
import { type Histogram, histogramOf } from './histogram.ts'
import { jsonRows, type TypedColumns, typedColumns } from './json-table.ts'
import { MemoryView, type ParsedTable } from './memory-view.ts'
import { type RowCodes, rowCodes } from './row-codes.ts'
import { textColumn } from './text-dictionary.ts'

/** A file as a page has it: its bytes, text that was pasted, or rows as objects. */
export type TableFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly rows: readonly Readonly<Record<string, unknown>>[] }

/**
 * Reads Parquet. Values are texts as DuckDB writes them, null where there is nothing; types are named as DuckDB does: VARCHAR,
 * DOUBLE, BIGINT, BOOLEAN, DATE, TIMESTAMP, and for nested columns STRUCT(…) or …[].
 */
export type ParquetReader = (bytes: Uint8Array) => Promise<TypedColumns>

export interface OpenOptions extends DialectOptions, Watching {
  /** Default: as the file's name says, else its first bytes. */
  readonly format?: Format
  /** Without it a Parquet file is refused. */
  readonly parquet?: ParquetReader
}

/** A table whose rows are all in memory. */
export class MemoryTable extends MemoryView {
  readonly format: Format
  /** The names of all sheets, of a spreadsheet. */
  readonly sheets: readonly string[]
  /** The first rows as they are written, of separated text and spreadsheets. */
  readonly head: FileHead | undefined
  readonly #parsed: ParsedTable
  readonly #parsedFor: (labelled: ReadonlyMap<string, boolean>) => ParsedTable

  /** @param parsedFor the table for a model, of which is known which columns have value labels and which codes */
  constructor(
    parsed: ParsedTable,
    format: Format,
    parsedFor: (labelled: ReadonlyMap<string, boolean>) => ParsedTable = () => parsed,
    { sheets = [], head }: Pick<SurveyFile, 'sheets' | 'head'> = {},
  ) {
    super(parsed)
    this.#parsed = parsed
    this.#parsedFor = parsedFor
    this.format = format
    this.sheets = sheets
    this.head = head
  }

  /** Rows as they are written; null where a row has nothing. */
  preview(from: number, count: number): (string | null)[][] {
    const rows = Math.max(0, Math.min(count, this.rows - from))
    return Array.from({ length: rows }, (_, i) =>
      this.#parsed.texts.map(({ texts, codes }) => texts[codes[from + i]] ?? null),
    )
  }

  /** All values of a column as they are written. */
  column(name: string): (string | null)[] {
    const { texts, codes } = this.written(columnNamed<ViewColumn>(this, name, '', this))
    return Array.from(codes, code => texts[code] ?? null)
  }

  /** How many rows fall into each bin of a column, cut as asked: `q5`, `month`, `0.1`, `int`; or into so many bins of one width. */
  histogram(column: string, cut: string | number, options: ReadingOptions = {}): Promise<Histogram> {
    const { missingIn = [] } = options
    return histogramOf(this, column, cut, { ...readingOf(options), missingIn: columnCodes(missingIn, this) })
  }

  /** How the values of every column are distributed, in all rows: for small charts. */
  async figures(options: FigureOptions = {}): Promise<readonly ColumnFigures[]> {
    return columnFigures(await usedRows<MemoryView>(this, omit(options, 'by')), readingOfTable(this, options), options)
  }

  /**
   * The rows that meet the condition by which the data of a model was filtered, with what means missing in its recipe.
   * @param written how decimals are written, if that was said: a recipe has it of its own columns only
   */
  async rowsWhere(
    where: string,
    { missing, missingIn, trim, ignoreCase }: Recipe,
    written: Pick<ReadingOptions, 'decimal' | 'thousands'> = {},
  ): Promise<Int32Array> {
    const reading = {
      ...readingOf({ ...written, missingOnly: missing, ...(trim && { trim }), ...(ignoreCase && { ignoreCase }) }),
      ...(missingIn && { missingIn }),
    }
    return (await filterView<MemoryView>(this, where, reading)).places ?? new Int32Array(0)
  }

  /** The table as rows are read for a model: values stay as they are written. */
  forModel(recipe: Recipe, modes: readonly Mode[], structure?: Structure): MemoryView {
    return new MemoryView(this.#parsedFor(labelledColumns(recipe, modes, structure)), true)
  }

  /** The rows as a model's recipe reads them, for its modes: what `polyad classify` makes of the same table. */
  rowCodes(recipe: Recipe, modes: readonly Mode[], structure?: Structure): Promise<RowCodes> {
    return rowCodes(this.forModel(recipe, modes, structure), recipe, modes, structure)
  }
}

/**
 * Opens a table in memory, without Node: CSV, TSV, JSON, SPSS, Stata, spreadsheets, and with a reader Parquet, also gzipped. It is understood by the rules of the
 * command line.
 * @example
 * const table = await openTable({ name: 'pasted.csv', text: 'colour;n\nred;3\nblue;5\n' })
 * table.rows // 2
 * table.preview(0, 1) // [['red', '3']]
 */
export const openTable = async (file: TableFile, options: OpenOptions = {}): Promise<MemoryTable> => {
  const { name } = file
  if ('rows' in file) return typedTable(name, typedColumns(name, file.rows), 'json')
  const given = 'bytes' in file ? file.bytes : new TextEncoder().encode(file.text)
  if (given.length === 0) throw new DataError(`${name} is empty`)
  refuseForeign(name, given)
  const bytes = await unpacked(name, given)
  const format = options.format === undefined ? undefined : checkFormat(options.format)
  const found = format ?? formatOfName(name) ?? formatOfBytes(bytes)
  const { encoding } = options
  checkFormatOptions(name, found, options)
  if (isSurveyFormat(found)) return openSurvey(await readSurvey(name, bytes, found, options), found)
  switch (found) {
    case 'csv':
    case 'tsv':
      return csvTable(name, encoding === undefined ? bytes : asUtf8(name, bytes, encoding), found, options)
    case 'json':
      return typedTable(name, typedColumns(name, jsonRows(name, new TextDecoder().decode(bytes))), found)
    case 'parquet':
      if (options.parquet === undefined)
        throw new OptionError(`${name} is a Parquet file, and no reader was given for it`)
      return typedTable(name, await parquetColumns(name, bytes, options.parquet), found)
    default:
      throw new DataError(`${name} is a .${found} file, which is not a table`)
  }
}

const parquetColumns = async (name: string, bytes: Uint8Array, read: ParquetReader): Promise<TypedColumns> => {
  try {
    return await read(bytes)
  } catch (error) {
    throw new DataError(`${name} is not a readable Parquet file: ${(error as Error).message}`, {}, { cause: error })
  }
}

/** The bytes from which it is found how a file is written. */
const HEAD = 1 << 20

const csvTable = async (
  name: string,
  bytes: Uint8Array,
  format: Format,
  options: DialectOptions & Watching,
): Promise<MemoryTable> => {
  const dialect = dialectOf(name, bytes.subarray(0, HEAD), format === 'tsv', options)
  const names = nameColumns([{ path: name, columns: dialect.columns }])
  const texts = await parseCsv(name, bytes, dialect, options)
  const columns = names.sql[0].map(key => ({ name: names.shown.get(key) ?? key, key, type: 'VARCHAR' }))
  const notes = [...dialect.notes, ...names.notes]
  return new MemoryTable(
    { name, columns, texts, rows: texts[0].codes.length, notes, source: { bytes, dialect } },
    format,
    undefined,
    { head: headOfText(new TextDecoder().decode(bytes.subarray(0, HEAD)), dialect) },
  )
}

const typedTable = (name: string, { columns, types, values }: TypedColumns, format: Format): MemoryTable => {
  const rows = values[0]?.length ?? 0
  const texts = values.map(column => textColumn(column, rows))
  const own = columns.map((column, i) => ({ name: column, key: column, type: types[i] }))
  return new MemoryTable({ name, columns: own, texts, rows, notes: [] }, format)
}

const openSurvey = (survey: SurveyFile, format: SurveyFormat): MemoryTable =>
  new MemoryTable(parsedSurvey(survey), format, labelled => parsedSurvey(survey, labelled), survey)

const parsedSurvey = (survey: SurveyFile, labelled?: ReadonlyMap<string, boolean>): ParsedTable => {
  const { rows, columns: texts, weight, notes } = surveyTable(survey, labelled)
  const names = nameColumns([{ path: survey.name, columns: texts.map(column => column.name) }])
  const columns = names.sql[0].map((key, i) => ({
    name: names.shown.get(key) ?? key,
    key,
    type: 'VARCHAR',
    ...texts[i].meaning,
  }))
  return { name: survey.name, columns, texts, rows, weight, notes: [...names.notes, ...notes] }
}
