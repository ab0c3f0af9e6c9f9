import { DataError, OptionError, show } from '../../errors.ts'
import { log } from '../../numeric/log.ts'
import type { Label } from '../../tensor/mode.ts'
import { BETWEEN } from '../../tensor/reshape.ts'
import type { MultivariateNormalSpec } from './item.ts'
import { checkStep, numberOf } from './specs.ts'

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

/** Σ log step over the numbers that a label has: what turns its probability into a density. */
export const logVolume = ({ variables }: MultivariateNormalSpec, label: Label): number =>
  (tupleOf(label, variables.length) ?? []).reduce(
    (sum, value, i) => (Number.isNaN(value) ? sum : sum + log(variables[i].step)),
    0,
  )

/** No more numbers can be joined: every two of them have a correlation. */
const MOST_JOINED = 20

/**
 * Checks labels of several numbers against what they are taken for.
 * @param name of the joined variable, for messages
 */
export const checkTuples = ({ variables }: MultivariateNormalSpec, labels: readonly Label[], name: string): void => {
  if (variables.length < 2 || variables.length > MOST_JOINED)
    throw new OptionError(
      `${show(name)} must be of 2 to ${MOST_JOINED} numbers (got ${variables.length}): join fewer of them`,
    )
  const tuples = labels.map(label => {
    const tuple = tupleOf(label, variables.length)
    if (tuple !== undefined) return tuple
    throw new DataError(
      `${show(name)} has the value ${show(label)}, which must be ${variables.length} numbers, such as ${show(variables.map(({ step }) => step).join(BETWEEN))}`,
      { column: name },
    )
  })
  variables.forEach((variable, i) => {
    const values = tuples.flatMap(tuple => (Number.isNaN(tuple[i]) ? [] : [tuple[i]]))
    const own = variable.name
    if (new Set(values).size < 2)
      throw new DataError(`${show(own)} has one value only: leave it out of the joined variables`, { column: own })
    checkStep(variable.step, values, own)
  })
}
