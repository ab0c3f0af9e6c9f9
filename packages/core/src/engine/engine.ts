import { EngineError, type StopSignal } from '../errors.ts'
import type { Parameters } from '../model/parameters.ts'
import type { Closable } from '../platform-types.ts'
import { checkTotal, sum } from '../tensor/cell-tensor.ts'
import type { Counts, Tensor } from '../tensor/tensor.ts'
import type { WorkerOptions } from '../thread/worker-options.ts'
import type { PlacedDescents } from './placed-descent.ts'
import type { SweepPool } from './sweeps/sweeps.ts'

/**
 * The result of one pass over the cells. With `w_k = πₖ Πₙ P⁽ⁿ⁾[jₙ,k]` over the modes that are present in a cell, π the shares, `p = Σ w` and `y` the
 * cell's value, every cell adds `y·w_k/p` to `sizes[k]` and to `factors[n][jₙ * rank + k]` for each of its present modes, and `y·log p` to `logLikelihood`.
 */
export interface Statistics {
  readonly rank: number
  /** How much of the data falls to each class. */
  readonly sizes: Float64Array
  readonly factors: readonly Float64Array[]
  /** Σ y·log p of the parameters that were passed in; −∞ where they make a cell of the data impossible. */
  logLikelihood: number
}

/** What goodness of fit and the certainty of the classification need besides a pass. */
export interface Measures {
  /** Σ y·log p. */
  readonly logLikelihood: number
  /** Σ y²/p over the cells. */
  readonly sumYYOverP: number
  /** Σ y·H(Ψ) over the cells, Ψ the posterior of a cell's class and H its entropy in nats; NaN where a cell is impossible. */
  readonly entropy: number
  /** For classes a and b, Σ y·Ψ_b over the cells whose most probable class is a (the first of several), at `a * rank + b`. */
  readonly assigned: Float64Array
}

/**
 * What the derivatives of the log-likelihood are made of. The parameters have one order: the shares, then every factor; so parameter
 * `a·rank + k` is class k's share for a = 0, and for the a-th of all labels, mode after mode, its probability in class k. A cell has
 * a where a is 0 or one of its labels, Ψ is the posterior of its class, and every sum is over the cells that have what it says.
 *
 * In the logarithms of the parameters, Ψ_k is a cell's score for the parameters it has, and 0 for others. So `outer` is the sum of
 * the outer products of the scores, and the second derivatives of Σ y·log p are Σ y·Ψ_k within a class (over the cells
 * that have a and b, which is the sum of `outer` over l) less `outer`.
 */
export interface Information {
  readonly rank: number
  /** 1 + the labels of all modes. There are rows · rank parameters. */
  readonly rows: number
  /** Σ y·Ψ_k·Ψ_l over the cells that have a and b, in row a·rank + k and column b·rank + l of a symmetric matrix. */
  readonly outer: Float64Array
  /** Σ y over the cells that are impossible: they have no score and add nothing above. */
  readonly impossible: number
}

/** Properties of a session that are known without running it. */
export interface Traits {
  /** The relative error that the sums of a pass may have: below it, a difference is rounding. */
  readonly precision: number
  /** Whether the same parameters give the same bits every time. */
  readonly reproducible: boolean
  /** Roughly how long a pass takes, in nanoseconds: decides where work is done, never what it gives. */
  nanosPerPass(rank: number): number
}

/** What a session may be able to do besides passes and measures; `cells`: it has them in memory; `several`: it has `passes`. */
export type Ability = 'cells' | 'information' | 'reweight' | 'open' | 'several'

/**
 * Data in the memory of an engine. Any number of models of any rank can use it, one call at a time.
 *
 * Long calls get a signal: an engine may check it within the call, and then rejects with an `AbortError`. Output arrays are then
 * undefined, and the session stays usable.
 */
export interface Session {
  readonly data: Counts
  readonly traits: Traits
  /** What it can do besides passes and measures: `abilitiesOf` lists it. What is not listed here is not used. */
  readonly can: readonly Ability[]
  /**
   * One pass with the given parameters. The result is written into `into` where it is given (a long fit then
   * allocates nothing), else into new arrays; either way it is the caller's to keep.
   */
  pass(parameters: Parameters, into?: Statistics, signal?: StopSignal): Promise<Statistics>
  /** Passes of several models, of any ranks, in one scan: for engines where the scan is the cost. */
  passes?(several: readonly Parameters[], signal?: StopSignal): Promise<Statistics[]>
  measure(parameters: Parameters, signal?: StopSignal): Promise<Measures>
  /** What standard errors need, for up to `MOST_INFORMATION` parameters: its size is their square. */
  information?(parameters: Parameters, signal?: StopSignal): Promise<Information>
  /**
   * A session on the same cells with other values, zeros allowed, in the order of the tensor that was opened: for folds and the
   * bootstrap. It shares what this session holds, must be closed before it, and like it does one call at a time.
   */
  reweight?(values: Float64Array): Promise<Session>
  /** A session of the same engine on other data, to be closed before this one: for data drawn from a model. */
  open?(data: Tensor, signal?: StopSignal): Promise<Session>
  /** Set where passes are so short that whole runs side by side, each on a thread with its own copy of the cells, are faster. */
  readonly parallelRuns?: ParallelRuns
  /** What had to be done otherwise than asked, in words: `one thread, because …`. */
  readonly notes?: readonly string[]
  /** Set where the session's threads help with what a descent does between passes. */
  readonly sweeps?: SweepPool
  /** Set where what a descent does between passes is done by the engine too, since its points lie there. */
  readonly descents?: PlacedDescents
  /**
   * The same cells in single precision, if passes are faster there. It is closed with this session, and a call there is a call here: one at a
   * time. Runs begin there and end here, so its measures and abilities are not used. If it fails, the runs go on here.
   */
  readonly single?: Session
  /** Of a session in single precision: whether passes of this rank are faster there. Without it, those of every rank are. */
  suits?(rank: number): boolean
  /** Frees what the session holds; further calls are refused. Closing twice does nothing. */
  close(): Promise<void>
}

/** A session that `await using` closes at the end of a block. */
export type ClosableSession = Session & Closable

/** The threads on which runs can be done side by side; they use the WebAssembly engine. */
export interface ParallelRuns {
  readonly threads: number
  readonly sharedMemory: boolean
  /** Where worker threads come from, if not from this package. */
  readonly workers?: WorkerOptions
}

/** Runs passes over cells. Hardware is below this interface, iterations are above it. */
export interface Engine<Data extends Counts = Tensor, Opened extends Session = Session> {
  readonly name: string
  /** Places data; like the calls of a session, it may give up if the signal says so. */
  open(data: Data, signal?: StopSignal): Promise<Opened>
}

/**
 * Statistics of the right size, all zero.
 * @example
 * const room = newStatistics(answers.shape, 2)
 * const { sizes } = await session.pass(model.parameters, room) // written into `room`
 */
export const newStatistics = (shape: readonly number[], rank: number): Statistics => ({
  rank,
  sizes: new Float64Array(rank),
  factors: shape.map(size => new Float64Array(size * rank)),
  logLikelihood: 0,
})

/**
 * Refuses parameters that are not of the session's shape, and statistics of another rank to write into.
 * @example
 * checkPass(answers, model.parameters, newStatistics(answers.shape, model.rank)) // what every pass begins with
 */
export const checkPass = (
  { shape }: Pick<Counts, 'shape'>,
  { rank, shares, factors }: Parameters,
  into?: Statistics,
): void => {
  if (!(Number.isInteger(rank) && rank >= 1) || shares.length !== rank) {
    throw new EngineError(
      `the rank must be a whole number ≥ 1 with one share per class (got rank ${rank}, ${shares.length} shares)`,
    )
  }
  if (factors.length !== shape.length || factors.some((factor, n) => factor.length !== shape[n] * rank)) {
    throw new EngineError(`the session was opened for shape ${shape.join('×')} (got factors of another shape)`)
  }
  if (into === undefined) return
  if (into.rank !== rank || into.sizes.length !== rank) {
    throw new EngineError(`the statistics to write into have rank ${into.rank}, the parameters rank ${rank}`)
  }
  if (into.factors.length !== factors.length || into.factors.some((table, n) => table.length !== factors[n].length)) {
    throw new EngineError(`the statistics to write into have another shape than ${shape.join('×')}`)
  }
}

/** Shares and probabilities, all counted, beyond which matrices of their square take too much memory and time. */
export const MOST_INFORMATION = 2500

/**
 * Zeros for the sums of an information, after a check that the parameters fit and are not too many.
 * @example
 * const sums = newInformation(answers, model.parameters)
 */
export const newInformation = (data: Pick<Counts, 'shape'>, parameters: Parameters) => {
  checkPass(data, parameters)
  const { rank } = parameters
  const rows = data.shape.reduce((sum, size) => sum + size, 1)
  const size = rows * rank
  if (size > MOST_INFORMATION) {
    throw new EngineError(
      `the information of ${size} shares and probabilities is too large: at most ${MOST_INFORMATION}`,
    )
  }
  return { rank, rows, outer: new Float64Array(size * size), impossible: 0 }
}

/** Refuses values that are not one finite nonnegative number per cell, or that sum to nothing or too much. */
export const checkValues = ({ cells }: Counts, values: Float64Array): void => {
  if (values.length !== cells)
    throw new EngineError(`there must be ${cells} values, one per cell (got ${values.length})`)
  const wrong = values.find(value => !(value >= 0 && value < Number.POSITIVE_INFINITY))
  if (wrong !== undefined) throw new EngineError(`a value must be a finite number ≥ 0 (got ${wrong})`)
  checkTotal(sum(values))
}
