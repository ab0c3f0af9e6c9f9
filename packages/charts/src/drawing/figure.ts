import { type PlotOptions, plot } from '@observablehq/plot'
import { INK, MUTED } from './colours.ts'
import { cleanText, FONT, FONT_SIZE, takeCutTexts, wrapText } from './label-text.ts'

/** Options of every chart: document, width and, if they differ from the page's, colours. */
export interface ChartOptions {
  readonly document: Document
  /** In pixels. It decides the layout: small multiples stand in fewer columns where there is less room. */
  readonly width: number
  /** One per class. Default: the custom properties --class-1, --class-2, …, each with a fallback. */
  readonly colours?: readonly string[]
  /** The place of each class among the symbols and dashes of lines. Default: its own place. */
  readonly places?: readonly number[]
  /** Whether charts explain the colours of the classes: a page of many charts says it once. Default true. */
  readonly legend?: boolean
  /** Whether profiles and lines are heat maps. Default: with more than 5 classes or 20 variables. */
  readonly heatMap?: boolean
  /** Where the numbers of the common axis of profiles stand: beside the chart, where the page has room for them, or nowhere. Default: within. */
  readonly axis?: 'beside' | 'none'
  /** Whether profiles and lines show P[label] over all classes beside those of the classes: what independence expects. Default false. */
  readonly reference?: boolean
  /** Whether profiles have unseen areas to point at, one for each label. Default false. */
  readonly targets?: boolean
}

const SVG = 'http://www.w3.org/2000/svg'

export type Attributes = Readonly<Record<string, string | number>>

/**
 * An SVG element with its attributes and children; text among them is text.
 * @example
 * element(document, 'g', { class: 'panel' }, element(document, 'rect', { width: 4 })).childNodes.length // 1
 */
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

/**
 * A piece of text, as a text node.
 * @example
 * textElement(document, '<b>', { x: 4 }).textContent // '<b>'
 */
export const textElement = (document: Document, content: string, attributes: Attributes): SVGTextElement =>
  element(document, 'text', { fill: INK, ...attributes }, cleanText(content))

/** A part of a chart that has been drawn, and the room it takes. */
export interface Piece {
  readonly node: SVGElement
  readonly height: number
}

/**
 * A piece drawn by Observable Plot: with the font of all charts, and no axes but those among its marks.
 * @example
 * plotPiece(document, { width: 200, height: 100, marks: [] }).height // 100
 */
export const plotPiece = (document: Document, options: PlotOptions & { width: number; height: number }): Piece => {
  const drawn = plot({
    ...options,
    // Axes are marks of their own, drawn where they are wanted.
    x: { axis: null, ...options.x },
    y: { axis: null, ...options.y },
    document,
    style: { fontFamily: FONT, fontSize: `${FONT_SIZE}px`, background: 'none' },
  })
  const node = element(document, 'g', { 'text-anchor': 'middle', fill: INK })
  for (const child of [...drawn.children]) {
    if (child.localName === 'style') continue
    roundNumbers(child)
    node.append(child)
  }
  return { node, height: options.height }
}

/** What Plot computes, to a hundredth of a pixel: half of the size of a chart is digits that nobody sees. */
const roundNumbers = (drawn: Element): void => {
  for (const { name, value } of [...drawn.attributes]) {
    // Groups are named for screen readers, as if they were something apart from the chart.
    if (name.startsWith('aria-')) drawn.removeAttribute(name)
    else if (/\.\d{3}/.test(value))
      drawn.setAttribute(
        name,
        value.replace(/-?\d+\.\d{3,}/g, digits => `${round(Number(digits))}`),
      )
  }
  for (const child of drawn.children) roundNumbers(child)
}

/** A remark in words, in as many lines as it takes, up to three. */
export const textPiece = ({ document, width }: ChartOptions, text: string, size = FONT_SIZE): Piece => {
  const line = size * 1.4
  const lines = wrapText(text, width, size).map((each, i) =>
    textElement(document, each, { y: size + i * line, 'font-size': size, fill: MUTED }),
  )
  return { node: element(document, 'g', {}, ...lines), height: lines.length * line }
}

interface Placed extends Piece {
  readonly x: number
  readonly y: number
}

/** Where pieces stand in columns, row by row; a row is as high as its highest piece. */
export interface Grid {
  readonly columns: number
  /** Of one piece. */
  readonly width: number
}

/** Between columns. */
const GAP = 24
const ROW_GAP = 14

/** As many columns as there is room for, of pieces at least so wide. */
export const gridOf = (count: number, width: number, least: number, gap = GAP): Grid => {
  const columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (least + gap))))
  return { columns, width: (width - gap * (columns - 1)) / columns }
}

const placeInGrid = (pieces: readonly Piece[], { columns, width }: Grid, gap = GAP): Placed[] => {
  const placed: Placed[] = []
  let y = 0
  for (let from = 0; from < pieces.length; from += columns) {
    const row = pieces.slice(from, from + columns)
    row.forEach((piece, column) => {
      placed.push({ ...piece, x: column * (width + gap), y })
    })
    y += Math.max(...row.map(({ height }) => height)) + ROW_GAP
  }
  return placed
}

/** Pieces one below the other. */
export const stacked = (pieces: readonly Piece[], gap = ROW_GAP): Placed[] => {
  let y = 0
  return pieces.map(piece => {
    const placed = { ...piece, x: 0, y }
    y += piece.height + gap
    return placed
  })
}

/** Pieces in columns as one piece. */
export const gridPiece = (document: Document, pieces: readonly Piece[], grid: Grid): Piece => {
  const placed = placeInGrid(pieces, grid)
  return { node: element(document, 'g', {}, ...placed.map(moved)), height: bottomOf(placed) }
}

const moved = ({ node, x, y }: Placed): SVGElement => {
  node.setAttribute('transform', `translate(${round(x)},${round(y)})`)
  return node
}

/** Where the pieces end. */
const bottomOf = (placed: readonly Placed[]): number => Math.max(0, ...placed.map(({ y, height }) => y + height))

/**
 * A chart: its pieces one below the other, with a description for screen readers.
 * @example
 * const piece = plotPiece(document, { width: 200, height: 100, marks: [] })
 * figure({ document, width: 200 }, { title: 'Nothing', description: 'An empty chart.' }, [piece]).getAttribute('height') // '100'
 */
export const figure = (
  { document, width }: ChartOptions,
  { title, description }: { readonly title: string; readonly description: string },
  pieces: readonly Piece[],
): SVGSVGElement => {
  const height = Math.ceil(bottomOf(stacked(pieces)))
  const svg = element(document, 'svg', {
    xmlns: SVG,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    // Screen readers say the name of a picture, and few say its description.
    'aria-label': cleanText([title, description].filter(text => text !== '').join('. ')),
    'font-family': FONT,
    'font-size': FONT_SIZE,
    fill: INK,
  })
  const whole = takeCutTexts()
  if (whole.size > 0) for (const { node } of pieces) explainCut(document, node, whole)
  svg.append(
    element(document, 'title', {}, cleanText(title)),
    element(document, 'desc', {}, cleanText(description)),
    ...stacked(pieces).map(moved),
  )
  return svg
}

/** Texts that were cut say the whole to whoever points at them. */
const explainCut = (document: Document, drawn: Element, whole: ReadonlyMap<string, string>): void => {
  if (drawn.localName !== 'text') {
    for (const child of [...drawn.children]) explainCut(document, child, whole)
    return
  }
  const lines = drawn.children.length === 0 ? [drawn] : [...drawn.children]
  // A share may stand after the name.
  const fullOf = (line: string) => whole.get(line) ?? whole.get(`${line.split('…')[0]}…`)
  const full = lines.map(line => fullOf(line.textContent ?? '')).find(text => text !== undefined)
  if (full === undefined) return
  // Around it, so that its text stays what is seen.
  const around = element(document, 'g', {}, element(document, 'title', {}, full))
  drawn.replaceWith(around)
  around.append(drawn)
}

const round = (value: number): number => Math.round(value * 100) / 100
