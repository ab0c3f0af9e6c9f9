import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** What the charts of all reports share: the colours of the classes, the font, and how a drawing becomes text. */

/** Colours that can be told apart by the colour-blind, and in grey (Okabe and Ito). */
export const CLASS_COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#999999', '#f0e442']

export const FONT = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif'

/** Draws with Observable Plot on a document of its own, and returns the SVG element's text. */
export const drawPlot = (options: Plot.PlotOptions): string => {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  const figure = Plot.plot({ ...options, document: document as unknown as Document })
  return String(figure.outerHTML)
}

/** The SVG of one chart, placed inside a larger drawing. */
export const place = (svg: string, x: number, y: number): string =>
  svg.replace('<svg', `<svg x="${x}" y="${y}" overflow="visible"`)

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
