import { line, lineY, ruleY } from '@observablehq/plot'
import type { ChartTable, TimeData } from '../data/chart-data.ts'
import { largest, neighbourMeans } from '../data/series.ts'
import { classColour, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, plotPiece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, percentText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { classWords, probabilityY, spacedLabels } from './axes.ts'

const LEAST_WIDTH = 340

/**
 * When each class happens: P[time | class] in calendar order, with the whole behind it.
 * @example
 * const { classes, modes } = profilesData(model)
 * timeChart({ classes, mode: modes[0] }, { document, width: 800 }).getAttribute('role') // 'img'
 */
export const timeChart = (data: TimeData, options: ChartOptions): SVGSVGElement => {
  const { document, width } = options
  const { classes, mode } = data
  const grid = gridOf(classes.length, width, LEAST_WIDTH)
  const lines = linesOf(mode, grid.width)
  const peaks = classes.map(({ name }, k) => {
    const each = mode.probabilities[k]
    return `${cleanText(name)} ${cleanText(mode.labels[each.indexOf(largest(each))])}`
  })
  return figure(
    options,
    {
      title: `${cleanText(mode.name)}: probability within ${countedText(classes.length, 'class', 'classes')}, in order`,
      description: `${classWords(classes)}. Most frequent: ${peaks.join(', ')}.`,
    },
    [
      textPiece(options, `Probability of each ${cleanText(mode.name)} within a class; grey: overall`),
      gridPiece(
        document,
        classes.map(({ name, share }, k) =>
          titled(
            document,
            `${name} (${percentText(share)})`,
            classPiece(mode.labels, lines, k, options, grid.width),
            grid.width,
            { class: k },
          ),
        ),
        grid,
      ),
    ],
  )
}

/** The lines of all panels: of every class, and of the whole. */
interface Lines {
  readonly classes: readonly Line[]
  readonly overall: Line
  /** One scale for all classes: what is more, looks more. */
  readonly highest: number
}

type Line = ReturnType<typeof neighbourMeans>

const linesOf = ({ labels, marginal, probabilities }: TimeData['mode'], width: number): Lines => {
  const size = Math.ceil(labels.length / width)
  const [overall, ...classes] = [marginal, ...probabilities].map(values => neighbourMeans(values, size))
  return { overall, classes, highest: largest([overall, ...classes].flat().map(({ value }) => value)) }
}

const classPiece = (
  labels: readonly string[],
  { classes, overall, highest }: Lines,
  k: number,
  { document, colours }: ChartOptions,
  width: number,
): Piece => {
  const own = classes[k]
  const at = { x: (d: { at: number }) => d.at, y: (d: { value: number }) => d.value }
  return plotPiece(document, {
    width,
    height: 130,
    marginLeft: 46,
    marginRight: 14,
    marginTop: 6,
    marginBottom: 24,
    x: { type: 'linear', domain: [0, Math.max(1, labels.length - 1)] },
    y: { type: 'linear', domain: [0, highest * 1.05] },
    marks: [
      ...probabilityY(highest, 3),
      line(overall, { ...at, stroke: MUTED, strokeOpacity: 0.7 }),
      lineY(own, { ...at, stroke: classColour(k, colours), strokeWidth: 1.8 }),
      ruleY([0], { stroke: MUTED }),
      ...spacedLabels(labels, width - 60, 14),
    ],
  })
}

export const timeTable = ({ classes, mode }: TimeData): ChartTable => ({
  columns: [mode.name, 'overall', ...classes.map(({ name }) => name)],
  rows: mode.labels.map((label, j) => [label, mode.marginal[j], ...mode.probabilities.map(each => each[j])]),
})
