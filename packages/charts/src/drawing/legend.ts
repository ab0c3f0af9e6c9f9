import type { ChartClass } from '../data/chart-data.ts'
import { classSymbolPath } from './class-marks.ts'
import { classColour } from './colours.ts'
import { type ChartOptions, element, type Piece, textElement } from './figure.ts'
import { FONT_SIZE, fitText, percentText, pixelsOf, wrapText } from './label-text.ts'
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
    const swatch = {
      d: classSymbolPath(k, SWATCH / 2, options),
      transform: `translate(${x + SWATCH / 2},${y + 3 + SWATCH / 2})`,
      fill: classColour(k, colours),
    }
    const words = textElement(document, text, { x: x + SWATCH + 6, y: y + 13, 'font-size': FONT_SIZE })
    node.append(element(document, 'g', { 'data-class': k }, element(document, 'path', swatch), words))
    x += room
  })
  return { node, height: (line + 1) * LINE + 6 }
}

/** How much wider bold letters are. */
export const BOLD = 1.14

const TITLE = { size: 13, line: 17 }

/** A title in the lines that it takes, two at most. */
const titleLines = (title: string, width: number): string[] => wrapText(title, width / BOLD, TITLE.size, 2)

/** The lines of the longest of some titles: panels whose titles have room for it stand level. */
export const titleRoom = (titles: readonly string[], width: number): number =>
  Math.max(1, ...titles.map(title => titleLines(title, width).length))

/** A piece with a title above it, in room for so many lines, and what all of it stands for. */
export const titled = (
  document: Document,
  title: string,
  piece: Piece,
  width: number,
  stands: StandsFor = {},
  room = 1,
): Piece => {
  const lines = room === 1 ? [fitText(title, width / BOLD, TITLE.size)] : titleLines(title, width)
  const top = 5 + room * TITLE.line
  piece.node.setAttribute('transform', `translate(0,${top})`)
  const headings = lines.map((line, i) =>
    textElement(document, line, {
      y: 14 + (room - lines.length + i) * TITLE.line,
      'font-size': TITLE.size,
      'font-weight': 600,
    }),
  )
  return {
    node: standingFor(element(document, 'g', { class: 'panel' }, ...headings, piece.node), stands),
    height: piece.height + top,
  }
}
