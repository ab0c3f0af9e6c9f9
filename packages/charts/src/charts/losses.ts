import { axisX, dot, line } from '@observablehq/plot'
import type { ChartTable, LossesData } from '../data/chart-data.ts'
import { largest } from '../data/series.ts'
import { ACCENT, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, plotPiece } from '../drawing/figure.ts'
import { countedText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { gapsOf, SAME } from './gaps.ts'

const LEAST_WIDTH = 330
const MARGINS = { marginLeft: 52, marginRight: 16, marginTop: 8, marginBottom: 40 }
/** Points more than this are drawn as fewer: a search may have made ten thousand. */
const MANY_POINTS = 1500

/**
 * Chart of the search: the loss of every run against its passes, and the trace of the best run.
 * @example
 * lossesChart(lossesData(result), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const lossesChart = (data: LossesData, options: ChartOptions): SVGSVGElement => {
  const { attempts, trace } = data
  const parts = [...(attempts.length > 0 ? [attemptsPiece] : []), ...(trace.length > 1 ? [tracePiece] : [])]
  const grid = gridOf(parts.length, options.width, LEAST_WIDTH)
  const best = Math.min(...attempts.map(({ loss }) => loss))
  const reached = attempts.filter(({ loss }) => loss - best <= SAME).length
  return figure(
    options,
    {
      title:
        attempts.length > 0
          ? `Losses of ${countedText(attempts.length, 'run')} above the best, against their passes`
          : `The loss along the best run, ${countedText(trace.length, 'pass', 'passes')}`,
      description:
        attempts.length > 0
          ? `The best loss is ${best}; ${countedText(reached, 'run')} ended within 0.001 of it.`
          : `It ended at ${trace[trace.length - 1]}.`,
    },
    [
      gridPiece(
        options.document,
        parts.map(part => part(data, options, grid.width)),
        grid,
      ),
    ],
  )
}

const passesAxis = (label: string) =>
  axisX({ ticks: 5, tickSize: 3, label, labelAnchor: 'center', labelArrow: 'none', fill: MUTED })

const attemptsPiece = ({ attempts }: LossesData, { document }: ChartOptions, width: number): Piece => {
  const best = Math.min(...attempts.map(({ loss }) => loss))
  const gaps = gapsOf(attempts.map(({ loss }) => loss - best))
  const step = Math.ceil(attempts.length / MANY_POINTS)
  const shown = attempts.filter((each, i) => i % step === 0 || each.loss === best)
  const piece = plotPiece(document, {
    ...MARGINS,
    width,
    height: gaps.height,
    x: { type: 'linear', domain: [0, Math.max(...attempts.map(({ passes }) => passes), 1)], nice: true },
    y: { type: 'linear', domain: gaps.domain },
    marks: [
      ...gaps.marks,
      dot(shown, {
        x: d => d.passes,
        y: d => gaps.at(d.loss - best),
        r: 3.2,
        stroke: ACCENT,
        strokeWidth: 1.2,
        fill: ({ origin }) => (origin === 'recombined' ? 'none' : ACCENT),
        fillOpacity: 0.45,
      }),
      passesAxis('passes (filled: a start; hollow: recombined)'),
    ],
  })
  const reached = attempts.filter(({ loss }) => loss - best <= SAME).length
  return titled(document, `${reached} of ${attempts.length} runs reached the best: loss above it`, piece, width)
}

const tracePiece = ({ trace }: LossesData, { document }: ChartOptions, width: number): Piece => {
  const last = -largest(trace.map(loss => -loss))
  const gaps = gapsOf(
    trace.map(loss => loss - last),
    1e-6,
  )
  const step = Math.ceil(trace.length / MANY_POINTS)
  const points = trace
    .map((loss, pass) => ({ pass, gap: loss - last }))
    .filter(({ pass }) => pass % step === 0 || pass === trace.length - 1)
  const piece = plotPiece(document, {
    ...MARGINS,
    width,
    height: gaps.height,
    x: { type: 'linear', domain: [0, trace.length - 1] },
    y: { type: 'linear', domain: gaps.domain },
    marks: [
      ...gaps.marks,
      line(points, { x: d => d.pass, y: d => gaps.at(d.gap), stroke: ACCENT, strokeWidth: 1.8 }),
      passesAxis('passes'),
    ],
  })
  return titled(document, 'The best run: loss above its end', piece, width)
}

export const lossesTable = ({ attempts, trace }: LossesData): ChartTable => ({
  columns: ['what', 'passes', 'loss', 'converged'],
  rows: [
    ...attempts.map(({ origin, passes, loss, converged }) => [origin, passes, loss, String(converged)]),
    ...trace.map((loss, pass) => ['trace', pass, loss, null]),
  ],
})
