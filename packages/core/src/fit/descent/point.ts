import type { Statistics } from '../../engine/engine.ts'
import type { Sweeps } from '../../engine/sweeps/sweeps.ts'
import { lossOffset } from '../../model/loss.ts'
import type { ModelParameters, Parameters } from '../../model/parameters.ts'
import type { Block, BlockPoint } from './block.ts'
import type { MStep } from './m-step.ts'

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
  /** The parts whose tables follow from parameters of their own. */
  readonly blocks: readonly BlockPoint[]
  /** The model as an engine sees it: with the tables of the blocks. */
  readonly passed: Parameters
  /** The class sizes: the shares, or what a block has in their place; the shares among the values are then all equal, and stay so. */
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
export const newPoint = ({ shape, rank, points }: Sweeps, which: 0 | 1, parts: readonly Block[] = []): Point => {
  const { values, update } = points[which]
  const blocks = parts.map(block => block.newPoint())
  const parameters = { rank, shares: values.subarray(0, rank), factors: factorsOf(values, shape, rank) }
  const decided = blocks.find(block => block.shares)?.shares
  return {
    rank,
    shape,
    values,
    parameters,
    blocks,
    passed: {
      rank,
      shares: decided === undefined ? parameters.shares : new Float64Array(rank).fill(1),
      factors: withBlocks(
        parameters.factors,
        parts,
        blocks.map(block => block.table),
      ),
    },
    shares: decided ?? parameters.shares,
    update,
    mass: new Float64Array(shape.length * rank),
    objective: Number.POSITIVE_INFINITY,
    loss: Number.POSITIVE_INFINITY,
  }
}

/** The arrays of all modes of the data: those of free probabilities, and those of blocks in their places. */
export const withBlocks = (
  free: readonly Float64Array[],
  blocks: readonly Block[],
  arrays: readonly Float64Array[],
): Float64Array[] => {
  const all = [...free]
  blocks.forEach(({ mode }, b) => void all.splice(mode, 0, arrays[b]))
  return all
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
export const setParameters = (point: Point, start: ModelParameters, parts: readonly Block[] = []): void => {
  const { shares, factors } = start
  const sum = shares.reduce((total, share) => total + share, 0)
  for (let k = 0; k < point.rank; k++)
    point.values[k] = point.shares === point.parameters.shares ? shares[k] / sum : 1 / point.rank
  parts.forEach((block, b) => void block.initialize(point.blocks[b], start))
  const free = factors.filter((_, n) => parts.every(({ mode }) => mode !== n))
  free.forEach((factor, n) => {
    point.parameters.factors[n].set(factor)
  })
}

/** Makes a point a copy of another, as far as it is chosen and not found by a pass. */
export const copyPoint = (from: Point, to: Point): void => {
  to.values.set(from.values)
  from.blocks.forEach((block, b) => void to.blocks[b].at.set(block.at))
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
export const takeStatistics = (
  point: Point,
  sweeps: Sweeps,
  { logLikelihood }: Statistics,
  total: number,
  steps: readonly MStep[],
): void => {
  const { rank, shape, values, update, mass, parameters } = point
  sweeps.maximize(
    point,
    steps.map(step => step.added),
    total,
  )
  // No slope along shares that stand for nothing.
  if (point.shares !== parameters.shares) update.set(values.subarray(0, rank))
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
