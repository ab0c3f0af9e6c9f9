import type { ChartDataByKind, ChartKind, Frame } from '@polyad/charts'

/** Charts as files: drawn in their frame, in the colours that the classes were given. */

/** A chart that can be saved. */
export interface ExportedChart {
  readonly kind: ChartKind
  readonly title: string
  readonly data: ChartDataByKind[ChartKind]
}

export interface ChartLook extends Frame {
  readonly colours: readonly string[]
  readonly dark: boolean
}

/** Pixels of a picture for one of the chart; and of one in a PDF, which is printed. */
const SCALE = 2
const PRINTED_SCALE = 300 / 96

/** The chart as an SVG file. */
export const svgOf = async ({ kind, data }: ExportedChart, { colours, dark, ...frame }: ChartLook): Promise<string> => {
  const { CHARTS, DARK, framedChart, LIGHT, svgFile } = await import('@polyad/charts')
  const draw = CHARTS[kind].draw as (data: unknown, options: object) => SVGSVGElement
  const chart = framedChart(document, frame, width => draw(data, { document, width, colours }))
  return svgFile(chart, dark ? DARK : LIGHT)
}

/** An SVG file drawn as pixels. */
const drawnOf = async (svg: string, scale: number): Promise<HTMLCanvasElement> => {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(scale * image.width)
    canvas.height = Math.round(scale * image.height)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('this browser cannot make a PNG; use the .svg')
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** The picture of an SVG file, two pixels for one. */
export const pngOf = async (svg: string): Promise<Blob> => {
  const canvas = await drawnOf(svg, SCALE)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      blob => (blob === null ? reject(new Error('the picture is too large for a PNG; use the .svg')) : resolve(blob)),
      'image/png',
    ),
  )
}

const packed = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** An SVG file as a page of PDF, in pixels of 300 to the inch: it looks the same everywhere, whatever its letters. */
export const pdfOf = async (svg: string, title: string): Promise<Uint8Array> => {
  const canvas = await drawnOf(svg, PRINTED_SCALE)
  const { width, height } = canvas
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data
  if (pixels === undefined) throw new Error('the picture is too large for a PDF; use the .svg')
  const rgb = new Uint8Array(3 * width * height)
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    rgb[to++] = pixels[from]
    rgb[to++] = pixels[from + 1]
    rgb[to++] = pixels[from + 2]
  }
  const { pdfFile } = await import('@polyad/charts')
  const [wide, high] = [width, height].map(each => ((each / PRINTED_SCALE) * 0.75).toFixed(2))
  return pdfFile(title, {
    width: wide,
    height: high,
    resources: '<< /XObject << /Chart 6 0 R >> >>',
    content: { dictionary: '', bytes: new TextEncoder().encode(`q ${wide} 0 0 ${high} 0 0 cm /Chart Do Q`) },
    more: [
      {
        dictionary: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`,
        bytes: await packed(rgb),
      },
    ],
  })
}
