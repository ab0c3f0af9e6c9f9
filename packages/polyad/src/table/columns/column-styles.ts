import { advise, words } from '@polyad/core/options'
import { choice, firstOf, joined, listed, type Note } from '../values/note.ts'
import { type NumberStyle, plainNumber } from '../values/number-style.ts'
import type { Measured, TableView } from '../view/view.ts'

/** How the numbers of a column are written, where it is not as programs write them. */
export interface ColumnStyle {
  readonly style: NumberStyle
  /** Whether they could be read in the other style as well. */
  readonly ambiguousNumbers?: true
}

/** A column before the others are known: `either` if its numbers could be both. */
type Found = NumberStyle | 'either' | undefined

/**
 * How the numbers of every column are written. A column has a style if all of its values do, and one of them is no plain number. What can be read both
 * ways (1,234) is a decimal comma if other columns have one, or where semicolons separate the fields, since commas are taken then; it is
 * a thousand if other columns have decimal points, or where commas separate the fields. Else it stays text.
 */
export const stylesOf = (
  { columns, delimiter }: Pick<TableView, 'columns' | 'delimiter'>,
  measured: readonly Measured[],
  decimal: ',' | '.' | undefined,
): readonly (ColumnStyle | undefined)[] => {
  const asked = decimal === undefined ? undefined : decimal === ',' ? 'comma' : 'point'
  const found = measured.map((seen, i) => (columns[i].type === 'VARCHAR' ? styleOf(seen, asked) : undefined))
  const sure = new Set(found.filter((style, i) => style !== undefined && isSure(measured[i])))
  const [only] = sure.size === 1 ? sure : []
  const usual = only ?? (delimiter === ';' ? 'comma' : delimiter === ',' ? 'point' : undefined)
  return found.map(style => {
    if (style !== 'either') return style === undefined ? undefined : { style }
    return usual === undefined ? undefined : { style: usual as NumberStyle, ambiguousNumbers: true }
  })
}

/** Whether not all numbers of a column could be read in both styles. */
const isSure = ({ points, commas }: Measured): boolean => points !== commas

const styleOf = (
  { present, numbers, points, commas, ambiguous, unseparated, values }: Measured,
  asked: NumberStyle | undefined,
): Found => {
  if (present === 0) return undefined
  if (asked !== undefined) {
    const separated = numbers < present || values === null || values.some(text => text.includes('.'))
    return (asked === 'point' ? points : commas) === present && separated && (asked === 'comma' || numbers < present)
      ? asked
      : undefined
  }
  if (numbers === present) return undefined
  if (points === present && commas < present) return 'point'
  if (commas === present && points < present) return 'comma'
  if (points < present) return undefined
  if (ambiguous === 0) return 'point'
  return unseparated > 0 ? 'comma' : 'either'
}

/** The smallest and the largest number of a style, among the values that were kept. */
export const rangeOf = ({ values, least, most }: Measured, style: NumberStyle): readonly [number, number] => {
  const numbers = (values ?? []).map(text => Number(plainNumber(text, style))).filter(Number.isFinite)
  if (numbers.length === 0) return [least, most]
  return numbers.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [numbers[0], numbers[0]])
}

/** A decimal comma beyond doubt, of which nothing needs to be said. */
const PLAIN_COMMA = /^\s*[-+]?\d+,\d+\s*$/

/** What is said of numbers that are not written as programs do. */
export const numberNotes = (
  columns: readonly {
    readonly name: string
    readonly word: string | undefined
    readonly style?: NumberStyle
    readonly ambiguousNumbers?: boolean
  }[],
): Note[] => {
  const shown = columns.flatMap(({ name, word, style, ambiguousNumbers }) => {
    if (style === undefined || word === undefined || (ambiguousNumbers !== true && PLAIN_COMMA.test(word))) return []
    return [
      {
        text: `${listed(name)} (${JSON.stringify(word.trim())} is ${Number(plainNumber(word, style))})`,
        style,
        doubtful: ambiguousNumbers === true,
      },
    ]
  })
  const sure = shown.filter(({ doubtful }) => !doubtful).map(({ text }) => text)
  const styles = [...new Set(shown.filter(({ doubtful }) => doubtful).map(({ style }) => style))]
  return [
    ...(sure.length === 0 ? [] : [choice(`read as numbers: ${firstOf(sure, 6)}`)]),
    ...styles.map(style => {
      const names = shown.filter(each => each.doubtful && each.style === style).map(({ text }) => text)
      const other =
        style === 'comma'
          ? advise('if commas separate thousands, use', 'decimal', '.')
          : advise('if it is a decimal comma, use', 'decimal', ',')
      return choice(joined([words`read as numbers: ${firstOf(names, 6)}`, words`${other}`], '; '))
    }),
  ]
}
