import { axisX, dot, line, link, ruleX, ruleY, text } from '@observablehq/plot'
import type { ChartTable, LinesData } from '../data/chart-data.ts'
import { classSymbol, dashOf } from '../drawing/class-marks.ts'
import { classColour, GRID, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, type Piece, plotPiece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, fitText, fitTwo, percentText, pixelsOf } from '../drawing/label-text.ts'
import { BOLD, classLegend } from '../drawing/legend.ts'
import { allStandFor, eachStandsFor } from '../drawing/standing.ts'
import { classWords, labelRoom, probabilityX, probabilityY, rowLabels } from './axes.ts'
import { classHeads, percentIn } from './heat-map.ts'
import { matrixPiece } from './matrix.ts'
import { isHeatMap, namesWords } from './overview.ts'

/** Items whose names must be turned stand at least so far apart; else they stand one below the other. */
const LEAST_STEP = 24
/** Below this width there is no room for names at the ends of lines. */
const NAMED_ENDS = 560
/** From the end of a line to the name of its class. */
const LEADER = 14
const HEIGHT = 300
const ROW = 20
/** The room that an item's name may take below the axis, where it is turned. */
const TURNED = 110
/** And how long it may be then. */
const TURNED_TEXT = TURNED * 1.3

/** Whether all items count the same: a line from the share of one category to that of another shows a trend that is none. */
const isComparable = ({ items }: LinesData): boolean => items.every(({ of }) => of === items[0].of)

/**
 * The classic line plot of latent class analysis: one line per class over the items. If there is no room for all items side
 * by side, they stand one below the other; so do items that count different categories, as dots without lines. More than 20, or more
 * than 5 classes, are a heat map.
 * @example
 * linesChart(linesData(profilesData(model)), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const linesChart = (data: LinesData, options: ChartOptions): SVGSVGElement => {
  const { classes, items, measure } = data
  if (options.heatMap ?? isHeatMap(classes.length, items.length)) return itemsHeatMap(data, options)
  const ends = options.width < NAMED_ENDS ? undefined : endLabels(data, HEIGHT - 20)
  const joined = isComparable(data)
  const layout = joined ? columnsOf(itemNames(data, TURNED_TEXT), options.width, ends) : undefined
  return figure(
    options,
    {
      title: `${namesWords(items.map(({ name }) => name))}: ${cleanText(measure)}, one ${joined ? 'line' : 'dot'} for each of ${countedText(classes.length, 'class', 'classes')}`,
      description: `${classWords(classes)}. ${valueWords(data)}.`,
    },
    [
      ...((ends === undefined || layout === undefined) && options.legend !== false
        ? [classLegend(options, classes)]
        : []),
      textPiece(options, cleanText(measure)),
      layout === undefined ? rowsPiece(data, options, joined) : columnsPiece(data, options, layout, ends),
      ...omittedPiece(data, options),
    ],
  )
}

/** Items whose values are said in words. */
const SAID = 8

/** What the chart shows, item by item. */
const valueWords = ({ classes, items }: LinesData): string => {
  const said = items
    .slice(0, SAID)
    .map(
      ({ name, of, values }) =>
        `${cleanText(`${name} (${of})`)}: ${values.map((value, k) => `${cleanText(classes[k].name)} ${percentText(value)}`).join(', ')}`,
    )
  return [...said, ...(items.length > SAID ? [`and ${countedText(items.length - SAID, 'more', 'more')}`] : [])].join(
    '; ',
  )
}

/** Which variables are not shown, and why. */
const omittedPiece = ({ omitted }: LinesData, options: ChartOptions): Piece[] =>
  omitted === undefined || omitted.names.length === 0
    ? []
    : [textPiece(options, `Not shown: ${namesWords(omitted.names, 8)} (${cleanText(omitted.reason)}).`)]

/** Items against the classes: the darker, the larger. */
const itemsHeatMap = (data: LinesData, options: ChartOptions): SVGSVGElement => {
  const { classes, items, measure } = data
  const { document, width, colours } = options
  const names = itemNames(data, width * 0.4)
  return figure(
    options,
    {
      title: `${namesWords(items.map(({ name }) => name))}: ${cleanText(measure)} in ${countedText(classes.length, 'class', 'classes')}`,
      description: `${classWords(classes)}. ${valueWords(data)}.`,
    },
    [
      ...(options.legend === false ? [] : [classLegend(options, classes)]),
      textPiece(options, `${cleanText(measure)}, in %`),
      matrixPiece(document, {
        rows: names,
        columns: classes.map(({ name }) => name),
        cells: items.flatMap(({ values }, row) =>
          values.map((value, column) => ({
            row,
            column,
            strength: value,
            text: percentIn(value, 1),
            colour: classColour(column, colours),
            stands: { mode: row, class: column },
          })),
        ),
        width,
        heads: classHeads(classes.length, options),
        stands: row => ({ mode: row }),
      }),
      ...omittedPiece(data, options),
    ],
  )
}

/** An item as the axis has it: with its label, where the items do not all count the same one. */
const itemNames = ({ items }: LinesData, room: number): string[] => {
  const same = items.every(({ of }) => of === items[0].of)
  return items.map(({ name, of }) => (same ? name : fitTwo(name, ': ', of, room)))
}

interface Ends {
  readonly room: number
  /** From the top, by class. */
  readonly at: readonly number[]
}

/** Where the names of the classes stand beside the ends of their lines, moved apart; undefined where they do not fit. */
const endLabels = ({ classes, items }: LinesData, height: number): Ends | undefined => {
  const apart = 15
  if (classes.length * apart > height) return undefined
  const last = items[items.length - 1].values
  const order = classes.map((_, k) => k).sort((a, b) => last[b] - last[a] || a - b)
  const at: number[] = []
  order.forEach((k, i) => {
    const own = (1 - last[k]) * height
    at[k] = Math.max(own, i === 0 ? 0 : at[order[i - 1]] + apart)
  })
  // What was pushed out at the bottom is pushed back up.
  let lowest = height
  for (const k of order.toReversed()) {
    at[k] = Math.min(at[k], lowest)
    lowest = at[k] - apart
  }
  return { room: Math.min(200, Math.max(...classes.map(({ name }) => pixelsOf(name) * BOLD)) + LEADER + 6), at }
}

const pointsOf = ({ items, classes }: LinesData) =>
  classes.map((_, k) => items.map(({ values, intervals }, i) => ({ i, value: values[k], interval: intervals?.[k] })))

type Point = ReturnType<typeof pointsOf>[number][number]

/** What all classes together have, and how it is drawn. */
const overallOf = ({ items }: LinesData) =>
  items.flatMap(({ overall }, i) => (overall === undefined ? [] : [{ i, overall }]))
const OVERALL = { stroke: INK, strokeWidth: 1.2, strokeDasharray: '4 3' } as const

const bounded = (each: readonly Point[]) =>
  each.flatMap(({ i, interval }) => (interval === undefined ? [] : [{ i, low: interval[0], high: interval[1] }]))

/** How items stand side by side. */
interface Columns {
  readonly turned: boolean
  readonly step: number
  readonly marginLeft: number
  readonly marginRight: number
  readonly marginBottom: number
}

/** Undefined where there is no room for the items side by side. */
const columnsOf = (names: readonly string[], width: number, ends: Ends | undefined): Columns | undefined => {
  if (names.length === 1) return undefined
  const pixels = names.map(name => pixelsOf(name))
  const longest = Math.max(...pixels)
  const half = (turned: boolean, of: number) => (turned ? Math.min(TURNED, of * 0.75) : of / 2)
  const of = (turned: boolean): Columns => {
    const marginLeft = Math.max(46, half(turned, pixels[0]) + 4)
    const marginRight = Math.max(20, ends?.room ?? 0, turned ? 0 : pixels[names.length - 1] / 2 + 2)
    const step = (width - marginLeft - marginRight) / (names.length - 1)
    return { turned, step, marginLeft, marginRight, marginBottom: turned ? half(true, longest) + 16 : 24 }
  }
  const straight = of(false)
  if (longest + 8 <= straight.step) return straight
  const turned = of(true)
  return width >= NAMED_ENDS && turned.step >= LEAST_STEP ? turned : undefined
}

const columnsPiece = (data: LinesData, options: ChartOptions, layout: Columns, ends: Ends | undefined): Piece => {
  const { document, width, colours, reference } = options
  const { classes, items } = data
  const names = itemNames(data, TURNED_TEXT)
  const { turned, step, marginLeft, marginRight, marginBottom } = layout
  const plotHeight = HEIGHT - 20
  const ofClasses = eachStandsFor(k => ({ class: k }))
  return plotPiece(document, {
    width,
    height: plotHeight + 10 + marginBottom,
    marginLeft,
    marginRight,
    marginTop: 10,
    marginBottom,
    x: { type: 'linear', domain: [0, names.length - 1] },
    y: { type: 'linear', domain: [0, 1] },
    marks: [
      ...probabilityY(1),
      ruleX(names.keys(), { x: d => d, stroke: GRID, strokeOpacity: 0.6 }),
      ruleY([0], { stroke: MUTED }),
      ...pointsOf(data).flatMap((each, k) => {
        const colour = classColour(k, colours)
        const ofClass = allStandFor({ class: k })
        return [
          ruleX(bounded(each), { x: d => d.i, y1: d => d.low, y2: d => d.high, stroke: colour, ...ofClass }),
          line(each, {
            x: d => d.i,
            y: d => d.value,
            stroke: colour,
            strokeWidth: 2,
            ...dashOf(k, options),
            ...ofClass,
          }),
          dot(each, {
            x: d => d.i,
            y: d => d.value,
            fill: colour,
            r: 3.5,
            symbol: classSymbol(k, options),
            ...ofClass,
          }),
        ]
      }),
      ...(reference ? [line(overallOf(data), { x: d => d.i, y: d => d.overall, ...OVERALL })] : []),
      axisX([...names.keys()], {
        tickFormat: i => fitText(names[i], turned ? TURNED_TEXT : step),
        tickSize: 3,
        label: null,
        fill: INK,
        ...(turned && { tickRotate: -45, textAnchor: 'end' }),
      }),
      ...(ends === undefined
        ? []
        : [
            link(classes, {
              x1: () => names.length - 1,
              y1: (_, k) => items[items.length - 1].values[k],
              x2: () => names.length - 1 + LEADER / step,
              y2: (_, k) => 1 - ends.at[k] / plotHeight,
              stroke: (_, k) => classColour(k, colours),
              ...ofClasses,
            }),
            text(classes, {
              x: () => names.length - 1 + LEADER / step,
              y: (_, k) => 1 - ends.at[k] / plotHeight,
              text: ({ name }) => fitText(name, (ends.room - LEADER - 4) / BOLD),
              textAnchor: 'start',
              dx: 4,
              fontWeight: 600,
              fill: INK,
              ...ofClasses,
            }),
          ]),
    ],
  })
}

/** Items one below the other, with the probabilities along the other axis. */
const rowsPiece = (data: LinesData, options: ChartOptions, joined: boolean): Piece => {
  const { document, width, colours, reference } = options
  const names = itemNames(data, width * 0.4 - 14)
  const marginLeft = labelRoom(names, width)
  return plotPiece(document, {
    width,
    height: names.length * ROW + 24,
    marginLeft,
    marginRight: 20,
    marginTop: 0,
    marginBottom: 24,
    x: { type: 'linear', domain: [0, 1] },
    y: { type: 'linear', domain: [0, names.length], reverse: true },
    marks: [
      ...probabilityX(),
      ruleY(names.keys(), { y: d => d + 0.5, stroke: GRID, strokeOpacity: 0.6 }),
      // How far the classes are apart.
      ...(joined
        ? []
        : [
            ruleY(data.items, {
              y: (_, i) => i + 0.5,
              x1: d => Math.min(...d.values),
              x2: d => Math.max(...d.values),
              stroke: MUTED,
              strokeOpacity: 0.5,
            }),
          ]),
      ...pointsOf(data).flatMap((each, k) => {
        const colour = classColour(k, colours)
        const ofClass = allStandFor({ class: k })
        const place = { x: (d: Point) => d.value, y: (d: Point) => d.i + 0.5 }
        return [
          ruleY(bounded(each), { y: d => d.i + 0.5, x1: d => d.low, x2: d => d.high, stroke: colour, ...ofClass }),
          ...(joined
            ? [
                line(each, {
                  ...place,
                  stroke: colour,
                  strokeWidth: 1.5,
                  strokeOpacity: 0.5,
                  ...dashOf(k, options),
                  ...ofClass,
                }),
              ]
            : []),
          dot(each, { ...place, fill: colour, r: 3.5, symbol: classSymbol(k, options), ...ofClass }),
        ]
      }),
      ...(reference
        ? [
            joined
              ? line(overallOf(data), { x: d => d.overall, y: d => d.i + 0.5, ...OVERALL })
              : ruleX(overallOf(data), {
                  x: d => d.overall,
                  y1: d => d.i + 0.2,
                  y2: d => d.i + 0.8,
                  stroke: INK,
                  strokeWidth: 1.5,
                }),
          ]
        : []),
      rowLabels(names, marginLeft),
    ],
  })
}

export const linesTable = ({ classes, items }: LinesData): ChartTable => ({
  columns: ['item', 'of', ...classes.map(({ name }) => name)],
  rows: items.map(({ name, of, values }) => [name, of, ...values]),
})
