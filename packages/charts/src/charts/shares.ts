import { rect, text } from '@observablehq/plot'
import type { ChartTable, SharesData } from '../data/chart-data.ts'
import { BACKGROUND, classColour } from '../drawing/colours.ts'
import { type ChartOptions, figure, type Piece, plotPiece } from '../drawing/figure.ts'
import { cleanText, countedText, percentText, pixelsOf } from '../drawing/label-text.ts'
import { BOLD } from '../drawing/legend.ts'
import { eachStandsFor } from '../drawing/standing.ts'
import { classWords } from './axes.ts'
import { barRows } from './bar-rows.ts'

/**
 * Chart of class sizes: one bar if every name fits into its part, otherwise a row for each class.
 * @example
 * const chart = sharesChart({ classes: classesOf(model) }, { document, width: 640 })
 * chart.querySelector('title')?.textContent // 'Class sizes: class 1 60.0%, class 2 40.0%'
 */
export const sharesChart = (data: SharesData, options: ChartOptions): SVGSVGElement => {
  const { classes } = data
  const bounded = classes.some(({ interval }) => interval)
  const fits = ({ name, share }: SharesData['classes'][number]) => pixelsOf(name) * BOLD + 10 <= share * options.width
  const sizes = classes.map(({ name, share }) => `${cleanText(name)} ${percentText(share, 1)}`).join(', ')
  return figure(
    options,
    {
      title: `Class sizes: ${sizes}`,
      description: `${countedText(classes.length, 'class', 'classes')}. ${classWords(classes)}.`,
    },
    [!bounded && classes.every(fits) ? oneBar(data, options) : rows(data, options)],
  )
}

const oneBar = ({ classes }: SharesData, { document, width, colours }: ChartOptions): Piece => {
  let before = 0
  const parts = classes.map(({ name, share }, k) => {
    const from = before
    before += share
    return { name, share, k, from, to: before }
  })
  const ofClass = eachStandsFor(k => ({ class: k }))
  const line = { x: (d: (typeof parts)[number]) => d.from, dx: 1, textAnchor: 'start' } as const
  return plotPiece(document, {
    width,
    height: 64,
    marginLeft: 0,
    marginRight: 0,
    marginTop: 0,
    marginBottom: 0,
    x: { type: 'linear', domain: [0, before] },
    y: { type: 'linear', domain: [0, 64], reverse: true },
    marks: [
      rect(parts, {
        x1: d => d.from,
        x2: d => d.to,
        y1: 0,
        y2: 26,
        fill: d => classColour(d.k, colours),
        stroke: BACKGROUND,
        strokeWidth: 1.5,
        ...ofClass,
      }),
      text(parts, { ...line, y: () => 38, text: d => cleanText(d.name), fontWeight: 600, ...ofClass }),
      text(parts, { ...line, y: () => 55, text: d => percentText(d.share, 1), ...ofClass }),
    ],
  })
}

const rows = ({ classes }: SharesData, { document, width, colours }: ChartOptions): Piece =>
  barRows(
    document,
    classes.map(({ name, share, interval }, k) => ({
      label: name,
      value: share,
      text: percentText(share, 1),
      colour: classColour(k, colours),
      stands: { class: k },
      ...(interval && { interval }),
    })),
    width,
    Math.max(...classes.map(({ share, interval }) => Math.max(share, interval?.[1] ?? 0))),
  )

export const sharesTable = ({ classes }: SharesData): ChartTable => ({
  columns: ['class', 'share', 'low', 'high'],
  rows: classes.map(({ name, share, interval }) => [name, share, interval?.[0] ?? null, interval?.[1] ?? null]),
})
