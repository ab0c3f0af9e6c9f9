import { axisX, axisY, gridY, rect, ruleY } from '@observablehq/plot'
import { GRID, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, type Piece, plotPiece } from '../drawing/figure.ts'
import { percentText } from '../drawing/label-text.ts'

const HEIGHT = 170

/** How much of the data lies where, in bins of 0.05. */
export const histogramPiece = (
  values: readonly { readonly value: number; readonly count: number }[],
  [from, to]: readonly [number, number],
  { document, width }: Pick<ChartOptions, 'document' | 'width'>,
  colour: (middle: number) => string,
): Piece => {
  const size = 0.05
  const bins = Array.from({ length: Math.round((to - from) / size) }, (_, i) => ({ from: from + i * size, part: 0 }))
  const total = values.reduce((sum, { count }) => sum + count, 0)
  for (const { value, count } of values) {
    const at = Math.floor((value - from) / size + 1e-9)
    bins[Math.max(0, Math.min(bins.length - 1, at))].part += count / total
  }
  return plotPiece(document, {
    width,
    height: HEIGHT,
    marginLeft: 46,
    marginRight: 20,
    marginTop: 8,
    marginBottom: 26,
    x: { type: 'linear', domain: [from, to] },
    y: { type: 'linear', domain: [0, Math.max(...bins.map(({ part }) => part)) * 1.05] },
    marks: [
      gridY({ ticks: 4, stroke: GRID, strokeOpacity: 1 }),
      rect(bins, {
        x1: d => d.from,
        x2: d => d.from + size,
        y1: 0,
        y2: d => d.part,
        insetLeft: 0.5,
        insetRight: 0.5,
        fill: d => colour(d.from + size / 2),
      }),
      ruleY([0], { stroke: MUTED }),
      axisX({ ticks: Math.min(10, Math.floor(width / 60)), tickSize: 3, label: null, fill: MUTED }),
      axisY({ ticks: 4, tickFormat: d => percentText(d), tickSize: 0, label: null, fill: MUTED }),
    ],
  })
}
