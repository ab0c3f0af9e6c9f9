import { type AxisXOptions, axisX, axisY, gridX, gridY, type Markish } from '@observablehq/plot'
import type { ChartClass } from '../data/chart-data.ts'
import { largest } from '../data/series.ts'
import { GRID, INK, MUTED } from '../drawing/colours.ts'
import { cleanText, fitText, labelText, percentText, pixelsOf } from '../drawing/label-text.ts'
import { eachStandsFor, type StandsFor } from '../drawing/standing.ts'

/** Axes over positions (0, 1, 2, …) that stand for labels: two labels that are cut to the same text stay two. */

const AXIS = { tickSize: 0, label: null } as const

/** The room that labels beside a chart take: what they need, up to a part of the width. */
export const labelRoom = (labels: readonly string[], width: number, part = 0.4): number =>
  Math.min(width * part, Math.max(0, ...labels.map(label => pixelsOf(labelText(label)))) + 12)

/** Labels at the left, one per row; rows are counted from 0 and their middles are at halves. `stands`: for what. */
export const rowLabels = (labels: readonly string[], room: number, stands?: (row: number) => StandsFor): Markish =>
  axisY(
    labels.map((_, row) => row + 0.5),
    {
      ...AXIS,
      tickFormat: (_, row) => fitText(labelText(labels[row]), room - 8),
      fill: INK,
      ...(stands && eachStandsFor(stands)),
    },
  )

/** The size of labels above columns. */
const SMALL = 11
/** The longest that a turned label may be. */
const LONGEST = 110

/** Labels above columns: how high they are, how far the last one leans out at the right, and the axis. */
export interface Header {
  readonly height: number
  readonly lean: number
  readonly mark: Markish
}

/** Labels above columns: straight where all fit, else turned. Columns are counted from 0, and their middles are at halves. */
export const columnLabels = (labels: readonly string[], room: number): Header => {
  const longest = Math.max(...labels.map(label => pixelsOf(label, SMALL)))
  const turned = longest > room
  return {
    height: turned ? Math.min(LONGEST, longest) * 0.87 + 14 : 20,
    lean: turned ? Math.min(LONGEST, pixelsOf(labels[labels.length - 1], SMALL)) / 2 : 0,
    mark: axisX(
      labels.map((_, column) => column + 0.5),
      {
        ...AXIS,
        anchor: 'top',
        tickFormat: (_, column) => fitText(labels[column], turned ? LONGEST : room + SMALL, SMALL),
        fontSize: SMALL,
        fill: MUTED,
        ...(turned && { tickRotate: -60, textAnchor: 'start' }),
      },
    ),
  }
}

/** Labels of an axis that are measured: what is left out of a hundred thousand is as wide as they are. */
const LOOKED_AT = 1000
/** The longest label below an axis, in pixels. */
const LONGEST_TICK = 90

/**
 * As many labels below an axis as there is room for, evenly taken, the first among them; one that would lean out at the right
 * ends at the edge. `inner` is how far it is from the first to the last, `right` what is beside that, `at` where the first stands.
 */
export const spacedLabels = (
  given: readonly string[],
  inner: number,
  right: number,
  at = 0,
  style: AxisXOptions = {},
): Markish[] => {
  const labels = given.map(labelText)
  const looked = Math.ceil(labels.length / LOOKED_AT)
  const widest = largest(labels.map((label, j) => (j % looked === 0 ? Math.min(LONGEST_TICK, pixelsOf(label)) : 0)))
  const each = inner / Math.max(1, labels.length - 1)
  const step = Math.max(1, Math.ceil((widest + 10) / each))
  const ticks = [...labels.keys()].filter(j => j % step === 0)
  const leaning = (j: number) =>
    Math.min(LONGEST_TICK, pixelsOf(labels[j])) / 2 - right - (labels.length - 1 - j) * each
  const axis = (shown: readonly number[], options: AxisXOptions) =>
    axisX(
      shown.map(j => j + at),
      {
        ...AXIS,
        tickSize: 3,
        tickFormat: (_, i) => fitText(labels[shown[i]], LONGEST_TICK),
        fill: MUTED,
        ...style,
        ...options,
      },
    )
  const last = ticks[ticks.length - 1]
  if (last === 0 || leaning(last) <= 0) return [axis(ticks, {})]
  // Its neighbour gives way where the two would touch.
  const kept = ticks.slice(0, leaning(last) > step * each - widest - 4 ? -2 : -1)
  return [axis(kept, {}), axis([last], { textAnchor: 'end', dx: right + (labels.length - 1 - last) * each })]
}

/** Probabilities from 0 to 1 along the x axis, with their grid. */
export const probabilityX = (): Markish[] => [
  gridX([0, 0.25, 0.5, 0.75, 1], { stroke: GRID, strokeOpacity: 1 }),
  axisX([0, 0.5, 1], { ...AXIS, tickFormat: d => percentText(d), fill: MUTED }),
]

/** Probabilities up to the highest along the y axis, with their grid. */
export const probabilityY = (highest: number, ticks = 4): Markish[] => [
  gridY({ ticks, stroke: GRID, strokeOpacity: 1 }),
  axisY({ ...AXIS, ticks, tickFormat: d => percentText(d, highest < 0.005 ? 2 : highest < 0.05 ? 1 : 0), fill: MUTED }),
]

/** The classes in words, with their sizes. */
export const classWords = (classes: readonly ChartClass[]): string =>
  `Classes: ${classes.map(({ name, share }) => `${cleanText(name)} (${percentText(share, 1)})`).join(', ')}`
