import type { Statistics } from '../../engine/engine.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { Prior } from './prior.ts'

/**
 * A model under way, with what one pass told of it. The parameters lie one after the other in a single array, shares
 * first and then the factors: steps are arithmetic on that array, and the engine sees the same numbers as `parameters`.
 */
export interface Point {
  readonly rank: number
  readonly shape: readonly number[]
  /** Shares (weights over their sum) and factors. */
  readonly values: Float64Array
  /** The same numbers as an engine wants them; `weights` are in counts. */
  readonly parameters: Parameters
  /** Where EM goes from here: the statistics of the pass, normalized, in the layout of `values`. */
  readonly update: Float64Array
  /** For every mode and class, the part of the data (over the total) in which the mode is present and the class holds. */
  readonly mass: Float64Array
  /** The penalized loss, which is what a run brings down; the plain loss where there is no prior. */
  objective: number
  /** The loss of the paper's eq. (2). */
  loss: number
}

export const newPoint = (shape: readonly number[], rank: number): Point => {
  const size = rank + shape.reduce((sum, labels) => sum + labels * rank, 0)
  const values = new Float64Array(size)
  let offset = rank
  const factors = shape.map(labels => {
    const factor = values.subarray(offset, offset + labels * rank)
    offset += labels * rank
    return factor
  })
  return {
    rank,
    shape,
    values,
    parameters: { rank, weights: new Float64Array(rank), factors },
    update: new Float64Array(size),
    mass: new Float64Array(shape.length * rank),
    objective: Number.POSITIVE_INFINITY,
    loss: Number.POSITIVE_INFINITY,
  }
}

/** Sets a point to a model's parameters; only the ratios of its weights matter. */
export const setParameters = (point: Point, { weights, factors }: Parameters): void => {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  for (let k = 0; k < point.rank; k++) point.values[k] = weights[k] / sum
  factors.forEach((factor, n) => {
    point.parameters.factors[n].set(factor)
  })
}

/** Brings the shares and every column of every factor to a sum of 1, in place; false where one cannot be. */
export const normalize = ({ rank, shape, values }: Point): boolean => {
  let total = 0
  for (let k = 0; k < rank; k++) total += values[k]
  let fine = total > 0 && total < Number.POSITIVE_INFINITY
  for (let k = 0; k < rank; k++) values[k] /= total
  const sums = new Float64Array(rank)
  let offset = rank
  for (const labels of shape) {
    const end = offset + labels * rank
    sums.fill(0)
    for (let row = offset; row < end; row += rank) for (let k = 0; k < rank; k++) sums[k] += values[row + k]
    for (let k = 0; k < rank; k++) fine &&= sums[k] > 0 && sums[k] < Number.POSITIVE_INFINITY
    for (let row = offset; row < end; row += rank) for (let k = 0; k < rank; k++) values[row + k] /= sums[k]
    offset = end
  }
  return fine
}

/**
 * Takes in what the pass found: the loss, and the update of all factors at once (paper, eq. 13–15), which is the
 * statistics, with the prior's counts added, at a sum of 1 in every column. A column of zeros (a class that has died
 * out, or has no cell in which this mode is present) says nothing, and stays as it was.
 */
export const takeIn = (point: Point, statistics: Statistics, total: number, prior: Prior): void => {
  const { rank, values, update, mass } = point
  for (let k = 0; k < rank; k++) update[k] = statistics.weights[k] / total
  const sums = new Float64Array(rank)
  let offset = rank
  statistics.factors.forEach((table, n) => {
    const added = prior.added[n]
    sums.fill(0)
    for (let row = 0; row < table.length; row += rank) for (let k = 0; k < rank; k++) sums[k] += table[row + k] + added
    for (let k = 0; k < rank; k++) mass[n * rank + k] = sums[k] / total
    for (let row = 0; row < table.length; row += rank) {
      for (let k = 0; k < rank; k++) {
        const i = offset + row + k
        update[i] = sums[k] > 0 ? (table[row + k] + added) / sums[k] : values[i]
      }
    }
    offset += table.length
  })
  prior.smooth(point)
  point.loss = total - statistics.logLikelihood
  point.objective = point.loss + prior.penalty(point.parameters)
}
