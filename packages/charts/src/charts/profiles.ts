import { areaY, dot, lineY, rect, ruleX, ruleY } from '@observablehq/plot'
import type { ChartClass, ChartMode, ChartTable, ProfilesData } from '../data/chart-data.ts'
import { topLabels } from '../data/lift.ts'
import { largest, neighbourMeans } from '../data/series.ts'
import { classColour, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, plotPiece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText } from '../drawing/label-text.ts'
import { classLegend, titled } from '../drawing/legend.ts'
import { allStandFor, eachStandsFor } from '../drawing/standing.ts'
import { classWords, labelRoom, probabilityX, probabilityY, rowLabels, spacedLabels } from './axes.ts'
import { labelHeatMap } from './heat-map.ts'

/** A panel narrower than this is hard to read: then there is one column less. */
const LEAST_WIDTH = 270
/** Modes with more labels are shown by those that tell the classes apart. */
const MANY_LABELS = 12
/** More bars than this in a panel are a heat map. */
const MANY_BARS = 40
/** More panels are a page that nobody reads to its end. */
const MANY_MODES = 60

/**
 * P[label | class] of every mode: ordered modes as lines, others as bars, and where these would be too many a heat map.
 * @example
 * profilesChart(profilesData(model), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const profilesChart = (data: ProfilesData, options: ChartOptions): SVGSVGElement => {
  const { document, width } = options
  const { classes, modes } = data
  const shown = modes.slice(0, MANY_MODES)
  const grid = gridOf(shown.length, width, LEAST_WIDTH)
  const tops = data.tops ?? profileTops(data)
  const panels = shown.map(mode =>
    titled(document, mode.name, modePiece(mode, classes, grid.width, options, tops), grid.width, {
      mode: modes.indexOf(mode),
    }),
  )
  const left = modes.length - shown.length
  return figure(options, profilesWords(data), [
    ...(options.legend === false ? [] : [classLegend(options, classes)]),
    gridPiece(document, panels, grid),
    ...(left === 0 ? [] : [textPiece(options, `… and ${countedText(left, 'more variable')}`)]),
  ])
}

const profilesWords = ({ classes, modes }: ProfilesData) => ({
  title: `Class profiles: the probability of each category within ${countedText(classes.length, 'class', 'classes')}, for ${countedText(modes.length, 'variable')}`,
  description: `${classWords(classes)}. Variables: ${modes.map(({ name }) => cleanText(name)).join(', ')}.`,
})

/**
 * The highest probabilities that are drawn as lines: panels of few categories share an axis, and so do those of many.
 * @example
 * profileTops(profilesData(model)).few <= 1 // true
 */
export const profileTops = ({ modes }: ProfilesData): NonNullable<ProfilesData['tops']> => {
  const top = (many: boolean) =>
    largest(
      modes.flatMap(({ ordered, labels, probabilities, intervals }) =>
        ordered && labels.length > MANY_LABELS === many
          ? [...probabilities.flat(), ...(intervals ?? []).flat().map(each => each?.[1] ?? 0)]
          : [],
      ),
    )
  return { few: top(false), many: top(true) }
}

const modePiece = (
  mode: ChartMode,
  classes: readonly ChartClass[],
  width: number,
  options: ChartOptions,
  { few, many }: NonNullable<ProfilesData['tops']>,
): Piece => {
  const { labels, ordered } = mode
  if (ordered && labels.length > 2) return linesPiece(mode, width, options, labels.length > MANY_LABELS ? many : few)
  if (labels.length > MANY_LABELS)
    return labelHeatMap(mode, topLabels(mode, classes, MANY_LABELS), classes, width, options)
  if (labels.length * classes.length > MANY_BARS) return labelHeatMap(mode, [...labels.keys()], classes, width, options)
  return barsPiece(mode, width, options)
}

const BAR = 7

const barsPiece = (mode: ChartMode, width: number, { document, colours, reference, targets }: ChartOptions): Piece => {
  const { labels, probabilities, marginal, intervals } = mode
  const rank = probabilities.length
  const group = Math.max(18, rank * BAR + 7)
  const height = labels.length * group + 24
  const marginLeft = labelRoom(labels, width)
  const pad = 3.5 / group
  const bar = (1 - 2 * pad) / rank
  const bars = probabilities.map((each, k) =>
    each.map((probability, j) => {
      const top = j + pad + k * bar
      return { probability, top, bottom: top + bar * 0.9, interval: intervals?.[k][j] }
    }),
  )
  const spans = bars
    .flat()
    .flatMap(({ interval, top, bottom }) =>
      interval === undefined ? [] : [{ low: interval[0], high: interval[1], y: (top + bottom) / 2 }],
    )
  const ofLabel = eachStandsFor(label => ({ label }))
  return plotPiece(document, {
    width,
    height,
    marginLeft,
    marginRight: 18,
    marginTop: 0,
    marginBottom: 24,
    x: { type: 'linear', domain: [0, 1] },
    y: { type: 'linear', domain: [0, labels.length], reverse: true },
    marks: [
      ...probabilityX(),
      ...(targets
        ? [rect(labels, { x1: 0, x2: 1, y1: (_, j) => j, y2: (_, j) => j + 1, fill: INK, fillOpacity: 0, ...ofLabel })]
        : []),
      ...bars.map((each, k) =>
        rect(each, {
          x1: 0,
          x2: d => d.probability,
          y1: d => d.top,
          y2: d => d.bottom,
          fill: classColour(k, colours),
          ...eachStandsFor(label => ({ class: k, label })),
        }),
      ),
      ...(reference
        ? [
            ruleX(marginal, {
              x: d => d,
              y1: (_, j) => j + pad / 2,
              y2: (_, j) => j + 1 - pad / 2,
              stroke: INK,
              strokeWidth: 1.5,
              ...ofLabel,
            }),
          ]
        : []),
      ruleY(spans, { x1: d => d.low, x2: d => d.high, y: d => d.y, stroke: INK, strokeWidth: 1 }),
      ruleX([0], { stroke: MUTED }),
      rowLabels(labels, marginLeft, label => ({ label })),
    ],
  })
}

const LINES_HEIGHT = 130

const linesPiece = (
  mode: ChartMode,
  width: number,
  { document, colours, reference, targets }: ChartOptions,
  highest: number,
): Piece => {
  const { labels, probabilities, marginal, intervals } = mode
  const size = Math.ceil(labels.length / width)
  const points = probabilities.map(each => neighbourMeans(each, size))
  const at = { x: (d: { at: number }) => d.at, y: (d: { value: number }) => d.value }
  const ofClass = (k: number) => allStandFor({ class: k })
  return plotPiece(document, {
    width,
    height: LINES_HEIGHT,
    marginLeft: 42,
    marginRight: 18,
    marginTop: 6,
    marginBottom: 24,
    x: { type: 'linear', domain: [0, labels.length - 1] },
    y: { type: 'linear', domain: [0, Math.min(1, highest * 1.05)] },
    marks: [
      ...probabilityY(highest),
      ...points.map((each, k) =>
        areaY(each, { ...at, fill: classColour(k, colours), fillOpacity: 0.1, ...ofClass(k) }),
      ),
      ...(reference
        ? [lineY(neighbourMeans(marginal, size), { ...at, stroke: INK, strokeWidth: 1.2, strokeDasharray: '4 3' })]
        : []),
      ...points.map((each, k) =>
        lineY(each, { ...at, stroke: classColour(k, colours), strokeWidth: 1.8, ...ofClass(k) }),
      ),
      ...(labels.length > MANY_LABELS
        ? []
        : points.map((each, k) => dot(each, { ...at, r: 2.5, fill: classColour(k, colours), ...ofClass(k) }))),
      ...(size > 1 ? [] : (intervals ?? [])).map((each, k) =>
        ruleX(
          each.flatMap((interval, j) => (interval === undefined ? [] : [{ j, interval }])),
          {
            ...{ x: d => d.j, y1: d => d.interval[0], y2: d => d.interval[1] },
            stroke: classColour(k, colours),
            ...ofClass(k),
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
              y2: Math.min(1, highest * 1.05),
              fill: INK,
              fillOpacity: 0,
              ...eachStandsFor(label => ({ label })),
            }),
          ]
        : []),
      ...spacedLabels(labels, width - 60, 18),
    ],
  })
}

/** Every probability with what it is against, and its interval where there is one. */
export const profilesTable = ({ classes, modes }: ProfilesData): ChartTable => {
  const bounded = modes.some(({ intervals }) => intervals !== undefined)
  return {
    columns: [
      'variable',
      'category',
      'overall',
      ...classes.flatMap(({ name }) => (bounded ? [name, `${name} low`, `${name} high`] : [name])),
    ],
    rows: modes.flatMap(({ name, labels, marginal, probabilities, intervals }) =>
      labels.map((label, j) => [
        name,
        label,
        marginal[j],
        ...probabilities.flatMap((each, k) => {
          const [low, high] = intervals?.[k][j] ?? [null, null]
          return bounded ? [each[j], low, high] : [each[j]]
        }),
      ]),
    ),
  }
}
