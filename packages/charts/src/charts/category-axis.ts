import { axisX, axisY, gridY, type Markish, type RenderFunction } from '@observablehq/plot'
import { areTimes, intervalText } from '@polyad/core/model'
import { GRID, INK, MUTED } from '../drawing/colours.ts'
import { labelText, percentText, pixelsOf, wrapText } from '../drawing/label-text.ts'
import { eachStandsFor } from '../drawing/standing.ts'
import { spacedLabels } from './axes.ts'

/** The axes of a panel of profiles: categories below, at halves (0.5, 1.5, …), probabilities from 0 to 1 at the left. */

const SIZE = 11
const LINE = 13
const MOST_LINES = 3
/** Between two labels that stand side by side. */
const APART = 3
/** How far a turned label may be from its end to its beginning, and how far beyond the panel's left edge it may begin. */
const LONGEST = 150
const BEYOND = 24
const SLOPE = Math.SQRT1_2

export interface CategoryAxis {
  readonly marks: readonly Markish[]
  /** The room below the panel. */
  readonly height: number
}

/** Whether one can leave out every second label, and all know what stands there. */
const isScale = (labels: readonly string[]): boolean =>
  areTimes(labels) ||
  labels.every(label => intervalText(label) !== label || (label !== '' && Number.isFinite(Number(label))))

/**
 * Labels below a panel: side by side if they fit, else on several lines, else turned. Of numbers and times as many as there is room for.
 * @param step pixels from one category to the next
 * @param left pixels from the edge of the panel to the first category's area
 */
export const categoryAxis = (labels: readonly string[], ordered: boolean, step: number, left: number): CategoryAxis => {
  const texts = labels.map(labelText)
  const room = step - APART
  const widest = Math.max(...texts.map(text => pixelsOf(text, SIZE)))
  const ticks = (text: (j: number) => string, more: object = {}) =>
    axisX(
      labels.map((_, j) => j + 0.5),
      {
        tickSize: 0,
        label: null,
        tickFormat: (_, j) => text(j),
        fontSize: SIZE,
        fill: INK,
        ...eachStandsFor(j => ({ label: j })),
        ...more,
      },
    )
  if (widest <= room) return { marks: [ticks(j => texts[j])], height: 24 }
  if (ordered && isScale(labels))
    return {
      marks: spacedLabels(labels, step * (labels.length - 1), step / 2 + 8, 0.5, { fontSize: SIZE, fill: INK }),
      height: 24,
    }
  const wrapped = texts.map(text => wrapText(text, room, SIZE, MOST_LINES))
  if (wrapped.flat().every(line => !line.endsWith('…')))
    return {
      marks: [ticks(j => wrapped[j].join('\n'))],
      height: 11 + LINE * Math.max(...wrapped.map(lines => lines.length)),
    }
  const lines = step * SLOPE >= 2 * LINE ? 2 : 1
  const turned = texts.map((text, j) =>
    wrapText(text, Math.min(LONGEST, (BEYOND + left + (j + 0.5) * step) / SLOPE), SIZE, lines),
  )
  const longest = Math.max(...turned.flat().map(text => pixelsOf(text, SIZE)))
  return {
    marks: [ticks(j => turned[j].join('\n'), { tickRotate: -45, textAnchor: 'end' })],
    height: longest * SLOPE + 18 + (turned.some(each => each.length > 1) ? LINE * SLOPE : 0),
  }
}

const named = (name: string): { readonly render: RenderFunction } => ({
  render: (index, scales, values, dimensions, context, next) => {
    const drawn = next?.(index, scales, values, dimensions, context) ?? null
    drawn?.setAttribute('class', name)
    return drawn
  },
})

/** The room that the numbers of `valueAxis` take at the left of a panel. */
export const AXIS_ROOM = 38

/**
 * The grid of probabilities from 0 to 1. Where it is labelled, the numbers stand left of the panel, as the group `value-axis`, so that
 * panels are equally wide with and without.
 */
export const valueAxis = (labelled: boolean): Markish[] => [
  gridY([0, 0.25, 0.5, 0.75, 1], { stroke: GRID, strokeOpacity: 1 }),
  ...(labelled
    ? [
        axisY([0, 0.5, 1], {
          tickSize: 0,
          label: null,
          tickFormat: d => percentText(d),
          fontSize: SIZE,
          fill: MUTED,
          ...named('value-axis'),
        }),
      ]
    : []),
]
