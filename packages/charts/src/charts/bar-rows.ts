import { rect, ruleX, ruleY, text } from '@observablehq/plot'
import { INK, MUTED } from '../drawing/colours.ts'
import { type Piece, plotPiece } from '../drawing/figure.ts'
import { pixelsOf } from '../drawing/label-text.ts'
import { eachStandsFor, type StandsFor } from '../drawing/standing.ts'
import { labelRoom, rowLabels } from './axes.ts'

/** A row of a list: its label, a bar, and a number at the end of it. */
export interface BarRow {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly colour: string
  /** What the value is against, as a tick. */
  readonly against?: number
  readonly interval?: readonly [number, number] | undefined
  readonly stands?: StandsFor
}

const ROW = 20

/** The part of the width that labels may take, and what a label of two parts has of it. */
const LABELS = 0.45
export const labelWidth = (width: number): number => width * LABELS - 14

/** Rows with a bar each. `most` is where the longest bar would end. */
export const barRows = (document: Document, rows: readonly BarRow[], width: number, most: number): Piece => {
  const marginLeft = labelRoom(
    rows.map(({ label }) => label),
    width,
    LABELS,
  )
  const marginRight = Math.max(...rows.map(row => pixelsOf(row.text, 11))) + 10
  const bars = rows.map((row, at) => ({ ...row, at }))
  const stands = (at: number) => rows[at].stands ?? {}
  return plotPiece(document, {
    width,
    height: rows.length * ROW,
    marginLeft,
    marginRight,
    marginTop: 0,
    marginBottom: 0,
    x: { type: 'linear', domain: [0, most] },
    y: { type: 'linear', domain: [0, rows.length], reverse: true },
    marks: [
      rect(bars, {
        x1: 0,
        x2: d => d.value,
        y1: d => d.at + 0.18,
        y2: d => d.at + 0.82,
        fill: d => d.colour,
        ...eachStandsFor(stands),
      }),
      ruleX(
        bars.filter(({ against }) => against !== undefined),
        { x: d => d.against, y1: d => d.at + 0.12, y2: d => d.at + 0.88, stroke: INK, strokeWidth: 1.5 },
      ),
      ruleY(
        bars.flatMap(({ interval, at }) => (interval ? [{ at, interval }] : [])),
        { x1: d => d.interval[0], x2: d => d.interval[1], y: d => d.at + 0.5, stroke: INK },
      ),
      ruleX([0], { stroke: MUTED }),
      text(bars, {
        x: d => Math.max(d.value, d.against ?? 0, d.interval?.[1] ?? 0),
        y: d => d.at + 0.5,
        text: d => d.text,
        textAnchor: 'start',
        dx: 5,
        fontSize: 11,
        fill: MUTED,
        ...eachStandsFor(stands),
      }),
      rowLabels(
        rows.map(({ label }) => label),
        marginLeft,
        stands,
      ),
    ],
  })
}
