import { defined } from '@polyad/core/options'
import { isNumber } from '../values/labels.ts'
import type { Recode, Recodings } from '../values/recode.ts'
import { MISSING_TEXTS } from './recipe.ts'

/** How values are read, whatever column they stand in. */
export interface Reading extends Pick<ReadingOptions, 'trim' | 'ignoreCase' | 'timeZone' | 'decimal'> {
  /** Everything that means missing, beside NULL and NaN. */
  readonly missing: readonly string[]
  /** What means missing besides in single columns, by their names. */
  readonly missingIn?: Readonly<Record<string, readonly string[]>>
  /** How categories are recoded in single columns, by their names, once what means missing is gone. */
  readonly recode?: Recodings
  /** Whether values keep their case although labels are told apart without it: to learn how they are written. */
  readonly spelling?: boolean
}

export interface ReadingOptions {
  /** Extra codes to treat as missing; empty, NA, NULL and NaN always are. */
  readonly missing?: readonly string[]
  /** What means missing in some columns: `trust0:8,9`, and `trust*:77` in all that begin so. */
  readonly missingIn?: readonly string[]
  /** Categories to merge or rename in some columns: `q1:1,2=low,3=high`, and `q*:9=other` in all that begin so. */
  readonly recode?: readonly string[]
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
  ...defined({ timeZone }),
  ...(decimal === undefined && thousands === undefined ? {} : { decimal: decimal ?? (thousands === ',' ? '.' : ',') }),
})

/** All that means missing in a column. Its name is exact first, and then found regardless of case. */
export const missingOf = ({ missing, missingIn }: Reading, column: string): readonly string[] => {
  const own = ofColumn(missingIn, column)
  return own === undefined ? missing : [...missing, ...own]
}

/** How the categories of a column are recoded. */
export const recodeOf = ({ recode }: Pick<Reading, 'recode'>, column: string): readonly Recode[] =>
  ofColumn(recode, column) ?? []

/** A reading by which values keep the case that they are written in, although they are told apart without it. */
export const spellingOf = (reading: Reading): Reading =>
  reading.ignoreCase === true ? { ...reading, ignoreCase: false, spelling: true } : reading

const ofColumn = <T>(values: Readonly<Record<string, T>> | undefined, column: string): T | undefined => {
  if (values === undefined) return undefined
  if (Object.hasOwn(values, column)) return values[column]
  const alike = Object.keys(values).filter(name => name.toLowerCase() === column.toLowerCase())
  return alike.length === 1 ? values[alike[0]] : undefined
}

/** What the reader of separated text takes for missing by itself. Other codes are left to be compared as labels are. */
export const writtenMissing = (missing: readonly string[]): readonly string[] =>
  missing.filter(text => MISSING_TEXTS.includes(text))

/** The numbers among codes: a value that is one of them is missing however it is written, as 8 or 8.0. */
export const missingNumbers = (texts: readonly string[]): readonly number[] =>
  texts.filter(isNumber).map(text => Number(text) + 0)
