import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { log } from '../../numeric/log.ts'
import type { Counts } from '../../tensor/tensor.ts'
import { type Criteria, criteria } from './criteria.ts'
import { evaluateLikelihood } from './evaluate.ts'

/** One class in figures: what several classes are compared with, to say whether there are groups at all. */
export interface OneClass extends Criteria {
  readonly logLikelihood: number
  readonly parameters: number
}

/**
 * The best model of one class, in closed form: by the marginals alone, without a pass over the cells.
 * @example
 * oneClass(answers).bic > (await evaluate(answers, model)).bic // true
 */
export const oneClass = (data: Counts): OneClass => {
  let logLikelihood = 0
  for (const marginal of data.marginals) {
    const total = marginal.reduce((sum, value) => sum + value, 0)
    for (const value of marginal) if (value > 0) logLikelihood += value * log(value / total)
  }
  const { parameters, identification } = evaluateLikelihood(data, principalComponent(data), logLikelihood)
  // Nothing is uncertain about the only class.
  return Object.freeze({ logLikelihood, parameters, ...criteria(logLikelihood, identification.rank, data.total, 0) })
}
