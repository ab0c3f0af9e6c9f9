import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { AbortError, attempt, EngineError, OptionError } from '../../errors.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { isDear } from '../../fit/descent/stopping.ts'
import { countsOf } from '../../fit/fit.ts'
import { FIT_OPTIONS, type FitOptions } from '../../fit/fit-options.ts'
import { fitParts } from '../../fit/fit-parts.ts'
import { heldOutLogLikelihood } from '../../fit/held-out.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { omit } from '../../pick.ts'
import { ROW_WEIGHTS, type RowWeights } from '../../tensor/row-weights.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'
import { CRITERIA, type Criterion } from '../fit-statistics/criteria.ts'
import { type Evaluation, evaluateLikelihood, unknownEvaluation } from '../fit-statistics/evaluate.ts'
import { checkCounts, REPLICATES, type ReplicateProgress } from '../resampling/replicates.ts'
import { RANKED_STRUCTURE, type RankedStructure, withoutStructure, withRankedModels } from './ranked-models.ts'
import { type RankedFit, type Recommendation, recommend } from './recommend.ts'
import { DEFAULTS, testFits } from './test-ranks.ts'

/** The options of a fit without its rank and its first model, and: */
export interface ChooseRankOptions extends Omit<FitOptions, 'rank' | 'init' | 'constraints'>, RankedStructure {
  /** The first rank to try. Default 1. */
  readonly from?: number
  /** The last rank to try. Default 6. */
  readonly to?: number
  /** The criterion of the recommendation. Default 'bic'. */
  readonly by?: Criterion
  /** Folds for the held-out log-likelihood; 0 leaves it out. With covariates or groups there is none. Default 5. */
  readonly folds?: number
  /** Replicates of the bootstrap test of every rank against the next; 0 leaves it out. Default 0. */
  readonly replicates?: number
  /** The rows of every cell by their sampling weights, which the replicates of a test keep. */
  readonly rowWeights?: RowWeights
  /** Called with every replicate of a test. */
  readonly onReplicate?: (progress: ReplicateProgress) => void
}

export interface RankChoice extends Recommendation {
  readonly fits: readonly RankedFit[]
  /** The data that was fitted: without covariates, and rows that lack one. */
  readonly items: Counts
  /** Whether it was stopped before all ranks had been tried. */
  readonly stopped: boolean
  /** Statistics that could not be computed, and why. */
  readonly warnings: readonly string[]
}

/** Starts of the fits to the folds: their optimum need not be the best to the last digit. */
const FOLD_STARTS = 5

/**
 * How a fold is fitted. If passes are expensive, by the search that the data itself was fitted by: it needs fewer passes than five starts that
 * are each taken to their end, and finds lower losses.
 */
export const foldOptions = (
  data: Pick<Counts, 'cells' | 'shape'>,
  rank: number,
  { starts }: Pick<FitOptions, 'starts'>,
): Partial<FitOptions> => {
  if (!isDear(data, rank)) return { starts: FOLD_STARTS, tolerance: 1e-9, stationarity: 1e-4, minGain: 1e-7 }
  return typeof starts === 'number' ? { starts: Math.min(starts, FOLD_STARTS) } : {}
}

/** The options of `chooseRank`. */
export const CHOOSE_RANK_OPTIONS = {
  ...omit(FIT_OPTIONS, 'rank', 'init', 'constraints'),
  ...RANKED_STRUCTURE,
  from: { check: is.whole(1), default: 1 },
  to: { check: is.whole(1), default: 6 },
  by: { check: is.oneOf(CRITERIA.map(({ key }) => key)), default: 'bic' },
  folds: { check: is.either(0, is.whole(2, 100)), default: 5 },
  replicates: { check: is.either(0, REPLICATES), default: 0 },
  rowWeights: ROW_WEIGHTS,
  onReplicate: { check: is.function },
} as const satisfies OptionTable<ChooseRankOptions>

/**
 * Fits a range of ranks and says which one the data supports. If the engine fails, the error has the ranks before (`partial`). With covariates or
 * groups all models have them, as those of `fitStructured`.
 * @example
 * const { recommended, reason } = await chooseRank(answers, { to: 3 })
 * recommended // 2
 */
export const chooseRank = async (data: Tensor | Session, options: ChooseRankOptions = {}): Promise<RankChoice> => {
  const given = checkedOptions('chooseRank', CHOOSE_RANK_OPTIONS, options)
  const { from, to, by, folds, replicates, rowWeights, onReplicate, ...fitting } = given
  wholeNumber('to', to, from)
  if (by === 'heldOut' && folds === 0)
    throw new OptionError('folds', words`must be 2 or more with ${mention('by', 'heldOut')}`, folds)
  const counts = countsOf(data)
  if (replicates !== 0) checkCounts(counts, rowWeights)
  // Beyond the number of cells there is nothing to fit.
  const last = Math.max(from, Math.min(to, counts.cells))
  if (by === 'heldOut' && (given.covariates ?? given.groups) !== undefined)
    throw new OptionError(
      'by',
      words`cannot be heldOut with ${mention(given.groups === undefined ? 'covariates' : 'groups')}: rows are left out of no fit there`,
    )
  // What the largest of them does not fit into is refused before any is fitted.
  const asked = { ...withoutStructure(fitting), rank: last }
  fitParts(counts, asked, checkedFit(counts, asked))
  return withCheckpoint('chooseRank', given, opened =>
    withRankedModels(data, { ...fitting, ...opened }, async (models, rest) => {
      const { runner } = models
      const stop = () => rest.signal?.aborted === true
      const fits: RankedFit[] = []
      const warnings: string[] = []
      let failure: EngineError | undefined
      for (let rank = from; rank <= last; rank++) {
        if (rank > from && stop()) break
        const result = await models.fit({ ...rest, rank }).catch((error: unknown) => {
          if (error instanceof AbortError && fits.length > 0) return undefined
          if (!(error instanceof EngineError)) throw error
          failure = error
          return undefined
        })
        if (result === undefined) break
        for (const note of result.notes) if (!warnings.includes(note)) warnings.push(note)
        const trial = { ...rest, rank, ...foldOptions(counts, rank, rest) }
        const smoothing = result.smoothing?.width ?? rest.smoothing
        const heldOut =
          folds === 0 || models.isStructured || stop()
            ? undefined
            : await attempt(`the held-out log-likelihood of rank ${rank}`, warnings, () =>
                heldOutLogLikelihood(runner, { ...trial, ...defined({ smoothing }) }, folds),
              )
        const evaluation: Evaluation =
          (await attempt(
            stop() ? `goodness of fit of rank ${rank}` : `goodness of fit and criteria of rank ${rank}`,
            warnings,
            () => models.evaluate(result, rest.signal),
          )) ?? (stop() ? evaluateLikelihood : unknownEvaluation)(counts, result.model, result.logLikelihood)
        const placed = models.dataOf(result)
        fits.push(Object.freeze({ rank, result, heldOut, ...evaluation, ...defined({ data: placed }) }))
      }
      if (replicates > 0 && failure === undefined) {
        for (const [i, fit] of fits.slice(0, -1).entries()) {
          if (stop()) break
          const test = await attempt(`the test of rank ${fit.rank}`, warnings, () =>
            testFits(models, fit.result, fits[i + 1].result, {
              ...rest,
              ...DEFAULTS,
              replicates,
              rowWeights,
              onReplicate,
            }),
          )
          if (test !== undefined) fits[i] = Object.freeze({ ...fit, test })
        }
      }
      const stopped = fits.length < last - from + 1 || stop()
      if (failure !== undefined && fits.length === 0) throw failure
      const found = { fits: Object.freeze(fits), items: models.items, ...recommend(fits, by) }
      const choice = { ...found, stopped, warnings: Object.freeze(warnings) }
      if (failure !== undefined) throw failure.with(Object.freeze(choice))
      return Object.freeze(choice)
    }),
  )
}
