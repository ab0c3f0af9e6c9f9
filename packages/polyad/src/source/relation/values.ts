import { identifier, literal } from '../../duckdb/sql-text.ts'
import { NUMBER } from '../../table/values/labels.ts'
import { ASIDE, type NumberStyle, STYLED } from '../../table/values/number-style.ts'
import { missingNumbers, missingOf, type Reading, writtenMissing } from '../../table/view/reading.ts'
import type { ReadColumn } from '../../table/view/view.ts'
import type { Relation } from './relation.ts'

const BLANK = "' ' || chr(9) || chr(160)"

/** SQL of a number as programs write it; what is not of the style stays as it is. */
const plainNumberSql = (value: string, style: NumberStyle): string => {
  const bare = `regexp_replace(${value}, ${literal(ASIDE)}, '', 'g')`
  const plain = style === 'point' ? `replace(${bare}, ',', '')` : `replace(replace(${bare}, '.', ''), ',', '.')`
  return `CASE WHEN regexp_full_match(${value}, ${literal(STYLED[style])}) THEN ${plain} ELSE ${value} END`
}

/** SQL of a column's value as text, NULL where it is missing. */
export const valueSql = (
  { name: column, key: own, type, style }: Pick<ReadColumn, 'name' | 'key' | 'type' | 'style'>,
  { text }: Pick<Relation, 'text'>,
  reading: Reading,
): string => {
  const { trim = false, ignoreCase = false } = reading
  const name = identifier(own)
  const known = /^(DOUBLE|FLOAT|REAL)$/.test(type) ? `CASE WHEN isnan(${name}) THEN NULL ELSE ${name} END` : name
  const shown = type === 'VARCHAR' ? known : `CAST(${known} AS VARCHAR)`
  const trimmed = trim ? `trim(${shown}, ${BLANK})` : shown
  const key = ignoreCase ? `lower(${trimmed})` : trimmed
  const point = (value: string) => (style === undefined ? value : plainNumberSql(value, style))
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
