import { log } from '../numeric/log.ts'
import { logGamma } from '../numeric/special.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Parameters } from './parameters.ts'
import { logExpectation } from './posterior.ts'

/**
 * The paper's objectives. All of them are one number, Σ y·log m, seen from different sides; with M the total of the
 * data, L = Σ y·log m and Λ = Σλ:
 *
 *   (2) the reduced loss        f = Λ − L
 *   (1) the generalized KL      f + Σ y·log y − M
 *   (4) the log-likelihood      L − M·log Λ        of the shares λ/Λ, so that f = −(4) − M·log M + M when Λ = M
 *
 * With missing entries m is the cell's marginal over what it lacks, in all three.
 */
export interface Losses {
  /** Eq. (2). */
  readonly loss: number
  /** Eq. (1) with its constants: 0 where the model reproduces the data. */
  readonly divergence: number
  /** Eq. (4), with its sign: Σ y·log of the probability. */
  readonly logLikelihood: number
  /** Eq. (4) with log(M!/Π y!): the log-probability of the whole table of counts. */
  readonly logProbability: number
}

/** Σ y·log m: the one sum over the cells that all losses share. */
export const crossEntropy = ({ cells, indices, values }: Tensor, parameters: Parameters): number => {
  const out = new Float64Array(parameters.rank)
  let sum = 0
  for (let cell = 0; cell < cells; cell++) sum += values[cell] * logExpectation(parameters, indices, cell, out)
  return sum
}

/** All losses of a model on a tensor; `entropy` (Σ y·log m) may be passed in where an engine has just computed it. */
export const losses = (tensor: Tensor, parameters: Parameters, entropy = crossEntropy(tensor, parameters)): Losses => {
  const { values, total } = tensor
  const weight = parameters.weights.reduce((sum, value) => sum + value, 0)
  const logLikelihood = entropy - total * log(weight)
  let own = 0
  let factorials = logGamma(total + 1)
  for (const value of values) {
    own += value * log(value)
    factorials -= logGamma(value + 1)
  }
  const loss = weight - entropy
  return {
    loss,
    divergence: Math.max(0, loss + own - total),
    logLikelihood,
    logProbability: logLikelihood + factorials,
  }
}
