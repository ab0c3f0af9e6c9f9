import type { Engine, Session } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { OptionError, show } from '../errors.ts'
import { type Losses, losses } from '../model/loss.ts'
import { Model } from '../model/model.ts'
import { sortClasses } from '../model/parameters.ts'
import { randomStart } from '../model/random.ts'
import { knownOptions, wholeNumber } from '../options.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Run, runEm } from './em.ts'
import { eventLoopTurn, pacer } from './pace.ts'
import { principalParameters } from './principal-component.ts'
import { stationarity } from './stationarity.ts'
import { type Reason, type StoppingOptions, stoppingOptions } from './stopping.ts'
import { type Verdict, verdictOf } from './verdict.ts'

export interface FitOptions extends StoppingOptions {
  /** K: how many classes to find. */
  readonly rank: number
  /** The same data, options and seed give the same bits. Default 1. */
  readonly seed?: number
  /** How many random starts to run; the one with the lowest loss is kept. Default 20. */
  readonly starts?: number
  /** A model to start from, in place of random starts. EM cannot leave a zero: what is zero there stays zero. */
  readonly init?: Model
  /** Where the passes run. */
  readonly engine?: Engine
  /** Stops at the next pass; the best so far is returned. */
  readonly signal?: AbortSignal
  /** Called now and then, and at the end of every start. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly rank: number
  /** The start under way, from 1, and how many there are. */
  readonly start: number
  readonly starts: number
  /** Passes of this start so far, and its loss. */
  readonly pass: number
  readonly loss: number
  /** The lowest loss of the starts that have ended; Infinity before the first has. */
  readonly best: number
}

export interface StartSummary {
  readonly start: number
  readonly loss: number
  readonly passes: number
  readonly stationarity: number
  readonly reason: Reason
}

export interface FitResult extends Losses {
  /** Classes in descending weight. */
  readonly model: Model
  /** The loss of every pass of the start that was kept. */
  readonly trace: readonly number[]
  readonly passes: number
  /** Passes of all starts together. */
  readonly totalPasses: number
  readonly stationarity: number
  readonly converged: boolean
  readonly reason: Reason
  /** Every start that was run, in order. */
  readonly starts: readonly StartSummary[]
  /** What to think of the optimum, with the evidence. */
  readonly verdict: Verdict
}

const OPTIONS = [
  'rank',
  'seed',
  'starts',
  'init',
  'engine',
  'signal',
  'onProgress',
  'tolerance',
  'stationarity',
  'maxPasses',
] as const

/** Fits a model of the given rank: in closed form for rank 1, else by EM from many starts, keeping the best. */
export const fit = async (tensor: Tensor, options: FitOptions): Promise<FitResult> => {
  knownOptions('fit', options, OPTIONS)
  const rank = wholeNumber('rank', options.rank, 1)
  const seed = wholeNumber('seed', options.seed ?? 1, 0)
  const starts = options.init === undefined ? wholeNumber('starts', options.starts ?? 20, 1, 2 ** 32) : 1
  const stopping = stoppingOptions(options)
  if (options.init !== undefined) checkInit(tensor, rank, options.init)
  options.signal?.throwIfAborted()
  const session = await (options.engine ?? referenceEngine).open(tensor, rank)
  try {
    if (rank === 1 && options.init === undefined) return await closedForm(tensor, session)
    const pace = pacer(tensor.cells * tensor.shape.length * rank)
    const summaries: StartSummary[] = []
    let best: Run | undefined
    for (let start = 0; start < starts && !options.signal?.aborted; start++) {
      const report = (pass: number, loss: number) =>
        options.onProgress?.({
          rank,
          start: start + 1,
          starts,
          pass,
          loss,
          best: best?.loss ?? Number.POSITIVE_INFINITY,
        })
      const from = options.init?.parameters ?? randomStart(tensor.shape, rank, tensor.total, seed, start)
      const run = await runEm(session, from, tensor.total, stopping, {
        signal: options.signal,
        onPass: async (pass, loss) => {
          if (!pace.due()) return
          report(pass, loss)
          await eventLoopTurn()
        },
      })
      summaries.push(summaryOf(run, start + 1))
      if (best === undefined || run.loss < best.loss) best = run
      report(run.passes, run.loss)
    }
    return summarize(tensor, best as Run, summaries)
  } finally {
    await session.close()
  }
}

const checkInit = (tensor: Tensor, rank: number, init: Model): void => {
  if (!(init instanceof Model)) throw new OptionError(`init must be a Model (got ${show(init)})`)
  if (init.rank !== rank) throw new OptionError(`init must have rank ${rank} (got ${init.rank})`)
  const shape = init.modes.map(mode => mode.size).join('×')
  if (shape !== tensor.shape.join('×')) {
    throw new OptionError(`init must have the tensor's shape ${tensor.shape.join('×')} (got ${shape})`)
  }
}

/** Theorem 2: nothing to search. One pass is made all the same, for the loss and as a check. */
const closedForm = async (tensor: Tensor, session: Session): Promise<FitResult> => {
  const parameters = principalParameters(tensor)
  const statistics = await session.pass(parameters)
  const loss = tensor.total - statistics.logLikelihood
  const run: Run = {
    parameters,
    loss,
    trace: [loss],
    passes: 1,
    stationarity: stationarity(parameters, statistics, tensor.total),
    reason: 'stationary',
  }
  return summarize(tensor, run, [summaryOf(run, 1)])
}

const summaryOf = ({ loss, passes, stationarity, reason }: Run, start: number): StartSummary =>
  Object.freeze({ start, loss, passes, stationarity, reason })

const summarize = (tensor: Tensor, best: Run, starts: readonly StartSummary[]): FitResult => {
  const parameters = sortClasses(best.parameters)
  const weight = parameters.weights.reduce((sum, value) => sum + value, 0)
  return Object.freeze({
    ...losses(tensor, parameters, weight - best.loss),
    loss: best.loss,
    model: new Model(tensor.modes, parameters),
    trace: Object.freeze(best.trace),
    passes: best.passes,
    totalPasses: starts.reduce((sum, { passes }) => sum + passes, 0),
    stationarity: best.stationarity,
    converged: best.reason === 'stationary',
    reason: best.reason,
    starts: Object.freeze(starts),
    verdict: verdictOf(parameters.rank, best, starts),
  })
}
