import { log } from '../numeric/log.ts'
import { logGamma } from '../numeric/special.ts'
import type { Counts, Tensor } from '../tensor/tensor.ts'
import type { Parameters } from './parameters.ts'
import { logProbability } from './posterior.ts'

/**
 * The paper's objectives. All of them are one number, the log-likelihood L = Σ y·log p with p a cell's probability, seen
 * from different sides; with M the total of the data and Λ = Σλ:
 *
 *   (4) the log-likelihood      L
 *   (2) the reduced loss        f = Λ − Σ y·log m = Λ − M·log Λ − L,   since m = Λ·p
 *   (1) the generalized KL      f + Σ y·log y − M
 *
 * With missing entries p is the cell's marginal over what it lacks, in all three. The divergence is then no distance from
 * the data to the model, since the cells overlap, and is left out.
 */
export interface Losses {
  /** Eq. (2). */
  readonly loss: number
  /** Eq. (1) with its constants: 0 where the model reproduces the data; undefined where entries are missing. */
  readonly divergence: number | undefined
  /** Eq. (4), with its sign: Σ y·log of the probability. */
  readonly logLikelihood: number
  /** Eq. (4) with log(M!/Π y!): the log-probability of the whole table of counts. */
  readonly logProbability: number
}

/** Λ − M·log Λ, by which the reduced loss exceeds the negative log-likelihood. */
export const lossOffset = (total: number, weight = total): number => weight - total * log(weight)

/** All losses of a model whose log-likelihood is known; `weight` is Λ, which at an optimum is the total of the data. */
export const lossesOf = (counts: Counts, logLikelihood: number, weight = counts.total): Losses => {
  const { total, missing, constants } = counts
  const loss = lossOffset(total, weight) - logLikelihood
  return {
    loss,
    divergence: missing.includes(true) ? undefined : Math.max(0, loss + constants.yLogY - total),
    logLikelihood,
    logProbability: logLikelihood + logGamma(total + 1) - constants.logFactorials,
  }
}

/** Σ y·log p over the cells of a tensor, one after the other: engines have it from a pass, and sooner. */
export const logLikelihoodOf = ({ cells, indices, values }: Tensor, parameters: Parameters): number => {
  const out = new Float64Array(parameters.rank)
  let sum = 0
  for (let cell = 0; cell < cells; cell++) {
    // A cell without counts adds nothing, even where the model makes it impossible.
    if (values[cell] > 0) sum += values[cell] * logProbability(parameters, indices, cell, out)
  }
  return sum
}
