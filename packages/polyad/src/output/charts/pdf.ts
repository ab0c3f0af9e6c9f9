import { deflateSync } from 'node:zlib'
import { pdfFile } from '@polyad/charts'
import type { Drawing, Shape } from './shapes.ts'

/** A drawing as one page of PDF (1.4), in vectors. */

/** Points to a pixel of 1/96 inch. */
const POINTS = 0.75

/** Four digits are a seventieth of a thousandth of an inch. */
const short = (value: number): string => String(Number(value.toFixed(4)))

const CAPS = { butt: 0, round: 1, square: 2 } as const
const JOINS = { miter: 0, round: 1, bevel: 2 } as const
const OPERATORS = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const

const shapeText = ({ path, matrix, fill, evenOdd, stroke }: Shape, opacityOf: (shape: Shape) => string): string => {
  if (fill === null && stroke === null) return ''
  const pen =
    stroke === null
      ? []
      : [
          `${stroke.colour.map(short).join(' ')} RG`,
          `${short(stroke.width)} w ${CAPS[stroke.cap]} J ${JOINS[stroke.join]} j ${short(stroke.miterLimit)} M`,
          `[${stroke.dash.map(short).join(' ')}] 0 d`,
        ]
  const paint = fill === null ? 'S' : stroke === null ? (evenOdd ? 'f*' : 'f') : evenOdd ? 'B*' : 'B'
  return [
    'q',
    opacityOf({ path, matrix, fill, evenOdd, stroke }),
    `${matrix.map(short).join(' ')} cm`,
    ...(fill === null ? [] : [`${fill.colour.map(short).join(' ')} rg`]),
    ...pen,
    ...path.map(([command, ...numbers]) => [...numbers.map(short), OPERATORS[command]].join(' ')),
    paint,
    'Q',
  ].join('\n')
}

export const pdfOf = ({ width, height, shapes }: Drawing, title: string): Uint8Array => {
  const opacities = new Map<string, string>()
  const opacityOf = ({ fill, stroke }: Shape): string => {
    const key = `/ca ${short(fill?.opacity ?? 1)} /CA ${short(stroke?.opacity ?? 1)}`
    if (!opacities.has(key)) opacities.set(key, `G${opacities.size}`)
    return `/${opacities.get(key)} gs`
  }
  const [wide, high] = [width, height].map(each => short(each * POINTS))
  // PDF counts from the lower edge upwards.
  const content = [`${POINTS} 0 0 ${-POINTS} 0 ${high} cm`, ...shapes.map(each => shapeText(each, opacityOf))].join(
    '\n',
  )
  const packed = deflateSync(Buffer.from(content, 'latin1'))
  const states = [...opacities].map(([key, name]) => `/${name} << ${key} >>`).join(' ')
  return pdfFile(title, {
    width: wide,
    height: high,
    resources: `<< /ExtGState << ${states} >> >>`,
    content: { dictionary: '/Filter /FlateDecode', bytes: packed },
  })
}
