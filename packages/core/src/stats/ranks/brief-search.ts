import { type FitOptions, usualPasses } from '../../fit/fit-options.ts'
import type { Counts } from '../../tensor/tensor.ts'
import { type Criterion, criterionValue } from '../fit-statistics/criteria.ts'
import type { RankedFit } from './recommend.ts'

/**
 * Numbers of classes are first searched briefly, and those that could be recommended are then searched as `fit` does. A brief search is an
 * economical one: four starts, recombination if they do not agree, and the best is taken to its end.
 */

/** The passes of a brief search: this part of those of a whole one, within limits. */
const PASSES = { part: 0.1, least: 200, most: 800 }
/** What a run may still gain when a brief search ends, as a part of the loss. */
const MIN_GAIN = 1e-6
/** Searches of less work (cells × modes × classes × passes) are whole: they take less than a second. */
const WORTHWHILE = 2e9

/** The options of a brief search; undefined if a whole one costs hardly more, or all is prescribed. */
export const briefOptions = (
  counts: Counts,
  rank: number,
  { starts = 'auto', maxPasses, minGain }: Pick<FitOptions, 'starts' | 'maxPasses' | 'minGain'>,
): Pick<FitOptions, 'maxPasses' | 'minGain'> | undefined => {
  // One class has one optimum.
  if (starts !== 'auto' || rank === 1) return undefined
  const whole = maxPasses ?? usualPasses(counts, rank, starts)
  const brief = Math.min(PASSES.most, Math.max(PASSES.least, Math.floor(PASSES.part * whole)))
  if (brief > whole / 2 || whole * counts.cells * counts.shape.length * rank < WORTHWHILE) return undefined
  return { maxPasses: brief, minGain: Math.max(MIN_GAIN, minGain ?? 0) }
}

/**
 * By how much the log-likelihood of a briefly searched fit may rise: so many times the distance of the middle of its starts from the best, what
 * its run still promised, and so much for every parameter of a class, since optima of more parameters lie farther apart. On none of 103
 * random problems (bench/src/problems.ts and families.ts, 4001 and 4002) did a whole search find more; half of this was exceeded on a few.
 */
const RISE = { apart: 2, parameter: 0.25, least: 1 }

const possibleRise = ({ rank, result, parameters }: RankedFit): number => {
  const losses = result.attempts.flatMap(({ origin, loss }) => (origin === 'recombined' ? [] : [loss]))
  const middle = losses.sort((a, b) => a - b)[losses.length >> 1]
  const apart = Math.max(0, middle - result.loss)
  return RISE.least + RISE.apart * apart + (result.estimatedGain ?? 0) + (RISE.parameter * parameters) / rank
}

/**
 * The rank of the next fit to search thoroughly: the best, if it was searched briefly, else the nearest that could be better than the best.
 */
export const nextToSearch = (fits: readonly RankedFit[], by: Criterion, total: number): number | undefined => {
  const value = (fit: RankedFit) => criterionValue(fit, by)
  // A unit of the log-likelihood changes the held-out one, which is a mean, by a part of it, and all other criteria by two.
  const unit = by === 'heldOut' ? 1 / total : 2
  const ordered = fits.filter(fit => Number.isFinite(value(fit))).sort((a, b) => value(a) - value(b))
  return ordered.find(fit => fit.brief === true && (value(fit) - value(ordered[0])) / unit <= possibleRise(fit))?.rank
}
