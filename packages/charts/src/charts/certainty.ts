import type { CertaintyData, ChartTable } from '../data/chart-data.ts'
import { ACCENT } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece } from '../drawing/figure.ts'
import { countedText, percentText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { classWords } from './axes.ts'
import { classMatrix } from './class-matrix.ts'
import { histogramPiece } from './histogram.ts'

const LEAST_WIDTH = 330

/**
 * How certain the classification is: the largest posterior of the observations, and the mean posteriors of those assigned to
 * each class.
 * @example
 * certaintyChart(certaintyData(model, answers), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const certaintyChart = (data: CertaintyData, options: ChartOptions): SVGSVGElement => {
  const { classes, points } = data
  const { document, width } = options
  const grid = gridOf(2, width, LEAST_WIDTH)
  const total = points.reduce((sum, { count }) => sum + count, 0)
  const mean = points.reduce((sum, { count, probabilities }) => sum + count * Math.max(...probabilities), 0) / total
  const own = data.averagePosteriors.map((row, k) => (row === null ? 'nobody' : percentText(row[k], 1))).join(', ')
  const largest = points.map(({ probabilities, count }) => ({ value: Math.max(...probabilities), count }))
  const from = Math.floor((1 / classes.length) * 20 + 1e-9) / 20
  return figure(
    options,
    {
      title: `Certainty: the highest class probability is ${percentText(mean, 1)} on average, over ${countedText(classes.length, 'class', 'classes')}`,
      description: `${classWords(classes)}. Mean probability of the assigned class, class by class: ${own}.`,
    },
    [
      gridPiece(
        document,
        [
          titled(
            document,
            'Highest class probability of each observation',
            histogramPiece(largest, [from === 1 ? 0 : from, 1], { document, width: grid.width }, () => ACCENT),
            grid.width,
          ),
          titled(
            document,
            'Assigned to (rows): mean class probabilities, in %',
            classMatrix(classes, data.averagePosteriors, options, grid.width),
            grid.width,
          ),
        ],
        grid,
      ),
    ],
  )
}

export const certaintyTable = ({ classes, averagePosteriors }: CertaintyData): ChartTable => ({
  columns: ['assigned to', ...classes.map(({ name }) => `mean probability of ${name}`)],
  rows: averagePosteriors.map((row, k) => [classes[k].name, ...classes.map((_, l) => row?.[l] ?? null)]),
})
