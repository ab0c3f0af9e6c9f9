import { is, type OptionDefinition } from '@polyad/core/options'
import { isEncoding } from '../files/text-encoding.ts'
import { namesColumns } from '../values/column-code.ts'
import { listed } from '../values/note.ts'
import { isTimeZone } from '../values/time-zones.ts'

type Definition = OptionDefinition & {
  /** What the command line calls it, if that is not its name. */
  readonly flag?: string
  /** Whether it is a list of which the command line takes one at a time. */
  readonly each?: true
}

/** Every option by which a table is read: the library, the command line, the studio and its project files have them from here. */
export const READING_OPTIONS = {
  where: { check: is.text },
  modes: { check: is.texts, flag: 'variables' },
  include: { check: is.texts },
  exclude: { check: is.texts },
  count: { check: is.text },
  weights: { check: is.text },
  bins: { check: is.texts, flag: 'bin', each: true },
  top: { check: is.whole(1), unit: 'labels' },
  missing: { check: is.texts },
  missingIn: { check: is.texts, flag: 'missing', each: true },
  missingOnly: { check: is.texts },
  missingAs: { check: is.text },
  recode: { check: is.texts, each: true },
  categories: { check: is.texts },
  order: { check: is.texts, each: true },
  trim: { check: is.flag },
  ignoreCase: { check: is.flag },
  timeZone: {
    check: {
      rule: 'the name of a time zone, such as UTC or Europe/Berlin',
      allows: value => typeof value === 'string' && isTimeZone(value),
    },
  },
  decimal: { check: is.oneOf([',', '.']) },
  thousands: { check: is.oneOf([',', '.']) },
  delimiter: { check: is.text },
  header: { check: is.flag },
  skipRows: { check: is.whole(0), unit: 'rows' },
  encoding: {
    check: {
      rule: 'the name of an encoding, such as windows-1252',
      allows: value => typeof value === 'string' && isEncoding(value),
    },
  },
  sheet: { check: is.text },
} as const satisfies Readonly<Record<string, Definition>>

/** The columns of the design of a sample: on the command line these are two options. */
export const DESIGN_OPTION = {
  check: is.thing(
    'the columns of a design',
    (value: { readonly cluster?: unknown; readonly stratum?: unknown }) =>
      typeof value === 'object' &&
      typeof value.cluster === 'string' &&
      (value.stratum === undefined || typeof value.stratum === 'string'),
  ),
} as const satisfies OptionDefinition

/**
 * A value of a list as the command line takes it, which separates the values by commas.
 * @example
 * listItem('missing', '10,978') // '"10,978"'
 * listItem('missing', '12:30') // '"12:30"'
 * listItem('bins', 'age:q5') // 'age:q5'
 */
export const listItem = (option: string, value: string): string => {
  const { [option]: known }: Readonly<Record<string, Definition>> = READING_OPTIONS
  if (known?.check !== is.texts || known.each === true) return value
  // A code with a colon would be one of a column.
  return option === 'missing' && namesColumns(value) ? `"${value.replaceAll('"', '""')}"` : listed(value)
}

/**
 * The flag of an option on the command line.
 * @example
 * flagOf('maxPasses') // '--max-passes'
 */
export const flagOf = (option: string): string => {
  const { [option]: known }: Readonly<Record<string, Definition>> = READING_OPTIONS
  return `--${known?.flag ?? option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
