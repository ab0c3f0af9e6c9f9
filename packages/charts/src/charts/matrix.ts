import { dot, rect, text } from '@observablehq/plot'
import type { classSymbol } from '../drawing/class-marks.ts'
import { DARKEST_CELL, INK } from '../drawing/colours.ts'
import { type Piece, plotPiece } from '../drawing/figure.ts'
import { eachStandsFor, type StandsFor } from '../drawing/standing.ts'
import { columnLabels, labelRoom, rowLabels } from './axes.ts'

/** What stands over a column instead of its label. */
interface Head {
  readonly colour: string
  readonly symbol: ReturnType<typeof classSymbol>
  readonly stands: StandsFor
}

/** A cell of a matrix: where it stands, how dark it is (0 to 1), and what is written in it where there is room. */
export interface MatrixCell {
  readonly row: number
  readonly column: number
  readonly strength: number
  readonly text: string
  readonly colour: string
  readonly stands?: StandsFor
}

export interface Matrix {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  readonly cells: readonly MatrixCell[]
  readonly width: number
  /** The widest a cell may be: a small matrix need not fill the page. */
  readonly widest?: number
  /** Symbols to stand over the columns instead of their labels: if these do not fit, or always (`headsOnly`). */
  readonly heads?: readonly Head[]
  readonly headsOnly?: boolean
  /** What the rows stand for. */
  readonly stands?: (row: number) => StandsFor
}

const ROW = 20
/** Numbers stand in cells at least so wide. */
const NUMBER = 28
/** Symbols over the columns. */
const HEADS = 16
/** A cell with nothing in it can still be seen. */
const LIGHTEST = 0.03

/** Rows against columns: the darker, the more. */
export const matrixPiece = (
  document: Document,
  { rows, columns, cells, width, widest = 120, heads, headsOnly = false, stands }: Matrix,
): Piece => {
  const marginLeft = labelRoom(rows, width)
  const cellOf = (room: number) => Math.min(widest, room / columns.length)
  const turned = columnLabels(columns, cellOf(width - marginLeft)).lean > 0
  const bare = heads !== undefined && (turned || headsOnly)
  // Turned labels lean out at the right.
  const marginRight = turned && !bare ? columnLabels(columns, 0).lean : 0
  const cell = cellOf(width - marginLeft - marginRight)
  const header = columnLabels(columns, turned ? 0 : cell)
  const marginTop = bare ? HEADS : header.height
  return plotPiece(document, {
    width: marginLeft + cell * columns.length + marginRight,
    height: rows.length * ROW + marginTop,
    marginLeft,
    marginRight,
    marginTop,
    marginBottom: 0,
    x: { type: 'linear', domain: [0, columns.length] },
    y: { type: 'linear', domain: [0, rows.length], reverse: true },
    opacity: { type: 'identity' },
    symbol: { type: 'identity' },
    marks: [
      rect(cells, {
        x1: d => d.column,
        x2: d => d.column + 1,
        y1: d => d.row,
        y2: d => d.row + 1,
        inset: 0.5,
        fill: d => d.colour,
        fillOpacity: d => LIGHTEST + (DARKEST_CELL - LIGHTEST) * Math.min(1, Math.max(0, d.strength)),
        ...eachStandsFor(i => cells[i].stands ?? {}),
      }),
      ...(cell < NUMBER
        ? []
        : [
            text(cells, {
              x: d => d.column + 0.5,
              y: d => d.row + 0.5,
              text: d => d.text,
              fontSize: 11,
              fill: INK,
              ...eachStandsFor(i => cells[i].stands ?? {}),
            }),
          ]),
      ...(bare
        ? [
            dot(heads, {
              x: (_, column) => column + 0.5,
              y: 0,
              dy: -HEADS / 2,
              r: 4,
              symbol: (d: Head) => d.symbol,
              fill: (d: Head) => d.colour,
              ...eachStandsFor(column => heads[column].stands),
            }),
          ]
        : [header.mark]),
      rowLabels(rows, marginLeft, stands),
    ],
  })
}
