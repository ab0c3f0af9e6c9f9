import { axisX, axisY, rect, text } from '@observablehq/plot'
import type { ChartClass, ChartMode } from '../data/chart-data.ts'
import { classColour, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, element, type Piece, plotPiece, textElement } from '../drawing/figure.ts'
import { countedText, fitText, pixelsOf } from '../drawing/label-text.ts'

const ROW = 19
/** Numbers stand in cells at least so wide. */
const NUMBER = 30
/** The strongest cell is not quite its colour, so that its number can be read on it. */
const STRONGEST = 0.62

/** Some labels of a mode against the classes: the darker, the more probable. */
export const labelHeatMap = (
  { labels, probabilities }: ChartMode,
  shown: readonly number[],
  classes: readonly ChartClass[],
  width: number,
  { document, colours }: ChartOptions,
): Piece => {
  const marginLeft = Math.min(width * 0.42, Math.max(...shown.map(j => pixelsOf(labels[j]))) + 12)
  const cell = (width - marginLeft) / classes.length
  const highest = Math.max(...shown.flatMap(j => probabilities.map(each => each[j])), Number.MIN_VALUE)
  const cells = shown.flatMap((j, row) => probabilities.map((each, k) => ({ row, k, probability: each[j] })))
  const height = shown.length * ROW + 20
  const digits = highest < 0.1 ? 1 : 0
  const piece = plotPiece(document, {
    width,
    height,
    marginLeft,
    marginRight: 0,
    marginTop: 20,
    marginBottom: 0,
    x: { type: 'linear', domain: [0, classes.length] },
    y: { type: 'linear', domain: [0, shown.length], reverse: true },
    opacity: { type: 'identity' },
    marks: [
      rect(cells, {
        x1: d => d.k,
        x2: d => d.k + 1,
        y1: d => d.row,
        y2: d => d.row + 1,
        inset: 0.5,
        fill: d => classColour(d.k, colours),
        fillOpacity: d => 0.03 + (STRONGEST * d.probability) / highest,
      }),
      ...(cell < NUMBER
        ? []
        : [
            text(
              cells.filter(({ probability }) => probability >= 0.5 * 10 ** -(digits + 2)),
              {
                x: d => d.k + 0.5,
                y: d => d.row + 0.5,
                text: d => (100 * d.probability).toFixed(digits),
                fontSize: 11,
                fill: INK,
              },
            ),
          ]),
      axisX(
        classes.map((_, k) => k + 0.5),
        {
          anchor: 'top',
          tickFormat: (_, k) => fitText(classes[k].name, cell - 4, 11),
          tickSize: 0,
          label: null,
          fontSize: 11,
          fill: MUTED,
        },
      ),
      axisY(
        shown.map((_, row) => row + 0.5),
        {
          tickFormat: (_, row) => fitText(labels[shown[row]], marginLeft - 8),
          tickSize: 0,
          label: null,
          fill: INK,
        },
      ),
    ],
  })
  const left = labels.length - shown.length
  if (left === 0) return piece
  const remark = textElement(document, `% · ${countedText(left, 'more label')}`, {
    y: height + 14,
    'font-size': 11,
    fill: MUTED,
  })
  return { node: element(document, 'g', {}, piece.node, remark), height: height + 20 }
}
