import type { Label } from '../../tensor/mode.ts'
import { BETWEEN } from '../../tensor/reshape.ts'

/**
 * A label as a number; undefined if it is none, or not finite.
 * @example
 * numberOf('5.1') // 5.1
 */
export const numberOf = (label: Label): number | undefined => {
  const number = typeof label === 'number' ? label : label.trim() === '' ? Number.NaN : Number(label)
  return Number.isFinite(number) ? number : undefined
}

/** What a joined label has for a number that is missing. */
const LACKING = 'NA'

/**
 * The label of several numbers, of which some may be missing; undefined if all are.
 * @example
 * tupleLabel([5.1, undefined]) // '5.1 / NA'
 */
export const tupleLabel = (values: readonly (Label | undefined)[]): string | undefined =>
  values.every(each => each === undefined) ? undefined : values.map(each => String(each ?? LACKING)).join(BETWEEN)

/**
 * The numbers of a label, not a number where one is missing. Undefined if it is not so many numbers, or lacks all of them.
 * @example
 * tupleOf('5.1 / NA', 2) // [5.1, NaN]
 */
export const tupleOf = (label: Label, size: number): number[] | undefined => {
  const parts = String(label).split(BETWEEN)
  const values = parts.map(part => (part === LACKING ? Number.NaN : numberOf(part)))
  if (parts.length !== size || values.includes(undefined)) return undefined
  return values.every(Number.isNaN) ? undefined : (values as number[])
}

/**
 * A label without the numbers that another one lacks.
 * @example
 * lackingAs('5.1 / 3.5', '4.9 / NA') // '5.1 / NA'
 */
export const lackingAs = (label: Label, other: Label): Label => {
  const lacks = String(other).split(BETWEEN)
  if (!lacks.includes(LACKING)) return label
  const parts = String(label).split(BETWEEN)
  return parts.map((part, i) => (lacks[i] === LACKING ? LACKING : part)).join(BETWEEN)
}
