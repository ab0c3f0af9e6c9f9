import type { Label, Mode } from '@polyad/core'
import type { DialectOptions } from '../rules/csv-dialect.ts'
import type { Format } from '../rules/formats.ts'
import type { ReadingOptions } from '../rules/reading.ts'
import type { Recipe } from '../rules/recipe.ts'
import type { TableView } from '../rules/view.ts'

/** A file as a page has it: its bytes, text that was pasted, or rows as objects. */
export type TableFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly rows: readonly Readonly<Record<string, unknown>>[] }

/** What a reader of Parquet gives: columns of texts as DuckDB writes them, null where there is nothing. */
export interface ParquetColumns {
  readonly columns: readonly string[]
  /** As DuckDB names them: VARCHAR, DOUBLE, BIGINT, BOOLEAN, DATE, TIMESTAMP, and for nested columns STRUCT(…), …[]. */
  readonly types: readonly string[]
  readonly values: readonly (readonly (string | null)[])[]
}

export type ParquetReader = (bytes: Uint8Array) => Promise<ParquetColumns>

export interface OpenOptions extends DialectOptions {
  /** Default: as the file's name says, else its first bytes. */
  readonly format?: Format
  /** Reads Parquet; without it such a file is refused. */
  readonly parquet?: ParquetReader
}

/** A bar of a histogram. */
export interface HistogramBin {
  readonly label: Label
  readonly count: number
  /** Where a bin of numbers begins and ends; the outer ones of quantiles end with the data. */
  readonly from?: number
  readonly to?: number
}

export interface Histogram {
  readonly bins: readonly HistogramBin[]
  readonly missing: number
  /** Rows whose value cannot be cut so: words among numbers. */
  readonly unreadable: number
}

/** Rows as a model sees them. */
export interface RowCodes {
  /** For each mode the position of every row's label; −1 where it is missing, −2 where the model has never seen it. */
  readonly codes: readonly Int32Array[]
  /** For each mode, how many rows have a label that the model has never seen. */
  readonly unknown: readonly number[]
  /** Columns of the model that the table lacks: they are missing throughout. */
  readonly absent: readonly string[]
  /** For each class the linear predictor of every row, where covariates explain the classes (NaN where one is missing); else none. */
  readonly predictors: readonly Float64Array[]
}

/** A table whose rows are all in memory. */
export interface MemoryTable extends TableView {
  readonly rows: number
  readonly format: Format
  /** Rows as they are written; null where a row has nothing. */
  preview(from: number, count: number): (string | null)[][]
  /** All values of a column as they are written. */
  column(name: string): (string | null)[]
  /** How many rows fall into each bin of a column, cut as asked: `q5`, `month`, `0.1`, `int`, or into so many bins of one width. */
  histogram(column: string, cut: string | number, options?: ReadingOptions): Promise<Histogram>
  /** The rows as a model's recipe reads them, for its modes: what `polyad classify` makes of the same table. */
  rowCodes(recipe: Recipe, modes: readonly Mode[]): Promise<RowCodes>
}

/** Opens a table in memory: CSV, TSV, JSON, Parquet, also gzipped. */
export declare const openTable: (file: TableFile, options?: OpenOptions) => Promise<MemoryTable>
