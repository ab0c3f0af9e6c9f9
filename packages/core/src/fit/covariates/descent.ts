import type { Session } from '../../engine/engine.ts'
import type { Parameters } from '../../model/parameters.ts'
import { isHopeless, type Run, type RunOptions } from '../descent/run.ts'
import { gainToCome, isNegligible, isSettled, type Reason, sizeOf, unitOf } from '../descent/stopping.ts'
import { dot, History } from './history.ts'
import type { LogitDesign } from './logit.ts'
import { Descent, type Metric, type Point } from './point.ts'

/**
 * A model whose class membership is explained: its factors are of the answers, its shares the mean memberships. The coefficients have
 * a row for each term and a column for each class, like a factor, and sum to zero in each row; without them, membership is by the
 * shares alone.
 */
export interface Explained extends Parameters {
  readonly coefficients?: Float64Array
}

/** A run of such a model, as far as `Run` says what that is. */
export interface CovariateRun extends Run {
  readonly parameters: Required<Explained>
}

export type CovariateRunOptions = Pick<RunOptions, 'stopping' | 'algorithm' | 'warmUp' | 'target' | 'signal' | 'onPass'>

/** Passes of EM before acceleration: from coefficients that are known there is little to be found out, from nothing there is much. */
const WARM_UP = { known: 3, unknown: 20 }

/** Steps after which the information of the logit, which is a part of the metric, is taken anew. */
const REFRESH = 10
/** How many times the engine's precision the log-likelihood may seem to fall by rounding alone. */
const ROUNDING = 10
/** How often probabilities next to zero are helped along. */
const LIFTS = 20
/** Steps in a row without a change that end a run which is not stationary. */
const STILL = 50

/** The way from a start to an optimum, by passes over answers whose last mode is the combination of covariates. */
export const covariateRun = async (
  session: Session,
  design: LogitDesign,
  start: Explained,
  { stopping, algorithm, warmUp, target, signal, onPass }: CovariateRunOptions,
): Promise<CovariateRun> => {
  const accelerated =
    algorithm === 'em'
      ? Number.POSITIVE_INFINITY
      : (warmUp ?? (start.coefficients === undefined ? WARM_UP.unknown : WARM_UP.known))
  const descent = new Descent(session, design, start.rank)
  let current = descent.newPoint()
  let spare = descent.newPoint()
  descent.begin(current, start)
  const evaluate = async (point: Point) => {
    await descent.evaluate(point)
    await onPass?.(descent.passes, point.loss)
  }
  await evaluate(current)
  const trace = [current.loss]
  const history = new History()
  const unit = unitOf(session.data.total)
  let metric = descent.metric(current)
  let lifts = LIFTS
  let reason: Reason | undefined
  for (let step = 0; reason === undefined; step++) {
    const previous = trace.length > 1 ? trace[trace.length - 2] : Number.POSITIVE_INFINITY
    const settled = isSettled(previous, current.loss, unit, stopping)
    if (settled && lifts-- > 0 && (await descent.lift(current, spare, stopping.stationarity, evaluate))) {
      ;[current, spare] = [spare, current]
      trace.push(current.loss)
      history.forget()
      continue
    }
    const still = trace.length > STILL && isSettled(trace[trace.length - 1 - STILL], current.loss, unit, stopping)
    if (settled && descent.residual(current) <= stopping.stationarity) reason = 'stationary'
    else if (signal?.aborted) reason = 'stopped'
    else if (descent.passes >= stopping.maxPasses) reason = 'passes'
    else if (still) reason = 'stalled'
    else if (isHopeless(trace, target)) reason = 'abandoned'
    else if (isNegligible(gainToCome(trace), current.loss, unit, stopping)) reason = 'settled'
    if (reason !== undefined) break
    if (step % REFRESH === 0) metric = descent.metric(current)
    const highest = current.loss + ROUNDING * session.traits.precision * sizeOf(current.loss, unit)
    const leapt = step >= accelerated && (await leap(descent, history, metric, current, spare, highest, evaluate))
    if (!leapt) await emStep(descent, metric, current, spare, highest, evaluate)
    history.learn(current, spare)
    ;[current, spare] = [spare, current]
    trace.push(current.loss)
  }
  return {
    parameters: descent.model(current),
    loss: current.loss,
    objective: current.loss,
    trace,
    passes: descent.passes,
    stationarity: descent.residual(current),
    estimatedGain: reason === 'stationary' ? 0 : gainToCome(trace),
    reason,
  }
}

/** A step learned from earlier ones, shortened once where it went too far; false where neither was good. */
const leap = async (
  descent: Descent,
  history: History,
  metric: Metric,
  from: Point,
  to: Point,
  highest: number,
  evaluate: (point: Point) => Promise<void>,
): Promise<boolean> => {
  const direction = history.direction(from, metric)
  const slope = dot(from.gradient, direction)
  let length = 1
  for (let attempt = 0; attempt < 2 && slope < 0; attempt++) {
    descent.step(from, direction, length, to)
    await evaluate(to)
    if (to.loss <= highest) return true
    const lowest = -slope / (2 * (to.loss - from.loss - slope))
    length = Math.min(0.5, Math.max(0.05, lowest || 0))
  }
  history.forget()
  return false
}

/** How often the step of the coefficients is shortened before they stay as they are. */
const SHORTENED = 4

/** EM's own step: the probabilities' in closed form, the coefficients' by Newton's, shortened until the loss is no higher. */
const emStep = async (
  descent: Descent,
  metric: Metric,
  from: Point,
  to: Point,
  highest: number,
  evaluate: (point: Point) => Promise<void>,
): Promise<void> => {
  const direction = from.gradient.map(value => -value)
  metric(direction)
  for (let attempt = 0, length = 1; attempt <= SHORTENED; attempt++, length /= 4) {
    descent.emStep(from, direction, attempt === SHORTENED ? 0 : length, to)
    await evaluate(to)
    if (to.loss <= highest) return
  }
}
