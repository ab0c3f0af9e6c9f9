import type { ChartClass, ChartMode } from '../data/chart-data.ts'
import { classSymbol } from '../drawing/class-marks.ts'
import { classColour, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, element, type Piece, textElement } from '../drawing/figure.ts'
import { countedText } from '../drawing/label-text.ts'
import { type Matrix, matrixPiece } from './matrix.ts'

/** Up to so many labels a probability is as dark as in every other panel. */
const FEW = 12

/** The symbols of the classes over the columns of a matrix. */
export const classHeads = (rank: number, options: ChartOptions): NonNullable<Matrix['heads']> =>
  Array.from({ length: rank }, (_, k) => ({
    colour: classColour(k, options.colours),
    symbol: classSymbol(k, options),
    stands: { class: k },
  }))

/** What stands over the column of all classes together. */
const OVERALL_HEAD = { colour: MUTED, symbol: 'circle', stands: {} } as const

/** Some labels of a mode against the classes: the darker, the more probable. */
export const labelHeatMap = (
  { labels, probabilities, marginal, more = 0 }: ChartMode,
  shown: readonly number[],
  classes: readonly ChartClass[],
  width: number,
  options: ChartOptions,
): Piece => {
  const { document, colours, reference } = options
  const rank = probabilities.length
  // All panels have the same colours for the same probabilities, unless a label of many can only be improbable.
  const highest =
    labels.length + more > FEW
      ? Math.max(...shown.flatMap(j => probabilities.map(each => each[j])), Number.MIN_VALUE)
      : 1
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
    heads: [...classHeads(classes.length, options), ...(reference ? [OVERALL_HEAD] : [])],
    headsOnly: true,
    stands: row => ({ label: shown[row] }),
  })
  const left = labels.length - shown.length + more
  const words =
    left === 0 ? 'in %' : `in % · ${countedText(left, 'category', 'categories')} less typical of a class not shown`
  const remark = textElement(document, words, { y: piece.height + 14, 'font-size': 11, fill: MUTED })
  return { node: element(document, 'g', {}, piece.node, remark), height: piece.height + 20 }
}

/** A probability in a cell, as a percentage without its sign; nothing where it would read 0. */
export const percentIn = (probability: number, highest: number): string => {
  const digits = highest < 0.1 ? 1 : 0
  return probability < 0.5 * 10 ** -(digits + 2) ? '' : (100 * probability).toFixed(digits)
}
