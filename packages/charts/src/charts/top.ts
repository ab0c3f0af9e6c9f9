import type { ChartTable, ProfilesData } from '../data/chart-data.ts'
import { marksOf, strength } from '../data/lift.ts'
import { categoriesOf } from '../data/profiles-data.ts'
import { classColour } from '../drawing/colours.ts'
import { type ChartOptions, figure, gridOf, gridPiece, type Piece, textPiece } from '../drawing/figure.ts'
import { countedText, fitTwo, numberText, percentText } from '../drawing/label-text.ts'
import { titled } from '../drawing/legend.ts'
import { classWords } from './axes.ts'
import { barRows, labelWidth } from './bar-rows.ts'
import { namesWords } from './overview.ts'

const LEAST_WIDTH = 340
/** Labels that are shown of a mode for a class, and of all modes where these are too many for a panel each. */
const SHOWN = { one: 6, all: 12 }
const MANY_MODES = 4

/** A label that marks a class. */
interface Mark {
  /** The places of the mode and the label. */
  readonly at: { readonly mode: number; readonly label: number }
  readonly mode: string
  readonly label: string
  readonly probability: number
  readonly overall: number
}

/** One panel: a class, and a mode or all of them. */
interface Panel {
  readonly k: number
  readonly title: string
  readonly marks: readonly Mark[]
}

/**
 * Chart of the labels that mark each class, strongest first, for modes with many labels. There is a panel for each class and mode, and one for each class
 * where modes are many.
 * @example
 * topChart(profilesData(model), { document, width: 800 }).getAttribute('role') // 'img'
 */
export const topChart = (data: ProfilesData, options: ChartOptions): SVGSVGElement => {
  const { document, width } = options
  const shown = categoriesOf(data)
  const { classes, modes } = shown
  const panels = panelsOf(shown)
  const most = gridOf(panels.length, width, LEAST_WIDTH)
  // A class in a row of its own where there is room for all of its modes.
  const perClass = panels.length / classes.length
  const grid = perClass > 1 && most.columns >= perClass ? gridOf(perClass, width, LEAST_WIDTH) : most
  return figure(
    options,
    {
      title: `${namesWords(modes.map(({ name }) => name))}: the categories that mark ${countedText(classes.length, 'class', 'classes')}`,
      description: `${classWords(classes)}. Bars are probabilities within the class, ticks overall, numbers how many times as frequent as overall.`,
    },
    [
      textPiece(
        options,
        'Bar: probability within the class. Tick: overall. ×: how many times as frequent as overall.',
        11,
      ),
      gridPiece(
        document,
        panels.map(panel =>
          titled(document, panel.title, marksPiece(panel, modes.length > MANY_MODES, options, grid.width), grid.width, {
            class: panel.k,
          }),
        ),
        grid,
      ),
    ],
  )
}

const panelsOf = ({ classes, modes }: ProfilesData): Panel[] => {
  const marks = (k: number, n: number, most: number): Mark[] => {
    const { name, labels, probabilities, marginal } = modes[n]
    return marksOf(modes[n], k, most).map(j => ({
      at: { mode: n, label: j },
      mode: name,
      label: labels[j],
      probability: probabilities[k][j],
      overall: marginal[j],
    }))
  }
  const by = ({ probability, overall }: Mark) => strength(probability, overall)
  return classes.flatMap(({ name, share }, k): Panel[] => {
    const title = `${name} (${percentText(share)})`
    if (modes.length <= MANY_MODES)
      return modes.map((mode, n) => ({ k, title: `${title} · ${mode.name}`, marks: marks(k, n, SHOWN.one) }))
    const all = modes.flatMap((_, n) => marks(k, n, SHOWN.all)).sort((a, b) => by(b) - by(a))
    return [{ k, title, marks: all.slice(0, SHOWN.all) }]
  })
}

const marksPiece = ({ k, marks }: Panel, named: boolean, options: ChartOptions, width: number): Piece => {
  if (marks.length === 0) return textPiece(options, 'as overall')
  return barRows(
    options.document,
    marks.map(({ at, mode, label, probability, overall }) => ({
      label: named ? fitTwo(mode, ': ', label, labelWidth(width)) : label,
      value: probability,
      against: overall,
      text: `${shareText(probability)} · ${liftText(probability / overall)}`,
      colour: classColour(k, options.colours),
      stands: at,
    })),
    width,
    Math.max(...marks.map(({ probability, overall }) => Math.max(probability, overall))),
  )
}

const shareText = (share: number): string => percentText(share, share < 0.01 ? 2 : share < 0.1 ? 1 : 0)
const liftText = (lift: number): string => `${numberText(Number(lift.toPrecision(2)))}×`

export const topTable = (data: ProfilesData): ChartTable => ({
  columns: ['class', 'variable', 'category', 'probability', 'overall', 'lift'],
  rows: panelsOf(categoriesOf(data)).flatMap(({ k, marks }) =>
    marks.map(({ mode, label, probability, overall }) => [
      data.classes[k].name,
      mode,
      label,
      probability,
      overall,
      probability / overall,
    ]),
  ),
})
