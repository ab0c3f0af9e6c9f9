import { identifier, literal } from '../duckdb/sql-text.ts'
import type { Reading } from '../table/rules/reading.ts'
import type { ReadColumn } from '../table/rules/view.ts'
import type { Relation } from './relation.ts'

/** A number that may have a decimal comma, as a pattern in SQL. */
export const COMMA_NUMBER = `'\\s*[-+]?[0-9]+(,[0-9]+)?\\s*'`

const BLANK = "' ' || chr(9) || chr(160)"

/** SQL of a column's value as text, NULL where it is missing. */
export const valueSql = (
  { key: own, type, commas = false }: Pick<ReadColumn, 'key' | 'type' | 'commas'>,
  { text }: Pick<Relation, 'text'>,
  { missing, trim = false, ignoreCase = false }: Reading,
): string => {
  const name = identifier(own)
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
