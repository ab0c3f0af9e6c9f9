import type { FittedItem } from '../../model/items/item.ts'
import { logVolume } from '../../model/items/tuples.ts'
import type { Losses } from '../../model/loss.ts'
import { log } from '../../numeric/log.ts'
import { labelsOf } from '../../tensor/mode.ts'
import type { Counts } from '../../tensor/tensor.ts'
import type { Identification } from '../identification/identification.ts'
import type { Criteria } from './criteria.ts'
import type { Certainty, Goodness } from './goodness.ts'

/** The evaluation of a model on data: losses, criteria, goodness of fit, certainty, identification. */
export interface Evaluation extends Losses, Criteria, Goodness, Certainty {
  /** Free parameters, as they are counted; criteria and degrees of freedom count those that the table can tell apart. */
  readonly parameters: number
  readonly degreesOfFreedom: number
  readonly identification: Identification
  /** The log-likelihood as a density, if some items are numbers that are measured to a step: comparable with other programs. */
  readonly logDensity: number | undefined
  /** The share of the smallest class. */
  readonly smallestClass: number
}

/**
 * The log-likelihood as a density, if some items are numbers that are measured to a step: less the logarithm of the step for every value that was
 * seen. Other programs print it.
 */
export const logDensityOf = (
  { modes, marginals }: Pick<Counts, 'modes' | 'marginals'>,
  items: readonly (Pick<FittedItem, 'spec'> | undefined)[],
  logLikelihood: number,
): number | undefined => {
  let [some, sum] = [false, 0]
  items.forEach((item, n) => {
    const { spec } = item ?? {}
    if (spec?.kind === 'multivariate-normal') {
      some = true
      labelsOf(modes[n]).forEach((label, j) => {
        sum += marginals[n][j] * logVolume(spec, label)
      })
    }
    if (spec?.kind !== 'normal') return
    some = true
    sum += marginals[n].reduce((total, count) => total + count, 0) * log(spec.step)
  })
  return some ? logLikelihood - sum : undefined
}
