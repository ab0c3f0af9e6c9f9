import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { AbortError, attempt, EngineError, OptionError } from '../../errors.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { isDear } from '../../fit/descent/stopping.ts'
import { countsOf } from '../../fit/fit.ts'
import { FIT_OPTIONS, type FitOptions } from '../../fit/fit-options.ts'
import { fitParts } from '../../fit/fit-parts.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { heldOutLogLikelihood } from '../../fit/held-out.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { omit } from '../../pick.ts'
import { ROW_WEIGHTS, type RowWeights } from '../../tensor/row-weights.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'
import { CRITERIA, type Criterion } from '../fit-statistics/criteria.ts'
import { evaluateLikelihood, unknownEvaluation } from '../fit-statistics/evaluate.ts'
import type { Evaluation } from '../fit-statistics/evaluation.ts'
import { checkCounts, REPLICATES, type ReplicateProgress } from '../resampling/replicates.ts'
import { excludedBy } from '../structure/structures.ts'
import { briefOptions, nextToSearch } from './brief-search.ts'
import {
  checkDrawable,
  RANKED_STRUCTURE,
  type RankedStructure,
  withoutStructure,
  withRankedModels,
} from './ranked-models.ts'
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
  /**
   * Whether every number of classes is searched as `fit` does. Default: large data is first searched briefly, and then only the numbers that
   * could still be recommended.
   */
  readonly thorough?: boolean
  /** Folds for the held-out log-likelihood; 0 leaves it out. With covariates or groups there is none. Default 5. */
  readonly folds?: number
  /** Replicates of the bootstrap test of every rank against the next; 0 leaves it out. Default 0. */
  readonly replicates?: number
  /** The rows of every cell by their sampling weights, which the replicates of a test keep. */
  readonly rowWeights?: RowWeights
  /** Called with every replicate of a test. */
  readonly onReplicate?: (progress: ReplicateProgress) => void
  /** Called with every fit as soon as it is known, and the data that was fitted; again if it is searched further or more is known of it. */
  readonly onFit?: (fit: RankedFit, items: Counts) => void
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

/**
 * How folds are fitted: their optimum need not be the best to the last digit. On random problems, two starts in place of five changed the
 * held-out log-likelihood by no more than other seeds do, and looser conditions not at all. (Starts from the model of all data are no choice:
 * it has seen what is left out.)
 */
const FOLD = {
  small: { starts: 5, tolerance: 1e-9, stationarity: 1e-4, minGain: 1e-7 },
  large: { starts: 5, tolerance: 1e-7, stationarity: 1e-2, minGain: 1e-6 },
  brief: { starts: 2, tolerance: 1e-7, stationarity: 1e-2, minGain: 1e-6 },
}

/**
 * How a fold is fitted. If passes are expensive, by the search that the data itself was fitted by: it needs fewer passes than five starts that
 * are each taken to their end, and finds lower losses.
 */
export const foldOptions = (
  data: Pick<Counts, 'cells' | 'shape'>,
  rank: number,
  { starts }: Pick<FitOptions, 'starts'>,
  size: keyof typeof FOLD = 'small',
): Partial<FitOptions> => {
  if (!isDear(data, rank)) return FOLD[size]
  return typeof starts === 'number' ? { starts: Math.min(starts, FOLD.small.starts) } : {}
}

/** The options of `chooseRank`. */
export const CHOOSE_RANK_OPTIONS = {
  ...omit(FIT_OPTIONS, 'rank', 'init', 'constraints'),
  ...RANKED_STRUCTURE,
  from: { check: is.whole(1), default: 1 },
  to: { check: is.whole(1), default: 6 },
  by: { check: is.oneOf(CRITERIA.map(({ key }) => key)), default: 'bic' },
  thorough: { check: is.flag, default: false },
  folds: { check: is.either(0, is.whole(2, 100)), default: 5 },
  replicates: { check: is.either(0, REPLICATES), default: 0 },
  rowWeights: ROW_WEIGHTS,
  onReplicate: { check: is.function },
  onFit: { check: is.function },
} as const satisfies OptionTable<ChooseRankOptions>

/**
 * Fits a range of ranks and recommends one. With covariates or groups, all models have them, as in `fitStructured`. Throws `OptionError` for invalid
 * options, and `EngineError` if the engine fails; its `partial` has the finished ranks.
 * @example
 * const { recommended, reason } = await chooseRank(answers, { to: 3 })
 * recommended // 2
 */
export const chooseRank = async (data: Tensor | Session, options: ChooseRankOptions = {}): Promise<RankChoice> => {
  const given = checkedOptions('chooseRank', CHOOSE_RANK_OPTIONS, options)
  const { from, to, by, thorough, folds, replicates, rowWeights, onReplicate, onFit, ...fitting } = given
  wholeNumber('to', to, from)
  if (by === 'heldOut' && folds === 0)
    throw new OptionError('folds', words`must be 2 or more with ${mention('by', 'heldOut')}`, folds)
  const counts = countsOf(data)
  if (replicates !== 0) checkCounts(counts, rowWeights)
  // Beyond the number of cells there is nothing to fit.
  const last = Math.max(from, Math.min(to, counts.cells))
  const unfolded = by === 'heldOut' ? excludedBy('held-out', given) : undefined
  if (unfolded !== undefined)
    throw new OptionError('by', words`cannot be heldOut with ${mention(unfolded.name)}: ${unfolded.reason}`)
  if (replicates !== 0) checkDrawable(given)
  // What the largest of them does not fit into is refused before any is fitted.
  const asked = { ...withoutStructure(fitting), rank: last }
  fitParts(counts, asked, checkedFit(counts, asked))
  return withCheckpoint('chooseRank', given, opened =>
    withRankedModels(data, { ...fitting, ...opened, rowWeights }, async (models, rest) => {
      const { runner } = models
      const stop = () => rest.signal?.aborted === true
      const fits: RankedFit[] = []
      const warnings: string[] = []
      let failure: EngineError | undefined
      // What every test compares must be the best of its rank.
      const whole = thorough || replicates > 0 || models.isStructured
      const fitted = async (rank: number, brief?: Partial<FitOptions>): Promise<FitResult | undefined> => {
        const result = await models.fit({ ...rest, ...brief, rank }).catch((error: unknown) => {
          if (error instanceof AbortError && fits.length > 0) return undefined
          if (!(error instanceof EngineError)) throw error
          failure = error
          return undefined
        })
        for (const note of result?.notes ?? []) if (!warnings.includes(note)) warnings.push(note)
        return result
      }
      const judged = async (rank: number, result: FitResult, brief: boolean): Promise<RankedFit> => {
        const evaluation: Evaluation =
          (await attempt(
            stop() ? `goodness of fit of rank ${rank}` : `goodness of fit and criteria of rank ${rank}`,
            warnings,
            () => models.evaluate(result, rest.signal),
          )) ?? (stop() ? evaluateLikelihood : unknownEvaluation)(counts, result.model, result.logLikelihood)
        const placed = models.dataOf(result)
        return {
          rank,
          result,
          heldOut: undefined,
          ...evaluation,
          ...defined({ data: placed }),
          ...(brief && { brief }),
        }
      }
      const heldOutOf = ({ rank, result, brief = false }: RankedFit): Promise<number | undefined> => {
        const size = brief ? 'brief' : !whole && briefOptions(counts, rank, rest) !== undefined ? 'large' : 'small'
        const trial = { ...rest, rank, ...foldOptions(counts, rank, rest, size) }
        const smoothing = result.smoothing?.width ?? rest.smoothing
        return attempt(`the held-out log-likelihood of rank ${rank}`, warnings, () =>
          heldOutLogLikelihood(runner, { ...trial, ...defined({ smoothing }) }, folds),
        )
      }
      const keep = (at: number, fit: RankedFit) => {
        fits[at] = Object.freeze(fit)
        onFit?.(fits[at], models.items)
      }
      const predict = async (at: number): Promise<void> => {
        if (folds === 0 || models.isStructured || stop()) return
        const heldOut = await heldOutOf(fits[at])
        if (heldOut !== undefined) keep(at, { ...fits[at], heldOut })
      }
      for (let rank = from; rank <= last && failure === undefined; rank++) {
        if (rank > from && stop()) break
        const brief = whole ? undefined : briefOptions(counts, rank, rest)
        const result = await fitted(rank, brief)
        if (result === undefined) break
        keep(fits.length, await judged(rank, result, brief !== undefined))
        if (by === 'heldOut') await predict(fits.length - 1)
      }
      while (failure === undefined && !stop()) {
        const rank = nextToSearch(fits, by, counts.total)
        if (rank === undefined) break
        const at = rank - from
        const result = await fitted(rank)
        if (result === undefined) break
        const { brief, ...before } = fits[at]
        // Of a search that was stopped, what was known before may be better.
        const better = result.objective <= before.result.objective
        const isBrief = result.stopped && !better
        keep(at, better ? await judged(rank, result, isBrief) : { ...before, ...(isBrief && { brief }) })
        if (by === 'heldOut') await predict(at)
      }
      if (by !== 'heldOut') for (let at = 0; at < fits.length && failure === undefined; at++) await predict(at)
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
          if (test !== undefined) keep(i, { ...fit, test })
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
