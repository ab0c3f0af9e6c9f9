import type { ChartTable, DriftData } from '../data/chart-data.ts'
import { ACCENT, classColour } from '../drawing/colours.ts'
import { type ChartOptions, figure, type Piece, textPiece } from '../drawing/figure.ts'
import { cleanText, countedText, percentText, pixelsOf } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { barRows } from './bar-rows.ts'
import { matrixPiece } from './matrix.ts'

/** Variables that are shown: those that moved most. */
const SHOWN = 30
/** A cell is as dark as can be where this part of the answers has moved, or the most of any. */
const DARKEST = 0.3

/**
 * Chart of the changes between two models: class sizes (tick: earlier model), and the distance of every variable in every class.
 * @example
 * const chart = driftChart(driftData(modelDrift(model, model)), { document, width: 640 })
 * chart.getAttribute('role') // 'img'
 */
export const driftChart = (data: DriftData, options: ChartOptions): SVGSVGElement => {
  const { classes, modes } = data
  const { document, width } = options
  const moved = modes.toSorted((a, b) => furthest(b) - furthest(a))
  const [first] = moved
  const rest = moved.length - SHOWN
  return figure(
    options,
    {
      title: `Drift of ${countedText(classes.length, 'class', 'classes')} and ${countedText(modes.length, 'variable')}`,
      description: `${classes.map(sizeWords).join(', ')}. ${first === undefined ? '' : `${cleanText(first.name)} has moved most: up to ${percentText(furthest(first), 1)} of the answers in a class.`}`,
    },
    [
      titled(document, 'Class sizes, with a tick where they were', sizes(data, options), width),
      titled(
        document,
        'Answers that moved to other categories, %',
        matrix(data, moved.slice(0, SHOWN), options),
        width,
      ),
      ...(rest > 0 ? [textPiece(options, `… and ${countedText(rest, 'more variable')} that moved less`, 11)] : []),
    ],
  )
}

const furthest = ({ overall, distances }: DriftData['modes'][number]): number =>
  Math.max(overall, ...distances.map(each => each ?? 0))

const sizeWords = ({ name, before, after }: DriftData['classes'][number]): string => {
  const [was, is] = [before, after].map(share => (share === null ? 'none' : percentText(share, 1)))
  return `${cleanText(name)} ${was} → ${is}`
}

const sizes = ({ classes }: DriftData, { document, width, colours }: ChartOptions): Piece =>
  barRows(
    document,
    classes.map(({ name, before, after }, k) => ({
      label: name,
      value: after ?? 0,
      ...(before !== null && { against: before }),
      text: `${after === null ? 'gone' : percentText(after, 1)}${before === null ? ', new' : `, was ${percentText(before, 1)}`}`,
      colour: classColour(k, colours),
      stands: { class: k },
    })),
    width,
    Math.max(...classes.map(({ before, after }) => Math.max(before ?? 0, after ?? 0))),
  )

const matrix = (
  { classes }: DriftData,
  modes: DriftData['modes'],
  { document, width, colours }: ChartOptions,
): Piece => {
  const most = Math.max(DARKEST, ...modes.map(furthest))
  const columns = ['overall', ...classes.map(({ name }) => name)]
  return matrixPiece(document, {
    rows: modes.map(labelOf),
    columns,
    cells: modes.flatMap(({ overall, distances }, row) =>
      [overall, ...distances].map((distance, column) => ({
        row,
        column,
        strength: (distance ?? 0) / most,
        text: distance === null ? '–' : (100 * distance).toFixed(1),
        ...(column === 0
          ? { colour: ACCENT }
          : { colour: classColour(column - 1, colours), stands: { class: column - 1 } }),
      })),
    ),
    width,
    widest: Math.max(72, ...columns.map(name => pixelsOf(name, 11) + 8)),
  })
}

/** A variable, with how many of its categories are new and how many are gone. */
const labelOf = ({ name, added, gone }: DriftData['modes'][number]): string => {
  const changes = [...(added > 0 ? [`${added} new`] : []), ...(gone > 0 ? [`${gone} gone`] : [])]
  return changes.length === 0 ? name : `${name} (${changes.join(', ')})`
}

export const driftTable = ({ classes, modes }: DriftData): ChartTable => ({
  columns: ['variable', 'class', 'before', 'after', 'moved'],
  rows: [
    ...classes.map(({ name, before, after }) => [null, name, before, after, null]),
    ...modes.flatMap(({ name, overall, distances }) => [
      [name, null, null, null, overall],
      ...distances.map((distance, k) => [name, classes[k].name, null, null, distance]),
    ]),
  ],
})
