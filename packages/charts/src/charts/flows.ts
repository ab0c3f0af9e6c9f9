import type { ChangeData, ChartTable } from '../data/chart-data.ts'
import { BACKGROUND, classColour, MUTED } from '../drawing/colours.ts'
import { type ChartOptions, element, figure, type Piece, textElement } from '../drawing/figure.ts'
import { bandPath, flowLayout } from '../drawing/flow-layout.ts'
import { cleanText, countedText, fitText, percentText, pixelsOf } from '../drawing/label-text.ts'
import { classLegend } from '../drawing/legend.ts'
import { standingFor } from '../drawing/standing.ts'
import { classWords } from './axes.ts'

const HEIGHT = 280
/** Names of waves below the bars. */
const NAMES = 22
/** The widest bar, and the part of a step that a bar takes if there are many. */
const BAR = { widest: 46, part: 0.4 }
/** A size is written in a bar at least so wide and high. */
const WRITTEN = { width: 26, height: 15 }
/** The longest name of a wave. */
const LONGEST_NAME = 110

/**
 * How people move between classes from wave to wave: a bar for each wave, with bands between that are as wide as the part of all people who take
 * that way.
 * @example
 * const waves = [{ name: '2020', sizes: [0.6, 0.4] }, { name: '2022', sizes: [0.5, 0.5] }]
 * const change = { classes: classesOf(model), waves, transitions: [[[0.8, 0.2], [0.05, 0.95]]] }
 * flowsChart(change, { document, width: 800 }).getAttribute('role') // 'img'
 */
export const flowsChart = (data: ChangeData, options: ChartOptions): SVGSVGElement => {
  const { classes, waves } = data
  return figure(
    options,
    {
      title: `Moves between ${countedText(classes.length, 'class', 'classes')} over ${countedText(waves.length, 'wave')}, ${cleanText(waves[0].name)} to ${cleanText(waves[waves.length - 1].name)}`,
      description: `${classWords(classes)}. ${classes.map(({ name }, k) => `${cleanText(name)}: ${percentText(waves[0].sizes[k], 1)} at first, ${percentText(waves[waves.length - 1].sizes[k], 1)} at last`).join('; ')}.`,
    },
    [...(options.legend === false ? [] : [classLegend(options, classes)]), flowsPiece(data, options)],
  )
}

/** How much of all people goes from each class to each class, after each wave but the last. */
const flowsOf = ({ waves, transitions }: ChangeData, t: number): number[][] | null =>
  t + 1 >= waves.length
    ? null
    : waves[t].sizes.map((size, k) => transitions[transitions.length === 1 ? 0 : t][k].map(part => size * part))

const flowsPiece = (data: ChangeData, { document, width, colours }: ChartOptions): Piece => {
  const { waves } = data
  const { bars, bands } = flowLayout(
    waves.map(({ sizes }, t) => ({
      classes: sizes.map((share, k) => ({ k, place: k, share })),
      flows: flowsOf(data, t),
    })),
  )
  const step = width / (waves.length - 1 + BAR.part)
  const bar = Math.min(BAR.widest, step * BAR.part)
  const x = (t: number) => round((t * (width - bar)) / (waves.length - 1))
  const y = (share: number) => share * HEIGHT
  const node = element(document, 'g')
  for (const band of bands)
    node.append(
      standingFor(
        element(document, 'path', {
          d: bandPath(band, x(band.from) + round(bar), x(band.from + 1), y),
          fill: classColour(band.k, colours),
          'fill-opacity': 0.35,
        }),
        { class: band.k },
      ),
    )
  for (const { at, k, top, bottom } of bars) {
    const rect = {
      x: x(at),
      y: round(y(top)),
      width: round(bar),
      height: round(Math.max(0, y(bottom) - y(top))),
      fill: classColour(k, colours),
      stroke: BACKGROUND,
    }
    node.append(standingFor(element(document, 'rect', rect), { class: k }))
    if (bar < WRITTEN.width || y(bottom) - y(top) < WRITTEN.height) continue
    // On any colour of a class the colour of the page can be read.
    const written = {
      x: round(x(at) + bar / 2),
      y: round(y((top + bottom) / 2) + 4),
      'text-anchor': 'middle',
      'font-size': 11,
      fill: BACKGROUND,
    }
    node.append(textElement(document, (100 * (bottom - top)).toFixed(0), written))
  }
  node.append(...waveNames(data, document, width, x, bar))
  return { node, height: HEIGHT + NAMES }
}

/** As many names as there is room for, the first and the last among them. */
const waveNames = (
  { waves }: ChangeData,
  document: Document,
  width: number,
  x: (t: number) => number,
  bar: number,
): SVGTextElement[] => {
  const last = waves.length - 1
  const widest = Math.min(LONGEST_NAME, Math.max(...waves.map(({ name }) => pixelsOf(cleanText(name)))))
  const each = Math.max(1, Math.ceil((widest + 8) / (width / last)))
  return waves.flatMap(({ name }, t) => {
    const isShown = t === last || (t % each === 0 && last - t >= each)
    if (!isShown) return []
    const shown = fitText(name, widest)
    const half = pixelsOf(shown) / 2
    const middle = x(t) + bar / 2
    const [anchor, at] =
      middle < half
        ? (['start', 0] as const)
        : middle > width - half
          ? (['end', width] as const)
          : (['middle', middle] as const)
    return [textElement(document, shown, { x: round(at), y: HEIGHT + 16, 'text-anchor': anchor, fill: MUTED })]
  })
}

const round = (value: number): number => Math.round(value * 100) / 100

export const flowsTable = (data: ChangeData): ChartTable => ({
  columns: ['wave', 'class', 'size', ...data.classes.map(({ name }) => `of all, at the next wave in ${name}`)],
  rows: data.waves.flatMap(({ name, sizes }, t) => {
    const flows = flowsOf(data, t)
    return sizes.map((size, k) => [
      name,
      data.classes[k].name,
      size,
      ...data.classes.map((_, l) => flows?.[k][l] ?? null),
    ])
  }),
})
