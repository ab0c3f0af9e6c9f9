import type { Statistics } from '../engine/engine.ts'
import { columnSums, type Parameters } from '../model/parameters.ts'

/**
 * How far a model is from satisfying the Karush–Kuhn–Tucker conditions of min f/M over the weights and the simplices:
 * the largest |min(x, g)| over all parameters x, with g the gradient of the Lagrangian. Zero at a stationary point,
 * where each parameter has no slope or sits at zero with a slope upwards.
 *
 * The pass at the model gives the gradient: for a weight it is 1 − S/λ, for an entry of a factor it is the share of its
 * column (its sum of statistics over M) times 1 − S̄/p, with S̄ the column at a sum of 1. A parameter that is exactly zero
 * has a statistic of zero too, which says nothing of its slope.
 */
export const stationarity = (parameters: Parameters, statistics: Statistics, total: number): number => {
  const { rank, weights, factors } = parameters
  let worst = 0
  for (let k = 0; k < rank; k++) {
    if (weights[k] === 0) continue
    const violation = Math.abs(Math.min(weights[k] / total, 1 - statistics.weights[k] / weights[k]))
    if (violation > worst) worst = violation
  }
  factors.forEach((factor, n) => {
    const table = statistics.factors[n]
    const sums = columnSums(table, rank)
    for (let row = 0; row < factor.length; row += rank) {
      for (let k = 0; k < rank; k++) {
        const p = factor[row + k]
        if (p === 0) continue
        const violation = Math.abs(Math.min(p, (sums[k] - table[row + k] / p) / total))
        if (violation > worst) worst = violation
      }
    }
  })
  return worst
}
