import type { Mode } from '@polyad/core'
import { type Binning, binLabel } from './bins.ts'

/** The number of the first bin of a model's mode, where bins follow each other without gaps. */
export const firstBin = (binning: Binning, mode: Mode): number | undefined => {
  if (binning.kind === 'int') return Number(mode.label(0))
  if (binning.kind !== 'width') return undefined
  const lower = Number(/^\[([^,]+),/.exec(String(mode.label(0)))?.[1])
  return Math.round(lower / binning.width)
}

/** The bins that a model's mode knows with their positions, found again by what they are called. */
export const knownBins = (binning: Binning, mode: Mode): (readonly [bin: number, position: number])[] =>
  candidates(binning).flatMap(candidate => {
    // Hours were plain numbers in models of earlier versions.
    const position = mode.indexOf(binLabel(candidate, binning)) ?? mode.indexOf(candidate)
    return position === undefined ? [] : [[candidate, position] as const]
  })

/** Every number a bin of this kind can have, as far as people's data goes. */
const candidates = (binning: Binning): number[] => {
  const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  if (binning.kind === 'quantiles') return span(0, binning.edges.length)
  if (binning.kind !== 'date') return []
  const spans = {
    minute: [0, 59],
    hour: [0, 23],
    weekday: [1, 7],
    day: [1, 31],
    week: [1, 53],
    month: [1, 12],
    quarter: [1, 4],
  } as Record<string, number[]>
  const known = spans[binning.part]
  if (known !== undefined) return span(known[0], known[1])
  if (binning.part === 'year') return span(1, 2500)
  return binning.part === 'yearmonth' ? span(1800 * 12, 2200 * 12) : span(-62_000, 84_000)
}
