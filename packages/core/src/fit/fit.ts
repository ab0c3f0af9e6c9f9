import type { Engine } from '../engine/engine.ts'
import { OptionError, show } from '../errors.ts'
import { type Losses, losses } from '../model/loss.ts'
import { Model } from '../model/model.ts'
import { sortClasses } from '../model/parameters.ts'
import { knownOptions, oneOf, positiveNumber, wholeNumber } from '../options.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { principalParameters } from './closed-form/principal-component.ts'
import { type PriorOptions, priorOf } from './descent/prior.ts'
import { ALGORITHMS, type Algorithm } from './descent/run.ts'
import { type Reason, type StoppingOptions, stoppingOptions, unitOf } from './descent/stopping.ts'
import { describeOptima, type Optimum } from './search/optima.ts'
import { openPerformer } from './search/performer.ts'
import {
  type Attempt,
  type Origin,
  type Phase,
  type Search,
  search,
  singleSearch,
  startsSearch,
} from './search/search.ts'
import type { TaskSetting } from './search/tasks.ts'
import { type Verdict, verdictOf } from './search/verdict.ts'
import { chooseWidth, type WidthChoice } from './width.ts'

export interface FitOptions extends StoppingOptions, Omit<PriorOptions, 'smoothing'> {
  /** As in a prior; 'auto' takes the width under which data that was left out is most probable. */
  readonly smoothing?: PriorOptions['smoothing'] | 'auto'
  /** K: how many classes to find. */
  readonly rank: number
  /** The same data, options and seed give the same bits. Default 1. */
  readonly seed?: number
  /**
   * 'auto' (default) searches until the best optimum has been reached several times or the limits are spent. A number
   * runs so many independent random starts, and nothing else.
   */
  readonly starts?: 'auto' | number
  /** A model to start from, in place of a search. */
  readonly init?: Model
  /** How a start comes down: 'accelerated' (default), or 'em', the paper's own steps. */
  readonly algorithm?: Algorithm
  /** The most starts a search may draw. Default 10 000. */
  readonly maxStarts?: number
  /** The most passes over the data in all. Default for 'auto': by the size of the data, from 400 to 20 000. */
  readonly maxPasses?: number
  /** The most seconds; what has been found by then is returned. The one limit that is not the same bits every time. */
  readonly maxSeconds?: number
  /** Where the passes run. Default: WebAssembly on all cores. */
  readonly engine?: Engine
  /** Threads of the default engine. Default: the cores present. */
  readonly threads?: number
  /** Stops at the next pass; the best so far is returned. */
  readonly signal?: AbortSignal
  /** Called now and then, and at the end of every task of the search. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly rank: number
  /** What is going on: independent starts, the recombination of models, or taking the best to its end. */
  readonly phase: Phase
  /** How many runs of the search have ended. */
  readonly runs: number
  /** Passes of the run under way, and its loss. */
  readonly pass: number
  readonly loss: number
  /** The lowest loss of the runs that have ended; Infinity before the first has. */
  readonly best: number
  /** Passes in all so far, and the most there may be. */
  readonly passes: number
  readonly maxPasses: number
}

export interface StartSummary {
  readonly origin: Origin
  readonly loss: number
  readonly passes: number
  readonly stationarity: number
  readonly reason: Reason
}

export interface FitResult extends Losses {
  /** Classes in descending weight. */
  readonly model: Model
  /** The loss with the prior's penalty; equal to `loss` without a prior. */
  readonly objective: number
  /** The objective of every model on the way of the run that was kept. */
  readonly trace: readonly number[]
  /** Passes of the run that was kept. */
  readonly passes: number
  /** Passes of everything together, in passes of this rank. */
  readonly totalPasses: number
  readonly stationarity: number
  readonly converged: boolean
  readonly reason: Reason
  /** Every independent attempt at an optimum, in order. */
  readonly starts: readonly StartSummary[]
  /** The distinct optima that were met, best first. */
  readonly optima: readonly Optimum[]
  /** What to think of the optimum, with the evidence. */
  readonly verdict: Verdict
  /** How the width of smoothing was chosen, where it was. */
  readonly smoothing?: WidthChoice
}

const OPTIONS = [
  ...['rank', 'seed', 'starts', 'init', 'algorithm', 'maxStarts', 'maxPasses', 'maxSeconds', 'engine', 'threads'],
  ...['signal', 'onProgress', 'tolerance', 'stationarity', 'pseudoCounts', 'smoothing'],
]

/** The work (cells × modes × classes × passes) that a search may do by default: a minute or so on two cores. */
const WORK = 6e10
const PASSES = { least: 400, most: 20_000 }

/** Fits a model of the given rank: in closed form for rank 1, else by a search over the optima of EM. */
export const fit = async (tensor: Tensor, options: FitOptions): Promise<FitResult> => {
  options.signal?.throwIfAborted()
  return fitBounded(tensor, boundOptions(options))
}

/** The same with the limit of seconds turned into a signal, so that several fits can share it. */
export const boundOptions = <T extends Pick<FitOptions, 'signal' | 'maxSeconds'>>(
  options: T,
): Omit<T, 'maxSeconds'> => {
  const { maxSeconds, ...rest } = options
  if (maxSeconds === undefined) return rest
  const milliseconds = Math.ceil(positiveNumber('maxSeconds', maxSeconds) * 1000)
  // A timer takes no more than this, which is 24 days.
  if (milliseconds > 2 ** 31 - 1) return rest
  const timeout = AbortSignal.timeout(milliseconds)
  return { ...rest, signal: options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]) }
}

/** A fit's options without a limit of seconds: its signal is all there is. */
export type BoundedOptions = Omit<FitOptions, 'maxSeconds'>

/** A fit whose only limit of time is its signal; where that has come already, it does the least there is to do. */
export const fitBounded = async (tensor: Tensor, options: BoundedOptions): Promise<FitResult> => {
  if (options.smoothing === 'auto') {
    check(tensor, { ...options, smoothing: 1 })
    const chosen = await chooseWidth(tensor, options)
    return Object.freeze({ ...(await fitBounded(tensor, { ...options, smoothing: chosen.width })), smoothing: chosen })
  }
  const { setting, starts, limits } = check(tensor, options)
  const { signal } = options
  const stopping = stoppingOptions(options)
  const performer = openPerformer(tensor, setting, {
    engine: options.engine,
    threads: options.threads,
    signal,
    maxPasses: limits.maxPasses,
    onProgress: options.onProgress,
  })
  try {
    const prior = priorOf(tensor.modes, setting.prior)
    const closed = setting.rank === 1 && options.init === undefined && !prior.active
    const unit = unitOf(tensor.total)
    const context = { stopping, limits, unit, perform: performer.perform, stopped: () => signal?.aborted === true }
    const found = closed
      ? await singleSearch(
          { ...context, stopping: { tolerance: 0, stationarity: 0, maxPasses: 1 } },
          principalParameters(tensor),
        )
      : options.init !== undefined
        ? await singleSearch(context, options.init.parameters)
        : starts === 'auto'
          ? await search(context)
          : await startsSearch(context, starts)
    return summarize(tensor, found, { closed, stopped: signal?.aborted === true })
  } finally {
    await performer.close()
  }
}

const check = (tensor: Tensor, options: FitOptions) => {
  knownOptions('fit', options, OPTIONS)
  const rank = wholeNumber('rank', options.rank, 1)
  const starts = options.starts ?? 'auto'
  if (starts !== 'auto' && !(Number.isInteger(starts) && starts >= 1 && starts < 2 ** 32)) {
    throw new OptionError(`starts must be 'auto' or a whole number ≥ 1 (got ${show(starts)})`)
  }
  if (options.init !== undefined) checkInit(tensor, rank, options.init)
  const usual = Math.floor(WORK / (tensor.cells * tensor.shape.length * rank))
  const maxPasses = starts === 'auto' ? Math.min(PASSES.most, Math.max(PASSES.least, usual)) : Number.MAX_SAFE_INTEGER
  const setting: TaskSetting = {
    rank,
    seed: wholeNumber('seed', options.seed ?? 1, 0),
    algorithm: oneOf('algorithm', options.algorithm ?? 'accelerated', ALGORITHMS),
    prior: {
      ...(options.pseudoCounts !== undefined && { pseudoCounts: options.pseudoCounts }),
      ...(options.smoothing !== undefined && options.smoothing !== 'auto' && { smoothing: options.smoothing }),
    },
  }
  priorOf(tensor.modes, setting.prior)
  const limits = {
    maxStarts: wholeNumber('maxStarts', options.maxStarts ?? 10_000, 1),
    maxPasses: wholeNumber('maxPasses', options.maxPasses ?? maxPasses, 2),
  }
  return { setting, starts, limits }
}

const checkInit = (tensor: Tensor, rank: number, init: Model): void => {
  if (!(init instanceof Model)) throw new OptionError(`init must be a Model (got ${show(init)})`)
  if (init.rank !== rank) throw new OptionError(`init must have rank ${rank} (got ${init.rank})`)
  const shape = init.modes.map(mode => mode.size).join('×')
  if (shape !== tensor.shape.join('×')) {
    throw new OptionError(`init must have the tensor's shape ${tensor.shape.join('×')} (got ${shape})`)
  }
}

const summaryOf = ({ origin, run: { loss, passes, stationarity, reason } }: Attempt): StartSummary =>
  Object.freeze({ origin, loss, passes, stationarity, reason })

const summarize = (
  tensor: Tensor,
  found: Search,
  { closed, stopped }: { readonly closed: boolean; readonly stopped: boolean },
): FitResult => {
  const best = closed ? { ...found.best, reason: 'stationary' as const } : found.best
  const parameters = sortClasses(best.parameters)
  return Object.freeze({
    ...losses(tensor, parameters, tensor.total - best.loss),
    loss: best.loss,
    objective: best.objective,
    model: new Model(tensor.modes, parameters),
    trace: Object.freeze(best.trace),
    passes: best.passes,
    totalPasses: Math.round(found.cost),
    stationarity: best.stationarity,
    converged: best.reason === 'stationary',
    reason: best.reason,
    starts: Object.freeze(found.attempts.map(summaryOf)),
    optima: Object.freeze(describeOptima(found.clusters)),
    verdict: verdictOf({ ...found, best, closed, stopped, unit: unitOf(tensor.total) }),
  })
}
