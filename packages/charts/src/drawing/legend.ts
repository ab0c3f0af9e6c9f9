import type { ChartClass } from '../data/chart-data.ts'
import { classColour } from './colours.ts'
import { type ChartOptions, element, type Piece, textElement } from './figure.ts'
import { FONT_SIZE, fitText, percentText, pixelsOf } from './label-text.ts'
import { type StandsFor, standingFor } from './standing.ts'

const SWATCH = 11
const LINE = 20
/** The widest a name may be where there are several. */
const WIDEST = 220

/** Which colour is which class, with its size: in as many lines as it takes. */
export const classLegend = (options: ChartOptions, classes: readonly ChartClass[]): Piece => {
  const { document, width, colours } = options
  const node = element(document, 'g', { class: 'legend' })
  let [x, line] = [0, 0]
  classes.forEach(({ name, share }, k) => {
    const shown = fitText(name, Math.min(WIDEST, width - 80))
    const text = `${shown} (${percentText(share)})`
    const room = SWATCH + 6 + pixelsOf(text) + 14
    if (x > 0 && x + room > width) [x, line] = [0, line + 1]
    const y = line * LINE
    const swatch = { x, y: y + 3, width: SWATCH, height: SWATCH, rx: 2, fill: classColour(k, colours) }
    const words = textElement(document, text, { x: x + SWATCH + 6, y: y + 13, 'font-size': FONT_SIZE })
    node.append(element(document, 'g', { 'data-class': k }, element(document, 'rect', swatch), words))
    x += room
  })
  return { node, height: (line + 1) * LINE + 6 }
}

/** How much wider bold letters are. */
export const BOLD = 1.14

/** A piece with a title above it, and what all of it stands for. */
export const titled = (
  document: Document,
  title: string,
  piece: Piece,
  width: number,
  stands: StandsFor = {},
): Piece => {
  piece.node.setAttribute('transform', 'translate(0,22)')
  const heading = textElement(document, fitText(title, width / BOLD, 13), {
    y: 14,
    'font-size': 13,
    'font-weight': 600,
  })
  return {
    node: standingFor(element(document, 'g', { class: 'panel' }, heading, piece.node), stands),
    height: piece.height + 22,
  }
}
