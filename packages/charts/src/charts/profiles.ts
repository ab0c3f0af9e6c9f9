import type { ChartClass, ChartMode, ChartTable, ProfilesData } from '../data/chart-data.ts'
import { largest } from '../data/series.ts'
import { type ChartOptions, element, figure, gridOf, gridPiece, type Piece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, labelText, numberText, percentText } from '../drawing/label-text.ts'
import { classLegend, titled, titleRoom } from '../drawing/legend.ts'
import { classWords } from './axes.ts'
import { AXIS_ROOM } from './category-axis.ts'
import { isHeatMap, namesWords } from './overview.ts'
import { formOf, MANY_LABELS, profilePanel } from './profile-panel.ts'

/** A panel narrower than this is hard to read: then there is one column less. */
const LEAST_WIDTH = 270
/** More panels are a page that nobody reads to its end. */
const MANY_MODES = 60

/**
 * P[label | class] of every mode, on one axis from 0 to 1: ordered modes as lines, others as bars. With more than 5 classes or 20 modes,
 * and where bars would be too many, a heat map. Numbers are their means, with one standard deviation to either side.
 * @example
 * profilesChart(profilesData(model), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const profilesChart = (data: ProfilesData, options: ChartOptions): SVGSVGElement => {
  const { document, width } = options
  const { classes, modes } = data
  const shown = modes.slice(0, MANY_MODES)
  const heatMap = options.heatMap ?? isHeatMap(classes.length, modes.length)
  const hasAxis = options.axis !== 'none' && shown.some(mode => onCommonAxis(mode, classes, heatMap))
  const room = hasAxis && options.axis === undefined ? AXIS_ROOM : 0
  const grid = gridOf(shown.length, width - room, LEAST_WIDTH)
  const top = data.top ?? profileTop(data)
  const lines = titleRoom(
    shown.map(({ name }) => name),
    grid.width,
  )
  const places = shown.map(mode => onCommonAxis(mode, classes, heatMap))
  const panels = shown.map((mode, i) => {
    const place = hasAxis ? axisPlace(places, i, grid.columns) : 'none'
    const inner = place === 'within' ? AXIS_ROOM : 0
    const panel = profilePanel(mode, classes, grid.width - inner, options, { heatMap, axis: place !== 'none', top })
    return titled(document, mode.name, shifted(document, panel, inner), grid.width, { mode: i }, lines)
  })
  return figure(options, profilesWords(data), [
    ...(options.legend === false
      ? []
      : [classLegend(options, classes), textPiece(options, `${capital(shownOf(modes))} within each class`)]),
    shifted(document, gridPiece(document, panels, grid), room),
    ...notShown(modes.slice(MANY_MODES)).map(text => textPiece(options, text)),
  ])
}

/**
 * Where the numbers of the common axis of a panel stand: they are in every row once, at its first panel that has the axis. Beside the first
 * column there is room; elsewhere they stand within the panel.
 * @param places whether each panel has the common axis
 * @example
 * axisPlace([false, true, true], 1, 3) // 'within'
 */
export const axisPlace = (places: readonly boolean[], i: number, columns: number): 'beside' | 'within' | 'none' => {
  const start = i - (i % columns)
  if (places.indexOf(true, start) !== i) return 'none'
  return i === start ? 'beside' : 'within'
}

/**
 * Whether a panel has the axis from 0 to 1 that most panels of profiles have in common.
 * @example
 * const [mode] = profilesData(model).modes
 * hasCommonAxis(mode, 2, true) // false
 */
export const hasCommonAxis = (mode: ChartMode, classes: number, heatMap: boolean): boolean =>
  ['lines', 'bars'].includes(formOf(mode, classes, heatMap))

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const onCommonAxis = (mode: ChartMode, classes: readonly ChartClass[], heatMap: boolean): boolean =>
  hasCommonAxis(mode, classes.length, heatMap)

/** A piece moved to the right: pieces themselves are moved by what they stand in. */
const shifted = (document: Document, { node, height }: Piece, by: number): Piece => {
  node.setAttribute('transform', `translate(${by},0)`)
  return { node: element(document, 'g', {}, node), height }
}

const notShown = (modes: readonly ChartMode[]): string[] =>
  modes.length === 0
    ? []
    : [
        `Not shown, because a chart has ${MANY_MODES} variables at most: ${namesWords(
          modes.map(({ name }) => name),
          12,
        )}`,
      ]

const profilesWords = ({ classes, modes }: ProfilesData) => ({
  title: `${namesWords(modes.map(({ name }) => name))}: ${shownOf(modes)} in ${countedText(classes.length, 'class', 'classes')}`,
  description: `${classWords(classes)}. ${modes.length === 1 ? `${peaks(modes[0], classes)}.` : `Variables: ${modes.map(({ name }) => cleanText(name)).join(', ')}.`}`,
})

const shownOf = (modes: readonly ChartMode[]): string => {
  const numbers = modes.filter(({ number }) => number !== undefined).length
  if (numbers === 0) return 'probability of each category'
  return numbers === modes.length ? 'mean and SD' : 'probability of each category, or mean and SD'
}

/** The most probable category of every class, or its mean. */
const peaks = ({ labels, probabilities, number }: ChartMode, classes: readonly ChartClass[]): string => {
  if (number !== undefined)
    return `Mean (SD): ${classes.map(({ name }, k) => `${cleanText(name)} ${short(number.classes[k].mean)} (${short(number.classes[k].sd)})`).join(', ')}`
  return `Most probable: ${classes
    .map(({ name }, k) => {
      const most = largest(probabilities[k])
      return `${cleanText(name)} ${labelText(labels[probabilities[k].indexOf(most)])} (${percentText(most)})`
    })
    .join(', ')}`
}

const short = (value: number): string => numberText(Number(value.toPrecision(4)))

/**
 * The highest probability among ordered modes of many labels, whose panels share an axis of their own.
 * @example
 * profileTop(profilesData(model)) <= 1 // true
 */
export const profileTop = ({ modes }: ProfilesData): number =>
  largest(
    modes.flatMap(({ ordered, labels, probabilities, intervals }) =>
      ordered && labels.length > MANY_LABELS
        ? [...probabilities.flat(), ...(intervals ?? []).flat().map(each => each?.[1] ?? 0)]
        : [],
    ),
    0,
  )

/** Every probability with what it is against, and its interval where there is one; of numbers mean and SD. */
export const profilesTable = ({ classes, modes }: ProfilesData): ChartTable => {
  const bounded = modes.some(({ intervals }) => intervals !== undefined)
  return {
    columns: [
      'variable',
      'category',
      'overall',
      ...classes.flatMap(({ name }) => (bounded ? [name, `${name} low`, `${name} high`] : [name])),
    ],
    rows: modes.flatMap(({ name, labels, marginal, probabilities, intervals, number }) => {
      if (number !== undefined)
        return MOMENTS.map(([title, key]) => [
          name,
          title,
          number.overall[key],
          ...number.classes.flatMap(each => (bounded ? [each[key], null, null] : [each[key]])),
        ])
      return labels.map((label, j) => [
        name,
        label,
        marginal[j],
        ...probabilities.flatMap((each, k) => {
          const [low, high] = intervals?.[k][j] ?? [null, null]
          return bounded ? [each[j], low, high] : [each[j]]
        }),
      ])
    }),
  }
}

const MOMENTS = [
  ['mean', 'mean'],
  ['SD', 'sd'],
] as const
