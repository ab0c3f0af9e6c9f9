import { newStatistics, type Session, type Statistics } from '../../engine/engine.ts'
import { OptionError } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { newPoint, normalize, type Point, setParameters, takeIn } from './point.ts'
import type { Prior } from './prior.ts'
import { type QuasiNewton, quasiNewton } from './quasi-newton.ts'
import { movement, stationarity } from './stationarity.ts'
import { isSettled, type Reason, type Stopping, sizeOf, unitOf } from './stopping.ts'
import { liftZeros } from './zeros.ts'

/** 'em' is the paper's algorithm; 'accelerated' goes to the same optima in far fewer passes. */
export type Algorithm = 'accelerated' | 'em'

export const ALGORITHMS: readonly Algorithm[] = ['accelerated', 'em']

/** One run from one start. */
export interface Run {
  /** The last model whose loss is known: `loss`, `stationarity` and the last entry of `trace` are its own. */
  readonly parameters: Parameters
  readonly loss: number
  /** The loss with the prior's penalty: equal to `loss` without a prior. */
  readonly objective: number
  /** The objective of every model that was accepted, the start's first. */
  readonly trace: readonly number[]
  readonly passes: number
  readonly stationarity: number
  readonly reason: Reason
}

export interface RunOptions {
  /** M, the total of the data. */
  readonly total: number
  /** What a pass costs: cells × modes × classes. */
  readonly work: number
  readonly stopping: Stopping
  readonly algorithm: Algorithm
  readonly prior: Prior
  /** Passes of plain EM before acceleration. Default 20. */
  readonly warmUp?: number
  /** An objective that must be beaten: a run that will not get there is abandoned. */
  readonly target?: number
  /** Looked at between passes. */
  readonly signal?: Pick<AbortSignal, 'aborted'> | undefined
  /** Called after every pass; may return a promise to wait for. */
  readonly onPass?: ((pass: number, loss: number) => void | Promise<void>) | undefined
}

const IMPOSSIBLE =
  'the start gives no chance to some cell of the data, and EM cannot leave a zero: start from a model without zeros there'

/** Passes of plain EM before acceleration: far from an optimum EM is fast, and its choice of an optimum is as good. */
const WARM_UP = 20

/** How much a step may seem to raise the objective by rounding alone, relative to its size. */
const ROUNDING = 1e-13

const rounding = ({ objective }: Point, unit: number): number => ROUNDING * sizeOf(objective, unit)

/** How often a run that has settled may look for zeros that should not be. */
const LIFTS = 20

/**
 * The history that acceleration keeps, in steps: at most what helps; less where the parameters are so many that going
 * through the history costs more than a pass, which comes sooner where the history does not fit into the cache.
 */
const MEMORY = { most: 20, least: 6, cached: 20_000, leastUncached: 3 }

const memoryFor = (work: number, size: number): number => {
  if (size <= MEMORY.cached) return Math.max(MEMORY.least, Math.min(MEMORY.most, Math.round((4 * work) / size)))
  return Math.max(MEMORY.leastUncached, Math.min(MEMORY.most, Math.round(work / size / 20)))
}

/** The passes of a run: counts them, and turns each into a point that knows its loss and where EM would go. */
class Passes {
  count = 0
  readonly #statistics: Statistics
  readonly #session: Session
  readonly #options: RunOptions

  constructor(session: Session, shape: readonly number[], rank: number, options: RunOptions) {
    this.#session = session
    this.#options = options
    this.#statistics = newStatistics(shape, rank)
  }

  async evaluate(point: Point): Promise<void> {
    const { total, prior, onPass } = this.#options
    for (let k = 0; k < point.rank; k++) point.parameters.weights[k] = point.values[k] * total
    await this.#session.pass(point.parameters, this.#statistics)
    takeIn(point, this.#statistics, total, prior)
    this.count++
    await onPass?.(this.count, point.loss)
  }
}

/**
 * Runs to a stationary point, to the limit of passes, or until the signal says stop. The objective never rises by more
 * than rounding: a step that would raise it is shortened once, and then gives way to EM's own, which cannot.
 * (Smoothing has no objective that falls at every step: such a run is plain EM, and ends where it no longer moves.)
 */
export const run = async (session: Session, start: Parameters, options: RunOptions): Promise<Run> => {
  const { stopping, signal, prior } = options
  const unit = unitOf(options.total)
  const { rank } = start
  const shape = start.factors.map(factor => factor.length / rank)
  const passes = new Passes(session, shape, rank, options)
  let current = newPoint(shape, rank)
  let spare = newPoint(shape, rank)
  setParameters(current, start)
  await passes.evaluate(current)
  if (!Number.isFinite(current.objective)) throw new OptionError(IMPOSSIBLE)
  const trace = [current.objective]
  const steps = memoryFor(options.work, current.values.length)
  const newton = options.algorithm === 'em' || prior.smooths ? undefined : quasiNewton(steps, options.total)
  const residualOf = prior.smooths ? movement : stationarity
  let liftsLeft = LIFTS
  for (;;) {
    const previous = trace.length > 1 ? trace[trace.length - 2] : Number.POSITIVE_INFINITY
    const settled = isSettled(previous, current.objective, unit, stopping)
    const residual = settled ? residualOf(current) : Number.POSITIVE_INFINITY
    if (settled && !prior.smooths && liftsLeft > 0 && passes.count < stopping.maxPasses - 2 && !signal?.aborted) {
      liftsLeft = residual <= stopping.stationarity ? 0 : liftsLeft - 1
      if (await liftZeros(current, spare, rounding(current, unit), point => passes.evaluate(point))) {
        ;[current, spare] = [spare, current]
        trace.push(current.objective)
        newton?.forget()
        continue
      }
    }
    const reason =
      reasonToStop(residual <= stopping.stationarity, signal, passes.count >= stopping.maxPasses) ??
      (isHopeless(trace, options.target) ? 'abandoned' : undefined)
    if (reason !== undefined) {
      const final = settled ? residual : residualOf(current)
      const { parameters, loss, objective } = current
      return { parameters, loss, objective, trace, passes: passes.count, stationarity: final, reason }
    }
    const fast = newton !== undefined && passes.count >= (options.warmUp ?? WARM_UP)
    if (!(fast && (await leap(newton, current, spare, passes, stopping, unit)))) {
      spare.values.set(current.update)
      await passes.evaluate(spare)
    }
    newton?.learn(current, spare)
    ;[current, spare] = [spare, current]
    trace.push(current.objective)
  }
}

const reasonToStop = (stationary: boolean, signal: RunOptions['signal'], spent: boolean): Reason | undefined => {
  if (stationary) return 'stationary'
  if (signal?.aborted) return 'stopped'
  return spent ? 'passes' : undefined
}

/** How far ahead a run is seen, from how it came down over its last steps, and how soon one dares to look. */
const OUTLOOK = { soonest: 15, steps: 4, ahead: 30 }

/** Whether a run above its target would stay above it even at its present speed for a long time. */
const isHopeless = (trace: readonly number[], target: number | undefined): boolean => {
  if (target === undefined || trace.length < OUTLOOK.soonest) return false
  const now = trace[trace.length - 1]
  const speed = (trace[trace.length - 1 - OUTLOOK.steps] - now) / OUTLOOK.steps
  return now > target && now - OUTLOOK.ahead * speed > target
}

/** A step along the quasi-Newton direction, shortened once where it went too far; false where neither was good. */
const leap = async (
  newton: QuasiNewton,
  from: Point,
  to: Point,
  passes: Passes,
  { maxPasses }: Stopping,
  unit: number,
): Promise<boolean> => {
  if (!newton.aim(from)) {
    newton.forget()
    return false
  }
  const highest = from.objective + rounding(from, unit)
  let length = 1
  for (let attempt = 0; attempt < 2 && passes.count < maxPasses - 1; attempt++) {
    newton.step(from, length, to)
    if (!normalize(to)) break
    await passes.evaluate(to)
    if (to.objective <= highest) {
      newton.judge(true, length)
      return true
    }
    newton.judge(false, length)
    // The length at which the parabola through both objectives, with the slope at the start, is lowest.
    const { slope } = newton
    const lowest = -slope / (2 * (to.objective - from.objective - slope))
    length = Math.min(0.5, Math.max(0.05, lowest))
  }
  newton.forget()
  return false
}
