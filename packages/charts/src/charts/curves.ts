import { axisX, dot, line, ruleY } from '@observablehq/plot'
import type { ChartTable, CurvesData } from '../data/chart-data.ts'
import { classSymbol, dashOf } from '../drawing/class-marks.ts'
import { classColour, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, plotPiece } from '../drawing/figure.ts'
import { cleanText, countedText } from '../drawing/label-text.ts'
import { classLegend, titled } from '../drawing/legend.ts'
import { allStandFor } from '../drawing/standing.ts'
import { classWords, probabilityY, spacedLabels } from './axes.ts'

const LEAST_WIDTH = 330
/** Beside the first and the last of several labels, in their distances. */
const SPARE = 0.3

/**
 * How the sizes of the classes change with each covariate: lines over numbers, points over categories.
 * @example
 * const points = [{ value: 20, probabilities: [0.3, 0.7] }, { value: 60, probabilities: [0.6, 0.4] }]
 * curvesChart({ classes: classesOf(model), curves: [{ covariate: 'age', points }] }, { document, width: 640 })
 */
export const curvesChart = (data: CurvesData, options: ChartOptions): SVGSVGElement => {
  const { classes, curves } = data
  const { document, width } = options
  const grid = gridOf(curves.length, width, LEAST_WIDTH)
  return figure(
    options,
    {
      title: `${curves.map(({ covariate }) => cleanText(covariate)).join(', ')}: probability of each of ${countedText(classes.length, 'class', 'classes')} against it`,
      description: `${classWords(classes)}.`,
    },
    [
      ...(options.legend === false ? [] : [classLegend(options, classes)]),
      gridPiece(
        document,
        curves.map(curve => titled(document, curve.covariate, curvePiece(curve, options, grid.width), grid.width)),
        grid,
      ),
    ],
  )
}

const curvePiece = (
  { points, numeric = points.every(({ value }) => typeof value === 'number') }: CurvesData['curves'][number],
  options: ChartOptions,
  width: number,
): Piece => {
  const { document, colours } = options
  const at = points.map(({ value }, i) => (numeric ? (value as number) : i))
  const rank = points[0].probabilities.length
  const each = (width - 66) / (points.length - 1 + 2 * SPARE)
  return plotPiece(document, {
    width,
    height: 200,
    marginLeft: 46,
    marginRight: 20,
    marginTop: 8,
    marginBottom: 26,
    x: { type: 'linear', domain: numeric ? [Math.min(...at), Math.max(...at)] : [-SPARE, points.length - 1 + SPARE] },
    y: { type: 'linear', domain: [0, 1] },
    marks: [
      ...probabilityY(1),
      ruleY([0], { stroke: MUTED }),
      ...Array.from({ length: rank }, (_, k) => {
        const channels = { x: (_: unknown, i: number) => at[i], y: (d: (typeof points)[number]) => d.probabilities[k] }
        const colour = classColour(k, colours)
        const ofClass = allStandFor({ class: k })
        return [
          line(points, {
            ...channels,
            stroke: colour,
            strokeWidth: numeric ? 2 : 0.8,
            ...dashOf(k, options),
            ...ofClass,
          }),
          ...(numeric
            ? []
            : [dot(points, { ...channels, fill: colour, r: 4.5, symbol: classSymbol(k, options), ...ofClass })]),
        ]
      }).flat(),
      ...(numeric
        ? [axisX({ ticks: Math.floor(width / 70), tickSize: 3, label: null, tickFormat: String, fill: MUTED })]
        : spacedLabels(
            points.map(({ value }) => String(value)),
            each * (points.length - 1),
            20 + SPARE * each,
          )),
    ],
  })
}

export const curvesTable = ({ classes, curves }: CurvesData): ChartTable => ({
  columns: ['covariate', 'value', ...classes.map(({ name }) => name)],
  rows: curves.flatMap(({ covariate, points }) =>
    points.map(({ value, probabilities }) => [covariate, value, ...probabilities]),
  ),
})
