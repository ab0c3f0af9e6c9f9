import { pathsOf } from './png.ts'

/** A drawing as shapes to fill and lines to draw: what PDF and PostScript are written from. */

/** A colour as parts of red, green and blue, from 0 to 1. */
export type Rgb = readonly [number, number, number]

/** How x and y become x' = a·x + c·y + e and y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export interface Shape {
  /** Moves, lines, curves with two control points, and closings, in the order that they are drawn. */
  readonly path: readonly Segment[]
  readonly matrix: Matrix
  readonly fill: Paint | null
  readonly evenOdd: boolean
  readonly stroke: (Paint & Pen) | null
}

export type Segment = readonly ['M' | 'L' | 'C' | 'Z', ...number[]]

export interface Paint {
  readonly colour: Rgb
  readonly opacity: number
}

export interface Pen {
  readonly width: number
  readonly cap: 'butt' | 'round' | 'square'
  readonly join: 'miter' | 'round' | 'bevel'
  readonly miterLimit: number
  readonly dash: readonly number[]
}

export interface Drawing {
  /** In pixels of 1/96 inch. */
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** First `inner`, then `outer`. */
const times = (outer: Matrix, inner: Matrix): Matrix => {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

type Attributes = Readonly<Record<string, string>>

const attributesOf = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))

const numbersOf = (text: string): number[] => (text.match(/[-+]?(?:\d*\.)?\d+(?:e[-+]?\d+)?/gi) ?? []).map(Number)

const matrixOf = ({ transform }: Attributes): Matrix => {
  if (transform === undefined) return IDENTITY
  const numbers = numbersOf(transform)
  if (!transform.startsWith('matrix') || numbers.length !== 6) throw new Error(`a chart has the transform ${transform}`)
  return numbers as unknown as Matrix
}

const colourOf = (text: string | undefined): Rgb | null => {
  if (text === undefined || text === 'none') return null
  const hex = /^#([\da-f]{6})$/i.exec(text)?.[1]
  if (hex === undefined) throw new Error(`a chart has the colour ${text}`)
  return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Rgb
}

/** The segments of a path, with curves of one control point as curves of two. */
const segmentsOf = (d: string): Segment[] => {
  const segments: Segment[] = []
  let [x, y] = [0, 0]
  for (const [, command, rest] of d.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const n = numbersOf(rest)
    if (command === 'Q')
      segments.push([
        'C',
        x + (2 / 3) * (n[0] - x),
        y + (2 / 3) * (n[1] - y),
        n[2] + (2 / 3) * (n[0] - n[2]),
        n[3] + (2 / 3) * (n[1] - n[3]),
        n[2],
        n[3],
      ])
    else segments.push([command as 'M' | 'L' | 'C' | 'Z', ...n])
    if (command !== 'Z') [x, y] = n.slice(-2)
  }
  return segments
}

const shapeOf = (given: Attributes, matrix: Matrix, opacity: number): Shape => {
  const paint = (kind: 'fill' | 'stroke'): Paint | null => {
    const colour = colourOf(given[kind])
    return colour && { colour, opacity: opacity * Number(given[`${kind}-opacity`] ?? 1) }
  }
  const stroke = paint('stroke')
  return {
    path: segmentsOf(given.d),
    matrix: times(matrix, matrixOf(given)),
    fill: paint('fill'),
    evenOdd: given['fill-rule'] === 'evenodd',
    stroke: stroke && {
      ...stroke,
      width: Number(given['stroke-width'] ?? 1),
      cap: (given['stroke-linecap'] ?? 'butt') as Pen['cap'],
      join: (given['stroke-linejoin'] ?? 'miter') as Pen['join'],
      miterLimit: Number(given['stroke-miterlimit'] ?? 4),
      dash: given['stroke-dasharray'] === undefined ? [] : numbersOf(given['stroke-dasharray']),
    },
  }
}

/** Elements that are drawn through something else: charts have none. */
const UNKNOWN = /clip-path|mask|filter|url\(/

/** The shapes of an SVG file, its text as outlines: they look the same everywhere, and need no fonts. */
export const shapesOf = (svg: string): Drawing => {
  const simple = pathsOf(svg)
  const size = attributesOf(/<svg([^>]*)>/.exec(simple)?.[1] ?? '')
  const shapes: Shape[] = []
  const groups: { readonly matrix: Matrix; readonly opacity: number }[] = [{ matrix: IDENTITY, opacity: 1 }]
  for (const [, close, name, text, alone] of simple.matchAll(/<(\/?)(g|path)\b([^>]*?)(\/?)>/g)) {
    if (close === '/') {
      groups.pop()
      continue
    }
    if (UNKNOWN.test(text)) throw new Error(`a chart is drawn through something else: ${text}`)
    const given = attributesOf(text)
    const { matrix, opacity } = groups[groups.length - 1]
    const own = opacity * Number(given.opacity ?? 1)
    if (name === 'path') shapes.push(shapeOf(given, matrix, own))
    else if (alone !== '/') groups.push({ matrix: times(matrix, matrixOf(given)), opacity: own })
  }
  return { width: Number(size.width), height: Number(size.height), shapes }
}
