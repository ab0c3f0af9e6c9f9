import { DataError, OptionError } from '@polyad/core'
import { candidateFormats, type DateFormat, epochFormat, namesTime } from '../values/dates.ts'
import { suggestion } from '../values/nearest.ts'
import { quoted } from '../values/note.ts'
import type { NumberStyle } from '../values/number-style.ts'
import type { Reading } from '../view/reading.ts'
import { type Measured, type ReadColumn, SAMPLE, type TableView, type ViewColumn } from '../view/view.ts'
import { type ColumnStyle, rangeOf, stylesOf } from './column-styles.ts'

/** What a column looks like, from the first rows of its table. */
export interface Column extends ReadColumn {
  readonly kind: 'text' | 'number' | 'date' | 'nested' | 'empty'
  readonly distinct: number
  /** How many of the rows that were looked at have no value. */
  readonly missing: number
  /** These values, unless they are many. */
  readonly values?: readonly string[]
  /** The share of its values that are numbers, or look like mistyped ones (1,880). */
  readonly numeric: number
  /** The smallest and the largest number in it. */
  readonly range: readonly [number, number]
  /** A value that is not a number, where there is one. */
  readonly word: string | undefined
  /** Whether its numbers could be read in another style as well: 1,234. */
  readonly ambiguousNumbers?: boolean
  /** How its dates are written, or what its numbers count if they are times. */
  readonly dates?: DateFormat
  /** Whether its dates would read as well with day and month exchanged. */
  readonly ambiguousDates?: boolean
  /** Whether its times, or some of them, say how far they are from UTC, so that they are points in time. */
  readonly zoned?: 'all' | 'some'
}

export interface Inspection {
  readonly columns: readonly Column[]
  /** How many rows were looked at. */
  readonly rows: number
  /** Whether these were all. */
  readonly all: boolean
}

/** Looks at the first rows of a table. */
export const inspect = async (view: TableView, reading: Reading): Promise<Inspection> => {
  if (view.columns.length === 0) throw new DataError(`${view.name} has no columns`)
  const { rows, columns: measured } = await view.measure(reading)
  if (rows === 0) throw new DataError(`${view.name} has a header but no rows`)
  const styles = stylesOf(view, measured, reading.decimal)
  const columns = view.columns.map((column, i) => columnOf(column, measured[i], rows, styles[i]))
  return { columns: await withDates(view, columns, reading), rows, all: rows < SAMPLE }
}

/** Whether values of a type are lists or records, which are no labels. */
export const isNested = (type: string): boolean => /^(STRUCT|MAP|UNION)|\[\d*\]$|^(BLOB|JSON)$/.test(type)

const columnOf = (own: ViewColumn, seen: Measured, rows: number, style: ColumnStyle | undefined): Column => {
  const { name, type } = own
  const { present, distinct, numbers, mistyped, times, offsets, least, most } = seen
  const column = {
    ...own,
    distinct,
    missing: rows - present,
    numeric: Math.max(numbers, mistyped) / present,
    range: [least, most] as const,
    word: seen.word || undefined,
    ...(seen.values ? { values: seen.values } : {}),
  }
  if (isNested(type)) return { ...column, kind: 'nested' }
  if (present === 0) return { ...column, kind: 'empty' }
  const zoned = offsets === 0 ? {} : ({ zoned: offsets === present ? 'all' : 'some' } as const)
  if (/^(DATE|TIME|TIMESTAMP)/.test(type)) return { ...column, kind: 'date', ...zoned }
  if (type === 'BOOLEAN') return { ...column, kind: 'text' }
  if (style !== undefined) return { ...column, kind: 'number', ...style, range: rangeOf(seen, style.style) }
  if (numbers === present) {
    const dates = epochFormat(least, most)
    if (dates === undefined) return { ...column, kind: 'number' }
    return { ...column, kind: namesTime(name) ? 'date' : 'number', dates, zoned: 'all' }
  }
  return times === present ? { ...column, kind: 'date', ...zoned } : { ...column, kind: 'text' }
}

/** Looks again at columns whose values begin as dates do: every value must read as one. */
const withDates = async (view: TableView, columns: readonly Column[], reading: Reading): Promise<readonly Column[]> => {
  const asked = columns.flatMap(column =>
    column.kind === 'text' ? candidateFormats(column.word ?? '').map(format => ({ column, format })) : [],
  )
  if (asked.length === 0) return columns
  const holds = await view.readAsDates(asked, reading)
  const found = asked.filter((_, i) => holds[i])
  return columns.map((column): Column => {
    const formats = found.flatMap(each => (each.column === column ? [each.format] : []))
    if (formats.length === 0) return column
    const zoned = formats[0] === 'rfc2822' ? ({ zoned: 'all' } as const) : {}
    return { ...column, kind: 'date', dates: formats[0], ambiguousDates: formats.length > 1, ...zoned }
  })
}

/** A number with fewer values than this is not worth cutting. */
export const FEW_NUMBERS = 10

/** Whether a column holds times without a date: 07:00:00. */
export const isTimeOfDay = ({ type }: Pick<Column, 'type'>): boolean => /^TIME(?!STAMP)/.test(type)

/** How a number or a date may be cut, where that makes sense. */
export const proposedCut = (column: Column): string | undefined => {
  const { kind, distinct } = column
  if (kind === 'date') return isTimeOfDay(column) ? 'hour' : 'month'
  return kind === 'number' && distinct >= FEW_NUMBERS ? 'q5' : undefined
}

/** The column of a name: exactly so; else without regard to capitals, where that leaves no doubt. */
export const findColumn = <C extends { readonly name: string }>(columns: readonly C[], name: string): C | undefined => {
  const exact = columns.find(column => column.name === name)
  if (exact !== undefined) return exact
  const alike = columns.filter(column => column.name.toLowerCase() === name.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

/** The column of a name, or an error that names the nearest. */
export const columnNamed = <C extends { readonly name: string }>(
  { columns }: { readonly columns: readonly C[] },
  name: string,
  what: string,
  { name: table }: Pick<TableView, 'name'>,
): C => {
  const found = findColumn(columns, name)
  if (found !== undefined) return found
  const known = columns.map(column => column.name)
  throw new OptionError(`${table} has no column ${quoted(name)}${what}${suggestion(name, known)}`)
}

/** A column of new data for a model: where its numbers could be read both ways, they are read as the model's were. */
export const styled = (column: Column, { style }: { readonly style?: NumberStyle }): Column =>
  column.ambiguousNumbers === true && style !== undefined ? { ...column, style } : column
