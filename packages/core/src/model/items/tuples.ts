import { DataError, OptionError, show } from '../../errors.ts'
import { log } from '../../numeric/log.ts'
import type { Label } from '../../tensor/mode.ts'
import { BETWEEN } from '../../tensor/reshape.ts'
import type { MultivariateNormalSpec } from './item.ts'
import { tupleOf } from './number-labels.ts'
import { checkStep } from './specs.ts'

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
