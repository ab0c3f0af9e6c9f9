import { OptionError } from '@polyad/core'

/** The formats of a figure's file. What draws them is loaded when one is written. */

export const FIGURE_FORMATS = ['svg', 'pdf', 'eps', 'png', 'tiff'] as const
export type FigureFormat = (typeof FIGURE_FORMATS)[number]

/** Of the pixels in which charts are drawn. */
export const PIXELS_PER_INCH = 96

/** How large a figure's file is. */
export interface FigureSize {
  readonly width: number
  readonly height: number
  /** Points are 1/72 inch. */
  readonly unit: 'px' | 'pt'
  /** Of files of pixels. */
  readonly dpi: number | null
}

/** The format that the name of a file asks for; refused if it is none. */
export const formatOfFigure = (path: string): FigureFormat => {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase()
  const format = ending === 'tif' ? 'tiff' : FIGURE_FORMATS.find(each => each === ending)
  if (format === undefined)
    throw new OptionError(
      `the name of a chart must end in ${FIGURE_FORMATS.map(each => `.${each}`).join(', ')} (got ${JSON.stringify(path)})`,
    )
  return format
}
