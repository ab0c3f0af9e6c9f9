import { dot, lineY, rect, ruleX, ruleY } from '@observablehq/plot'
import type { ChartClass, ChartMode } from '../data/chart-data.ts'
import { topLabels } from '../data/lift.ts'
import { neighbourMeans } from '../data/series.ts'
import { classSymbol, dashOf } from '../drawing/class-marks.ts'
import { classColour, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, type Piece, plotPiece } from '../drawing/figure.ts'
import { allStandFor, eachStandsFor } from '../drawing/standing.ts'
import { probabilityY, spacedLabels } from './axes.ts'
import { categoryAxis, valueAxis } from './category-axis.ts'
import { labelHeatMap } from './heat-map.ts'
import { numberPanel } from './number-panel.ts'

/** Modes with more labels have an axis of their own, or are shown by those labels that tell the classes apart. */
export const MANY_LABELS = 12
/** Ordered labels that a heat map shows one below the other. */
const MANY_ROWS = 24
/** More bars than this in a panel are a heat map. */
const MANY_BARS = 40

type Form = 'lines' | 'long' | 'bars' | 'heat map' | 'number'

/** How a variable is drawn. */
export const formOf = ({ labels, ordered, number }: ChartMode, classes: number, heatMap: boolean): Form => {
  if (number !== undefined) return 'number'
  if (ordered && labels.length > (heatMap ? MANY_ROWS : MANY_LABELS)) return 'long'
  if (heatMap || labels.length > MANY_LABELS) return 'heat map'
  if (ordered && labels.length > 2) return 'lines'
  return labels.length * classes > MANY_BARS ? 'heat map' : 'bars'
}

/** The panel of one variable. `top`: where the axis of long ones ends. */
export const profilePanel = (
  mode: ChartMode,
  classes: readonly ChartClass[],
  width: number,
  options: ChartOptions,
  { heatMap, axis, top }: { readonly heatMap: boolean; readonly axis: boolean; readonly top: number },
): Piece => {
  if (mode.number !== undefined) return numberPanel(mode.number, width, options)
  const form = formOf(mode, classes.length, heatMap)
  if (form === 'long') return longPanel(mode, width, options, top)
  if (form === 'lines') return linesPanel(mode, width, options, axis)
  if (form === 'bars') return barsPanel(mode, width, options, axis)
  const shown =
    !mode.ordered && mode.labels.length > MANY_LABELS ? topLabels(mode, classes, MANY_LABELS) : [...mode.labels.keys()]
  return labelHeatMap(mode, shown, classes, width, options)
}

const HEIGHT = 124
const SIDE = 8
const TOP = 6
const OVERALL = { stroke: INK, strokeWidth: 1.2 } as const

/** What all panels with the common axis have: the axes, and areas to point at. */
const onCommonAxis = (
  { labels, ordered }: ChartMode,
  width: number,
  { document, targets }: ChartOptions,
  axis: boolean,
  marks: (step: number) => Parameters<typeof plotPiece>[1]['marks'],
): Piece => {
  const step = (width - 2 * SIDE) / labels.length
  const below = categoryAxis(labels, ordered, step, SIDE)
  return plotPiece(document, {
    width,
    height: TOP + HEIGHT + below.height,
    marginLeft: SIDE,
    marginRight: SIDE,
    marginTop: TOP,
    marginBottom: below.height,
    x: { type: 'linear', domain: [0, labels.length] },
    y: { type: 'linear', domain: [0, 1] },
    marks: [
      ...valueAxis(axis),
      ...(targets
        ? [
            rect(labels, {
              x1: (_, j) => j,
              x2: (_, j) => j + 1,
              y1: 0,
              y2: 1,
              fill: INK,
              fillOpacity: 0,
              ...eachStandsFor(label => ({ label })),
            }),
          ]
        : []),
      ...(marks(step) ?? []),
      ruleY([0], { stroke: MUTED }),
      ...below.marks,
    ],
  })
}

/** Ordered categories: a line for each class. */
const linesPanel = (mode: ChartMode, width: number, options: ChartOptions, axis: boolean): Piece => {
  const { probabilities, marginal, intervals } = mode
  const { colours, reference } = options
  const at = { x: (_: number, j: number) => j + 0.5, y: (p: number) => p }
  const ofClass = (k: number) => allStandFor({ class: k })
  return onCommonAxis(mode, width, options, axis, () => [
    ...(reference ? [lineY(marginal, { ...at, ...OVERALL, strokeDasharray: '4 3' })] : []),
    ...probabilities.map((each, k) => lineY(each, { ...at, ...strokeOf(k, options), ...ofClass(k) })),
    ...(intervals ?? []).map((each, k) =>
      ruleX(
        each.flatMap((interval, j) => (interval === undefined ? [] : [{ j, interval }])),
        {
          x: d => d.j + 0.5,
          y1: d => d.interval[0],
          y2: d => d.interval[1],
          stroke: classColour(k, colours),
          ...ofClass(k),
        },
      ),
    ),
    ...probabilities.map((each, k) =>
      dot(each, {
        ...at,
        r: 3,
        symbol: classSymbol(k, options),
        fill: classColour(k, colours),
        // Each point says which label it is of: a finger finds it more easily than the line.
        ...eachStandsFor(label => ({ class: k, label })),
      }),
    ),
  ])
}

/** The widest that a bar may be. */
const BAR = 22

/** Categories without an order, or two: bars side by side, in the order of the classes. */
const barsPanel = (mode: ChartMode, width: number, options: ChartOptions, axis: boolean): Piece => {
  const { labels, probabilities, marginal, intervals } = mode
  const { colours, reference } = options
  const rank = probabilities.length
  return onCommonAxis(mode, width, options, axis, step => {
    const group = Math.min(step * 0.84, rank * BAR) / step
    const bar = group / rank
    const left = (j: number, k: number) => j + (1 - group) / 2 + k * bar
    const gap = Math.min(0.1, 1 / (bar * step)) * bar
    return [
      ...probabilities.map((each, k) =>
        rect(each, {
          x1: (_, j) => left(j, k) + gap / 2,
          x2: (_, j) => left(j, k) + bar - gap / 2,
          y1: 0,
          y2: p => p,
          fill: classColour(k, colours),
          ...eachStandsFor(label => ({ class: k, label })),
        }),
      ),
      ...(reference
        ? [
            ruleY(labels, {
              y: (_, j) => marginal[j],
              x1: (_, j) => j + 0.06,
              x2: (_, j) => j + 0.94,
              ...OVERALL,
              strokeWidth: 1.5,
              ...eachStandsFor(label => ({ label })),
            }),
          ]
        : []),
      ...(intervals ?? []).map((each, k) =>
        ruleX(
          each.flatMap((interval, j) => (interval === undefined ? [] : [{ j, interval }])),
          {
            x: d => left(d.j, k) + bar / 2,
            y1: d => d.interval[0],
            y2: d => d.interval[1],
            stroke: INK,
            ...allStandFor({ class: k }),
          },
        ),
      ),
    ]
  })
}

/** More categories than can be named: lines with an axis of their own, since each of them is improbable. */
const longPanel = (mode: ChartMode, width: number, options: ChartOptions, highest: number): Piece => {
  const { labels, probabilities, marginal, intervals } = mode
  const { document, reference, targets } = options
  const size = Math.ceil(labels.length / width)
  const at = { x: (d: { at: number }) => d.at, y: (d: { value: number }) => d.value }
  const [end, marginLeft, marginRight] = [Math.min(1, highest * 1.05), 44, 14]
  return plotPiece(document, {
    width,
    height: TOP + HEIGHT + 24,
    marginLeft,
    marginRight,
    marginTop: TOP,
    marginBottom: 24,
    x: { type: 'linear', domain: [0, labels.length - 1] },
    y: { type: 'linear', domain: [0, end] },
    marks: [
      ...probabilityY(highest),
      ...(reference ? [lineY(neighbourMeans(marginal, size), { ...at, ...OVERALL, strokeDasharray: '4 3' })] : []),
      ...probabilities.map((each, k) =>
        lineY(neighbourMeans(each, size), { ...at, ...strokeOf(k, options), ...allStandFor({ class: k }) }),
      ),
      ...(size > 1 ? [] : (intervals ?? [])).map((each, k) =>
        ruleX(
          each.flatMap((interval, j) => (interval === undefined ? [] : [{ j, interval }])),
          {
            x: d => d.j,
            y1: d => d.interval[0],
            y2: d => d.interval[1],
            stroke: classColour(k, options.colours),
            ...allStandFor({ class: k }),
          },
        ),
      ),
      ruleY([0], { stroke: MUTED }),
      ...(targets && size === 1
        ? [
            rect(labels, {
              x1: (_, j) => Math.max(0, j - 0.5),
              x2: (_, j) => Math.min(labels.length - 1, j + 0.5),
              y1: 0,
              y2: end,
              fill: INK,
              fillOpacity: 0,
              ...eachStandsFor(label => ({ label })),
            }),
          ]
        : []),
      ...spacedLabels(labels, width - marginLeft - marginRight, marginRight),
    ],
  })
}

const strokeOf = (k: number, options: ChartOptions) => ({
  stroke: classColour(k, options.colours),
  strokeWidth: 1.8,
  ...dashOf(k, options),
})
