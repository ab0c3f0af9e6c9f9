import type { Parameters } from '../model/parameters.ts'
import { logExpectation } from '../model/posterior.ts'
import { log } from '../numeric/log.ts'
import { splitFolds } from '../tensor/folds.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type BoundedOptions, fitBounded } from './fit.ts'

/**
 * The mean log-probability of an observation that was not used in the fit: the data is split into folds, each is left
 * out once, and the model of the others is asked about it. Higher is better; undefined where the data is too small
 * to be split.
 */
export const heldOutLogLikelihood = async (
  tensor: Tensor,
  options: BoundedOptions,
  folds: number,
): Promise<number | undefined> => {
  let sum = 0
  let weight = 0
  for (const { training, test } of splitFolds(tensor, folds, options.seed ?? 1)) {
    if (options.signal?.aborted) return undefined
    const { model } = await fitBounded(training, options)
    const prepared = withOneCount(model.parameters)
    const total = prepared.weights.reduce((all, value) => all + value, 0)
    const out = new Float64Array(model.rank)
    for (let cell = 0; cell < test.cells; cell++) {
      sum += test.values[cell] * (logExpectation(prepared, test.indices, cell, out) - log(total))
    }
    weight += test.total
  }
  return weight === 0 ? undefined : sum / weight
}

/**
 * The model with one more count in every class, spread over the labels: a label that the training data happens not to
 * have would else make the rest of the fold worthless.
 */
const withOneCount = ({ rank, weights, factors }: Parameters): Parameters => ({
  rank,
  weights,
  factors: factors.map(factor => {
    const labels = factor.length / rank
    return factor.map((p, i) => (weights[i % rank] * p + 1 / labels) / (weights[i % rank] + 1))
  }),
})
