import type { Comparison, Condition, ConditionValue } from '../values/condition.ts'
import { isNumber } from '../values/labels.ts'
import type { Reading } from '../view/reading.ts'
import type { ReadColumn } from '../view/view.ts'
import { numberOf } from './numbers.ts'
import { compareTexts, lower } from './read-texts.ts'
import type { TextColumn } from './text-dictionary.ts'

/** Whether a row meets a condition: 1 if it does, 0 if it does not, −1 if something that decides it is missing. */
type Truths = Int8Array

type ValuesOf = (column: ReadColumn) => TextColumn

/** The rows that meet a condition. */
export const filterRows = (
  condition: Condition<ReadColumn>,
  rows: number,
  valuesOf: ValuesOf,
  reading: Reading,
): Int32Array => {
  const truths = truthsOf(condition, rows, valuesOf, reading)
  return Int32Array.from({ length: rows }, (_, row) => row).filter(row => truths[row] === 1)
}

const truthsOf = (condition: Condition<ReadColumn>, rows: number, valuesOf: ValuesOf, reading: Reading): Truths => {
  switch (condition.kind) {
    case 'not':
      return truthsOf(condition.part, rows, valuesOf, reading).map(truth => (truth < 0 ? -1 : 1 - truth))
    case 'and':
    case 'or': {
      // What settles it whatever else is unknown: one that is not met, or one that is.
      const settles = condition.kind === 'and' ? 0 : 1
      const parts = condition.parts.map(part => truthsOf(part, rows, valuesOf, reading))
      return Int8Array.from({ length: rows }, (_, row) => {
        if (parts.some(part => part[row] === settles)) return settles
        return parts.some(part => part[row] < 0) ? -1 : 1 - settles
      })
    }
    case 'missing':
      return Int8Array.from(valuesOf(condition.column).codes, code => (code < 0 ? 1 : 0))
    default: {
      const { texts, codes } = valuesOf(condition.column)
      const test = condition.kind === 'in' ? isAnyOf(condition.values, reading) : compares(condition, reading)
      const known = Int8Array.from(texts, text => test(text))
      return Int8Array.from(codes, code => (code < 0 ? -1 : known[code]))
    }
  }
}

const isAnyOf = (values: readonly ConditionValue[], reading: Reading): ((text: string) => number) => {
  const tests = values.map(value => equals(value, reading))
  return text => (tests.some(test => test(text)) ? 1 : 0)
}

/** Whether a text is a value: numbers are compared as numbers, and so are texts that are. */
const equals = (value: ConditionValue, { ignoreCase = false }: Reading): ((text: string) => boolean) => {
  if (typeof value === 'number') return text => numberOf(text) === value
  const own = ignoreCase ? lower(value) : value
  if (!isNumber(value)) return text => text === own
  return text => text === own || (isNumber(text) && Number(text) === Number(value))
}

const compares = (
  { operator, value }: { readonly operator: Comparison; readonly value: ConditionValue },
  reading: Reading,
): ((text: string) => number) => {
  const same = equals(value, reading)
  if (operator === '=') return text => (same(text) ? 1 : 0)
  if (operator === '!=') return text => (same(text) ? 0 : 1)
  const holds = (sign: number) =>
    operator === '<' ? sign < 0 : operator === '<=' ? sign <= 0 : operator === '>' ? sign > 0 : sign >= 0
  if (typeof value === 'string') {
    const own = reading.ignoreCase ? lower(value) : value
    return text => (holds(compareTexts(text, own)) ? 1 : 0)
  }
  return text => {
    const x = numberOf(text)
    return x === undefined || Number.isNaN(x) ? -1 : holds(x < value ? -1 : x > value ? 1 : 0) ? 1 : 0
  }
}

/** A column with some of its rows, and of its texts those that occur in them. */
export const someRows = ({ texts, codes }: TextColumn, rows: Int32Array): TextColumn => {
  const places = new Int32Array(texts.length).fill(-1)
  const kept: string[] = []
  const own = rows.map(row => {
    const code = codes[row]
    if (code < 0) return -1
    if (places[code] < 0) places[code] = kept.push(texts[code]) - 1
    return places[code]
  })
  return { texts: kept, codes: own }
}
