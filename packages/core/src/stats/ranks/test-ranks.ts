import type { Session } from '../../engine/engine.ts'
import { AbortError, DataError, throwIfStopped } from '../../errors.ts'
import { objectOf } from '../../fit/checkpoint/journal.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { countsOf, fitWith, withRunner } from '../../fit/fit.ts'
import { checkFitOptions, FIT_OPTIONS, type FitOptions, type SessionFitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import type { ReplicateResult } from '../../fit/search/replicate.ts'
import type { TaskRunner } from '../../fit/search/task-runner.ts'
import { log } from '../../numeric/log.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import type { RowWeights } from '../../tensor/row-weights.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { identify } from '../identification/identification.ts'
import { exceeding, type MonteCarloTest, monteCarloTest } from '../resampling/monte-carlo.ts'
import { checkCounts, drawReplicates, REPLICATES, type ReplicateProgress, refitOf } from '../resampling/replicates.ts'
import { sequentialTest } from '../resampling/sequential-test.ts'

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
export interface TestRanksOptions extends Omit<FitOptions, 'init'>, RankTestOptions {
  /** The larger rank. Default: one more. */
  readonly against?: number
}

/**
 * The statistic of Lo, Mendell and Rubin (2001) in its ad-hoc adjusted form, compared with χ². It is here because it is reported
 * elsewhere: the proof behind it does not cover mixtures (Jeffries 2003), and χ² is not its distribution.
 */
export interface LoMendellRubin {
  readonly statistic: number
  /** The parameters that the larger model has more, as far as the table can tell them apart. */
  readonly degreesOfFreedom: number
  /** Undefined without degrees of freedom. */
  readonly pValue: number | undefined
}

/** A test of a rank against a larger one. */
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
}

/**
 * How a test is made where nothing else is asked for. Of 100 replicates of two surveys the whole search of a fit found a better larger
 * model than 4 starts in 17, than 8 in 10, than 24 in 5 (by 0.01 nats on average), than 40 in 2; no p-value differed from 8 on.
 */
export const DEFAULTS = { replicates: 500, replicateStarts: 24, all: false, level: 0.05 }

const { init: _, ...OF_FITS } = FIT_OPTIONS

/** The options of `testRanks`. */
export const TEST_RANKS_OPTIONS = {
  ...OF_FITS,
  against: { check: is.whole(2) },
  replicates: { check: REPLICATES, default: DEFAULTS.replicates },
  replicateStarts: { check: is.whole(1, 10_000), default: DEFAULTS.replicateStarts },
  all: { check: is.flag, default: DEFAULTS.all },
  level: { check: is.proportion, default: DEFAULTS.level },
  rowWeights: { check: is.thing('an object', value => typeof value === 'object') },
  onReplicate: { check: is.function },
} as const satisfies OptionTable<TestRanksOptions>

/**
 * Tests whether more classes are needed: the bootstrap likelihood-ratio test of a rank against a larger one. The statistic
 * 2(L₁ − L₀) has no known distribution between ranks, so data is drawn from the smaller model, both are fitted to it, and the p-value
 * is how often their statistic is as large.
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
  const counts = countsOf(data)
  checkFitOptions(counts, { ...fitting, rank })
  wholeNumber('against', against, rank + 1, counts.cells)
  if (rowWeights === undefined) checkCounts(counts)
  const testing = { replicates, replicateStarts, all, level, rowWeights, onReplicate }
  return withCheckpoint('testRanks', given, opened =>
    withRunner(data, { ...fitting, ...opened }, async (runner, rest) => {
      const smaller = await fitWith(runner, { ...rest, rank })
      throwIfStopped(rest.signal, NO_REPLICATE)
      const larger = await fitWith(runner, { ...rest, rank: against })
      const test = await testFits(runner, smaller, larger, { ...rest, ...testing })
      return Object.freeze({ ...test, fits: Object.freeze([smaller, larger] as const) })
    }),
  )
}

const NO_REPLICATE = 'stopped before the first replicate was fitted'

/** There are at least this many replicates, so that a p-value far above the level is known to a tenth or so. */
const LEAST = 48

/** The test of two fits to the data of a runner, unless a checkpoint knows it. */
export const testFits = async (
  runner: TaskRunner,
  smaller: FitResult,
  larger: FitResult,
  options: typeof DEFAULTS & RankTestOptions & Partial<SessionFitOptions>,
): Promise<RankTest> => {
  const { replicates, replicateStarts, all, level, rowWeights, seed, signal } = options
  const asked = { replicates, replicateStarts, all, level, rowWeights, seed }
  const models = [smaller, larger].map(({ model, smoothing }) => [model.parameters, smoothing?.width])
  const refits = [options.algorithm, options.pseudoCounts, options.smoothing, options.constraints]
  const key = await runner.unitKey('test', asked, models, refits)
  const work = () => drawnTest(runner, smaller, larger, options, key)
  if (runner.units === undefined || key === undefined) return work()
  return runner.units.checkpoint.once({ kind: 'test', key, within: undefined }, { signal, check: testOf }, work)
}

/** A test from a checkpoint. */
const testOf = (value: unknown): RankTest => {
  const test = objectOf(value)
  if (typeof test.statistic !== 'number' || typeof test.pValue !== 'number' || !Array.isArray(test.interval))
    throw new DataError('a test is not as Polyad writes it')
  return Object.freeze(test) as unknown as RankTest
}

const drawnTest = async (
  runner: TaskRunner,
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
  const { data } = runner.session
  const [rank, against] = [smaller.model.rank, larger.model.rank]
  const statistic = ratio(smaller.logLikelihood, larger.logLikelihood)
  const ratios = (results: readonly ReplicateResult[]) =>
    results.map(({ fits: [zero, one] }) => ratio(zero.logLikelihood, one.logLikelihood))
  const take = sequentialTest(level)
  let [seen, clear] = [0, false]
  const refit = ({ model, smoothing }: FitResult, starts: number) =>
    refitOf(runner, model, starts, { ...rest, ...(smoothing !== undefined && { smoothing: smoothing.width }) })
  const results = await drawReplicates(
    runner,
    {
      seed: rest.seed ?? 1,
      from: smaller.model.parameters,
      ...(rows !== undefined && { rows }),
      fits: [refit(smaller, Math.ceil(replicateStarts / 3)), refit(larger, replicateStarts)],
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
  return Object.freeze({
    ...monteCarloTest(statistic, ratios(results)),
    rank,
    against,
    replicates: results.length,
    converged: results.filter(({ fits }) => fits.every(({ converged }) => converged)).length,
    reason: results.length === replicates ? 'all' : stopped ? 'stopped' : 'clear',
    stopped,
    loMendellRubin: loMendellRubin(data, statistic, rank, against),
  })
}

/** 2(L₁ − L₀): the larger model contains the smaller, so that what is below zero is a search that ended too soon. */
const ratio = (smaller: number, larger: number): number => Math.max(0, 2 * (larger - smaller))

const loMendellRubin = ({ shape, total }: Counts, ratio: number, rank: number, against: number): LoMendellRubin => {
  const degreesOfFreedom = identify(shape, against).rank - identify(shape, rank).rank
  const statistic = ratio / (1 + 1 / (degreesOfFreedom * log(total)))
  const known = degreesOfFreedom > 0 && total > 1
  return Object.freeze({
    statistic: known ? statistic : ratio,
    degreesOfFreedom,
    pValue: known ? chiSquareTail(statistic, degreesOfFreedom) : undefined,
  })
}
