import type { Drawing, Paint, Rgb, Shape } from './shapes.ts'

/** A drawing as encapsulated PostScript, in vectors. */

/** Points to a pixel of 1/96 inch. */
const POINTS = 0.75

const short = (value: number): string => String(Number(value.toFixed(4)))

const CAPS = { butt: 0, round: 1, square: 2 } as const
const JOINS = { miter: 0, round: 1, bevel: 2 } as const
const OPERATORS = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const

/** PostScript knows no opacity: a colour that lets the paper through is mixed with it. */
const mixed = ({ colour, opacity }: Paint, paper: Rgb): string =>
  colour.map((part, i) => short(part * opacity + paper[i] * (1 - opacity))).join(' ')

const shapeText = ({ path, matrix, fill, evenOdd, stroke }: Shape, paper: Rgb): string[] => {
  if (fill === null && stroke === null) return []
  return [
    'gsave',
    `[${matrix.map(short).join(' ')}] concat newpath`,
    ...path.map(([command, ...numbers]) => [...numbers.map(short), OPERATORS[command]].join(' ')),
    ...(fill === null
      ? []
      : [
          `${stroke === null ? '' : 'gsave '}${mixed(fill, paper)} setrgbcolor ${evenOdd ? 'eofill' : 'fill'}${stroke === null ? '' : ' grestore'}`,
        ]),
    ...(stroke === null
      ? []
      : [
          `${mixed(stroke, paper)} setrgbcolor ${short(stroke.width)} setlinewidth ${CAPS[stroke.cap]} setlinecap ${JOINS[stroke.join]} setlinejoin ${short(Math.max(1, stroke.miterLimit))} setmiterlimit [${stroke.dash.map(short).join(' ')}] 0 setdash stroke`,
        ]),
    'grestore',
  ]
}

/** What a comment of PostScript can hold: one line of plain characters. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)

export const epsOf = ({ width, height, shapes }: Drawing, title: string): string => {
  const [wide, high] = [width, height].map(each => each * POINTS)
  const [background] = shapes
  const paper: Rgb = background?.fill?.opacity === 1 ? background.fill.colour : [1, 1, 1]
  return [
    '%!PS-Adobe-3.0 EPSF-3.0',
    `%%BoundingBox: 0 0 ${Math.ceil(wide)} ${Math.ceil(high)}`,
    `%%HiResBoundingBox: 0 0 ${short(wide)} ${short(high)}`,
    `%%Title: ${plain(title)}`,
    '%%Creator: Polyad',
    '%%LanguageLevel: 2',
    '%%EndComments',
    'save',
    '/m { moveto } bind def /l { lineto } bind def /c { curveto } bind def /h { closepath } bind def',
    `[${POINTS} 0 0 ${-POINTS} 0 ${short(high)}] concat`,
    ...shapes.flatMap(shape => shapeText(shape, paper)),
    'restore',
    'showpage',
    '%%EOF',
    '',
  ].join('\n')
}
