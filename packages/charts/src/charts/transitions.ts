import type { ChangeData, ChartTable } from '../data/chart-data.ts'
import { type ChartOptions, figure, gridOf, gridPiece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, percentText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { classWords } from './axes.ts'
import { classMatrix } from './class-matrix.ts'

const LEAST_WIDTH = 300
/** More steps than this are in the table. */
const STEPS = 24

/**
 * The probabilities of moving from each class (rows) to each class (columns): a matrix for each step, or one for all.
 * @example
 * const waves = [{ name: '2020', sizes: [0.6, 0.4] }, { name: '2022', sizes: [0.5, 0.5] }]
 * const change = { classes: classesOf(model), waves, transitions: [[[0.8, 0.2], [0.05, 0.95]]] }
 * transitionsChart(change, { document, width: 800 }).getAttribute('role') // 'img'
 */
export const transitionsChart = (data: ChangeData, options: ChartOptions): SVGSVGElement => {
  const { classes, transitions } = data
  const { document, width } = options
  const shown = transitions.slice(0, STEPS)
  const grid = gridOf(shown.length, width, LEAST_WIDTH)
  const stays = classes.map(({ name }, k) => {
    const parts = transitions.map(step => step[k][k])
    const [least, most] = [Math.min(...parts), Math.max(...parts)].map(part => percentText(part, 1))
    return `${cleanText(name)} ${least === most ? least : `${least} to ${most}`}`
  })
  return figure(
    options,
    {
      title: `Transitions between ${countedText(classes.length, 'class', 'classes')}: probability of each class at the next wave, in %`,
      description: `${classWords(classes)}. Probability of staying: ${stays.join(', ')}.`,
    },
    [
      gridPiece(
        document,
        shown.map((step, t) =>
          titled(document, stepName(data, t), classMatrix(classes, step, options, grid.width), grid.width),
        ),
        grid,
      ),
      ...(transitions.length > shown.length
        ? [textPiece(options, `${countedText(transitions.length - shown.length, 'later step')} not shown.`)]
        : []),
    ],
  )
}

/** From one wave to the next. */
const stepName = ({ waves, transitions }: ChangeData, t: number): string =>
  transitions.length === 1 && waves.length > 2 ? 'every step' : `${waves[t].name} → ${waves[t + 1].name}`

export const transitionsTable = (data: ChangeData): ChartTable => ({
  columns: ['step', 'from class', ...data.classes.map(({ name }) => `to ${name}`)],
  rows: data.transitions.flatMap((step, t) => step.map((row, k) => [stepName(data, t), data.classes[k].name, ...row])),
})
