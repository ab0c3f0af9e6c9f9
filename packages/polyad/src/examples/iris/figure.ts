import * as Plot from '@observablehq/plot'
import type { Model } from '@polyad/core'
import { CLASS_COLOURS, drawPlot, escapeXml, FONT, place } from '../../report/figure.ts'
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

export const irisPanels = ({ supervised, unsupervised, smoothed, species }: IrisExperiment): Panel[] => [
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
    title: 'Species hidden, neighbours alike',
    subtitle: `smoothed over ${widthOf(smoothed)} labels · agreement ${smoothed.agreement.toFixed(3)}`,
    model: smoothed.model,
    order: smoothed.order,
  },
]

export const widthOf = ({ result }: Unsupervised): number => result.smoothing?.width ?? 0

/** The paper's figure: P[feature | class] of the four features, one row each, one column per panel. */
export const irisFigure = (species: readonly string[], panels: readonly Panel[]): string => {
  const width = MARGIN.left + panels.length * (CHART.width + CHART.gap)
  const height = MARGIN.top + FEATURES.length * CHART.height + MARGIN.bottom
  const charts = panels.flatMap((panel, column) => {
    const x = MARGIN.left + column * (CHART.width + CHART.gap)
    return [
      text(x + 44, 62, panel.title, 'font-size="15" font-weight="600"'),
      text(x + 44, 80, panel.subtitle, 'font-size="11.5" fill="#555"'),
      ...FEATURES.map((_, row) => place(chart(species, panel, panels, row), x, MARGIN.top + row * CHART.height)),
    ]
  })
  const legend = species.map((name, k) => {
    const x = MARGIN.left + 44 + k * 110
    return (
      `<rect x="${x}" y="20" width="14" height="14" rx="2" fill="${CLASS_COLOURS[k]}" fill-opacity="0.75"/>` +
      text(x + 20, 32, name, 'font-size="13"')
    )
  })
  legend.push(text(MARGIN.left + 44 + species.length * 110, 32, 'P[feature | class]', 'font-size="13" fill="#555"'))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="${escapeXml(FONT)}" role="img" aria-label="P[feature | class] of the four Iris features">` +
    `<rect width="100%" height="100%" fill="#fff"/>${legend.join('')}${charts.join('')}</svg>\n`
  )
}

const text = (x: number, y: number, content: string, attributes: string): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escapeXml(content)}</text>`

/** One feature of one panel: the three distributions over the measurements, on axes that all panels share. */
const chart = (species: readonly string[], panel: Panel, panels: readonly Panel[], row: number): string => {
  const { name, from, to } = FEATURES[row]
  const points = species.flatMap((label, k) =>
    panel.model.profile(row, panel.order[k]).map((probability, j) => ({ cm: (from + j) / 10, probability, label })),
  )
  const highest = Math.max(...panels.flatMap(({ model, order }) => order.flatMap(k => model.profile(row, k))))
  return drawPlot({
    width: CHART.width,
    height: CHART.height,
    marginLeft: 44,
    marginBottom: 34,
    marginTop: 8,
    style: { fontFamily: FONT, fontSize: '11px', background: 'none' },
    x: { domain: [from / 10 - 0.05, to / 10 + 0.05], label: `${name} (cm)`, labelAnchor: 'center', labelArrow: 'none' },
    y: { domain: [0, highest * 1.05], label: null, ticks: 4, grid: true, tickFormat: '.2f' },
    color: { domain: [...species], range: CLASS_COLOURS.slice(0, species.length) },
    marks: [
      Plot.areaY(points, {
        x: 'cm',
        y1: 0,
        y2: 'probability',
        fill: 'label',
        fillOpacity: 0.28,
        curve: 'step',
        z: 'label',
      }),
      Plot.lineY(points, { x: 'cm', y: 'probability', stroke: 'label', strokeWidth: 1.4, curve: 'step', z: 'label' }),
      Plot.ruleY([0]),
    ],
  })
}
