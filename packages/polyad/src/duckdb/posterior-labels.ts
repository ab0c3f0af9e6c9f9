import { mostProbable } from '@polyad/core/model'

/** P[label of a mode | what is known], given the posterior of the classes. */
export const labelProbabilities = (factor: Float64Array, posterior: Float64Array): Float64Array => {
  const rank = posterior.length
  const probabilities = new Float64Array(factor.length / rank)
  for (let j = 0; j < probabilities.length; j++) {
    for (let k = 0; k < rank; k++) probabilities[j] += posterior[k] * factor[j * rank + k]
  }
  return probabilities
}

/** The most probable label of a mode. */
export const likeliestLabel = (factor: Float64Array, posterior: Float64Array): number =>
  mostProbable(labelProbabilities(factor, posterior))
