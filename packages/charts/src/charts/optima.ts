import { axisX, dot } from '@observablehq/plot'
import type { ChartTable, OptimaData } from '../data/chart-data.ts'
import { ACCENT, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, plotPiece, textPiece } from '../drawing/figure.ts'
import { countedText } from '../drawing/label-text.ts'
import { gapsOf } from './gaps.ts'

/**
 * The landscape of optima: how far each is above the best, and how often it was reached.
 * @example
 * optimaChart({ optima: result.optima }, { document, width: 640 }).getAttribute('role') // 'img'
 */
export const optimaChart = ({ optima }: OptimaData, options: ChartOptions): SVGSVGElement => {
  const best = Math.min(...optima.map(({ loss }) => loss))
  const gaps = gapsOf(
    optima.map(({ loss }) => loss - best),
    0,
  )
  const most = Math.max(...optima.map(({ reached }) => reached))
  const times = optima.find(({ loss }) => loss === best)?.reached ?? 0
  const all = optima.reduce((sum, { reached }) => sum + reached, 0)
  return figure(
    options,
    {
      title: `${countedText(optima.length, 'distinct solution')}: loss above the best against times reached`,
      description: `The best, ${best}, was reached ${countedText(times, 'time')} in ${countedText(all, 'run')}.`,
    },
    [
      textPiece(options, `The best was reached ${times} of ${countedText(all, 'time')}: loss above it`),
      plotPiece(options.document, {
        width: options.width,
        height: gaps.height,
        marginLeft: 52,
        marginRight: 20,
        marginTop: 8,
        marginBottom: 40,
        x: { type: 'log', domain: [0.8, Math.max(10, most * 1.15)] },
        y: { type: 'linear', domain: gaps.domain },
        marks: [
          ...gaps.marks,
          dot(optima, {
            x: d => d.reached,
            y: d => gaps.at(d.loss - best),
            r: ({ loss }) => (loss === best ? 6 : 4),
            stroke: ACCENT,
            fill: ({ converged }) => (converged ? ACCENT : 'none'),
            fillOpacity: 0.6,
          }),
          axisX(timesTicks(most), {
            tickFormat: d => String(d),
            tickSize: 3,
            label: 'times reached (hollow: not converged)',
            labelAnchor: 'center',
            labelArrow: 'none',
            fill: MUTED,
          }),
        ],
      }),
    ],
  )
}

const timesTicks = (most: number): number[] => {
  const ticks: number[] = []
  for (let power = 1; power <= Math.max(10, most); power *= 10)
    ticks.push(...[1, 2, 5].map(each => each * power).filter(each => each <= Math.max(10, most * 1.15)))
  return ticks
}

export const optimaTable = ({ optima }: OptimaData): ChartTable => ({
  columns: ['loss', 'reached', 'converged'],
  rows: optima.map(({ loss, reached, converged }) => [loss, reached, String(converged)]),
})
