import type { ChartMode, ChartTable, ProfilesData } from '../data/chart-data.ts'
import { marksOf } from '../data/lift.ts'
import { classColour } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, textPiece } from '../drawing/figure.ts'
import { countedText, numberText, percentText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { classWords } from './axes.ts'
import { barRows } from './bar-rows.ts'

const LEAST_WIDTH = 340
/** Labels of a mode that are shown for a class. */
const SHOWN = 6

/**
 * The labels of each mode that set a class apart, those first that say most: for modes with more labels than profiles can show.
 * @example
 * topChart(profilesData(model), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const topChart = (data: ProfilesData, options: ChartOptions): SVGSVGElement => {
  const { document, width } = options
  const { classes, modes } = data
  const grid = gridOf(classes.length * modes.length, width, LEAST_WIDTH)
  // A class in a row of its own where there is room for all of its modes.
  const columns = grid.columns >= modes.length ? gridOf(modes.length, width, LEAST_WIDTH) : grid
  const panels = classes.flatMap(({ name, share }, k) =>
    modes.map(
      mode =>
      titled(document, `${name} (${percentText(share)}) · ${mode.name}`, topPiece(mode, k, options, columns.width), columns.width), // biome-ignore format: one panel
    ),
  )
  return figure(
    options,
    {
      title: `What marks ${countedText(classes.length, 'class', 'classes')}: the top labels of ${countedText(modes.length, 'mode')}`,
      description: `${classWords(classes)}. Bars are P[label | class], ticks P[label] overall, numbers how many times as frequent.`,
    },
    [
      textPiece(document, ['Bar: P[label | class]. Tick: P[label] overall. ×: how many times as frequent.'], 11),
      gridPiece(document, panels, columns),
    ],
  )
}

const topPiece = (mode: ChartMode, k: number, { document, colours }: ChartOptions, width: number): Piece => {
  const { labels, probabilities, marginal } = mode
  const marks = marksOf(mode, k, SHOWN)
  if (marks.length === 0) return textPiece(document, ['as overall'])
  return barRows(
    document,
    marks.map(j => ({
      label: labels[j],
      value: probabilities[k][j],
      against: marginal[j],
      text: `${shareText(probabilities[k][j])} · ${numberText(Number((probabilities[k][j] / marginal[j]).toPrecision(2)))}×`,
      colour: classColour(k, colours),
    })),
    width,
    Math.max(...marks.map(j => probabilities[k][j])),
  )
}

const shareText = (share: number): string => percentText(share, share < 0.01 ? 2 : share < 0.1 ? 1 : 0)

export const topTable = ({ classes, modes }: ProfilesData): ChartTable => ({
  columns: ['class', 'mode', 'label', 'probability', 'overall', 'lift'],
  rows: classes.flatMap(({ name }, k) =>
    modes.flatMap(mode =>
      marksOf(mode, k, SHOWN).map(j => {
        const [probability, overall] = [mode.probabilities[k][j], mode.marginal[j]]
        return [name, mode.name, mode.labels[j], probability, overall, probability / overall]
      }),
    ),
  ),
})
