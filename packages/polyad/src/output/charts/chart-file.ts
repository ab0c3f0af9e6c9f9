import { type FigureFormat, type FigureSize, PIXELS_PER_INCH } from './chart-formats.ts'
import { epsOf } from './eps.ts'
import { pdfOf } from './pdf.ts'
import { hasFonts, pixelsOf, pngOf } from './png.ts'
import { shapesOf } from './shapes.ts'
import { tiffOf } from './tiff.ts'

/** A chart as the bytes of a file, and how large it is. */
export interface FigureFile extends FigureSize {
  readonly bytes: Uint8Array | string
  /** Whether there was a font to write with. */
  readonly hasText: boolean
}

/** A chart in the format that is asked for; `dpi` is of pixels. */
export const figureBytes = (svg: string, format: FigureFormat, title: string, dpi: number): FigureFile => {
  const scale = dpi / PIXELS_PER_INCH
  if (format === 'png') {
    const { bytes, hasText, width, height } = pngOf(svg, scale, { loadSystemFonts: true }, dpi)
    return { bytes, hasText, width, height, unit: 'px', dpi }
  }
  if (format === 'tiff') {
    const pixels = pixelsOf(svg, scale)
    const { width, height } = pixels
    return { bytes: tiffOf(pixels, dpi), hasText: hasFonts(), width, height, unit: 'px', dpi }
  }
  if (format === 'svg') {
    const [width, height] = ['width', 'height'].map(name => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(svg)?.[1]))
    return { bytes: svg, hasText: true, width, height, unit: 'px', dpi: null }
  }
  const drawing = shapesOf(svg)
  const [width, height] = [drawing.width, drawing.height].map(each => (each * 72) / PIXELS_PER_INCH)
  const bytes = format === 'pdf' ? pdfOf(drawing, title) : epsOf(drawing, title)
  return { bytes, hasText: hasFonts(), width, height, unit: 'pt', dpi: null }
}
