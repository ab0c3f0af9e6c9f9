import { crc32 } from 'node:zlib'
import { Resvg } from '@resvg/resvg-js'

/** A drawing as pixels. */
export interface Pixels {
  /** Red, green, blue and opacity of each, row by row. */
  readonly rgba: Uint8Array
  readonly width: number
  readonly height: number
}

/** A drawing as a file of pixels. */
export interface Png extends Omit<Pixels, 'rgba'> {
  readonly bytes: Uint8Array
  /** Whether there was a font to write with: without any, text is missing. */
  readonly hasText: boolean
}

type Fonts = { readonly loadSystemFonts: boolean }

/** Fonts that most systems have one of; where there is none of them, the first that is there is taken. */
const FALLBACK = 'Arial'
const SYSTEM: Fonts = { loadSystemFonts: true }

const opened = (svg: string, scale: number, fonts: Fonts) =>
  new Resvg(svg, { font: { ...fonts, sansSerifFamily: FALLBACK }, fitTo: { mode: 'zoom', value: scale } })

/** Whether this system has a font to write with. */
export const hasFonts = (fonts: Fonts = SYSTEM): boolean =>
  new Resvg('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">M</text></svg>', { font: fonts }).getBBox() !==
  undefined

/** Draws an SVG file as PNG, with the fonts of the system; with `dpi` it says how large a pixel is. */
export const pngOf = (svg: string, scale = 1, fonts: Fonts = SYSTEM, dpi?: number): Png => {
  const drawn = opened(svg, scale, fonts).render()
  const bytes = drawn.asPng()
  return {
    bytes: dpi === undefined ? bytes : withResolution(bytes, dpi),
    width: drawn.width,
    height: drawn.height,
    hasText: hasFonts(fonts),
  }
}

/** Draws an SVG file as plain pixels. */
export const pixelsOf = (svg: string, scale = 1): Pixels => {
  const { pixels, width, height } = opened(svg, scale, SYSTEM).render()
  return { rgba: pixels, width, height }
}

/** An SVG file with everything as paths, text too. */
export const pathsOf = (svg: string): string => opened(svg, 1, SYSTEM).toString()

const INCH = 0.0254
/** Signature and header of a PNG file: what comes after them may be put there. */
const HEADER = 33

/** With the chunk that says how many pixels there are to a metre. */
const withResolution = (png: Uint8Array, dpi: number): Uint8Array => {
  const chunk = new Uint8Array(21)
  const view = new DataView(chunk.buffer)
  const perMetre = Math.round(dpi / INCH)
  view.setUint32(0, 9)
  chunk.set(new TextEncoder().encode('pHYs'), 4)
  view.setUint32(8, perMetre)
  view.setUint32(12, perMetre)
  chunk[16] = 1
  view.setUint32(17, crc32(chunk.subarray(4, 17)))
  return Buffer.concat([png.subarray(0, HEADER), chunk, png.subarray(HEADER)])
}
