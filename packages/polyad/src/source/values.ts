import { identifier, literal } from '../duckdb/sql-text.ts'
import { MISSING_TEXTS } from './recipe.ts'
import type { Relation } from './relation.ts'

/** How values are read, whatever column they stand in. */
export interface Reading {
  /** Everything that means missing, beside NULL and NaN. */
  readonly missing: readonly string[]
  /** Takes blanks off both ends. */
  readonly trim?: boolean
  /** Joins labels that differ only by case. */
  readonly ignoreCase?: boolean
}

export interface ReadingOptions {
  /** What means missing, beside empty, NA, NULL and NaN. */
  readonly missing?: readonly string[]
  /** What means missing, in place of empty, NA, NULL and NaN. */
  readonly missingOnly?: readonly string[]
  /** Takes blanks off both ends of values, so that `Good ` and `Good` are one label. */
  readonly trim?: boolean
  /** Joins labels that differ only by case; the most frequent spelling is kept. */
  readonly ignoreCase?: boolean
}

export const readingOf = ({ missing = [], missingOnly, trim, ignoreCase }: ReadingOptions): Reading => ({
  missing: [...new Set([...(missingOnly ?? MISSING_TEXTS), ...missing])],
  ...(trim === true ? { trim } : {}),
  ...(ignoreCase === true ? { ignoreCase } : {}),
})

/** What must be known of a column to read its values. */
export interface Readable {
  /** Its name in SQL. */
  readonly sql: string
  readonly type: string
  /** Whether its numbers are written with decimal commas. */
  readonly commas?: boolean
}

/** A number that may have a decimal comma, as a pattern in SQL. */
export const COMMA_NUMBER = `'\\s*[-+]?[0-9]+(,[0-9]+)?\\s*'`

const BLANK = "' ' || chr(9) || chr(160)"

/** SQL of a column's value as text, NULL where it is missing. */
export const valueSql = (
  { sql, type, commas = false }: Readable,
  { text }: Pick<Relation, 'text'>,
  { missing, trim = false, ignoreCase = false }: Reading,
): string => {
  const name = identifier(sql)
  const known = /^(DOUBLE|FLOAT|REAL)$/.test(type) ? `CASE WHEN isnan(${name}) THEN NULL ELSE ${name} END` : name
  const shown = type === 'VARCHAR' ? known : `CAST(${known} AS VARCHAR)`
  const trimmed = trim ? `trim(${shown}, ${BLANK})` : shown
  const key = ignoreCase ? `lower(${trimmed})` : trimmed
  const point = (value: string) =>
    commas
      ? `CASE WHEN regexp_full_match(${value}, ${COMMA_NUMBER}) THEN replace(${value}, ',', '.') ELSE ${value} END`
      : value
  // The reader of CSV has dealt with what is missing already, as it is written.
  if (missing.length === 0 || (text && !trim && !ignoreCase)) return point(key)
  const texts = ignoreCase ? missing.map(each => `lower(${literal(each)})`) : missing.map(literal)
  return `CASE WHEN ${key} IN (${texts.join(', ')}) THEN NULL ELSE ${point(key)} END`
}
