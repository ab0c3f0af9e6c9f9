import { identifier, literal } from '../../duckdb/sql-text.ts'
import { NUMBER } from '../../table/values/labels.ts'
import { missingNumbers, missingOf, type Reading, writtenMissing } from '../../table/view/reading.ts'
import type { ReadColumn } from '../../table/view/view.ts'
import type { Relation } from './relation.ts'

/** A number that may have a decimal comma, as a pattern in SQL. */
export const COMMA_NUMBER = `'\\s*[-+]?[0-9]+(,[0-9]+)?\\s*'`

const BLANK = "' ' || chr(9) || chr(160)"

/** SQL of a column's value as text, NULL where it is missing. */
export const valueSql = (
  { name: column, key: own, type, commas = false }: Pick<ReadColumn, 'name' | 'key' | 'type' | 'commas'>,
  { text }: Pick<Relation, 'text'>,
  reading: Reading,
): string => {
  const { trim = false, ignoreCase = false } = reading
  const name = identifier(own)
  const known = /^(DOUBLE|FLOAT|REAL)$/.test(type) ? `CASE WHEN isnan(${name}) THEN NULL ELSE ${name} END` : name
  const shown = type === 'VARCHAR' ? known : `CAST(${known} AS VARCHAR)`
  const trimmed = trim ? `trim(${shown}, ${BLANK})` : shown
  const key = ignoreCase ? `lower(${trimmed})` : trimmed
  const point = (value: string) =>
    commas
      ? `CASE WHEN regexp_full_match(${value}, ${COMMA_NUMBER}) THEN replace(${value}, ',', '.') ELSE ${value} END`
      : value
  // The reader of CSV has dealt with some of it already, as it is written.
  const settled = text && !trim && !ignoreCase ? writtenMissing(reading.missing) : []
  const codes = missingOf(reading, column).filter(code => !settled.includes(code))
  if (codes.length === 0) return point(key)
  const texts = codes.map(code => (ignoreCase ? `lower(${literal(code)})` : literal(code)))
  const numbers = missingNumbers(codes)
  // 8 and 8.0 are one label, so both are what a code of 8 means.
  const equal = `(TRY_CAST(${point(key)} AS DOUBLE) IN (${numbers.map(x => `CAST('${x}' AS DOUBLE)`).join(', ')}) AND regexp_matches(${point(key)}, ${literal(NUMBER)}))`
  const found = `${key} IN (${texts.join(', ')})${numbers.length === 0 ? '' : ` OR ${equal}`}`
  return `CASE WHEN ${found} THEN NULL ELSE ${point(key)} END`
}
