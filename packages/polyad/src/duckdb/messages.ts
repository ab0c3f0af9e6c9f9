import type { Parameters } from '@polyad/core'
import type { FilledNumbers } from '@polyad/core/model'
import type { SentTable } from './sent-table.ts'

/** What the process that runs DuckDB can be asked. It decides nothing: the caller composes the SQL. */
export type TableRequest =
  | { readonly kind: 'open'; readonly settings: Readonly<Record<string, string>> }
  /** Closes the database; the process can open another. */
  | { readonly kind: 'close' }
  /** Statements whose results are not wanted. */
  | { readonly kind: 'run'; readonly sql: string; readonly sent?: readonly SentTable[] }
  /** A small result, as rows of plain values. */
  | { readonly kind: 'rows'; readonly sql: string; readonly sent?: readonly SentTable[] }
  /** A large result of INTEGER, DOUBLE and VARCHAR columns without NULL, sent in pieces, numbers as typed arrays. */
  | { readonly kind: 'columns'; readonly sql: string; readonly sent?: readonly SentTable[] }
  /**
   * Rows with codes in the place of texts, in any order. The columns of the statement are the texts of each mode, in one or more pieces
   * of bytes, and then numbers, INTEGER or DOUBLE without NULL.
   */
  | ({ readonly kind: 'codes'; readonly sql: string } & CodingPlan)
  /** Makes `polyad_score(code, …)` known: for every row [class from 0, its probability, log-likelihood, every posterior …]. */
  /** With `explained`, the codes are followed by the linear predictor of every class, from which the prior follows. */
  | { readonly kind: 'score'; readonly parameters: Parameters; readonly explained?: boolean }
  /** Makes `polyad_explain(code, …)` known: for every row [surprise in bits, score, expected, mode of the most surprising answer from 1, bits of every answer …]. */
  | { readonly kind: 'explain'; readonly parameters: Parameters; readonly total: number; readonly explained?: boolean }
  /** Makes `polyad_fill(code, …)` known: the most probable code of every mode, what is known being kept. */
  | { readonly kind: 'fill'; readonly parameters: Parameters; readonly numbers: FilledNumbers }
  /** Makes `polyad_draw(row from 0, draw from 1, code, …)` known: the code of every mode, drawn where it is not observed. */
  | { readonly kind: 'draw'; readonly parameters: Parameters; readonly numbers: FilledNumbers; readonly seed: number }

export interface TableQuestion {
  readonly id: number
  readonly request: TableRequest
}

/** How texts become codes. */
export interface CodingPlan {
  /** For each mode, in how many columns its texts come. */
  readonly pieces: readonly number[]
  /** How many columns of numbers follow them. */
  readonly numbers: number
  /** About how many texts each mode has. */
  readonly expected: readonly number[]
  /** A mode may have so many texts. */
  readonly most: number
}

/** The codes of some rows, from 1 and 0 for a missing text, in as few bytes as they need; and their numbers. */
export interface CodedPiece {
  readonly codes: readonly (Uint8Array | Uint16Array | Int32Array)[]
  readonly numbers: readonly (Int32Array | Float64Array)[]
}

export type ColumnPiece = readonly (Int32Array | Float64Array)[]

/** A piece of a result that may have texts. */
export type ResultPiece = readonly (Int32Array | Float64Array | readonly string[])[]

export type TableAnswer =
  | { readonly id: number; readonly kind: 'done'; readonly rows?: readonly (readonly unknown[])[] }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string }
  | { readonly id: number; readonly kind: 'piece'; readonly columns: ResultPiece }
  | { readonly id: number; readonly kind: 'coded'; readonly piece: CodedPiece }
  | { readonly id: number; readonly kind: 'progress'; readonly percent: number }

/** Codes of a row that are not the position of a label. */
export const NOT_OBSERVED = -1
export const NEVER_SEEN = -2

/** What is said of a mode with too many texts, before the mode's number. */
export const TOO_MANY = 'polyad: too many texts in mode '
