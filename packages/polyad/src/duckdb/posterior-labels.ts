import type { Parameters } from '@polyad/core'
import { mostProbable, type NumberFiller } from '@polyad/core/model'

/** P[label of a mode | what is known], given the posterior of the classes. */
export const labelProbabilities = (factor: Float64Array, posterior: Float64Array): Float64Array => {
  const rank = posterior.length
  const probabilities = new Float64Array(factor.length / rank)
  for (let j = 0; j < probabilities.length; j++) {
    for (let k = 0; k < rank; k++) probabilities[j] += posterior[k] * factor[j * rank + k]
  }
  return probabilities
}

/** What is filled in for a missing value: the most probable label of a mode by its position, or the mean of a number. */
export const likeliestValue = (
  { factors }: Parameters,
  numbers: NumberFiller,
  n: number,
  posterior: Float64Array,
): number =>
  numbers.isNumber(n) ? numbers.expected(n, posterior) : mostProbable(labelProbabilities(factors[n], posterior))
