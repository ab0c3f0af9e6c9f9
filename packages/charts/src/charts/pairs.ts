import type { ChartMode, ChartTable, PairsData } from '../data/chart-data.ts'
import { highestPlaces } from '../data/series.ts'
import { classColour } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece } from '../drawing/figure.ts'
import { cleanText, countedText, percentText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { classWords } from './axes.ts'
import { percentIn } from './heat-map.ts'
import { matrixPiece } from './matrix.ts'

const LEAST_WIDTH = 360
/** Labels of either mode: the most frequent of the class. */
const [ROWS, COLUMNS] = [10, 8]

/**
 * Chart of two modes against each other within each class, by their most frequent labels.
 * @example
 * const { classes, modes } = profilesData(model)
 * pairsChart({ classes, modes: [modes[0], modes[1]] }, { document, width: 800 }).getAttribute('role') // 'img'
 */
export const pairsChart = (data: PairsData, options: ChartOptions): SVGSVGElement => {
  const { classes, modes } = data
  const { document, width } = options
  const grid = gridOf(classes.length, width, LEAST_WIDTH)
  const [a, b] = modes.map(({ name }) => cleanText(name))
  const strongest = classes.map(({ name }, k) => {
    const [row, column] = modes.map(mode => mode.labels[frequentLabels(mode, k, 1)[0]])
    return `${cleanText(name)} ${cleanText(row)} × ${cleanText(column)}`
  })
  return figure(
    options,
    {
      title: `${a} × ${b} within ${countedText(classes.length, 'class', 'classes')}, in % of the class`,
      description: `${classWords(classes)}. Most frequent: ${strongest.join('; ')}.`,
    },
    [
      gridPiece(
        document,
        classes.map(({ name, share }, k) =>
          titled(
            document,
            `${name} (${percentText(share)}) · ${a} × ${b}, %`,
            classPiece(data, k, options, grid.width),
            grid.width,
            { class: k },
          ),
        ),
        grid,
      ),
    ],
  )
}

const classPiece = (
  { modes: [a, b] }: PairsData,
  k: number,
  { document, colours }: ChartOptions,
  width: number,
): Piece => {
  const [rows, columns] = [frequentLabels(a, k, ROWS), frequentLabels(b, k, COLUMNS)]
  const [p, q] = [a.probabilities[k], b.probabilities[k]]
  const highest = p[rows[0]] * q[columns[0]]
  const names = (mode: ChartMode, shown: readonly number[]) => shown.map(j => mode.labels[j])
  return matrixPiece(document, {
    rows: names(a, rows),
    columns: names(b, columns),
    cells: rows.flatMap((i, row) =>
      columns.map((j, column) => ({
        row,
        column,
        strength: (p[i] * q[j]) / highest,
        text: percentIn(p[i] * q[j], highest),
        colour: classColour(k, colours),
      })),
    ),
    width,
  })
}

export const pairsTable = ({ classes, modes: [a, b] }: PairsData): ChartTable => ({
  columns: ['class', a.name, b.name, 'probability'],
  rows: classes.flatMap(({ name }, k) =>
    frequentLabels(a, k, ROWS).flatMap(i =>
      frequentLabels(b, k, COLUMNS).map(j => [
        name,
        a.labels[i],
        b.labels[j],
        a.probabilities[k][i] * b.probabilities[k][j],
      ]),
    ),
  ),
})

/** The most frequent labels of a class, those that never occur in it left out. */
const frequentLabels = ({ probabilities }: ChartMode, k: number, most: number): number[] =>
  highestPlaces(probabilities[k], most)
