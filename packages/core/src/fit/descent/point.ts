import type { Statistics } from '../../engine/engine.ts'
import type { Sweeps } from '../../engine/sweeps/sweeps.ts'
import { lossOffset } from '../../model/loss.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { MStep } from './m-step.ts'
import type { Explained, Membership, MembershipPoint } from './membership.ts'

/**
 * A model under way, with what one pass found about it. The parameters lie one after the other in a single array, shares
 * first and then the factors: steps are arithmetic on that array, and the engine sees the same numbers as `parameters`.
 */
export interface Point {
  readonly rank: number
  /** How many labels each mode has. */
  readonly shape: readonly number[]
  /** Shares and factors. */
  readonly values: Float64Array
  /** The same numbers by mode. */
  readonly parameters: Parameters
  /** What there is in place of shares if membership is explained; the shares among the values are then all equal, and stay so. */
  readonly membership?: MembershipPoint
  /** How large the classes are: the shares, or the mean memberships. */
  readonly shares: Float64Array
  /** Where EM goes from here: the statistics of the pass after the M-step, in the layout of `values`. */
  readonly update: Float64Array
  /** For every mode and class, the part of the data (over the total) in which the mode is present and the class holds. */
  readonly mass: Float64Array
  /** The penalized loss, which is what a run brings down; the plain loss where there is no prior. */
  objective: number
  /** The loss of the paper's eq. (2). */
  loss: number
}

/** One of the two points that sweeps have. */
export const newPoint = ({ shape, rank, points }: Sweeps, which: 0 | 1, explaining?: Membership): Point => {
  const { values, update } = points[which]
  const membership = explaining?.newPoint()
  const parameters = { rank, shares: values.subarray(0, rank), factors: factorsOf(values, shape, rank) }
  return {
    rank,
    shape,
    values,
    parameters,
    ...(membership !== undefined && { membership }),
    shares: membership?.shares ?? parameters.shares,
    update,
    mass: new Float64Array(shape.length * rank),
    objective: Number.POSITIVE_INFINITY,
    loss: Number.POSITIVE_INFINITY,
  }
}

/** The statistics of sweeps as an engine writes them. */
export const statisticsOf = ({ rank, statistics, shape }: Sweeps): Statistics => ({
  rank,
  sizes: statistics.subarray(0, rank),
  factors: factorsOf(statistics, shape, rank),
  logLikelihood: 0,
})

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
export const setParameters = (point: Point, start: Explained, explaining?: Membership): void => {
  const { shares, factors } = start
  const sum = shares.reduce((total, share) => total + share, 0)
  for (let k = 0; k < point.rank; k++)
    point.values[k] = point.membership === undefined ? shares[k] / sum : 1 / point.rank
  if (point.membership !== undefined) explaining?.begin(point.membership, start)
  factors.forEach((factor, n) => {
    point.parameters.factors[n].set(factor)
  })
}

/** Makes a point a copy of another, as far as it is chosen and not found by a pass. */
export const copyPoint = (from: Point, to: Point): void => {
  to.values.set(from.values)
  if (from.membership !== undefined) to.membership!.at.set(from.membership.at)
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

/** Takes in what a pass has left in the statistics of the sweeps: the loss, and the update of all factors at once (paper, eq. 13–15). */
export const takeIn = (
  point: Point,
  sweeps: Sweeps,
  { logLikelihood }: Statistics,
  total: number,
  steps: readonly MStep[],
): void => {
  const { rank, shape, values, update, mass, parameters, membership } = point
  sweeps.maximize(point, steps.map(step => step.added), total) // biome-ignore format: one call
  // No slope along shares that stand for nothing.
  if (membership !== undefined) update.set(values.subarray(0, rank))
  let penalty = 0
  let offset = rank
  for (let n = 0; n < shape.length; n++) {
    const end = offset + shape[n] * rank
    const ownMass = mass.subarray(n * rank, (n + 1) * rank)
    steps[n].finish?.(update.subarray(offset, end), rank, parameters.factors[n], ownMass)
    penalty += steps[n].penalty(parameters.factors[n])
    offset = end
  }
  point.loss = lossOffset(total) - logLikelihood
  point.objective = point.loss + penalty
}
