import type { Parameters } from '../model/parameters.ts'
import { log } from '../numeric/log.ts'
import type { Statistics } from './engine.ts'

/**
 * Σ y·H(Ψ) from the statistics of an ordinary pass. Since Ψ_k = w_k/p, a cell's entropy is log p − Σ Ψ_k·log w_k, and log w_k
 * is a sum of the logarithms of a share and of entries of the factors; added up over the cells, each of those logarithms is
 * weighted by exactly what the pass has gathered for it. So no cell is looked at a second time.
 * @example
 * const nats = entropyOf(await session.pass(model.parameters), model.parameters)
 */
export const entropyOf = (
  { logLikelihood, sizes, factors }: Statistics,
  { shares, factors: probabilities }: Parameters,
): number => {
  // A cell that is impossible has no posterior.
  if (logLikelihood === Number.NEGATIVE_INFINITY) return Number.NaN
  const entropy = factors.reduce(
    (rest, table, n) => rest - weightedLogs(table, probabilities[n]),
    logLikelihood - weightedLogs(sizes, shares),
  )
  // Where every cell is certain, what is left is rounding.
  return Math.max(0, entropy)
}

const weightedLogs = (weights: Float64Array, probabilities: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < weights.length; i++) if (weights[i] > 0) sum += weights[i] * log(probabilities[i])
  return sum
}
