import {
  type BoundedOptions,
  boundOptions,
  type FitOptions,
  type FitResult,
  fitBounded,
  type Progress,
} from '../fit/fit.ts'
import { heldOutLogLikelihood } from '../fit/held-out.ts'
import { knownOptions, oneOf, wholeNumber } from '../options.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Criteria, criteria } from './criteria.ts'
import { classificationEntropy, countParameters, type Goodness, goodnessOfFit, relativeEntropy } from './goodness.ts'

export type Criterion = 'aic' | 'bic' | 'caic' | 'sabic' | 'icl' | 'heldOut'

const CRITERIA: readonly Criterion[] = ['aic', 'bic', 'caic', 'sabic', 'icl', 'heldOut']

/** Everything of a fit's options but the rank, and: */
export interface ChooseRankOptions extends Omit<FitOptions, 'rank' | 'init' | 'onProgress'> {
  /** The first rank to try. Default 1. */
  readonly from?: number
  /** The last rank to try. Default 6. */
  readonly to?: number
  /** What the recommendation goes by. Default 'bic'. */
  readonly by?: Criterion
  /** Folds for the held-out log-likelihood; 0 leaves it out. Default 5. */
  readonly folds?: number
  readonly onProgress?: (progress: Progress) => void
}

export interface RankedFit extends Criteria, Goodness {
  readonly rank: number
  readonly result: FitResult
  readonly logLikelihood: number
  readonly parameters: number
  /** BIC with the uncertainty of the classification added (integrated completed likelihood). */
  readonly icl: number
  /** The mean log-probability of an observation left out of the fit; undefined where it was not asked for. */
  readonly heldOut: number | undefined
  readonly relativeEntropy: number | undefined
}

export interface RankChoice {
  readonly fits: readonly RankedFit[]
  /** The rank that is recommended; undefined only where not a single fit was finished. */
  readonly recommended: number | undefined
  /** Why, and what to beware of. */
  readonly reason: string
  /** Whether it was stopped before all ranks had been tried. */
  readonly stopped: boolean
}

/** Starts of the fits to the folds: their optimum need not be the last digit's best. */
const FOLD_STARTS = 5

/** Fits a range of ranks and says which one the data speaks for. */
export const chooseRank = async (tensor: Tensor, options: ChooseRankOptions = {}): Promise<RankChoice> => {
  const { from = 1, to = 6, by = 'bic', folds = 5, ...fitting } = options
  knownOptions('chooseRank', { from, to, by, folds }, ['from', 'to', 'by', 'folds'])
  wholeNumber('from', from, 1)
  wholeNumber('to', to, from)
  oneOf('by', by, CRITERIA)
  if (folds !== 0) wholeNumber('folds', folds, 2, 100)
  if (by === 'heldOut') wholeNumber("folds (needed by 'heldOut')", folds, 2, 100)
  options.signal?.throwIfAborted()
  const rest = boundOptions(fitting)
  const stop = () => rest.signal?.aborted === true
  const fits: RankedFit[] = []
  for (let rank = from; rank <= to; rank++) {
    if (rank > from && stop()) break
    const result = await fitBounded(tensor, { ...rest, rank })
    const trial = { ...rest, rank, starts: FOLD_STARTS, tolerance: 1e-9, stationarity: 1e-4 }
    const heldOut =
      folds === 0 || stop() ? undefined : await heldOutLogLikelihood(tensor, withoutProgress(trial), folds)
    fits.push(ranked(tensor, rank, result, heldOut))
  }
  const stopped = fits.length < to - from + 1 || stop()
  return Object.freeze({ fits: Object.freeze(fits), ...recommend(fits, by), stopped })
}

const withoutProgress = ({ onProgress: _, ...options }: BoundedOptions): BoundedOptions => options

const ranked = (tensor: Tensor, rank: number, result: FitResult, heldOut: number | undefined): RankedFit => {
  const parameters = countParameters(tensor.shape, rank)
  const all = criteria(result.logLikelihood, parameters, tensor.total)
  return Object.freeze({
    rank,
    result,
    logLikelihood: result.logLikelihood,
    parameters,
    ...all,
    icl: all.bic + 2 * classificationEntropy(result.model, tensor),
    heldOut,
    ...goodnessOfFit(result.model, tensor),
    relativeEntropy: relativeEntropy(result.model, tensor),
  })
}

/** The value by which fits are compared, lower being better. */
const standing = (fit: RankedFit, by: Criterion): number =>
  by === 'heldOut' ? -(fit.heldOut ?? Number.NEGATIVE_INFINITY) : fit[by]

const trusted = ({ rank, result }: RankedFit): boolean =>
  result.converged && (rank === 1 || (result.verdict.reached > 1 && !result.verdict.ambiguous))

const recommend = (fits: readonly RankedFit[], by: Criterion): Pick<RankChoice, 'recommended' | 'reason'> => {
  const name = by === 'heldOut' ? 'the held-out log-likelihood' : by.toUpperCase()
  const judged = fits.filter(each => Number.isFinite(standing(each, by)))
  if (judged.length === 0) return { recommended: undefined, reason: `no rank could be judged by ${name}` }
  const best = judged.reduce((a, b) => (standing(b, by) < standing(a, by) ? b : a))
  const parts = [`${name} is best at rank ${best.rank}`]
  const others = judged.filter(each => each !== best)
  if (others.length > 0) {
    const second = others.reduce((a, b) => (standing(b, by) < standing(a, by) ? b : a))
    const ahead = Math.abs(standing(second, by) - standing(best, by))
    parts[0] += `, ${by === 'heldOut' ? ahead.toFixed(4) : ahead.toFixed(1)} ahead of rank ${second.rank}`
  }
  if (judged.length < fits.length) parts.push(`${fits.length - judged.length} of the ranks could not be judged`)
  if (best === fits[fits.length - 1] && fits.length > 1) parts.push('it is the largest rank tried: try more')
  if (!trusted(best)) {
    const { converged, verdict } = best.result
    if (!converged) parts.push('but its fit has not converged')
    else if (verdict.ambiguous)
      parts.push('but models of the same loss differ in their parameters: it is not identified')
    else parts.push('but its optimum was reached once only: provisional')
  }
  return { recommended: best.rank, reason: parts.join('; ') }
}
