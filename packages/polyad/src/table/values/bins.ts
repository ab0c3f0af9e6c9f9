import { DataError, type Label, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import type { DateFormat } from './dates.ts'
import { nearest } from './nearest.ts'
import { quoted, repeated } from './note.ts'

export const DATE_PARTS = [
  'minute',
  'hour',
  'weekday',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'yearmonth',
  'date',
] as const
export type DatePart = (typeof DATE_PARTS)[number]

/** How a column's numbers or dates become labels, as asked. */
export type BinRequest =
  | { readonly kind: 'width'; readonly width: number }
  | { readonly kind: 'quantiles'; readonly groups: number }
  | { readonly kind: 'int' }
  | { readonly kind: 'date'; readonly part: DatePart }

/** The same once the data has been seen; kept with a model, so that new data is cut in the same places. */
export type Binning =
  | Exclude<BinRequest, { kind: 'quantiles' | 'date' }>
  | { readonly kind: 'quantiles'; readonly edges: readonly number[] }
  /** `format` says how dates are written, where it is not as in 2024-05-31; `zone` by whose clocks points in time are cut, where not UTC. */
  | { readonly kind: 'date'; readonly part: DatePart; readonly format?: DateFormat; readonly zone?: string }

/** More bins than this is a mistaken width, not a wish. */
const MOST_BINS = 10_000

/** `petal_length:0.1`, `age:q5`, `score:int`, `time:hour`: a column and how to cut it. */
export const parseBin = (text: string): { column: string; request: BinRequest } => {
  const at = text.lastIndexOf(':')
  const column = text.slice(0, at)
  const how = text.slice(at + 1)
  if (at < 1) throw new OptionError('bins', `must be 'column:how', as in 'age:10'`, text)
  if (how === 'int') return { column, request: { kind: 'int' } }
  if ((DATE_PARTS as readonly string[]).includes(how))
    return { column, request: { kind: 'date', part: how as DatePart } }
  const groups = /^q(\d+)$/.exec(how)?.[1]
  if (groups !== undefined && Number(groups) >= 2 && Number(groups) <= 1000) {
    return { column, request: { kind: 'quantiles', groups: Number(groups) } }
  }
  const width = Number(how)
  if (Number.isFinite(width) && width > 0) return { column, request: { kind: 'width', width } }
  const near = nearest(how, ['int', ...DATE_PARTS])
  const hint =
    near === undefined ? `a width such as 0.1, q5, int, or one of ${DATE_PARTS.join(', ')}` : `did you mean ${near}?`
  throw new OptionError(words`${mention('bins', repeated(text))}: ${quoted(how)} is not a way to cut a column; ${hint}`)
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** The bins that become labels, from those seen: widths leave no gaps, so that neighbouring labels are neighbours. */
export const binRange = (seen: readonly number[], binning: Binning, column: string): number[] => {
  const sorted = [...seen].sort((a, b) => a - b)
  if (sorted.length === 0 || (binning.kind !== 'width' && binning.kind !== 'int')) return sorted
  const [first, last] = [sorted[0], sorted[sorted.length - 1]]
  if (last - first + 1 > MOST_BINS) {
    throw new DataError(
      `column ${JSON.stringify(column)}: ${binLabel(first, binning)} to ${binLabel(last, binning)} makes ` +
        `${last - first + 1} bins, more than ${MOST_BINS}; use a larger width`,
      { column },
    )
  }
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** What a bin is called. */
export const binLabel = (bin: number, binning: Binning): Label => {
  switch (binning.kind) {
    case 'int':
      return bin
    case 'width':
      return `[${edge(bin * binning.width)},${edge((bin + 1) * binning.width)})`
    case 'quantiles': {
      const { edges } = binning
      if (edges.length === 0) return 'all'
      if (bin === 0) return `<${edge(edges[0])}`
      return bin === edges.length ? `≥${edge(edges[bin - 1])}` : `[${edge(edges[bin - 1])},${edge(edges[bin])})`
    }
    case 'date':
      return dateLabel(bin, binning.part)
  }
}

const dateLabel = (bin: number, part: DatePart): Label => {
  if (part === 'hour') return `${String(bin).padStart(2, '0')}:00`
  if (part === 'weekday') return WEEKDAYS[bin - 1]
  if (part === 'month') return MONTHS[bin - 1]
  if (part === 'quarter') return `Q${bin}`
  if (part === 'yearmonth') return `${Math.floor(bin / 12)}-${String((bin % 12) + 1).padStart(2, '0')}`
  if (part === 'date') return new Date(bin * 86_400_000).toISOString().slice(0, 10)
  return bin
}

/** A number as people write it: 0.30000000000000004 is 0.3. */
const edge = (value: number): number => Number(value.toPrecision(12))
