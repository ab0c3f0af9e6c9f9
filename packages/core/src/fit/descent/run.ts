import type { Session } from '../../engine/engine.ts'
import { mostPairs, SweepPool } from '../../engine/sweeps/sweeps.ts'
import { AbortError, DataError, EngineError, OptionError, orStopped } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import type { RunPart } from '../checkpoint/run-parts.ts'
import type { Ground, Standing } from './ground.ts'
import { usefulPairs } from './history.ts'
import type { KeptDescent } from './kept-descent.ts'
import type { Explained } from './membership.ts'
import { Passes } from './passes.ts'
import { placedGround } from './placed-ground.ts'
import { type QuasiNewton, quasiNewton } from './quasi-newton.ts'
import type { RunOptions } from './run-options.ts'
import { gainToCome, isNegligible, isSettled, type Reason, type Stopping, sizeOf, unitOf } from './stopping.ts'
import { parted } from './twins.ts'

/** One run from one start. */
export interface Run {
  /** The last model whose loss is known: `loss`, `stationarity` and the last entry of `trace` are its own. */
  readonly parameters: Explained
  readonly loss: number
  /** The loss with the prior's penalty: equal to `loss` without a prior. */
  readonly objective: number
  /** The objective of every model that was accepted, the start's first. */
  readonly trace: readonly number[]
  readonly passes: number
  readonly stationarity: number
  /** How much lower it might still have come, in nats: extrapolated from its last steps, no bound; undefined if they do not tell. */
  readonly estimatedGain: number | undefined
  readonly reason: Reason
  /** What the engine failed with, where that ended the run: the model is then the last that it did give the loss of. */
  readonly failure?: EngineError
  /** The precision of its loss, if the run was in single precision alone. */
  readonly rough?: number
  /** What failed in single precision, if the run went on in double for that. */
  readonly fallback?: string
}

const IMPOSSIBLE =
  'makes a cell of the data impossible, and EM cannot leave a zero: start from a model without zeros there'

const FORBIDDEN = 'make a cell of the data impossible in every class: it was seen, so one of them is wrong'

/**
 * Passes of plain EM before acceleration: far from an optimum EM is fast, and its choice of an optimum is as good. From coefficients that are
 * known there is less to be found out.
 */
const WARM_UP = { usual: 20, explained: 3 }

/** Steps over which a run in single precision must come down by more than its rounding. */
const TELLING = 10

/** Steps after which a run that goes on from another may end by what is still to come. */
const CONFIRMING = 5

/** How often a run that has settled but is not stationary may help small parameters along. */
const LIFTS = 20

/**
 * Runs to a stationary point, to the limit of passes, or until the signal says stop: with the last model whose loss is known, or an
 * `AbortError` if not even the start's is. The objective never rises by more
 * than rounding: a step that would raise it is shortened once, and then gives way to EM's own, which cannot.
 * (Smoothing has no objective that falls at every step: such a run is plain EM, and ends where it no longer moves.)
 */
export const run = async (
  session: Session,
  start: Explained,
  options: RunOptions,
  pool: SweepPool = session.sweeps ?? ownThread,
): Promise<Run> => {
  const { cells } = session.data
  const { shape: all } = session.data
  // Where membership is explained, the last mode of the data is none of the model.
  const shape = options.explained === undefined ? all : all.slice(0, -1)
  const { rank } = start
  const accelerated = options.algorithm !== 'em' && options.steps.every(step => step.descends)
  const size = rank * shape.reduce((sum, labels) => sum + labels, 1)
  const wanted = Math.min(options.pairs ?? Number.POSITIVE_INFINITY, usefulPairs(cells * shape.length * rank, size))
  // Priors look at every parameter, so the points must be at hand.
  if (options.rough && session.descents !== undefined && options.steps.every(step => step.plain)) {
    const placed = await session.descents.open(rank, accelerated ? wanted : 0)
    return descend(placedGround(placed, session.data, session.traits.precision, options), start, options)
  }
  const explaining = options.explained && (await loadPart(import('./membership.ts'))).Membership
  const memory = Math.max(1, Math.min(mostPairs(size), wanted))
  const sweeps = pool.borrow(shape, rank, accelerated ? memory : 0)
  const ground = (own: RunOptions) => new Passes(session, sweeps, own, explaining)
  try {
    const found = await descend(ground(options), start, options)
    return accelerated && !options.rough ? await withoutTwins(ground, session.data.total, found, options) : found
  } finally {
    pool.giveBack(sweeps)
  }
}

/** How much lower, relatively, a run must come from equal classes moved apart: less is rounding. */
const APART = 1e-9

/** A run that has ended with classes that are alike goes on with these moved apart; what it ended with is kept if that does not help. */
const withoutTwins = async (
  ground: (options: RunOptions) => Passes,
  total: number,
  found: Run,
  options: RunOptions,
): Promise<Run> => {
  const maxPasses = options.stopping.maxPasses - found.passes
  const unconstrained =
    options.keeper === undefined &&
    options.explained === undefined &&
    (found.reason === 'stationary' || found.reason === 'settled')
  const start = unconstrained && maxPasses >= 2 ? parted(found.parameters) : undefined
  if (start === undefined) return found
  const { before: _, whole: __, ...further } = options
  const apart = { ...further, stopping: { ...options.stopping, maxPasses } }
  const again = await orStopped(descend(ground(apart), start, apart))
  if (again === undefined) return found
  const passes = found.passes + again.passes
  const size = sizeOf(found.objective, unitOf(total))
  if (!(again.objective < found.objective - APART * size)) return { ...found, passes }
  return { ...again, passes, trace: [...found.trace, ...again.trace.filter(each => each < found.objective)] }
}

/** For sessions whose threads cannot help. */
const ownThread = new SweepPool()

const descend = async <P extends Standing>(ground: Ground<P>, start: Explained, options: RunOptions): Promise<Run> => {
  const { stopping, signal, steps, explained, rough = false } = options
  const { membership } = ground
  let [current, spare] = ground.points
  const part = options.parts?.next() as RunPart<Run> | undefined
  if (part?.ended !== undefined) {
    if (part.ended.parameters.rank === start.rank) return part.ended
    throw new DataError('the checkpoint is damaged (a run has other classes than it began with): remove it, and the run starts from the beginning') // biome-ignore format: one call
  }
  const { keeping } = ground
  const size = start.shares.length + start.factors.reduce((sum, factor) => sum + factor.length, 0)
  const masses = start.shares.length * start.factors.length
  const before = keeping && part?.state(options.parts!.kept(size, masses, ground.arithmetic.pairs, membership?.size))
  const usual = explained === undefined || start.coefficients === undefined ? WARM_UP.usual : WARM_UP.explained
  if (before === undefined) {
    ground.begin(current, start)
    await ground.evaluate(current)
  } else keeping!.restore(current, before.learned?.used ?? [], before.point)
  if (!Number.isFinite(current.objective)) {
    // What underflows here need not be impossible.
    if (rough && !Number.isFinite(current.loss)) return notBegun(start, ground.count, 'stalled')
    if (!Number.isFinite(current.loss))
      throw options.keeper === undefined
        ? new OptionError('init', IMPOSSIBLE)
        : new OptionError('constraints', FORBIDDEN)
    // The start has zeros where the prior allows none: EM's own step leaves them.
    if (membership !== undefined) membership.look(current.membership!)
    await ground.emStep(current, spare)
    ;[current, spare] = [spare, current]
  }
  const trace = before === undefined ? [current.objective] : [...before.trace]
  const path = before === undefined ? pathFrom(options.before, current.objective) : [...before.path]
  const gain = () => (trace.length > CONFIRMING || path.length === trace.length ? gainToCome(path) : undefined)
  const accept = () => {
    ;[current, spare] = [spare, current]
    trace.push(current.objective)
    path.push(current.objective)
  }
  const descends = steps.every(step => step.descends)
  const newton = ground.arithmetic.pairs > 0 ? quasiNewton(ground.arithmetic, ground.total, membership) : undefined
  let liftsLeft = before?.liftsLeft ?? LIFTS
  if (before?.learned !== undefined) newton?.recall(before.learned, current)
  const keep = () => {
    if (part === undefined || keeping === undefined || !part.due || signal?.aborted) return
    const learned = newton?.learned(current)
    const used = learned?.used ?? []
    if (!part.fits(keeping.size(used))) return
    const point = keeping.keep(current, used)
    part.keep({ point, learned, trace: Float64Array.from(trace), path: Float64Array.from(path), liftsLeft } satisfies KeptDescent) // biome-ignore format: one call
  }
  const ended = async (reason: Reason, residual: number): Promise<Run> => {
    const { loss, objective } = current
    const parameters = await ground.model(current)
    const final = Number.isFinite(residual) ? residual : await ground.residual(current)
    const estimatedGain = reason === 'stationary' ? 0 : gainToCome(path)
    return { parameters, loss, objective, trace, passes: ground.count, stationarity: final, estimatedGain, reason }
  }
  // A pass that fails has written to the spare point only: the current one is whole.
  const step = async (): Promise<Run | undefined> => {
    const previous = trace.length > 1 ? trace[trace.length - 2] : Number.POSITIVE_INFINITY
    const settled = isSettled(previous, current.objective, ground.unit, stopping)
    let residual = settled ? await ground.residual(current) : Number.POSITIVE_INFINITY
    let [stationary, stalled] = [residual <= stopping.stationarity, false]
    if (rough) stalled = !isTelling(trace, ground.rounding(current))
    else if (settled && descends) {
      const possible = ground.count < stopping.maxPasses - 4 && !signal?.aborted
      const test = stationary ? await ground.zeros!.test(current, spare, stopping.stationarity, possible) : undefined
      const wrong =
        test?.wrong ?? (possible && liftsLeft-- > 0 ? ground.zeros!.slowlyGrowing(current, stopping.stationarity) : [])
      if (test !== undefined) residual = Math.max(residual, test.residual)
      stationary = residual <= stopping.stationarity
      if (wrong.length > 0 && (await ground.zeros!.lift(current, spare, wrong))) {
        accept()
        newton?.forget()
        return undefined
      }
      stalled = (test !== undefined && wrong.length > 0) || isStill(trace, ground.rounding(current))
    }
    const reason =
      reasonToStop(stationary, signal, ground.count >= stopping.maxPasses) ??
      (stalled ? 'stalled' : isHopeless(trace, options.target) ? 'abandoned' : undefined) ??
      (descends && isNegligible(gain(), current.objective, ground.unit, stopping) ? 'settled' : undefined)
    if (reason !== undefined) return ended(reason, residual)
    const fast = newton !== undefined && ground.count >= (options.warmUp ?? usual)
    membership?.look(current.membership!)
    if (!(fast && (await leap(newton, current, spare, ground, stopping)))) await ground.emStep(current, spare)
    // EM's own step raises no objective: what seems to rise is rounding.
    if (rough && !(spare.objective <= current.objective + ground.rounding(current))) return ended('stalled', residual)
    newton?.learn(current, spare)
    accept()
    return undefined
  }
  try {
    for (;;) {
      keep()
      const end = await step()
      if (end === undefined) continue
      if (end.reason !== 'stopped' && !signal?.aborted) part?.end(end)
      return end
    }
  } catch (error) {
    if (error instanceof AbortError) return await ended('stopped', Number.POSITIVE_INFINITY)
    if (!(error instanceof EngineError)) throw error
    return { ...(await ended('failed', Number.POSITIVE_INFINITY)), failure: error }
  }
}

/** The objectives of a run from its first model on, after those of the run before it, which may have been of another precision. */
const pathFrom = (before: readonly number[] | undefined, objective: number): number[] => {
  const last = before?.at(-1)
  if (before === undefined || last === undefined) return [objective]
  return before.map(each => each - last + objective)
}

/** A run that does not even know the loss of its start. */
export const notBegun = (parameters: Explained, passes: number, reason: Reason): Run => {
  const unknown = Number.POSITIVE_INFINITY
  return {
    ...{ parameters, loss: unknown, objective: unknown, trace: [], passes, stationarity: unknown },
    ...{ estimatedGain: undefined, reason },
  }
}

const isTelling = (trace: readonly number[], rounding: number): boolean =>
  trace.length <= TELLING || trace[trace.length - 1 - TELLING] - trace[trace.length - 1] > rounding

const reasonToStop = (stationary: boolean, signal: RunOptions['signal'], spent: boolean): Reason | undefined => {
  if (stationary) return 'stationary'
  if (signal?.aborted) return 'stopped'
  return spent ? 'passes' : undefined
}

/** Steps in a row without a change beyond rounding that end a run: it would go on like this for ever. */
const STILL = 200

const isStill = (trace: readonly number[], rounding: number): boolean =>
  trace.length > STILL && trace[trace.length - 1 - STILL] - trace[trace.length - 1] <= rounding

/** How far ahead a run is seen, from how it came down over its last steps, and how soon one dares to look. */
const OUTLOOK = { soonest: 10, steps: 4, ahead: 12 }

/** Whether a run above its target would stay above it even at its present speed for a long time. */
export const isHopeless = (trace: readonly number[], target: number | undefined): boolean => {
  if (target === undefined || trace.length < OUTLOOK.soonest) return false
  const now = trace[trace.length - 1]
  const speed = (trace[trace.length - 1 - OUTLOOK.steps] - now) / OUTLOOK.steps
  return now > target && now - OUTLOOK.ahead * speed > target
}

/** A step along the quasi-Newton direction, shortened once where it went too far; false where neither was good. */
const leap = async <P extends Standing>(
  newton: QuasiNewton<P>,
  from: P,
  to: P,
  ground: Ground<P>,
  { maxPasses }: Stopping,
): Promise<boolean> => {
  if (!newton.aim(from)) {
    newton.forget()
    return false
  }
  const highest = from.objective + ground.rounding(from)
  let length = 1
  for (let attempt = 0; attempt < 2 && ground.count < maxPasses - 1; attempt++) {
    if (!newton.step(from, length, to)) break
    await ground.evaluate(to)
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
