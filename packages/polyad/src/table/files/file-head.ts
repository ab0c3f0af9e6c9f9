/** The first rows of a file as they are written: titles, the names of the columns, and data. */
export interface FileHead {
  readonly rows: readonly (readonly (string | null)[])[]
  /** The sheet that they are of, of a spreadsheet. */
  readonly sheet?: string
  /** The rows that name the columns, from the first to before the second number; none if these are equal. Rows before them are left out. */
  readonly names: readonly [from: number, to: number]
  /** How many rows come before the first that can be skipped, as a line that says the delimiter. */
  readonly before: number
}

/** So many of the first rows are shown. */
export const HEAD_ROWS = 12
