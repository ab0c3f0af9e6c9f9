import { isStyled, isUnseparated } from '../values/number-style.ts'
import { MANY_VALUES, type Measured } from '../view/view.ts'
import { numberOf } from './numbers.ts'
import { compareTexts, countTexts } from './read-texts.ts'
import type { TextColumn } from './text-dictionary.ts'
import { hasOffset, timeOf } from './times.ts'

const MISTYPED = /^[\t\n\f\r ]*[-+]?[0-9][0-9.,' ]*$/

export const NOT_MEASURED: Measured = {
  present: 0,
  distinct: 0,
  numbers: 0,
  mistyped: 0,
  times: 0,
  offsets: 0,
  least: 0,
  most: 0,
  points: 0,
  commas: 0,
  ambiguous: 0,
  unseparated: 0,
  word: null,
  values: null,
}

const isEither = (text: string): boolean => isStyled(text, 'point') && isStyled(text, 'comma')

/** The figures of a column from its first rows; every different value is looked at once. */
export const measureTexts = (column: TextColumn, rows: number): Measured => {
  const counts = countTexts(column, rows)
  const seen = [...counts.keys()].filter(code => counts[code] > 0)
  const values = seen.map(code => column.texts[code])
  const numbers = values.map(numberOf)
  const sumWhere = (test: (text: string, i: number) => boolean) =>
    values.reduce((sum, text, i) => (test(text, i) ? sum + counts[seen[i]] : sum), 0)
  const known = numbers.filter(each => each !== undefined)
  const words = values.filter((_, i) => numbers[i] === undefined)
  return {
    present: sumWhere(() => true),
    distinct: values.length,
    numbers: sumWhere((_, i) => numbers[i] !== undefined),
    mistyped: sumWhere(text => MISTYPED.test(text)),
    times: sumWhere(text => timeOf(text) !== undefined),
    offsets: sumWhere(hasOffset),
    least: known.reduce((least, x) => (x < least || Number.isNaN(least) ? x : least), known[0] ?? 0),
    // NaN is beyond all numbers.
    most: known.reduce((most, x) => (x > most || Number.isNaN(x) ? x : most), known[0] ?? 0),
    points: sumWhere(text => isStyled(text, 'point')),
    commas: sumWhere(text => isStyled(text, 'comma')),
    ambiguous: sumWhere(text => isEither(text) && /[.,]/.test(text)),
    unseparated: sumWhere(text => isEither(text) && isUnseparated(text)),
    word: words.reduce<string | null>(
      (least, text) => (least === null || compareTexts(text, least) < 0 ? text : least),
      null,
    ),
    values: values.length > 0 && values.length <= MANY_VALUES ? values : null,
  }
}

/** The value below which a share of the numbers lies, each a value that occurs: shares are taken as they are written. */
export const quantileOf = (sorted: Float64Array, share: number): number => {
  const [, whole = '0', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(share)) ?? []
  const scale = 10n ** BigInt(fraction.length)
  const scaled = BigInt(sorted.length) * BigInt(whole + fraction)
  const position = Number((scaled + scale - 1n) / scale)
  return sorted[Math.max(position, 1) - 1]
}
