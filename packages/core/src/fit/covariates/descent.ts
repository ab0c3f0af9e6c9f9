import { newStatistics, type Session, type Statistics } from '../../engine/engine.ts'
import { lossOffset } from '../../model/loss.ts'
import type { Parameters } from '../../model/parameters.ts'
import { solve } from '../../numeric/symmetric.ts'
import type { Run } from '../descent/run.ts'
import { gainToCome, isNegligible, isSettled, type Reason, type Stopping, sizeOf, unitOf } from '../descent/stopping.ts'
import type { Design } from './design.ts'
import { type Logit, logitOf } from './logit.ts'

/** A run of a model whose class membership is explained: `parameters` are of the answers, their shares the mean memberships. */
export interface CovariateRun extends Run {
  /** For every class but the first, its terms. */
  readonly coefficients: Float64Array
}

export interface CovariateRunOptions {
  readonly stopping: Stopping
  /** Passes of EM before acceleration. */
  readonly warmUp: number
  readonly signal?: AbortSignal | undefined
  readonly onPass?: (pass: number, loss: number) => void | Promise<void>
}

/** Steps that are kept to learn from. */
const MEMORY = 20
/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR = 1e-3
/** Steps after which the information of the logit, which is a part of the metric, is taken anew. */
const REFRESH = 10
/** How many times the engine's precision the log-likelihood may seem to fall by rounding alone. */
const ROUNDING = 10
/** A probability below this that should grow is lifted to the first height that helps, as often as this. */
const SMALL = 1e-6
const HEIGHTS = [1e-3, 1e-6]
const LIFTS = 20
/** Steps in a row without a change that end a run which is not stationary. */
const STILL = 50

/**
 * A model under way. Its coordinates are the coefficients and the square roots of the probabilities: the metric in which EM is a step
 * along the gradient is then the logit's information, and four times a column's mass.
 */
interface Point {
  readonly at: Float64Array
  readonly gradient: Float64Array
  /** EM's own next roots. */
  readonly update: Float64Array
  /** For every mode and class, how much of the data shows the mode and falls to the class. */
  readonly mass: Float64Array
  /** How much of every combination falls to each class, and its membership. */
  readonly fallen: Float64Array
  readonly memberships: Float64Array
  loss: number
}

/** The way from a start to an optimum, by passes over answers whose last mode is the combination of covariates. */
export const covariateRun = async (
  session: Session,
  design: Design,
  start: { readonly items: Parameters; readonly coefficients: Float64Array },
  { stopping, warmUp, signal, onPass }: CovariateRunOptions,
): Promise<CovariateRun> => {
  const { rank } = start.items
  const descent = new Descent(session, design, rank)
  let current = descent.newPoint()
  let spare = descent.newPoint()
  current.at.set(start.coefficients)
  descent.setRoots(current, start.items.factors)
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
    else if (isNegligible(gainToCome(trace), current.loss, unit, stopping)) reason = 'settled'
    if (reason !== undefined) break
    if (step % REFRESH === 0) metric = descent.metric(current)
    const highest = current.loss + ROUNDING * session.traits.precision * sizeOf(current.loss, unit)
    const leapt = step >= warmUp && (await leap(descent, history, metric, current, spare, highest, evaluate))
    if (!leapt) await emStep(descent, metric, current, spare, highest, evaluate)
    history.learn(current, spare)
    ;[current, spare] = [spare, current]
    trace.push(current.loss)
  }
  return {
    ...descent.model(current),
    loss: current.loss,
    objective: current.loss,
    trace,
    passes: descent.passes,
    stationarity: descent.residual(current),
    remaining: reason === 'stationary' ? 0 : gainToCome(trace),
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

/** Turns a gradient into EM's step, in place. */
type Metric = (gradient: Float64Array) => void

/** The points of a run: what a pass makes of them, and how one leads to another. */
class Descent {
  passes = 0
  readonly #session: Session
  readonly #logit: Logit
  readonly #rank: number
  readonly #width: number
  /** Where each mode of the answers lies among the coordinates. */
  readonly #offsets: number[] = []
  readonly #size: number
  readonly #patterns: number
  readonly #design: Design
  readonly #statistics: Statistics

  constructor(session: Session, design: Design, rank: number) {
    this.#session = session
    this.#design = design
    this.#logit = logitOf(design, rank)
    this.#rank = rank
    this.#statistics = newStatistics(session.data.shape, rank)
    this.#width = this.#logit.size
    this.#patterns = design.patterns
    let offset = this.#width
    for (const labels of session.data.shape.slice(0, -1)) {
      this.#offsets.push(offset)
      offset += labels * rank
    }
    this.#size = offset
  }

  newPoint(): Point {
    const real = (size: number) => new Float64Array(size)
    const [size, rank] = [this.#size, this.#rank]
    return {
      at: real(size),
      gradient: real(size),
      update: real(size),
      mass: real(this.#offsets.length * rank),
      fallen: real(this.#patterns * rank),
      memberships: real(this.#patterns * rank),
      loss: Number.POSITIVE_INFINITY,
    }
  }

  setRoots({ at }: Point, factors: readonly Float64Array[]): void {
    this.#offsets.forEach((offset, n) => {
      factors[n].forEach((p, i) => {
        at[offset + i] = Math.sqrt(p)
      })
    })
  }

  #end(n: number): number {
    return this.#offsets[n + 1] ?? this.#size
  }

  /** One pass: the loss, the gradient and EM's next roots. */
  async evaluate(point: Point): Promise<void> {
    const { at, gradient, update, mass, fallen, memberships } = point
    const rank = this.#rank
    const factors = this.#offsets.map((offset, n) => at.slice(offset, this.#end(n)).map(root => root * root))
    this.#logit.memberships(at, memberships)
    // The membership is all that the shares would be.
    const shares = new Float64Array(rank).fill(1)
    const { total } = this.#session.data
    const found = this.#statistics
    await this.#session.pass({ rank, shares, factors: [...factors, memberships] }, found)
    this.passes++
    point.loss = lossOffset(total) - found.logLikelihood
    fallen.set(found.factors[this.#offsets.length])
    this.#logit.slope(fallen, memberships, gradient.subarray(0, this.#width))
    for (let i = 0; i < this.#width; i++) gradient[i] = -gradient[i]
    mass.fill(0)
    this.#offsets.forEach((offset, n) => {
      const table = found.factors[n]
      const own = mass.subarray(n * rank, (n + 1) * rank)
      for (let i = 0; i < table.length; i++) own[i % rank] += table[i]
      for (let i = 0; i < table.length; i++) {
        const [root, column] = [at[offset + i], own[i % rank]]
        gradient[offset + i] = root > 0 ? 2 * (column * root - table[i] / root) : 0
        update[offset + i] = column > 0 ? Math.sqrt(table[i] / column) : root
      }
    })
  }

  metric({ mass, memberships }: Point): Metric {
    const factor = this.#logit.information(memberships)
    return gradient => {
      gradient.set(solve(factor, this.#width, gradient.subarray(0, this.#width)))
      this.#offsets.forEach((offset, n) => {
        for (let i = offset; i < this.#end(n); i++) {
          const column = mass[n * this.#rank + ((i - offset) % this.#rank)]
          gradient[i] = column > 0 ? gradient[i] / (4 * column) : 0
        }
      })
    }
  }

  step(from: Point, direction: Float64Array, length: number, to: Point): void {
    for (let i = 0; i < this.#size; i++) to.at[i] = from.at[i] + length * direction[i]
    for (let i = this.#width; i < this.#size; i++)
      to.at[i] = Math.max(Math.abs(to.at[i]), Math.sqrt(FLOOR) * from.update[i])
    this.#normalize(to)
  }

  emStep(from: Point, direction: Float64Array, length: number, to: Point): void {
    to.at.set(from.update)
    for (let i = 0; i < this.#width; i++) to.at[i] = from.at[i] + length * direction[i]
  }

  #normalize({ at }: Point): void {
    const rank = this.#rank
    this.#offsets.forEach((offset, n) => {
      for (let k = 0; k < rank; k++) {
        let square = 0
        for (let i = offset + k; i < this.#end(n); i += rank) square += at[i] * at[i]
        const length = Math.sqrt(square)
        for (let i = offset + k; i < this.#end(n); i += rank) at[i] /= length
      }
    })
  }

  /** Visits every probability with its slope per observation: below zero where the loss falls as it grows. */
  #eachSlope({ at, update, mass }: Point, visit: (i: number, p: number, slope: number) => void): void {
    const { total } = this.#session.data
    this.#offsets.forEach((offset, n) => {
      for (let i = offset; i < this.#end(n); i++) {
        const p = at[i] * at[i]
        const column = mass[n * this.#rank + ((i - offset) % this.#rank)] / total
        if (p > 0) visit(i, p, column * (1 - (update[i] * update[i]) / p))
      }
    })
  }

  /** The largest violation of the Karush–Kuhn–Tucker conditions; of the coefficients, the slope relative to what it is a sum of. */
  residual(point: Point): number {
    let worst = 0
    this.#eachSlope(point, (_, p, slope) => {
      worst = Math.max(worst, Math.abs(Math.min(p, slope)))
    })
    const { values, weights, terms } = this.#design
    const sizes = new Float64Array(terms.length)
    for (let i = 0; i < values.length; i++)
      sizes[i % sizes.length] += weights[Math.floor(i / sizes.length)] * Math.abs(values[i])
    for (let i = 0; i < this.#width; i++) worst = Math.max(worst, Math.abs(point.gradient[i]) / sizes[i % sizes.length])
    return worst
  }

  /** Lifts probabilities next to zero that should grow, for EM does so too slowly to be seen; true where that helps. */
  async lift(from: Point, to: Point, tolerance: number, evaluate: (point: Point) => Promise<void>): Promise<boolean> {
    const growing: number[] = []
    this.#eachSlope(from, (i, p, slope) => {
      if (p < SMALL && slope < -tolerance) growing.push(i)
    })
    if (growing.length === 0) return false
    for (const height of HEIGHTS) {
      to.at.set(from.at)
      for (const i of growing) to.at[i] = Math.max(to.at[i], Math.sqrt(height))
      this.#normalize(to)
      await evaluate(to)
      if (to.loss < from.loss) return true
    }
    return false
  }

  /** The model at a point; its shares are the mean memberships. */
  model({ at, memberships }: Point): Pick<CovariateRun, 'parameters' | 'coefficients'> {
    const rank = this.#rank
    const { weights } = this.#design
    const shares = new Float64Array(rank)
    for (let i = 0; i < memberships.length; i++) shares[i % rank] += weights[Math.floor(i / rank)] * memberships[i]
    const { total } = this.#session.data
    const factors = this.#offsets.map((offset, n) => at.slice(offset, this.#end(n)).map(root => root * root))
    return {
      parameters: { rank, shares: shares.map(share => share / total), factors },
      coefficients: at.slice(0, this.#width),
    }
  }
}

/** Steps that were taken and how the gradient changed over them (limited-memory BFGS). */
class History {
  readonly #pairs: { step: Float64Array; change: Float64Array; curvature: number }[] = []

  forget(): void {
    this.#pairs.length = 0
  }

  learn(from: Point, to: Point): void {
    const step = to.at.map((value, i) => value - from.at[i])
    const change = to.gradient.map((value, i) => value - from.gradient[i])
    const curvature = dot(step, change)
    if (!(curvature > 0)) return
    this.#pairs.push({ step, change, curvature })
    if (this.#pairs.length > MEMORY) this.#pairs.shift()
  }

  direction({ gradient }: Point, metric: Metric): Float64Array {
    const direction = gradient.map(value => -value)
    const taken: number[] = []
    for (let j = this.#pairs.length - 1; j >= 0; j--) {
      const { step, change, curvature } = this.#pairs[j]
      taken[j] = dot(step, direction) / curvature
      for (let i = 0; i < direction.length; i++) direction[i] -= taken[j] * change[i]
    }
    metric(direction)
    this.#pairs.forEach(({ step, change, curvature }, j) => {
      const back = dot(change, direction) / curvature
      for (let i = 0; i < direction.length; i++) direction[i] += (taken[j] - back) * step[i]
    })
    return direction
  }
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
