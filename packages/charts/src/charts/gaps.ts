import { axisY, gridY, type Markish } from '@observablehq/plot'
import { largest } from '../data/series.ts'
import { GRID, MUTED } from '../drawing/colours.ts'

/** Losses above the best one, on a logarithmic scale: what equals the best stands on a line of its own at the bottom. */
export interface Gaps {
  /** Where a gap stands on the scale. */
  readonly at: (gap: number) => number
  readonly domain: readonly [number, number]
  /** How high the drawing should be: next to nothing where all are equal. */
  readonly height: number
  readonly marks: readonly Markish[]
}

/** Losses that differ by less than this many nats count as equal, as in a search. */
export const SAME = 1e-3

export const gapsOf = (gaps: readonly number[], same = SAME): Gaps => {
  const above = gaps.filter(gap => gap > same)
  const axis = { tickSize: 0, label: null, fill: MUTED } as const
  const best = (at: number) => [
    gridY([at], { stroke: MUTED, strokeOpacity: 1, strokeDasharray: '3 3' }),
    axisY([at], { ...axis, tickFormat: () => 'best' }),
  ]
  if (above.length === 0) return { at: () => 0, domain: [-1, 1], height: 90, marks: best(0) }
  const lowest = Math.floor(Math.log10(-largest(above.map(gap => -gap))))
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(largest(above))))
  const powers = Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i)
  const step = Math.ceil(powers.length / 5)
  const bottom = lowest - Math.max(0.6, (highest - lowest) * 0.12)
  const shown = powers.filter((_, i) => i % step === 0)
  return {
    at: gap => (gap > same ? Math.log10(gap) : bottom),
    domain: [bottom - (highest - bottom) * 0.05, highest],
    height: 240,
    marks: [
      gridY(shown, { stroke: GRID, strokeOpacity: 1 }),
      axisY(shown, { ...axis, tickFormat: power => powerText(power) }),
      ...best(bottom),
    ],
  }
}

const powerText = (power: number): string =>
  power >= -3 && power <= 4 ? (10 ** power).toLocaleString('en-US', { maximumFractionDigits: 3 }) : `1e${power}`
