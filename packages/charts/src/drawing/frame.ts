import { INK, MUTED } from './colours.ts'
import { element, figure, textElement } from './figure.ts'
import { countedText, wrapText } from './label-text.ts'

/** A chart as it is handed on: with a title above it, where its data is from below it, and margins. */

/** What stands around a chart, and how large the whole is. */
export interface Frame {
  /** In pixels of 1/96 inch. */
  readonly width: number
  /** Default: what the chart needs. If it is given, the chart is drawn as large as fits. */
  readonly height?: number
  readonly title?: string
  readonly source?: string
  /** On all sides, in pixels. Default 24. */
  readonly margin?: number
}

/** Usual sizes: one column of a journal (90 mm), the width of a page (180 mm), a slide of 16 : 9. */
export const FRAME_SIZES = {
  column: { width: 340 },
  page: { width: 680 },
  slide: { width: 1280, height: 720 },
} as const satisfies Readonly<Record<string, Pick<Frame, 'width' | 'height'>>>

const MARGIN = 24
/** Heights of letters, in pixels, and of their lines as a multiple. */
const titleSize = (width: number): number => (width < 480 ? 15 : 18)
const SOURCE = 11
const LINE = 1.35
/** Between the title or the source and the chart. */
const GAP = 14
/** The narrowest chart that can be drawn, in pixels. */
const NARROWEST = 240
/** How large a chart is drawn if its height is given: the first at which it fits. */
const SCALES = [2, 1.75, 1.5, 1.25, 1, 0.87, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25]

/**
 * Where the data of a chart is from: trees.csv · 120 observations · Polyad.
 * @example
 * sourceLine('trees.csv', 120) // 'trees.csv · 120 observations · Polyad'
 */
export const sourceLine = (name: string | null, observations: number | null): string =>
  [name, observations === null ? null : countedText(observations, 'observation'), 'Polyad']
    .filter(part => part !== null && part !== '')
    .join(' · ')

interface Parts {
  readonly chart: SVGSVGElement
  readonly scale: number
  readonly title: readonly string[]
  /** Of the letters of the title, before they are enlarged. */
  readonly size: number
  readonly source: readonly string[]
  /** How much larger title and source are than usual. */
  readonly zoom: number
}

const heightOf = ({ chart, scale, title, size: own, source, zoom }: Parts): number => {
  const text = (lines: readonly string[], high: number) =>
    lines.length === 0 ? 0 : zoom * (lines.length * high * LINE + GAP)
  return text(title, own) + scale * Number(chart.getAttribute('height')) + text(source, SOURCE)
}

/**
 * A chart in its frame. Its layout follows the width that is left, so letters keep their size unless a height is given.
 * @example
 * const frame = { width: 680, title: 'Class sizes', source: sourceLine('trees.csv', 120) }
 * const data = { classes: classesOf(model) }
 * const chart = framedChart(document, frame, width => sharesChart(data, { document, width }))
 * chart.getAttribute('width') // '680'
 */
export const framedChart = (
  document: Document,
  { width, height, title = '', source = '', margin = MARGIN }: Frame,
  draw: (width: number) => SVGSVGElement,
): SVGSVGElement => {
  const room = width - 2 * margin
  const size = titleSize(width)
  const partsAt = (scale: number): Parts => {
    const zoom = Math.min(1.6, Math.max(1, scale))
    const lines = (text: string, high: number) => (text === '' ? [] : wrapText(text, room, high * zoom, 2))
    const chart = draw(Math.max(NARROWEST, Math.round(room / scale)))
    // A chart may be wider than it was asked to be.
    const drawn = Math.min(scale, room / Number(chart.getAttribute('width')))
    return { chart, scale: drawn, zoom, size, title: lines(title, size), source: lines(source, SOURCE) }
  }
  const inside = height === undefined ? Number.POSITIVE_INFINITY : height - 2 * margin
  let parts = partsAt(height === undefined ? 1 : SCALES[0])
  for (const scale of height === undefined ? [] : SCALES.slice(1)) {
    if (heightOf(parts) <= inside) break
    parts = partsAt(scale)
  }
  // What fits at no scale is shrunk until it does.
  const most = inside - (heightOf(parts) - parts.scale * Number(parts.chart.getAttribute('height')))
  const scale = Math.min(parts.scale, most / Number(parts.chart.getAttribute('height')))
  const whole = height ?? Math.ceil(heightOf({ ...parts, scale }) + 2 * margin)
  return assembled(document, { ...parts, scale }, { width, height: whole, title, margin })
}

const assembled = (
  document: Document,
  { chart, scale, title, size, source, zoom }: Parts,
  { width, height, title: name, margin }: Required<Omit<Frame, 'source'>>,
): SVGSVGElement => {
  const [ownName, description] = ['title', 'desc'].map(tag => chart.querySelector(tag)?.textContent ?? '')
  const line = (high: number, i: number) => zoom * high * (0.95 + i * LINE)
  const above = title.length === 0 ? 0 : zoom * (title.length * size * LINE + GAP)
  const below = height - margin - zoom * source.length * SOURCE * LINE
  const left = margin + (width - 2 * margin - scale * Number(chart.getAttribute('width'))) / 2
  const drawing = [...chart.childNodes].filter(node => !['title', 'desc'].includes((node as Element).localName))
  const place = [left, margin + above].map(each => Math.round(each * 100) / 100).join(',')
  const node = element(
    document,
    'g',
    {},
    ...title.map((text, i) =>
      textElement(document, text, {
        x: margin,
        y: Math.round(margin + line(size, i)),
        'font-size': Math.round(size * zoom),
        'font-weight': 600,
        fill: INK,
      }),
    ),
    element(
      document,
      'g',
      { transform: `translate(${place})${scale === 1 ? '' : ` scale(${Math.round(scale * 1e4) / 1e4})`}` },
      ...drawing,
    ),
    ...source.map((text, i) =>
      textElement(document, text, {
        x: margin,
        y: Math.round(below + line(SOURCE, i)),
        'font-size': Math.round(SOURCE * zoom),
        fill: MUTED,
      }),
    ),
  )
  return figure({ document, width }, { title: name === '' ? ownName : name, description }, [{ node, height }])
}
