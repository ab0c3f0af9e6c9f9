import type { SymbolType } from '@observablehq/plot'
import type { ChartOptions } from './figure.ts'

/** Symbols and dashes of the lines of classes: they tell classes apart without colours, also in print. */

const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star'] as const satisfies readonly SymbolType[]
/** Solid for the first five classes, which have the symbols to themselves. */
const DASHES = ['', '7 3', '2 3', '9 3 2 3'] as const

/** Classes that have a symbol and dashes of their own. */
export const CLASS_MARKS = SYMBOLS.length * DASHES.length

const placeOf = (k: number, places: readonly number[] | undefined): number => (places?.[k] ?? k) % CLASS_MARKS

/**
 * The symbol of a class on its line.
 * @example
 * classSymbol(1) // 'square'
 */
export const classSymbol = (k: number, { places }: Pick<ChartOptions, 'places'> = {}): (typeof SYMBOLS)[number] =>
  SYMBOLS[placeOf(k, places) % SYMBOLS.length]

/**
 * The dashes of a class's line, for `stroke-dasharray`; empty for a solid line.
 * @example
 * classDash(5) // '7 3'
 */
export const classDash = (k: number, { places }: Pick<ChartOptions, 'places'> = {}): string =>
  DASHES[Math.floor(placeOf(k, places) / SYMBOLS.length)]

/** The same as an option of a mark. */
export const dashOf = (k: number, options: Pick<ChartOptions, 'places'>): { readonly strokeDasharray?: string } => {
  const dash = classDash(k, options)
  return dash === '' ? {} : { strokeDasharray: dash }
}

/** A symbol as a path around 0, 0, about so many pixels across. */
const PATHS: Readonly<Record<(typeof SYMBOLS)[number], (r: number) => string>> = {
  circle: r => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  square: r => `M${-0.9 * r} ${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}Z`,
  triangle: r => `M0 ${-1.15 * r}L${1.1 * r} ${0.85 * r}H${-1.1 * r}Z`,
  diamond: r => `M0 ${-1.25 * r}L${r} 0L0 ${1.25 * r}L${-r} 0Z`,
  star: r =>
    `M${Array.from({ length: 10 }, (_, i) => {
      const [angle, at] = [(Math.PI * i) / 5, i % 2 === 0 ? 1.3 * r : 0.55 * r]
      return `${short(at * Math.sin(angle))} ${short(-at * Math.cos(angle))}`
    }).join('L')}Z`,
}

const short = (value: number): number => Math.round(value * 100) / 100

/**
 * The symbol of a class as the `d` of a path around the origin, of radius `r`: for legends.
 * @example
 * classSymbolPath(1, 5) // 'M-4.5 -4.5h9v9h-9Z'
 */
export const classSymbolPath = (k: number, r: number, options: Pick<ChartOptions, 'places'> = {}): string =>
  PATHS[classSymbol(k, options)](r)
