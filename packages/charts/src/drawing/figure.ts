import { type PlotOptions, plot } from '@observablehq/plot'
import { INK, MUTED } from './colours.ts'
import { cleanText, FONT, FONT_SIZE } from './label-text.ts'

/** What every chart is told: where to make elements, how wide it may be, and, where the page's are not to be used, its colours. */
export interface ChartOptions {
  readonly document: Document
  /** In pixels. It decides the layout: small multiples stand in fewer columns where there is less room. */
  readonly width: number
  /** One per class. Default: the custom properties --class-1, --class-2, …, each with a fallback. */
  readonly colours?: readonly string[]
}

const SVG = 'http://www.w3.org/2000/svg'

export type Attributes = Readonly<Record<string, string | number>>

export const element = <K extends keyof SVGElementTagNameMap>(
  document: Document,
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] => {
  const made = document.createElementNS(SVG, name) as SVGElementTagNameMap[K]
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  for (const child of children) made.append(child)
  return made
}

/** A piece of text: what it says is a text node, never markup. */
export const textElement = (document: Document, content: string, attributes: Attributes): SVGTextElement =>
  element(document, 'text', { fill: INK, ...attributes }, cleanText(content))

/** A part of a chart that has been drawn, and the room it takes. */
export interface Piece {
  readonly node: SVGElement
  readonly height: number
}

/** A piece drawn by Observable Plot. */
export const plotPiece = (document: Document, options: PlotOptions & { width: number; height: number }): Piece => {
  const drawn = plot({
    ...options,
    document,
    style: { fontFamily: FONT, fontSize: `${FONT_SIZE}px`, background: 'none' },
  })
  const node = element(document, 'g', { 'text-anchor': 'middle', fill: INK })
  for (const child of [...drawn.childNodes]) if (child.nodeName.toLowerCase() !== 'style') node.append(child)
  return { node, height: options.height }
}

/** A piece made of lines of text. */
export const textPiece = (document: Document, lines: readonly string[], size = FONT_SIZE): Piece => ({
  node: element(
    document,
    'g',
    {},
    ...lines.map((line, i) =>
      textElement(document, line, { y: size + i * size * 1.4, 'font-size': size, fill: MUTED }),
    ),
  ),
  height: lines.length * size * 1.4,
})

export interface Placed extends Piece {
  readonly x: number
  readonly y: number
}

/** Where pieces stand in columns, row by row; a row is as high as its highest piece. */
export interface Grid {
  readonly columns: number
  /** Of one piece. */
  readonly width: number
}

/** As many columns as there is room for, of pieces at least so wide. */
export const gridOf = (count: number, width: number, least: number, gap = 24): Grid => {
  const columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (least + gap))))
  return { columns, width: (width - gap * (columns - 1)) / columns }
}

export const placeInGrid = (pieces: readonly Piece[], { columns, width }: Grid, top: number, gap = 24): Placed[] => {
  const placed: Placed[] = []
  let y = top
  for (let from = 0; from < pieces.length; from += columns) {
    const row = pieces.slice(from, from + columns)
    row.forEach((piece, column) => {
      placed.push({ ...piece, x: column * (width + gap), y })
    })
    y += Math.max(...row.map(({ height }) => height)) + ROW_GAP
  }
  return placed
}

const ROW_GAP = 14

/** Where the pieces end. */
export const bottomOf = (placed: readonly Placed[]): number => Math.max(0, ...placed.map(({ y, height }) => y + height))

/** A whole chart: its pieces, with what it shows in words for those who cannot see it. */
export const figure = (
  { document, width }: ChartOptions,
  { title, description }: { readonly title: string; readonly description: string },
  pieces: readonly Placed[],
): SVGSVGElement => {
  const height = Math.ceil(bottomOf(pieces))
  const svg = element(document, 'svg', {
    xmlns: SVG,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': cleanText(title),
    'font-family': FONT,
    'font-size': FONT_SIZE,
    fill: INK,
  })
  svg.append(
    element(document, 'title', {}, cleanText(title)),
    element(document, 'desc', {}, cleanText(description)),
    ...pieces.map(({ node, x, y }) => {
      node.setAttribute('transform', `translate(${round(x)},${round(y)})`)
      return node
    }),
  )
  return svg
}

const round = (value: number): number => Math.round(value * 100) / 100
