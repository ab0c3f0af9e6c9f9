import { rect, text } from '@observablehq/plot'
import type { ChartTable, MixesData } from '../data/chart-data.ts'
import { BACKGROUND, classColour } from '../drawing/colours.ts'
import { type ChartOptions, figure, type Piece, plotPiece } from '../drawing/figure.ts'
import { cleanText, countedText, percentText } from '../drawing/label-text.ts'
import { classLegend } from '../drawing/legend.ts'
import { eachStandsFor } from '../drawing/standing.ts'
import { classWords, labelRoom, probabilityX, rowLabels } from './axes.ts'

const ROW = 30
/** Below the rows. */
const AXIS = 22
/** A size is written in a part at least so wide. */
const WRITTEN = 26

/**
 * The class sizes within each class of groups: a bar for each, with the group classes that more groups are in first.
 * @example
 * const groups = [{ name: 'group class 1', share: 1, mix: [0.6, 0.4] }]
 * mixesChart({ classes: classesOf(model), groups }, { document, width: 800 }).getAttribute('role') // 'img'
 */
export const mixesChart = (data: MixesData, options: ChartOptions): SVGSVGElement => {
  const { classes, groups } = data
  const largest = groups.map(({ name, share, mix }) => {
    const k = mix.indexOf(Math.max(...mix))
    return `${cleanText(name)} (${percentText(share, 1)} of the groups) mostly ${cleanText(classes[k].name)} (${percentText(mix[k], 1)})`
  })
  return figure(
    options,
    {
      title: `Class sizes within ${countedText(groups.length, 'class', 'classes')} of groups`,
      description: `${classWords(classes)}. ${largest.join('; ')}.`,
    },
    [...(options.legend === false ? [] : [classLegend(options, classes)]), barsPiece(data, options)],
  )
}

const barsPiece = ({ groups }: MixesData, { document, width, colours }: ChartOptions): Piece => {
  const labels = groups.map(({ name, share }) => `${name} (${percentText(share)})`)
  const marginLeft = labelRoom(labels, width)
  const marginRight = 18
  const parts = groups.flatMap(({ mix }, row) => {
    let to = 0
    return mix.map((share, k) => {
      const from = to
      to += share
      return { row, k, share, from, to }
    })
  })
  const wide = parts.filter(({ share }) => share * (width - marginLeft - marginRight) >= WRITTEN)
  return plotPiece(document, {
    width,
    height: groups.length * ROW + AXIS,
    marginLeft,
    marginRight,
    marginTop: 0,
    marginBottom: AXIS,
    x: { type: 'linear', domain: [0, 1] },
    y: { type: 'linear', domain: [0, groups.length], reverse: true },
    marks: [
      ...probabilityX(),
      rect(parts, {
        x1: d => d.from,
        x2: d => d.to,
        y1: d => d.row + 0.12,
        y2: d => d.row + 0.88,
        fill: d => classColour(d.k, colours),
        stroke: BACKGROUND,
        ...eachStandsFor(i => ({ class: parts[i].k })),
      }),
      text(wide, {
        x: d => (d.from + d.to) / 2,
        y: d => d.row + 0.5,
        text: d => (100 * d.share).toFixed(0),
        fontSize: 11,
        fill: BACKGROUND,
        ...eachStandsFor(i => ({ class: wide[i].k })),
      }),
      rowLabels(labels, marginLeft),
    ],
  })
}

export const mixesTable = ({ classes, groups }: MixesData): ChartTable => ({
  columns: ['group class', 'of the groups', ...classes.map(({ name }) => name)],
  rows: groups.map(({ name, share, mix }) => [name, share, ...mix]),
})
