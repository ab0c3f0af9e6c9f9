import { FLAG, type OptionDefinition, TEXT, TEXTS, whole } from '@polyad/core/options'
import { isTimeZone } from '../values/time-zones.ts'

type Definition = OptionDefinition & {
  /** What the command line calls it, if that is not its name. */
  readonly flag?: string
}

/** Every option by which a table is read: the library, the command line, the studio and its project files have them from here. */
export const READING_OPTIONS = {
  modes: { check: TEXTS },
  include: { check: TEXTS },
  exclude: { check: TEXTS },
  count: { check: TEXT },
  weights: { check: TEXT },
  bins: { check: TEXTS, flag: 'bin' },
  top: { check: whole(1), unit: 'labels' },
  missing: { check: TEXTS },
  missingOnly: { check: TEXTS },
  missingAs: { check: TEXT },
  trim: { check: FLAG },
  ignoreCase: { check: FLAG },
  timeZone: {
    check: {
      rule: 'the name of a time zone, such as UTC or Europe/Berlin',
      allows: value => typeof value === 'string' && isTimeZone(value),
    },
  },
  delimiter: { check: TEXT },
  header: { check: FLAG },
} as const satisfies Readonly<Record<string, Definition>>

/**
 * The flag of an option on the command line.
 * @example
 * flagOf('maxPasses') // '--max-passes'
 */
export const flagOf = (option: string): string => {
  const { [option]: known }: Readonly<Record<string, Definition>> = READING_OPTIONS
  return `--${known?.flag ?? option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
