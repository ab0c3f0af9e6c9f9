import { isNumber } from '../values/labels.ts'
import { MISSING_TEXTS } from './recipe.ts'

/** How values are read, whatever column they stand in. */
export interface Reading extends Pick<ReadingOptions, 'trim' | 'ignoreCase' | 'timeZone' | 'decimal'> {
  /** Everything that means missing, beside NULL and NaN. */
  readonly missing: readonly string[]
  /** What means missing besides in single columns, by their names. */
  readonly missingIn?: Readonly<Record<string, readonly string[]>>
}

export interface ReadingOptions {
  /** What means missing, beside empty, NA, NULL and NaN. */
  readonly missing?: readonly string[]
  /** What means missing in some columns: `trust0:8,9`, and `trust*:77` in all that begin so. */
  readonly missingIn?: readonly string[]
  /** What means missing, in place of empty, NA, NULL and NaN. */
  readonly missingOnly?: readonly string[]
  /** Takes blanks off both ends of values, so that `Good ` and `Good` are one label. */
  readonly trim?: boolean
  /** Joins labels that differ only by case; the most frequent spelling is kept. */
  readonly ignoreCase?: boolean
  /** How decimals are written. Default: found for each column. */
  readonly decimal?: ',' | '.'
  /** What separates thousands: decimals are then written in the other way. */
  readonly thousands?: ',' | '.'
  /** The time zone in which times with an offset, and times since 1970, are cut by date: `Europe/Berlin`. Default: UTC. */
  readonly timeZone?: string
}

export const readingOf = ({
  missing = [],
  missingOnly,
  trim,
  ignoreCase,
  timeZone,
  decimal,
  thousands,
}: ReadingOptions): Reading => ({
  missing: [...new Set([...(missingOnly ?? MISSING_TEXTS), ...missing])],
  ...(trim === true ? { trim } : {}),
  ...(ignoreCase === true ? { ignoreCase } : {}),
  ...(timeZone === undefined ? {} : { timeZone }),
  ...(decimal === undefined && thousands === undefined ? {} : { decimal: decimal ?? (thousands === ',' ? '.' : ',') }),
})

/** All that means missing in a column. Its name is exact first, and then found regardless of case. */
export const missingOf = ({ missing, missingIn }: Reading, column: string): readonly string[] => {
  if (missingIn === undefined) return missing
  const alike = Object.keys(missingIn).filter(name => name.toLowerCase() === column.toLowerCase())
  const own = Object.hasOwn(missingIn, column) ? column : alike.length === 1 ? alike[0] : undefined
  return own === undefined ? missing : [...missing, ...missingIn[own]]
}

/** What the reader of separated text takes for missing by itself. Other codes are left to be compared as labels are. */
export const writtenMissing = (missing: readonly string[]): readonly string[] =>
  missing.filter(text => MISSING_TEXTS.includes(text))

/** The numbers among codes: a value that is one of them is missing however it is written, as 8 or 8.0. */
export const missingNumbers = (missing: readonly string[]): readonly number[] =>
  missing.filter(isNumber).map(text => Number(text) + 0)
