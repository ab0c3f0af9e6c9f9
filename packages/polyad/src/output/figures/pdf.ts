import { deflateSync } from 'node:zlib'
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

/** A text of PDF: Unicode, as two bytes for each unit. */
const pdfText = (text: string): string =>
  `<FEFF${[...Array(text.length).keys()].map(i => text.charCodeAt(i).toString(16).padStart(4, '0')).join('')}>`

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
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 4 0 R /Resources << /ExtGState << ${states} >> >> /Group << /S /Transparency /CS /DeviceRGB >> >>`,
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
    `<< /Title ${pdfText(title)} /Producer ${pdfText('Polyad')} >>`,
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const starts = objects.map((object, i) => {
    const start = parts.reduce((sum, part) => sum + part.length, 0)
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
    return start
  })
  const end = parts.reduce((sum, part) => sum + part.length, 0)
  const table = starts.map(start => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${end}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
