import type { Session } from '../../engine/engine.ts'
import { mostPairs, SweepPool } from '../../engine/sweeps/sweeps.ts'
import { AbortError, DataError, EngineError, OptionError, orStopped } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { omit } from '../../pick.ts'
import type { Counts } from '../../tensor/tensor.ts'
import type { RunPart } from '../checkpoint/run-parts.ts'
import type { Block } from './block.ts'
import { separateDuplicates } from './duplicate-classes.ts'
import type { Evaluator, Iterate } from './evaluator.ts'
import { usefulPairs } from './history.ts'
import { HostEvaluator } from './host-evaluator.ts'
import type { KeptDescent } from './kept-descent.ts'
import { type QuasiNewton, quasiNewton } from './quasi-newton.ts'
import type { RunOptions } from './run-options.ts'
import { gainToCome, isNegligible, isSettled, type Reason, type Stopping, sizeOf, unitOf } from './stopping.ts'

/** One run from one start. */
export interface Run {
  /** The last model whose loss is known: `loss`, `stationarity` and the last entry of `trace` are its own. */
  readonly parameters: ModelParameters
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
const WARM_UP = { usual: 20, known: 3 }

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
  start: ModelParameters,
  given: RunOptions,
  pool: SweepPool = session.sweeps ?? ownThread,
): Promise<Run> => {
  const options = { ...given, steps: given.steps.filter((_, n) => given.items?.[n] === undefined) }
  const { cells } = session.data
  const { shape: all } = session.data
  const { rank } = start
  const blocks = await blocksOf(options, session.data, rank)
  const shape = all.filter((_, n) => !blocks.some(({ mode }) => mode === n))
  const accelerated = options.algorithm !== 'em' && options.steps.every(step => step.descends)
  const size = rank * shape.reduce((sum, labels) => sum + labels, 1)
  const wanted = Math.min(options.pairs ?? Number.POSITIVE_INFINITY, usefulPairs(cells * shape.length * rank, size))
  // Priors look at every parameter, so the points must be at hand.
  if (
    options.rough &&
    blocks.length === 0 &&
    session.descents !== undefined &&
    options.steps.every(step => step.plain)
  ) {
    const { deviceEvaluator } = await loadPart(import('./device-evaluator.ts'))
    const placed = await session.descents.open(rank, accelerated ? wanted : 0)
    return descend(deviceEvaluator(placed, session.data, session.traits.precision, options), start, options)
  }
  const memory = Math.max(1, Math.min(mostPairs(size), wanted))
  const sweeps = pool.borrow(shape, rank, accelerated ? memory : 0)
  const evaluator = (own: RunOptions) => new HostEvaluator(session, sweeps, own, blocks)
  try {
    const found = await descend(evaluator(options), start, options)
    return accelerated && !options.rough ? await withoutTwins(evaluator, session.data.total, found, options) : found
  } finally {
    pool.giveBack(sweeps)
  }
}

/** What of the model has parameters of its own; its code is loaded only if it is needed. */
const blocksOf = async ({ explained, items, links }: RunOptions, data: Counts, rank: number): Promise<Block[]> => {
  const { shape, total } = data
  const blocks: Block[] = []
  if (items !== undefined) {
    const { itemBlocks } = await loadPart(import('./item-block.ts'))
    blocks.push(...itemBlocks(items, rank, data))
  }
  if (explained !== undefined) {
    const { LogitBlock } = await loadPart(import('./logit-block.ts'))
    blocks.push(new LogitBlock(explained, shape.length - 1, rank, total))
  }
  if (links !== undefined) {
    const { LinkBlock } = await loadPart(import('./link-block.ts'))
    blocks.push(new LinkBlock(links, shape.length, rank, total))
  }
  return blocks
}

/** How much lower, relatively, a run must come from equal classes moved apart: less is rounding. */
const APART = 1e-9

/** A run that has ended with classes that are alike goes on with these moved apart; what it ended with is kept if that does not help. */
const withoutTwins = async (
  evaluator: (options: RunOptions) => HostEvaluator,
  total: number,
  found: Run,
  options: RunOptions,
): Promise<Run> => {
  const maxPasses = options.stopping.maxPasses - found.passes
  const unconstrained =
    options.projector === undefined &&
    options.explained === undefined &&
    options.links === undefined &&
    (found.reason === 'stationary' || found.reason === 'settled')
  const start = unconstrained && maxPasses >= 2 ? separateDuplicates(found.parameters) : undefined
  if (start === undefined) return found
  const apart = { ...omit(options, 'before', 'whole'), stopping: { ...options.stopping, maxPasses } }
  const again = await orStopped(descend(evaluator(apart), start, apart))
  if (again === undefined) return found
  const passes = found.passes + again.passes
  const size = sizeOf(found.objective, unitOf(total))
  if (!(again.objective < found.objective - APART * size)) return { ...found, passes }
  return { ...again, passes, trace: [...found.trace, ...again.trace.filter(each => each < found.objective)] }
}

/** For sessions whose threads cannot help. */
const ownThread = new SweepPool()

const descend = async <P extends Iterate>(
  evaluator: Evaluator<P>,
  start: ModelParameters,
  options: RunOptions,
): Promise<Run> => {
  const { stopping, signal, steps, rough = false } = options
  const { blocks } = evaluator
  let [current, spare] = evaluator.points
  const refreshMetrics = (at: P) => blocks.forEach((block, b) => void block.refreshMetric(at.blocks[b]))
  const part = options.parts?.next() as RunPart<Run> | undefined
  if (part?.ended !== undefined) {
    if (part.ended.parameters.rank === start.rank) return part.ended
    throw new DataError(
      'the checkpoint is damaged (a run has other classes than it began with): remove it, and the run starts from the beginning',
    )
  }
  const { keeping } = evaluator
  const free = start.factors.filter((_, n) => blocks.every(({ mode }) => mode !== n))
  const size = start.shares.length + free.reduce((sum, factor) => sum + factor.length, 0)
  const masses = start.shares.length * free.length
  const before =
    keeping &&
    part?.state(
      options.parts!.kept(
        size,
        masses,
        evaluator.arithmetic.pairs,
        blocks.map(block => block.size),
        blocks.map(({ size, metricSize = size * size }) => metricSize),
      ),
    )
  const usual = blocks.length === 0 || start.coefficients === undefined ? WARM_UP.usual : WARM_UP.known
  if (before === undefined) {
    evaluator.begin(current, start)
    await evaluator.evaluate(current)
  } else keeping!.restore(current, before.learned?.used ?? [], before.point)
  if (!Number.isFinite(current.objective)) {
    // What underflows here need not be impossible.
    if (rough && !Number.isFinite(current.loss)) return notBegun(start, evaluator.count, 'stalled')
    if (!Number.isFinite(current.loss))
      throw options.projector === undefined
        ? new OptionError('init', IMPOSSIBLE)
        : new OptionError('constraints', FORBIDDEN)
    // The start has zeros where the prior allows none: EM's own step leaves them.
    refreshMetrics(current)
    await evaluator.emStep(current, spare)
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
  const newton = evaluator.arithmetic.pairs > 0 ? quasiNewton(evaluator.arithmetic, evaluator.total, blocks) : undefined
  let liftsLeft = before?.liftsLeft ?? LIFTS
  if (before?.learned !== undefined) newton?.recall(before.learned, current)
  const keep = () => {
    if (part === undefined || keeping === undefined || !part.due || signal?.aborted) return
    const learned = newton?.learned(current)
    const used = learned?.used ?? []
    if (!part.fits(keeping.size(used))) return
    const point = keeping.keep(current, used)
    part.keep({
      point,
      learned,
      trace: Float64Array.from(trace),
      path: Float64Array.from(path),
      liftsLeft,
    } satisfies KeptDescent)
  }
  const ended = async (reason: Reason, residual: number): Promise<Run> => {
    const { loss, objective } = current
    const parameters = await evaluator.model(current)
    const final = Number.isFinite(residual) ? residual : await evaluator.residual(current)
    const estimatedGain = reason === 'stationary' ? 0 : gainToCome(path)
    return { parameters, loss, objective, trace, passes: evaluator.count, stationarity: final, estimatedGain, reason }
  }
  // A pass that fails has written to the spare point only: the current one is whole.
  const step = async (): Promise<Run | undefined> => {
    const previous = trace.length > 1 ? trace[trace.length - 2] : Number.POSITIVE_INFINITY
    const settled = isSettled(previous, current.objective, evaluator.unit, stopping)
    let residual = settled ? await evaluator.residual(current) : Number.POSITIVE_INFINITY
    let [stationary, stalled] = [residual <= stopping.stationarity, false]
    if (rough) stalled = !isTelling(trace, evaluator.rounding(current))
    else if (settled && descends) {
      const possible = evaluator.count < stopping.maxPasses - 4 && !signal?.aborted
      const test = stationary ? await evaluator.zeros!.test(current, spare, stopping.stationarity, possible) : undefined
      const wrong =
        test?.wrong ??
        (possible && liftsLeft-- > 0 ? evaluator.zeros!.slowlyGrowing(current, stopping.stationarity) : [])
      if (test !== undefined) residual = Math.max(residual, test.residual)
      stationary = residual <= stopping.stationarity
      if (wrong.length > 0 && (await evaluator.zeros!.lift(current, spare, wrong))) {
        accept()
        newton?.forget()
        return undefined
      }
      stalled = (test !== undefined && wrong.length > 0) || isStill(trace, evaluator.rounding(current))
    }
    const reason =
      reasonToStop(stationary, signal, evaluator.count >= stopping.maxPasses) ??
      (stalled ? 'stalled' : isHopeless(trace, options.target) ? 'abandoned' : undefined) ??
      (descends && isNegligible(gain(), current.objective, evaluator.unit, stopping) ? 'settled' : undefined)
    if (reason !== undefined) return ended(reason, residual)
    const fast = newton !== undefined && evaluator.count >= (options.warmUp ?? usual)
    refreshMetrics(current)
    if (!(fast && (await leap(newton, current, spare, evaluator, stopping)))) await evaluator.emStep(current, spare)
    // EM's own step raises no objective: what seems to rise is rounding.
    if (rough && !(spare.objective <= current.objective + evaluator.rounding(current)))
      return ended('stalled', residual)
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
export const notBegun = (parameters: ModelParameters, passes: number, reason: Reason): Run => {
  const unknown = Number.POSITIVE_INFINITY
  return {
    parameters,
    loss: unknown,
    objective: unknown,
    trace: [],
    passes,
    stationarity: unknown,
    estimatedGain: undefined,
    reason,
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
const leap = async <P extends Iterate>(
  newton: QuasiNewton<P>,
  from: P,
  to: P,
  evaluator: Evaluator<P>,
  { maxPasses }: Stopping,
): Promise<boolean> => {
  if (!newton.aim(from)) {
    newton.forget()
    return false
  }
  const highest = from.objective + evaluator.rounding(from)
  let length = 1
  for (let attempt = 0; attempt < 2 && evaluator.count < maxPasses - 1; attempt++) {
    if (!newton.step(from, length, to)) break
    await evaluator.evaluate(to)
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
