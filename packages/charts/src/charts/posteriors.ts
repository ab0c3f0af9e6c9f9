import { dot, line, link, text } from '@observablehq/plot'
import type { ChartTable, PosteriorsData } from '../data/chart-data.ts'
import { fewerPoints, mostProbable } from '../data/posteriors-data.ts'
import { classColour, GRID, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, plotPiece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, fitText, percentText } from '../drawing/label-text.ts'
import { BOLD, classLegend, titled } from '../drawing/legend.ts'
import { eachStandsFor } from '../drawing/standing.ts'
import { classWords, columnLabels, probabilityY } from './axes.ts'
import { histogramPiece } from './histogram.ts'

/** A panel of parallel coordinates narrower than this is hard to read. */
const LEAST_WIDTH = 300
/** Lines in a panel: more are a blot. */
const MANY_LINES = 150
/** Posteriors that agree to one part in this many are one point of a triangle. */
const STEPS = 50

/**
 * How well the classes are separated: a histogram for two classes, a triangle for three, parallel coordinates for more, in one panel for each class that is
 * most probable.
 * @example
 * posteriorsChart(posteriorsData(model, answers), { document, width: 640 }).getAttribute('role') // 'img'
 */
export const posteriorsChart = (data: PosteriorsData, options: ChartOptions): SVGSVGElement => {
  const { classes } = data
  const kind = classes.length === 2 ? histogram : classes.length === 3 ? triangle : parallel
  return figure(
    options,
    {
      title: `Class probabilities: how probable each of ${countedText(classes.length, 'class', 'classes')} is for the observations`,
      description: `${classWords(classes)}. ${assignedWords(data)}`,
    },
    [...(options.legend === false ? [] : [classLegend(options, classes)]), ...kind(data, options)],
  )
}

const assignedWords = ({ classes, points }: PosteriorsData): string => {
  const total = points.reduce((sum, { count }) => sum + count, 0)
  const sure = points.reduce(
    (sum, { count, probabilities }) => sum + (Math.max(...probabilities) >= 0.9 ? count : 0),
    0,
  )
  return classes.length === 1
    ? 'There is one class: everything is in it.'
    : `${percentText(sure / total, 1)} of the data has a class with a probability of at least 0.9.`
}

const histogram = ({ classes, points }: PosteriorsData, options: ChartOptions): Piece[] => [
  textPiece(options, `Probability of ${classes[0].name}, given the answers`),
  histogramPiece(
    points.map(({ probabilities, count }) => ({ value: probabilities[0], count })),
    [0, 1],
    options,
    value => classColour(value > 0.5 ? 0 : 1, options.colours),
  ),
]

/** A point of a triangle with a side of 1: the first class at the top, the second at the left, the third at the right. */
const corner = ([top, , right]: readonly number[]) => ({ x: right + top / 2, y: top })

const triangle = ({ classes, points }: PosteriorsData, options: ChartOptions): Piece[] => {
  const { document, width, colours } = options
  const side = Math.min(width - 44, 480)
  const height = side * 0.866
  const shown = fewerPoints(points, STEPS).map(each => ({
    ...each,
    ...corner(each.probabilities),
    k: mostProbable(each.probabilities),
  }))
  const largest = Math.max(...shown.map(({ count }) => count))
  const corners = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map(corner)
  const grid = [0.25, 0.5, 0.75].flatMap(p => [
    [corner([p, 1 - p, 0]), corner([p, 0, 1 - p])],
    [corner([1 - p, p, 0]), corner([0, p, 1 - p])],
    [corner([1 - p, 0, p]), corner([0, 1 - p, p])],
  ])
  const lines = (ends: readonly { x: number; y: number }[][], stroke: string) =>
    link(ends, { x1: ([a]) => a.x, y1: ([a]) => a.y, x2: ([, b]) => b.x, y2: ([, b]) => b.y, stroke })
  const left = (width - side) / 2
  return [
    plotPiece(document, {
      width,
      height: height + 72,
      marginLeft: left,
      marginRight: left,
      marginTop: 36,
      marginBottom: 36,
      x: { type: 'linear', domain: [0, 1] },
      y: { type: 'linear', domain: [0, 1] },
      r: { type: 'sqrt', domain: [0, largest], range: [0, 16] },
      marks: [
        lines(grid, GRID),
        lines(
          corners.map((each, i) => [each, corners[(i + 1) % 3]]),
          MUTED,
        ),
        dot(shown, {
          x: d => d.x,
          y: d => d.y,
          r: d => d.count,
          fill: d => classColour(d.k, colours),
          fillOpacity: 0.55,
          stroke: d => classColour(d.k, colours),
          strokeWidth: 0.75,
          ...eachStandsFor(i => ({ class: shown[i].k })),
        }),
        ...classes.map(({ name }, k) =>
          text([corners[k]], {
            x: d => d.x,
            y: d => d.y,
            text: () => fitText(name, (side * 0.48) / BOLD),
            dy: k === 0 ? -25 : 26,
            textAnchor: k === 0 ? 'middle' : k === 1 ? 'start' : 'end',
            dx: k === 0 ? 0 : k === 1 ? -10 : 10,
            fontWeight: 600,
            fill: INK,
          }),
        ),
      ],
    }),
    textPiece(options, 'Corners: certain. Larger: more observations.', 11),
  ]
}

const parallel = ({ classes, points }: PosteriorsData, options: ChartOptions): Piece[] => {
  const { document, width, colours } = options
  const grid = gridOf(classes.length, width, LEAST_WIDTH)
  const names = classes.map(({ name }) => name)
  const panels = classes.map(({ name }, k) => {
    const own = points.filter(({ probabilities }) => mostProbable(probabilities) === k)
    const total = own.reduce((sum, { count }) => sum + count, 0)
    const lines = fewerPoints(own, 20).slice(0, MANY_LINES)
    const largest = Math.max(...lines.map(({ count }) => count), 1)
    const mean = classes.map(
      (_, l) => own.reduce((sum, { probabilities, count }) => sum + probabilities[l] * count, 0) / total,
    )
    const header = columnLabels(names, (grid.width - 46) / classes.length)
    const path = (values: readonly number[], strokeWidth: number, strokeOpacity: number) =>
      line(values, {
        x: (_, l) => l + 0.5,
        y: d => d,
        stroke: classColour(k, colours),
        strokeWidth,
        strokeOpacity,
        strokeLinejoin: 'round',
      })
    const piece = plotPiece(document, {
      width: grid.width,
      height: 130 + header.height,
      marginLeft: 42,
      marginRight: 4,
      marginTop: header.height,
      marginBottom: 6,
      x: { type: 'linear', domain: [0, classes.length] },
      y: { type: 'linear', domain: [0, 1] },
      marks: [
        ...probabilityY(1, 3),
        ...lines.map(({ probabilities, count }) => path(probabilities, 0.5 + (3 * count) / largest, 0.3)),
        ...(total > 0
          ? [path(mean, 2.5, 1), dot(mean, { x: (_, l) => l + 0.5, y: d => d, r: 3, fill: classColour(k, colours) })]
          : []),
        header.mark,
      ],
    })
    return titled(
      document,
      `${cleanText(name)}: most probable for ${percentText(total / pointTotal(points))}`,
      piece,
      grid.width,
      { class: k },
    )
  })
  return [
    gridPiece(document, panels, grid),
    textPiece(options, 'Thick: the mean of those for whom the class is most probable.', 11),
  ]
}

const pointTotal = (points: PosteriorsData['points']): number => points.reduce((sum, { count }) => sum + count, 0)

export const posteriorsTable = ({ classes, points }: PosteriorsData): ChartTable => ({
  columns: ['count', ...classes.map(({ name }) => name)],
  rows: points.map(({ probabilities, count }) => [count, ...probabilities]),
})
