import type { ChartClass, ChartMode } from '../data/chart-data.ts'
import { classColour, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, element, type Piece, textElement } from '../drawing/figure.ts'
import { countedText } from '../drawing/label-text.ts'
import { matrixPiece } from './matrix.ts'

/** Some labels of a mode against the classes: the darker, the more probable. */
export const labelHeatMap = (
  { labels, probabilities, marginal }: ChartMode,
  shown: readonly number[],
  classes: readonly ChartClass[],
  width: number,
  { document, colours, reference }: ChartOptions,
): Piece => {
  const rank = probabilities.length
  const highest = Math.max(...shown.flatMap(j => probabilities.map(each => each[j])), Number.MIN_VALUE)
  const piece = matrixPiece(document, {
    rows: shown.map(j => labels[j]),
    columns: [...classes.map(({ name }) => name), ...(reference ? ['overall'] : [])],
    cells: shown.flatMap((j, row) =>
      [...probabilities, ...(reference ? [marginal] : [])].map((each, column) => ({
        row,
        column,
        strength: each[j] / highest,
        text: percentIn(each[j], highest),
        ...(column === rank
          ? { colour: MUTED, stands: { label: j } }
          : { colour: classColour(column, colours), stands: { class: column, label: j } }),
      })),
    ),
    width,
    coloured: true,
    stands: row => ({ label: shown[row] }),
  })
  const left = labels.length - shown.length
  const words = left === 0 ? 'in %' : `in % · ${countedText(left, 'more category', 'more categories')}`
  const remark = textElement(document, words, { y: piece.height + 14, 'font-size': 11, fill: MUTED })
  return { node: element(document, 'g', {}, piece.node, remark), height: piece.height + 20 }
}

/** A probability in a cell, as a percentage without its sign; nothing where it would read 0. */
export const percentIn = (probability: number, highest: number): string => {
  const digits = highest < 0.1 ? 1 : 0
  return probability < 0.5 * 10 ** -(digits + 2) ? '' : (100 * probability).toFixed(digits)
}
