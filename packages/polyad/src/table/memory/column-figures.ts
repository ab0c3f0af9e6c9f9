import { DataError, OptionError } from '@polyad/core'
import { type Column, columnNamed, inspect } from '../columns/columns.ts'
import type { FilterOptions } from '../reading/filter-view.ts'
import { inOrder, recodedColumns, settleBinnings, type TableOptions } from '../reading/read-view.ts'
import { type BinRequest, parseBin } from '../values/bins.ts'
import { dictionaryOf, type OrderRule, orderRule } from '../values/dictionary.ts'
import { isOrdered } from '../values/label-order.ts'
import type { Reading } from '../view/reading.ts'
import { countedBy, type HistogramBin, histogramOfColumn } from './histogram.ts'
import type { MemoryView } from './memory-view.ts'
import { numberOf } from './numbers.ts'
import type { TextColumn } from './text-dictionary.ts'

/** How much every row counts, by a column of frequencies or weights; what is no such number counts nothing. */
const weightsOfRows = ({ texts, codes }: TextColumn): Float64Array => {
  const numbers = texts.map(text => {
    const weight = numberOf(text)
    return weight !== undefined && Number.isFinite(weight) && weight > 0 ? weight : 0
  })
  return Float64Array.from(codes, code => numbers[code] ?? 0)
}

/** How the values of a column are distributed, for a small chart: all rows count. */
export interface ColumnFigures {
  readonly name: string
  /** Different values, and rows without one. */
  readonly distinct: number
  readonly missing: number
  /** The smallest and the largest number among them, in a column of numbers. */
  readonly smallest?: number
  readonly largest?: number
  /** Rows in all, and what they count together: the same, unless a column says how often each was seen. */
  readonly rows: number
  readonly total: number
  /** Bins or categories in their order; of more categories than are told, the most frequent ones, and if these are no scale the most frequent first. */
  readonly bars: readonly HistogramBin[]
  /** Whether the bars are the bins that were asked for. */
  readonly cut: boolean
  /** Whether neighbouring bars are alike. */
  readonly ordered: boolean
  /** What put the categories in their order; absent if they are bins, or the most frequent ones come first. */
  readonly rule?: OrderRule
  /** Categories beyond the bars, and what they count together. */
  readonly more: number
  readonly rest: number
}

/** What decides how columns are counted. */
export interface FigureOptions extends FilterOptions, Pick<TableOptions, 'bins' | 'order' | 'categories'> {
  /** The column of frequencies or weights by which rows count. */
  readonly by?: string
}

/** With more values than this a number or a date is drawn in bins of one width. */
const MOST_VALUES = 30
const WIDTHS = 24
/** So many categories are told of a column. */
const MOST_CATEGORIES = 60

/** The figures of every column, by the rules of reading. */
export const columnFigures = async (
  view: MemoryView,
  reading: Reading,
  { by, bins = [], ...orders }: FigureOptions,
): Promise<readonly ColumnFigures[]> => {
  const seen = await inspect(view, reading)
  const named = (name: string) => columnNamed(seen, name, '', view)
  const counting = by === undefined ? undefined : named(by)
  const weights = counting === undefined ? undefined : weightsOfRows(view.values(counting, reading))
  const cuts = new Map<Column, BinRequest>(bins.map(parseBin).map(({ column, request }) => [named(column), request]))
  const settled = await settleBinnings(view, seen.columns, cuts, reading)
  const { recode } = await recodedColumns(view, seen.columns, reading, seen.all)
  const ordered = inOrder(view, orders, recode)
  return seen.columns.map((column, i): ColumnFigures => {
    const { name, kind } = column
    const none = { name, distinct: 0, missing: view.rows, rows: view.rows, total: 0, cut: false, ...NO_BARS }
    if (kind === 'nested' || kind === 'empty') return none
    const values = view.values(column, reading)
    const present = countedBy(values, undefined)
    const counts = column === counting ? present : countedBy(values, weights)
    const distinct = present.reduce((sum, rows) => sum + (rows > 0 ? 1 : 0), 0)
    const missing = present.reduce((rest, rows) => rest - rows, view.rows)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const wide = (kind === 'number' || kind === 'date') && distinct > MOST_VALUES ? WIDTHS : undefined
    const cut = settled[i] ?? wide
    const bars = () =>
      cut === undefined
        ? categoriesOf(ordered(column), values, counts)
        : { ...NO_BARS, bars: histogramOfColumn(view, column, cut, reading, counts).bins, ordered: true }
    const range = kind === 'number' ? rangeOf(values.texts.filter((_, code) => present[code] > 0)) : {}
    return { ...none, distinct, missing, ...range, total, cut: settled[i] !== undefined, ...drawn(bars) }
  })
}

const rangeOf = (texts: readonly string[]): Pick<ColumnFigures, 'smallest' | 'largest'> => {
  const numbers = texts.map(numberOf).filter(number => number !== undefined && Number.isFinite(number)) as number[]
  if (numbers.length === 0) return {}
  return {
    smallest: numbers.reduce((least, number) => Math.min(least, number)),
    largest: numbers.reduce((most, number) => Math.max(most, number)),
  }
}

type Bars = Pick<ColumnFigures, 'bars' | 'ordered' | 'rule' | 'more' | 'rest'>

const NO_BARS: Bars = { bars: [], ordered: false, more: 0, rest: 0 }

/** A column that cannot be cut as it is asked has no bars; reading says why. */
const drawn = (make: () => Bars): Bars => {
  try {
    return make()
  } catch (error) {
    if (error instanceof DataError || error instanceof OptionError) return NO_BARS
    throw error
  }
}

const categoriesOf = (column: Column, { texts }: TextColumn, counts: Float64Array): Bars => {
  const { labels, positions } = dictionaryOf({ column, binning: undefined, missingAs: undefined }, texts)
  const sums = new Float64Array(labels.length)
  for (const [code, place] of positions.entries()) sums[place] += counts[code]
  const ordered = isOrdered({ column, binning: undefined }, labels)
  const frequent = [...sums.keys()].filter(place => sums[place] > 0).sort((a, b) => sums[b] - sums[a] || a - b)
  const kept = frequent.slice(0, MOST_CATEGORIES)
  const isInOrder = ordered || kept.length === frequent.length
  const shown = isInOrder ? [...kept].sort((a, b) => a - b) : kept
  return {
    ...(isInOrder && { rule: orderRule(column, texts) }),
    bars: shown.map(place => ({ label: labels[place], count: sums[place] })),
    ordered,
    more: frequent.length - kept.length,
    rest: frequent.slice(MOST_CATEGORIES).reduce((sum, place) => sum + sums[place], 0),
  }
}
