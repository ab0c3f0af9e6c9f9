import { type Check, type Defined, defined, is, type OptionDefinition, pick } from '@polyad/core/options'
import { InvalidArgumentError } from 'commander'
import { firstRecord } from '../../table/files/csv-records.ts'
import { flagOf } from '../../table/reading/reading-options.ts'
import type { CommandOption } from './definition.ts'

/** Parses what a check allows; what it does not allow is refused with its rule. */
export const parser =
  (check: Check) =>
  (text: string): unknown => {
    const plain = check.number === undefined || check.choices?.includes(text) === true
    const value = plain ? text : text.trim() === '' ? Number.NaN : Number(text)
    if (check.allows(value)) return value
    throw new InvalidArgumentError(`It must be ${check.rule}.`)
  }

/** Names with commas between; a name that has a comma itself stands in double quotes. */
export const names = (text: string): string[] => firstRecord(text, ',').filter(name => name !== '')

/** For options that may be given several times, each with several names. */
export const moreNames = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  ...names(text),
]

/** `name=value`, for options that may be given several times: an object of what was given. */
export const pairs =
  <T>(read: (text: string) => T, example: string) =>
  (text: string, before: Readonly<Record<string, T>> | undefined): Readonly<Record<string, T>> => {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (name === undefined) throw new InvalidArgumentError(`It must be a column and its value, as in ${example}.`)
    return Object.freeze(Object.fromEntries([...Object.entries(before ?? {}), [name.trim(), read(value.trim())]]))
  }

type More = Partial<CommandOption> & {
  /** A letter for short. */
  readonly short?: string
  /** What the help calls the value. */
  readonly value?: string
}

/** Options of the library on the command line: flag, parser and default are those of their definitions. */
export const optionsOf =
  <D extends Readonly<Record<string, OptionDefinition>>>(table: D) =>
  (name: keyof D & string, text: string, { short, value, ...more }: More = {}): CommandOption => {
    const { check, byMode, default: usual } = table[name]
    const { number, choices } = check
    const flag = `${short === undefined ? '' : `-${short}, `}${flagOf(name)}`
    const shown = value ?? (number === undefined ? 'name' : number.whole ? 'n' : 'x')
    return {
      flags: check === is.flag ? flag : `${flag} <${shown}>`,
      text: usual === undefined || 'default' in more ? text : `${text} (default: ${usual})`,
      ...(check === is.texts || byMode === true
        ? { parse: moreNames }
        : number === undefined && choices !== undefined
          ? { choices }
          : check !== is.text && check !== is.flag && { parse: parser(check) }),
      library: [name],
      ...more,
    }
  }

/** The options that were given, of those with these names: only what was asked for, so that the library's defaults stay its own. */
export const given = <T extends object, K extends keyof T>(options: T, names: readonly K[]): Defined<Pick<T, K>> =>
  defined(pick(options, ...names))

/** `1..8` as the first and the last rank; `8` is `1..8`. */
export const rankRange = (text: string): readonly [number, number] => {
  const [, from, to] = /^(?:(\d+)(?:\.\.|-))?(\d+)$/.exec(text) ?? []
  const range = [Number(from ?? 1), Number(to)] as const
  if (range[0] >= 1 && range[1] >= range[0] && range[1] <= 10_000) return range
  throw new InvalidArgumentError('It must be a range such as 1..8.')
}

/** How wide a figure is, in pixels of 1/96 inch; and whether it was said in a unit of length. */
export interface Width {
  readonly pixels: number
  readonly inUnits?: boolean
}

const PIXELS: Readonly<Record<string, number>> = { px: 1, mm: 96 / 25.4, cm: 96 / 2.54, in: 96, pt: 96 / 72 }
/** What a chart needs at the least. */
const LEAST_WIDTH = 240
/** Of a chart with its title and its source. */
const LEAST_HEIGHT = 180

/** `90mm`, `3.5in`, `960`, as pixels; undefined if it is not a length. */
const lengthOf = (text: string): Width | undefined => {
  const [, number, unit = 'px'] = /^\s*(\d+(?:\.\d+)?)\s*(px|mm|cm|in|pt)?\s*$/i.exec(text) ?? []
  const pixels = Number(number) * PIXELS[unit.toLowerCase()]
  return pixels <= 20_000 ? { pixels, ...(unit.toLowerCase() !== 'px' && { inUnits: true }) } : undefined
}

export const parseWidth = (text: string): Width => {
  const width = lengthOf(text)
  if (width !== undefined && width.pixels >= LEAST_WIDTH) return width
  throw new InvalidArgumentError('It must be a width of 240 pixels or more, such as 960, 90mm or 3.5in.')
}

export const parseHeight = (text: string): Width => {
  const height = lengthOf(text)
  if (height !== undefined && height.pixels >= LEAST_HEIGHT) return height
  throw new InvalidArgumentError('It must be a height of 180 pixels or more, such as 720, 60mm or 2.5in.')
}
