import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { AbortError, throwIfStopped } from '../../errors.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { countsOf } from '../../fit/fit.ts'
import { FIT_OPTIONS, type FitOptions, type SessionFitOptions } from '../../fit/fit-options.ts'
import { fitParts } from '../../fit/fit-parts.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import type { ReplicateResult } from '../../fit/search/replicate.ts'
import { log } from '../../numeric/log.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { omit } from '../../pick.ts'
import { reader } from '../../reader.ts'
import { ROW_WEIGHTS, type RowWeights } from '../../tensor/row-weights.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { exceeding, type MonteCarloTest, monteCarloTest } from '../resampling/monte-carlo.ts'
import { checkCounts, drawReplicates, REPLICATES, type ReplicateProgress } from '../resampling/replicates.ts'
import { sequentialTest } from '../resampling/sequential-test.ts'
import {
  checkDrawable,
  RANKED_STRUCTURE,
  type RankedModels,
  type RankedStructure,
  withoutStructure,
  withRankedModels,
} from './ranked-models.ts'

/** How the replicates of a test are made. */
export interface RankTestOptions {
  /** How many replicates at most. Default 500. */
  readonly replicates?: number
  /** Random starts of the larger model in every replicate, besides the model itself; the smaller one has a third. Default 24. */
  readonly replicateStarts?: number
  /** Whether to draw all replicates even where the p-value is clearly above or below the level long before. Default false. */
  readonly all?: boolean
  /** The level that replicates may end early for. Default 0.05. */
  readonly level?: number
  /**
   * The rows of every cell by their sampling weights. Replicates keep them: the class of every row is drawn by its posteriors, and its
   * answers by the class.
   */
  readonly rowWeights?: RowWeights | undefined
  /** Called with every replicate. */
  readonly onReplicate?: ((progress: ReplicateProgress) => void) | undefined
}

/** The options of the two fits, without their first model, and those of the test. */
export interface TestRanksOptions extends Omit<FitOptions, 'init'>, RankTestOptions, RankedStructure {
  /** The larger rank. Default: one more. */
  readonly against?: number
}

/**
 * The statistic of Lo, Mendell and Rubin (2001) in its ad-hoc adjusted form. It is here because other programs report it. It has no p-value:
 * the proof behind it does not cover mixtures (Jeffries 2003), and χ² is not its distribution.
 */
export interface LoMendellRubin {
  readonly statistic: number
  /** The parameters that the larger model has more, as far as the table can tell them apart. */
  readonly degreesOfFreedom: number
  /** @deprecated Always undefined: there is no p-value that holds. */
  readonly pValue: undefined
}

/** The test of a rank against a larger one. */
export interface RankTest extends MonteCarloTest {
  readonly rank: number
  readonly against: number
  /** How many replicates there are. */
  readonly replicates: number
  /** How many of them have both models converged. */
  readonly converged: number
  /** Why there are no more: all that were asked for, enough for the level, or stopped. */
  readonly reason: 'all' | 'clear' | 'stopped'
  /** Whether a signal or the time limit ended it before there were enough replicates. */
  readonly stopped: boolean
  readonly loMendellRubin: LoMendellRubin
  /** Observations (of persons over time: persons) for each parameter of the larger model. With fewer than `FEWEST_PER_PARAMETER` the test rejects too often. */
  readonly observationsPerParameter: number
  /** Why the p-value may be too small. */
  readonly warnings: readonly string[]
}

/** With 2.1 observations per parameter of the larger model, tests at 10% rejected 15.4% of true models; with 5.3, 10.0% (bench/SPARSE-TESTS.md). */
export const FEWEST_PER_PARAMETER = 5

/**
 * How a test is made where nothing else is asked for. Of 100 replicates of two surveys the whole search of a fit found a better larger
 * model than 4 starts in 17, than 8 in 10, than 24 in 5 (by 0.01 nats on average), than 40 in 2; no p-value differed from 8 on.
 */
export const DEFAULTS = { replicates: 500, replicateStarts: 24, all: false, level: 0.05 }

/** The options of `testRanks`. */
export const TEST_RANKS_OPTIONS = {
  ...omit(FIT_OPTIONS, 'init'),
  ...RANKED_STRUCTURE,
  against: { check: is.whole(2) },
  replicates: { check: REPLICATES, default: DEFAULTS.replicates },
  replicateStarts: { check: is.whole(1, 10_000), default: DEFAULTS.replicateStarts },
  all: { check: is.flag, default: DEFAULTS.all },
  level: { check: is.proportion, default: DEFAULTS.level },
  rowWeights: ROW_WEIGHTS,
  onReplicate: { check: is.function },
} as const satisfies OptionTable<TestRanksOptions>

/**
 * Bootstrap likelihood-ratio test of a rank against a larger one. The statistic 2(L₁ − L₀) has no known distribution, so both models are fitted to data
 * drawn from the smaller one; the p-value is how often their statistic is as large. With covariates or groups both models have them, and replicates have
 * those of the rows.
 * @example
 * const { pValue, fits } = await testRanks(answers, { rank: 1, replicates: 50, threads: 1 })
 * pValue // 0.02
 */
export const testRanks = async (
  data: Tensor | Session,
  options: TestRanksOptions,
): Promise<RankTest & { readonly fits: readonly [FitResult, FitResult] }> => {
  const given = checkedOptions('testRanks', TEST_RANKS_OPTIONS, options)
  const {
    rank,
    against = rank + 1,
    replicates,
    replicateStarts,
    all,
    level,
    rowWeights,
    onReplicate,
    ...fitting
  } = given
  checkDrawable(given)
  const counts = countsOf(data)
  const asked = { ...withoutStructure(fitting), rank }
  fitParts(counts, asked, checkedFit(counts, asked))
  wholeNumber('against', against, rank + 1, counts.cells)
  checkCounts(counts, rowWeights)
  const testing = { replicates, replicateStarts, all, level, rowWeights, onReplicate }
  return withCheckpoint('testRanks', given, opened =>
    withRankedModels(data, { ...fitting, ...opened }, async (models, rest) => {
      const smaller = await models.fit({ ...rest, rank })
      throwIfStopped(rest.signal, NO_REPLICATE)
      const larger = await models.fit({ ...rest, rank: against })
      const test = await testFits(models, smaller, larger, { ...rest, ...testing })
      return Object.freeze({ ...test, fits: Object.freeze([smaller, larger] as const) })
    }),
  )
}

const NO_REPLICATE = 'stopped before the first replicate was fitted'

/** There are at least this many replicates, so that a p-value far above the level is known to a tenth or so. */
const LEAST = 48

/** The test of two fits to the data of a runner, unless a checkpoint knows it. */
export const testFits = async (
  models: RankedModels,
  smaller: FitResult,
  larger: FitResult,
  options: typeof DEFAULTS & RankTestOptions & Partial<SessionFitOptions>,
): Promise<RankTest> => {
  const { replicates, replicateStarts, all, level, rowWeights, seed, signal } = options
  const asked = { replicates, replicateStarts, all, level, rowWeights, seed }
  const fits = [smaller, larger].map(({ model, smoothing }) => [model.parameters, model.structure, smoothing?.width])
  const { runner } = models
  const refits = [options.algorithm, options.pseudoCounts, options.smoothing, options.constraints]
  const key = await runner.unitKey('test', asked, fits, refits)
  const work = () => drawnTest(models, smaller, larger, options, key)
  if (runner.units === undefined || key === undefined) return work()
  return runner.units.checkpoint.once({ kind: 'test', key, within: undefined }, { signal, check: testOf }, work)
}

const { number } = reader
const testFields = reader.fieldsAmong<RankTest>({ statistic: number, pValue: number, interval: reader.list(number) })

/** A test from a checkpoint. */
const testOf = (value: unknown): RankTest => Object.freeze(testFields(value, 'test'))

const drawnTest = async (
  models: RankedModels,
  smaller: FitResult,
  larger: FitResult,
  {
    replicates,
    replicateStarts,
    all,
    level,
    rowWeights: rows,
    onReplicate,
    ...rest
  }: typeof DEFAULTS & RankTestOptions & Partial<SessionFitOptions>,
  within: string | undefined,
): Promise<RankTest> => {
  const { runner, observations } = models
  const [rank, against] = [smaller.model.rank, larger.model.rank]
  const parameters = models.dimension(against)
  const statistic = ratio(smaller.logLikelihood, larger.logLikelihood)
  const ratios = (results: readonly ReplicateResult[]) =>
    results.map(({ fits: [zero, one] }) => ratio(zero.logLikelihood, one.logLikelihood))
  const take = sequentialTest(level)
  let [seen, clear] = [0, false]
  const results = await drawReplicates(
    runner,
    {
      seed: rest.seed ?? 1,
      ...models.drawn(smaller),
      ...defined({ rows }),
      fits: [models.refit(smaller, Math.ceil(replicateStarts / 3), rest), models.refit(larger, replicateStarts, rest)],
      misfit: false,
      decisive: statistic,
    },
    {
      replicates,
      signal: rest.signal,
      within,
      onReplicate,
      enough: some => {
        for (const each of ratios(some.slice(seen))) clear = take(exceeding(statistic, [each]) > 0) || clear
        seen = some.length
        return !all && clear && seen >= LEAST
      },
    },
  )
  const stopped = results.length < replicates && rest.signal?.aborted === true
  if (stopped && results.length === 0) throw new AbortError(rest.signal, NO_REPLICATE)
  const observationsPerParameter = observations / parameters
  return Object.freeze({
    ...monteCarloTest(statistic, ratios(results)),
    rank,
    against,
    replicates: results.length,
    converged: results.filter(({ fits }) => fits.every(({ converged }) => converged)).length,
    reason: results.length === replicates ? 'all' : stopped ? 'stopped' : 'clear',
    stopped,
    loMendellRubin: loMendellRubin(observations, statistic, parameters - models.dimension(rank)),
    observationsPerParameter,
    warnings: observationsPerParameter < FEWEST_PER_PARAMETER ? [tooFew(rank, against, observationsPerParameter)] : [],
  })
}

const tooFew = (rank: number, against: number, each: number): string =>
  `${rank} against ${against} classes: with ${each.toFixed(1)} observations per parameter, fewer than ${FEWEST_PER_PARAMETER}, this test may reject true models too often. Use fewer variables or categories.`

/** 2(L₁ − L₀): the larger model contains the smaller, so that what is below zero is a search that ended too soon. */
const ratio = (smaller: number, larger: number): number => Math.max(0, 2 * (larger - smaller))

/** @param degreesOfFreedom the parameters that the larger model has more */
const loMendellRubin = (total: number, ratio: number, degreesOfFreedom: number): LoMendellRubin => {
  const statistic = ratio / (1 + 1 / (degreesOfFreedom * log(total)))
  const known = degreesOfFreedom > 0 && total > 1
  return Object.freeze({ statistic: known ? statistic : ratio, degreesOfFreedom, pValue: undefined })
}
