import { areaY, axisX, axisY, gridY, lineY, ruleY } from '@observablehq/plot'
import {
  classColour,
  element,
  figure,
  GRID,
  MUTED,
  type Piece,
  plainDocument,
  plotPiece,
  svgFile,
  textElement,
} from '@polyad/charts'
import type { Model } from '@polyad/core'
import { FEATURES, type IrisExperiment, type Unsupervised } from './experiment.ts'

/** One column of the figure: a model, and which of its classes stands for each species. */
export interface Panel {
  readonly title: string
  readonly subtitle: string
  readonly model: Model
  readonly order: readonly number[]
}

const CHART = { width: 400, height: 150, gap: 16 }
const MARGIN = { left: 24, top: 96, bottom: 20 }

export const irisPanels = ({ supervised, unsupervised, smoothed, normal, species }: IrisExperiment): Panel[] => [
  {
    title: 'Species known',
    subtitle: `closed form · classifies ${supervised.agreement.toFixed(3)} of its own flowers`,
    model: supervised.model,
    order: species.map((_, k) => k),
  },
  {
    title: 'Species hidden',
    subtitle: `maximum likelihood, loss ${unsupervised.result.loss.toFixed(2)} · agreement ${unsupervised.agreement.toFixed(3)}`,
    model: unsupervised.model,
    order: unsupervised.order,
  },
  {
    title: 'Species hidden, with smoothing',
    subtitle: `smoothed over ${widthOf(smoothed)} bins · agreement ${smoothed.agreement.toFixed(3)}`,
    model: smoothed.model,
    order: smoothed.order,
  },
  {
    title: 'Species hidden, normal distributions',
    subtitle: `measured to 0.1 cm, loss ${normal.result.loss.toFixed(2)} · agreement ${normal.agreement.toFixed(3)}`,
    model: normal.model,
    order: normal.order,
  },
]

export const widthOf = ({ result }: Unsupervised): number => result.smoothing?.width ?? 0

/** The paper's figure: P[feature | class] of the four features, one row each, one column per panel. */
export const irisFigure = (species: readonly string[], panels: readonly Panel[]): string => {
  const document = plainDocument()
  const text = (x: number, y: number, content: string, attributes = {}) =>
    textElement(document, content, { x, y, 'font-size': 13, ...attributes })
  const across = (column: number) => MARGIN.left + column * (CHART.width + CHART.gap)
  const legend = species.flatMap((name, k) => {
    const x = MARGIN.left + 44 + k * 110
    const swatch = { x, y: 20, width: 14, height: 14, rx: 2, fill: classColour(k) }
    return [element(document, 'rect', swatch), text(x + 20, 32, name)]
  })
  const columns = panels.flatMap((panel, column) => [
    text(across(column) + 44, 62, panel.title, { 'font-size': 15, 'font-weight': 600 }),
    text(across(column) + 44, 80, panel.subtitle, { 'font-size': 11.5, fill: MUTED }),
    ...FEATURES.map((_, row) => {
      const { node } = chart(document, species, panel, panels, row)
      node.setAttribute('transform', `translate(${across(column)},${MARGIN.top + row * CHART.height})`)
      return node
    }),
  ])
  const measure = text(MARGIN.left + 44 + species.length * 110, 32, 'P[feature | class]', { fill: MUTED })
  const words = {
    title: 'P[feature | class] of the four Iris features',
    description: `Columns: ${panels.map(({ title, subtitle }) => `${title} (${subtitle})`).join(', ')}.`,
  }
  const whole = {
    node: element(document, 'g', {}, ...legend, measure, ...columns),
    height: MARGIN.top + FEATURES.length * CHART.height + MARGIN.bottom,
  }
  return svgFile(figure({ document, width: across(panels.length) }, words, [whole]))
}

/** One feature of one panel: the three distributions over the measurements, on axes that all panels share. */
const chart = (
  document: Document,
  species: readonly string[],
  panel: Panel,
  panels: readonly Panel[],
  row: number,
): Piece => {
  const { name, from, to } = FEATURES[row]
  const highest = Math.max(...panels.flatMap(({ model, order }) => order.flatMap(k => model.profile(row, k))))
  const axis = { label: null, fill: MUTED } as const
  return plotPiece(document, {
    width: CHART.width,
    height: CHART.height,
    marginLeft: 44,
    marginBottom: 34,
    marginTop: 8,
    x: { domain: [from / 10 - 0.05, to / 10 + 0.05] },
    y: { domain: [0, highest * 1.05] },
    marks: [
      gridY({ ticks: 4, stroke: GRID, strokeOpacity: 1 }),
      ...species.flatMap((_, k) => {
        const points = panel.model
          .profile(row, panel.order[k])
          .map((probability, j) => ({ cm: (from + j) / 10, probability }))
        const step = { x: 'cm', curve: 'step' } as const
        return [
          areaY(points, { ...step, y1: 0, y2: 'probability', fill: classColour(k), fillOpacity: 0.28 }),
          lineY(points, { ...step, y: 'probability', stroke: classColour(k), strokeWidth: 1.4 }),
        ]
      }),
      ruleY([0]),
      axisX({ ...axis, label: `${name} (cm)`, labelAnchor: 'center', labelArrow: 'none' }),
      axisY({ ...axis, ticks: 4, tickFormat: '.2f', tickSize: 0 }),
    ],
  })
}
