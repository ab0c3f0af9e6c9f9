/** Codes of labels in the narrowest type that holds them: the type of the same codes in the table of cells. */
export type Codes = Uint8Array | Uint16Array | Int32Array

/** A column of a table that is sent along with a statement: one value a row, or for `width` numbers a row so many, row after row. */
export type SentColumn =
  | { readonly name: string; readonly values: Codes | Float64Array | readonly string[] }
  /** Becomes columns `name0`, `name1`, …, or an array called `name`: whichever the dialect works with. */
  | { readonly name: string; readonly values: Float64Array; readonly width: number }

/** A table that exists for one statement, by its name. Its columns have no NULL. */
export interface SentTable {
  readonly name: string
  readonly rows: number
  readonly columns: readonly SentColumn[]
}
