import { axisX, dot, gridX, link, text } from '@observablehq/plot'
import type { AnomaliesData, ChartTable } from '../data/chart-data.ts'
import { ACCENT, BACKGROUND, GRID, INK, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, type Piece, plotPiece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, fitText, numberText, pixelsOf } from '../drawing/label-text.ts'
import { labelRoom, rowLabels } from './axes.ts'

const SHOWN = 20
const ROW = 22
/** Below this width a cell's labels stand above its line, not beside it. */
const BESIDE = 560

/**
 * Chart of the least expected cells: observed (filled) and expected counts (hollow).
 * @example
 * anomaliesChart(anomaliesData(model, answers), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const anomaliesChart = (data: AnomaliesData, options: ChartOptions): SVGSVGElement => {
  const cells = data.cells.slice(0, SHOWN)
  const [first] = cells
  return figure(
    options,
    {
      title: `The ${countedText(cells.length, 'cell')} that the model expects least`,
      description:
        first === undefined
          ? 'There is none.'
          : `Variables: ${data.modes.map(cleanText).join(', ')}. First: ${cellName(first.labels)}, observed ${first.observed}, expected ${first.expected}.`,
    },
    [
      textPiece(options, data.modes.map(cleanText).join(' · ')),
      textPiece(
        options,
        'Filled: observed. Hollow: expected. 12 for 2.5: 12 observed, 2.5 expected. Square-root scale.',
        11,
      ),
      ...(cells.length === 0 ? [] : [cellsPiece(cells, options)]),
    ],
  )
}

const cellName = (labels: readonly string[]): string => labels.map(cleanText).join(' · ')

const cellsPiece = (cells: AnomaliesData['cells'], { document, width }: ChartOptions): Piece => {
  const names = cells.map(({ labels }) => cellName(labels))
  const beside = width >= BESIDE
  const figures = cells.map(({ observed, expected }) => `${numberText(observed)} for ${expectedText(expected)}`)
  const marginLeft = beside ? labelRoom(names, width, 0.42) : 8
  const marginRight = Math.max(...figures.map(each => pixelsOf(each, 11))) + 14
  const most = Math.max(...cells.flatMap(({ observed, expected }) => [observed, expected]))
  const points = cells.map(({ observed, expected }, i) => ({ observed, expected, y: i + (beside ? 0.5 : 0.72) }))
  return plotPiece(document, {
    width,
    height: cells.length * (beside ? ROW : ROW * 1.8) + 24,
    marginLeft,
    marginRight,
    marginTop: 0,
    marginBottom: 24,
    x: { type: 'sqrt', domain: [0, most] },
    y: { type: 'linear', domain: [0, cells.length], reverse: true },
    marks: [
      gridX({ ticks: beside ? 6 : 3, stroke: GRID, strokeOpacity: 1 }),
      link(points, { x1: d => d.expected, x2: d => d.observed, y1: d => d.y, y2: d => d.y, stroke: ACCENT }),
      dot(points, { x: d => d.expected, y: d => d.y, r: 4, stroke: ACCENT, strokeWidth: 1.5, fill: BACKGROUND }),
      dot(points, { x: d => d.observed, y: d => d.y, r: 4.5, fill: ACCENT }),
      text(points, {
        x: d => Math.max(d.observed, d.expected),
        y: d => d.y,
        text: (_, i) => figures[i],
        textAnchor: 'start',
        dx: 9,
        fontSize: 11,
        fill: MUTED,
      }),
      axisX({ ticks: beside ? 6 : 3, tickSize: 3, label: null, fill: MUTED }),
      beside
        ? rowLabels(names, marginLeft)
        : text(points, {
            frameAnchor: 'left',
            x: () => 0,
            y: (_, i) => i + 0.28,
            text: (_, i) => fitText(names[i], width - 12),
            textAnchor: 'start',
            fill: INK,
          }),
    ],
  })
}

const expectedText = (expected: number): string => (expected < 0.001 ? expected.toExponential(0) : numberText(expected))

export const anomaliesTable = ({ modes, cells }: AnomaliesData): ChartTable => ({
  columns: [...modes, 'observed', 'expected', 'residual'],
  rows: cells.map(({ labels, observed, expected, residual }) => [...labels, observed, expected, residual]),
})
