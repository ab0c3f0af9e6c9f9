import { axisX, dot, gridX, ruleX, ruleY } from '@observablehq/plot'
import type { ChartNumber } from '../data/chart-data.ts'
import { classSymbol } from '../drawing/class-marks.ts'
import { classColour, GRID, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, type Piece, plotPiece } from '../drawing/figure.ts'
import { labelText, numberText, pixelsOf } from '../drawing/label-text.ts'
import { allStandFor } from '../drawing/standing.ts'

const [SIDE, TOP, BOTTOM, HEIGHT] = [14, 6, 24, 124]

/** A variable that is a number: the mean of every class, and one standard deviation to either side. */
export const numberPanel = ({ classes, overall }: ChartNumber, width: number, options: ChartOptions): Piece => {
  const { document, colours, reference } = options
  const [low, high] = [
    Math.min(...classes.map(({ mean, sd }) => mean - sd)),
    Math.max(...classes.map(({ mean, sd }) => mean + sd)),
  ]
  const spare = 0.04 * (high - low || Math.abs(high) || 1)
  const widest = Math.max(...[low, high].map(value => pixelsOf(labelText(axisText(value)))))
  const ticks = Math.max(2, Math.min(5, Math.floor(width / (widest + 40))))
  return plotPiece(document, {
    width,
    height: TOP + HEIGHT + BOTTOM,
    marginLeft: SIDE,
    marginRight: SIDE,
    marginTop: TOP,
    marginBottom: BOTTOM,
    x: { type: 'linear', domain: [low - spare, high + spare] },
    // The first class is at the top.
    y: { type: 'linear', domain: [classes.length, 0] },
    marks: [
      gridX({ ticks, stroke: GRID, strokeOpacity: 1 }),
      axisX({
        ticks,
        tickSize: 3,
        label: null,
        tickFormat: axisText,
        fill: MUTED,
      }),
      ...(reference ? [ruleX([overall.mean], { stroke: INK, strokeWidth: 1.2, strokeDasharray: '4 3' })] : []),
      ...classes.flatMap(({ mean, sd }, k) => {
        const fill = classColour(k, colours)
        const ofClass = allStandFor({ class: k })
        return [
          ruleY([k + 0.5], { x1: mean - sd, x2: mean + sd, stroke: fill, strokeWidth: 1.8, ...ofClass }),
          dot([mean], { x: mean, y: k + 0.5, r: 4, symbol: classSymbol(k, options), fill, ...ofClass }),
        ]
      }),
      ruleY([classes.length], { stroke: MUTED }),
    ],
  })
}

/** Without the noise of binary fractions. */
const axisText = (value: number): string => numberText(Number(value.toPrecision(4)))
