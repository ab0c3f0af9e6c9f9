import type { ChartClass } from '../data/chart-data.ts'
import { classColour } from '../drawing/colours.ts'
import type { ChartOptions, Piece } from '../drawing/figure.ts'
import { matrixPiece } from './matrix.ts'

/** More classes than this have no room for a digit after the point. */
const MANY = 6

/** Probabilities of each class (columns) for those in a class (rows), in %; a row without any has dashes. */
export const classMatrix = (
  classes: readonly ChartClass[],
  rows: readonly (readonly number[] | null)[],
  { document, colours }: ChartOptions,
  width: number,
): Piece => {
  const names = classes.map(({ name }) => name)
  return matrixPiece(document, {
    rows: names,
    columns: names,
    cells: rows.flatMap((each, row) =>
      classes.map((_, column) => ({
        row,
        column,
        strength: each?.[column] ?? 0,
        text: each === null ? '–' : (100 * each[column]).toFixed(classes.length > MANY ? 0 : 1),
        colour: classColour(column, colours),
      })),
    ),
    width,
    widest: 90,
  })
}
