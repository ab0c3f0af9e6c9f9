import { Resvg } from '@resvg/resvg-js'

/** A drawing as pixels. */
export interface Png {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  /** Whether there was a font to write with: without any, text is missing. */
  readonly hasText: boolean
}

/** Fonts that most systems have one of; where there is none of them, the first that is there is taken. */
const FALLBACK = 'Arial'

/** Draws an SVG file as PNG, with the fonts of the system. */
export const pngOf = (svg: string, scale = 1, fonts: { readonly loadSystemFonts: boolean } = SYSTEM): Png => {
  const image = new Resvg(svg, { font: { ...fonts, sansSerifFamily: FALLBACK }, fitTo: { mode: 'zoom', value: scale } })
  const drawn = image.render()
  const probe = new Resvg('<svg xmlns="http://www.w3.org/2000/svg"><text y="20">M</text></svg>', { font: fonts })
  return {
    bytes: drawn.asPng(),
    width: drawn.width,
    height: drawn.height,
    hasText: probe.getBBox() !== undefined,
  }
}

const SYSTEM = { loadSystemFonts: true }
