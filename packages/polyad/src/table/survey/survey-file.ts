import { DataError } from '@polyad/core'
import type { FileHead } from '../files/file-head.ts'
import { grouped, type Note } from '../values/note.ts'

/** A value as a file stores it: its code. */
export type Code = number | string

export interface ValueLabel {
  readonly code: Code
  readonly text: string
}

/** A variable of a file of SPSS, Stata or another program, with its values. */
export interface SurveyVariable {
  readonly name: string
  /** The variable label; empty if there is none. */
  readonly title: string
  /** Whether the file calls it ordinal. */
  readonly ordinal: boolean
  readonly labels: readonly ValueLabel[]
  /** What values are called, if it is for people alone: the values stay as they are. */
  readonly texts?: Readonly<Record<string, string>>
  /** What the file declares as missing, beside values that are none. */
  readonly missing?: DeclaredMissing
  /** A number as a date or time, if the variable holds such; undefined for one that is none. */
  readonly shown?: (value: number) => string | undefined
  readonly values: CodedValues
}

export interface DeclaredMissing {
  readonly isMissing: (code: Code) => boolean
  /** For a person: "8, 9" or "97 to 99". */
  readonly text: string
}

/** Every different value once, and for each row which it is, −1 if it has none. */
export interface CodedValues {
  readonly values: readonly Code[]
  readonly codes: Int32Array
}

export interface SurveyFile {
  readonly name: string
  readonly variables: readonly SurveyVariable[]
  readonly rows: number
  /** The variable by which the file weights its rows. */
  readonly weight?: string
  readonly notes: readonly Note[]
  /** The names of all sheets, of a spreadsheet. */
  readonly sheets?: readonly string[]
  /** The first rows of the sheet. */
  readonly head?: FileHead
}

/** Values that are held at most: they take 4 bytes each, 1 GB in all. */
const MOST_VALUES = 250_000_000

/** Bytes of a file at most. */
export const MOST_BYTES = 2_000_000_000

/**
 * Throws DataError if the values of a file are too many for memory.
 * @example
 * checkSize('survey.sav', 1_000, 20) // fits
 */
export const checkSize = (name: string, rows: number, variables: number): void => {
  if (rows * variables <= MOST_VALUES) return
  throw new DataError(
    `${name} has ${grouped(rows)} rows of ${grouped(variables)} variables, too many to be read into memory ` +
      `(at most ${grouped(MOST_VALUES)} values): export the variables you need, or save it as Parquet`,
  )
}

/** Collects the values of a variable row by row. */
export class ValueCollector<T extends Code> {
  readonly #known = new Map<T, number>()
  #codes: Int32Array
  rows = 0

  /** @param rows how many rows are expected */
  constructor(rows: number) {
    this.#codes = new Int32Array(rows)
  }

  add(value: T | undefined): void {
    if (this.rows === this.#codes.length) {
      const larger = new Int32Array(Math.max(1024, this.#codes.length * 2))
      larger.set(this.#codes)
      this.#codes = larger
    }
    let code = -1
    if (value !== undefined) {
      code = this.#known.get(value) ?? this.#known.size
      if (code === this.#known.size) this.#known.set(value, code)
    }
    this.#codes[this.rows++] = code
  }

  finish(): { values: T[]; codes: Int32Array } {
    return { values: [...this.#known.keys()], codes: this.#codes.subarray(0, this.rows) }
  }
}

/** Values of which several may become the same one. */
export const recoded = ({ values, codes }: CodedValues, read: (value: Code) => Code): CodedValues => {
  const known = new Map<Code, number>()
  const positions = values.map(value => {
    const own = read(value)
    const position = known.get(own) ?? known.size
    known.set(own, position)
    return position
  })
  const same = positions.every((position, i) => position === i)
  return { values: [...known.keys()], codes: same ? codes : codes.map(code => (code < 0 ? code : positions[code])) }
}
