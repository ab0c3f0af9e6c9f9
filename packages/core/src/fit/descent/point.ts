import type { Statistics } from '../../engine/engine.ts'
import { lossOffset } from '../../model/loss.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { MStep } from './m-step.ts'

/**
 * A model under way, with what one pass told of it. The parameters lie one after the other in a single array, shares
 * first and then the factors: steps are arithmetic on that array, and the engine sees the same numbers as `parameters`.
 */
export interface Point {
  readonly rank: number
  readonly shape: readonly number[]
  /** Shares and factors. */
  readonly values: Float64Array
  /** The same numbers as an engine wants them. */
  readonly parameters: Parameters
  /** Where EM goes from here: the statistics of the pass after the M-step, in the layout of `values`. */
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
  return {
    rank,
    shape,
    values,
    parameters: { rank, shares: values.subarray(0, rank), factors: factorsOf(values, shape, rank) },
    update: new Float64Array(size),
    mass: new Float64Array(shape.length * rank),
    objective: Number.POSITIVE_INFINITY,
    loss: Number.POSITIVE_INFINITY,
  }
}

/** Views of the factors in an array of all parameters. */
const factorsOf = (all: Float64Array, shape: readonly number[], rank: number): Float64Array[] => {
  let offset = rank
  return shape.map(labels => {
    const factor = all.subarray(offset, offset + labels * rank)
    offset += labels * rank
    return factor
  })
}

/** Sets a point to a model's parameters; only the ratios of its shares matter. */
export const setParameters = (point: Point, { shares, factors }: Parameters): void => {
  const sum = shares.reduce((total, share) => total + share, 0)
  for (let k = 0; k < point.rank; k++) point.values[k] = shares[k] / sum
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

/** Takes in what the pass found: the loss, and the update of all factors at once (paper, eq. 13–15) by each mode's M-step. */
export const takeIn = (point: Point, statistics: Statistics, total: number, steps: readonly MStep[]): void => {
  const { rank, shape, update, mass, parameters } = point
  for (let k = 0; k < rank; k++) update[k] = statistics.weights[k] / total
  const masses = new Float64Array(rank)
  let penalty = 0
  let offset = rank
  for (let n = 0; n < shape.length; n++) {
    const table = statistics.factors[n]
    const factor = parameters.factors[n]
    steps[n].update(table, factor, update.subarray(offset, offset + table.length), masses)
    for (let k = 0; k < rank; k++) mass[n * rank + k] = masses[k] / total
    penalty += steps[n].penalty(factor)
    offset += table.length
  }
  point.loss = lossOffset(total) - statistics.logLikelihood
  point.objective = point.loss + penalty
}
