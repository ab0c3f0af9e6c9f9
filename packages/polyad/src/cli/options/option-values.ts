import { InvalidArgumentError } from 'commander'
import { firstRecord } from '../../table/files/csv-records.ts'

/** Parses the values of options. A value that breaks a rule is refused with that rule. */

export const asWholeNumber =
  (least: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value
    throw new InvalidArgumentError(`It must be a whole number ≥ ${least}.`)
  }

export const number =
  (least: number, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value >= least && value <= most) return value
    const rule = most === Number.POSITIVE_INFINITY ? `≥ ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`It must be a number ${rule}.`)
  }

/** Names with commas between; a name that has a comma itself stands in double quotes. */
export const names = (text: string): string[] => firstRecord(text, ',').filter(name => name !== '')

/** For options that may be given several times, each with several names. */
export const moreNames = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  ...names(text),
]

/** `1..8` as the first and the last rank; `8` is `1..8`. */
export const rankRange = (text: string): readonly [number, number] => {
  const [, from, to] = /^(?:(\d+)(?:\.\.|-))?(\d+)$/.exec(text) ?? []
  const range = [Number(from ?? 1), Number(to)] as const
  if (range[0] >= 1 && range[1] >= range[0] && range[1] <= 10_000) return range
  throw new InvalidArgumentError('It must be a range such as 1..8.')
}
