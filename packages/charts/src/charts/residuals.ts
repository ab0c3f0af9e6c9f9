import type { ChartTable, ResidualsData } from '../data/chart-data.ts'
import { ACCENT } from '../drawing/colours.ts'
import { type ChartOptions, figure, type Piece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, fitTwo, pixelsOf } from '../drawing/label-text.ts'
import { labelRoom } from './axes.ts'
import { barRows, labelWidth } from './bar-rows.ts'
import { matrixPiece } from './matrix.ts'

/** Cells narrower than this are too many to look at: then the pairs that stand out are listed. */
const LEAST_CELL = 16
const LISTED = 20
/** X² divided by its degrees of freedom: far below 1 for most pairs if the model holds. Everything from here on is as dark as can be. */
const DARKEST = 8

/**
 * Chart of bivariate residuals: a matrix or, if that is too wide, the largest pairs.
 * @example
 * residualsChart(residualsData(model, answers), { document, width: 640 }).getAttribute('role') // 'img'
 */
export const residualsChart = (data: ResidualsData, options: ChartOptions): SVGSVGElement => {
  const { width } = options
  const { modes, pairs } = data
  const worst = pairs.toSorted((a, b) => b.residual - a.residual)
  const cell = (width - labelRoom(modes, width)) / (modes.length - 1)
  const [first] = worst
  return figure(
    options,
    {
      title: `Bivariate residuals of ${countedText(pairs.length, 'pair')} of variables`,
      description:
        first === undefined
          ? 'There are no two variables.'
          : `X² divided by its degrees of freedom: far below 1 for most pairs if the model holds. The largest, ${shown(first.residual)}, is that of ${cleanText(first.modes.join(' and '))}.`,
    },
    [
      textPiece(options, 'X² divided by its degrees of freedom: far below 1 for most pairs if the model holds'),
      ...(pairs.length === 0
        ? []
        : [cell < LEAST_CELL ? list(worst.slice(0, LISTED), options) : matrix(data, options)]),
      ...(pairs.length > LISTED && cell < LEAST_CELL
        ? [textPiece(options, `… and ${countedText(pairs.length - LISTED, 'more pair')} below`, 11)]
        : []),
    ],
  )
}

const shown = (residual: number): string =>
  !Number.isFinite(residual) ? '∞' : residual >= 100 ? residual.toFixed(0) : residual.toFixed(1)

/** The lower triangle: the second mode of a pair is its row. */
const matrix = ({ modes, pairs }: ResidualsData, { document, width }: ChartOptions): Piece => {
  const [rows, columns] = [modes.slice(1), modes.slice(0, -1)]
  return matrixPiece(document, {
    rows,
    columns,
    cells: pairs.map(({ modes: [a, b], residual }) => {
      const [column, row] = [modes.indexOf(a), modes.indexOf(b)].sort((x, y) => x - y)
      return { row: row - 1, column, strength: residual / DARKEST, text: shown(residual), colour: ACCENT }
    }),
    width,
    widest: Math.max(52, ...columns.map(name => pixelsOf(name, 11) + 4)),
  })
}

const list = (pairs: ResidualsData['pairs'], { document, width }: ChartOptions): Piece =>
  barRows(
    document,
    pairs.map(({ modes, residual }) => ({
      label: fitTwo(modes[0], ' × ', modes[1], labelWidth(width)),
      value: Number.isFinite(residual) ? residual : 0,
      text: shown(residual),
      colour: ACCENT,
    })),
    width,
    Math.max(1, ...pairs.map(({ residual }) => (Number.isFinite(residual) ? residual : 0))),
  )

export const residualsTable = ({ pairs }: ResidualsData): ChartTable => ({
  columns: ['variable', 'with', 'residual'],
  rows: pairs.map(({ modes, residual }) => [...modes, residual]),
})
