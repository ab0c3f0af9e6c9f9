import type { Label } from '@polyad/core'
import { type Column, columnNamed, inspect } from '../columns/columns.ts'
import { settleBinnings } from '../reading/read-view.ts'
import { type Binning, binLabel, binRange, parseBin } from '../values/bins.ts'
import type { Reading } from '../view/reading.ts'
import { binOf } from './bin-texts.ts'
import type { MemoryView } from './memory-view.ts'
import { numberOf } from './numbers.ts'
import type { TextColumn } from './text-dictionary.ts'
import { timeOf, timeText } from './times.ts'

/** A bar of a histogram. */
export interface HistogramBin {
  readonly label: Label
  readonly count: number
  /** Where a bin of numbers begins and ends; the outer ones of quantiles have one end only. */
  readonly from?: number
  readonly to?: number
}

export interface Histogram {
  readonly bins: readonly HistogramBin[]
  readonly missing: number
  /** Rows whose value cannot be cut so: words among numbers. */
  readonly unreadable: number
}

/** How many rows fall into each bin of a column: cut as `bins` say, or into so many bins of one width. */
export const histogramOf = async (
  view: MemoryView,
  name: string,
  cut: string | number,
  reading: Reading,
): Promise<Histogram> => {
  const seen = await inspect(view, reading)
  const column = columnNamed(seen, name, '', view)
  const counts = countedBy(view.values(column, reading), undefined)
  if (typeof cut === 'number') return histogramOfColumn(view, column, cut, reading, counts)
  const { request } = parseBin(`${column.name}:${cut}`)
  const [binning] = (await settleBinnings(view, [column], new Map([[column, request]]), reading)) as [Binning]
  return histogramOfColumn(view, column, binning, reading, counts)
}

/** What the rows of every value count together: one each, or as much as they weigh. */
export const countedBy = (values: TextColumn, weights: Float64Array | undefined): Float64Array => {
  const counts = new Float64Array(values.texts.length)
  values.codes.forEach((code, row) => {
    if (code >= 0) counts[code] += weights?.[row] ?? 1
  })
  return counts
}

/** The same of a column that is known, whose values count so much. */
export const histogramOfColumn = (
  view: MemoryView,
  column: Column,
  cut: Binning | number,
  reading: Reading,
  counts: Float64Array,
): Histogram => {
  const values = view.values(column, reading)
  const count = (binOfText: (text: string) => number | undefined) => {
    const sums = new Map<number, number>()
    let unreadable = 0
    values.texts.forEach((text, code) => {
      const bin = binOfText(text)
      if (bin === undefined) unreadable += counts[code]
      else sums.set(bin, (sums.get(bin) ?? 0) + counts[code])
    })
    return { sums, missing: values.codes.reduce((sum, code) => sum + (code < 0 ? 1 : 0), 0), unreadable }
  }
  if (typeof cut !== 'number') {
    const { sums, ...rest } = count(text => binOf(text, cut))
    const bins = binRange([...sums.keys()], cut, column.name)
    return {
      bins: bins.map(bin => ({
        label: binLabel(bin, cut),
        count: sums.get(bin) ?? 0,
        ...endsOf(bin, cut),
      })),
      ...rest,
    }
  }
  const isDate = column.kind === 'date'
  const placeOf = (text: string) => {
    const place = isDate ? timeOf(text, column.dates, reading.timeZone) : numberOf(text)
    return place !== undefined && Number.isFinite(place) ? place : undefined
  }
  const places = values.texts.map(placeOf).filter(place => place !== undefined)
  const least = places.reduce((low, place) => Math.min(low, place), Number.POSITIVE_INFINITY)
  const most = places.reduce((high, place) => Math.max(high, place), Number.NEGATIVE_INFINITY)
  const number = most > least ? Math.max(1, Math.floor(cut)) : Math.min(1, places.length)
  const edge = (bin: number) => (bin === number ? most : least + ((most - least) * bin) / number)
  const { sums, ...rest } = count(text => {
    const place = placeOf(text)
    if (place === undefined) return undefined
    return most === least ? 0 : Math.min(number - 1, Math.floor(((place - least) / (most - least)) * number))
  })
  const shown = (place: number) => (isDate ? timeText(place).slice(0, 10) : Number(place.toPrecision(6)))
  return {
    bins: Array.from({ length: number }, (_, bin) => ({
      label: `${shown(edge(bin))} – ${shown(edge(bin + 1))}`,
      count: sums.get(bin) ?? 0,
      from: edge(bin),
      to: edge(bin + 1),
    })),
    ...rest,
  }
}

const endsOf = (bin: number, binning: Binning): { from?: number; to?: number } => {
  const tidy = (value: number) => Number(value.toPrecision(12))
  switch (binning.kind) {
    case 'int':
      return { from: bin, to: bin + 1 }
    case 'width':
      return { from: tidy(bin * binning.width), to: tidy((bin + 1) * binning.width) }
    case 'quantiles': {
      const { edges } = binning
      return { ...(bin > 0 && { from: edges[bin - 1] }), ...(bin < edges.length && { to: edges[bin] }) }
    }
    case 'date':
      return {}
  }
}
