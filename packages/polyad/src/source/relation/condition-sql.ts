import { literal } from '../../duckdb/sql-text.ts'
import type { Condition, ConditionValue } from '../../table/values/condition.ts'
import { isNumber, NUMBER } from '../../table/values/labels.ts'
import type { Reading } from '../../table/view/reading.ts'
import type { ReadColumn } from '../../table/view/view.ts'
import { numberSql } from './bin-sql.ts'
import type { Relation } from './relation.ts'
import { valueSql } from './values.ts'

/** SQL that is true for rows that meet a condition, and NULL if something that decides it is missing. */
export const conditionSql = (
  condition: Condition<ReadColumn>,
  relation: Pick<Relation, 'text'>,
  reading: Reading,
): string => {
  switch (condition.kind) {
    case 'not':
      return `(NOT ${conditionSql(condition.part, relation, reading)})`
    case 'and':
    case 'or':
      return `(${condition.parts.map(part => conditionSql(part, relation, reading)).join(` ${condition.kind.toUpperCase()} `)})`
    case 'missing':
      return `((${valueSql(condition.column, relation, reading)}) IS NULL)`
    case 'in':
      return anyOfSql(valueSql(condition.column, relation, reading), condition.values, reading)
    case 'compare': {
      const { operator, value } = condition
      const own = valueSql(condition.column, relation, reading)
      if (operator === '=') return anyOfSql(own, [value], reading)
      if (operator === '!=') return `(NOT ${anyOfSql(own, [value], reading)})`
      if (typeof value === 'string') return `((${own}) ${operator} ${textSql(value, reading)})`
      const x = numberSql(own)
      return `(CASE WHEN NOT isnan(${x}) THEN ${x} ${operator} ${doubleSql(value)} END)`
    }
  }
}

const textSql = (text: string, { ignoreCase }: Reading): string =>
  ignoreCase ? `lower(${literal(text)})` : literal(text)

const doubleSql = (x: number): string => `CAST('${x}' AS DOUBLE)`

/** SQL that is true for a value among others: numbers are compared as numbers, and so are texts that are. */
const anyOfSql = (value: string, others: readonly ConditionValue[], reading: Reading): string => {
  const x = numberSql(value)
  const numbers = others.filter(other => typeof other === 'number')
  const texts = others.filter(other => typeof other === 'string')
  const plain = texts.filter(isNumber).map(Number)
  const tests = [
    ...(texts.length === 0 ? [] : [`(${value}) IN (${texts.map(text => textSql(text, reading)).join(', ')})`]),
    ...(numbers.length === 0 ? [] : [`${x} IN (${numbers.map(doubleSql).join(', ')})`]),
    ...(plain.length === 0
      ? []
      : [`(${x} IN (${plain.map(doubleSql).join(', ')}) AND regexp_matches(${value}, ${literal(NUMBER)}))`]),
  ]
  return `(CASE WHEN (${value}) IS NOT NULL THEN coalesce(${tests.join(' OR ')}, false) END)`
}
