import { identifier, literal } from '../../duckdb/sql-text.ts'
import { NUMBER } from '../../table/values/labels.ts'
import { ASIDE, type NumberStyle, STYLED } from '../../table/values/number-style.ts'
import { LAST_ZEROS, type Recode } from '../../table/values/recode.ts'
import { missingNumbers, missingOf, type Reading, recodeOf, writtenMissing } from '../../table/view/reading.ts'
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
  const recode = recodeOf(reading, column)
  const value = recode.length === 0 ? point(key) : recodeSql(key, point(key), recode, reading)
  if (codes.length === 0) return value
  const texts = codes.map(code => (ignoreCase ? `lower(${literal(code)})` : literal(code)))
  const numbers = missingNumbers(codes)
  const found = `${key} IN (${texts.join(', ')})${numbers.length === 0 ? '' : ` OR ${equalSql(point(key), numbers)}`}`
  return `CASE WHEN ${found} THEN NULL ELSE ${value} END`
}

/** SQL that is true for a number among others: 8 and 8.0 are one label, so both are what a code of 8 means. */
const equalSql = (value: string, numbers: readonly number[]): string =>
  `(TRY_CAST(${value} AS DOUBLE) IN (${numbers.map(x => `CAST('${x}' AS DOUBLE)`).join(', ')}) AND regexp_matches(${value}, ${literal(NUMBER)}))`

/** SQL of what a value becomes by recoding. Texts come first, as they do in memory. */
const recodeSql = (
  key: string,
  value: string,
  recode: readonly Recode[],
  { ignoreCase = false, spelling = false }: Reading,
): string => {
  const folded = (sql: string) => (ignoreCase || spelling ? `lower(${sql})` : sql)
  const result = (to: string) => (ignoreCase ? `lower(${literal(to)})` : literal(to))
  const texts = (sql: string) =>
    recode.map(
      ({ from, to }) =>
        `WHEN ${folded(sql)} IN (${from.map(text => folded(literal(text))).join(', ')}) THEN ${result(to)}`,
    )
  const numbers = recode.flatMap(({ from, to }) => {
    const own = missingNumbers(from)
    return own.length === 0 ? [] : [`WHEN ${equalSql(value, own)} THEN ${result(to)}`]
  })
  const rest = LAST_ZEROS.reduce((sql, zeros) => `regexp_replace(${sql}, ${literal(zeros)}, '\\1')`, value)
  return `CASE ${[...texts(key), ...(value === key ? [] : texts(value)), ...numbers].join(' ')} ELSE ${rest} END`
}
