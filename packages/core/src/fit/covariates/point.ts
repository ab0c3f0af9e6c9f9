import { newStatistics, type Session, type Statistics } from '../../engine/engine.ts'
import { lossOffset } from '../../model/loss.ts'
import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { solve } from '../../numeric/symmetric.ts'
import { type Logit, type LogitDesign, logitOf } from './logit.ts'

/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR = 1e-3
/** A probability below this that should grow is lifted to the first height that helps. */
const SMALL = 1e-6
const HEIGHTS = [1e-3, 1e-6]
/** Coefficients of standardized terms that are larger are none: memberships are 0 or 1 long before. */
const BEYOND = 1e12
/** A class with less than this part of the largest one begins with that much: its logit must be a number. */
const LEAST_SHARE = 1e-6

/**
 * A model under way. Its coordinates are the coefficients and the square roots of the probabilities: the metric in which EM is a step
 * along the gradient is then the logit's information, and four times a column's mass.
 */
export interface Point {
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

/** Turns a gradient into EM's step, in place. */
export type Metric = (gradient: Float64Array) => void

/** The points of a run: what a pass makes of them, and how one leads to another. */
export class Descent {
  passes = 0
  readonly #session: Session
  readonly #logit: Logit
  readonly #rank: number
  readonly #width: number
  /** Where each mode of the answers lies among the coordinates. */
  readonly #offsets: number[] = []
  readonly #size: number
  readonly #patterns: number
  readonly #design: LogitDesign
  readonly #statistics: Statistics

  constructor(session: Session, design: LogitDesign, rank: number) {
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

  /** Sets a point to a model; without coefficients the intercepts are the logits of the shares, and all else is zero. */
  begin({ at }: Point, { shares, factors, coefficients }: Parameters & { readonly coefficients?: Float64Array }): void {
    const [rank, terms] = [this.#rank, this.#design.terms.length]
    const least = Math.max(...shares) * LEAST_SHARE
    for (let k = 1; k < rank; k++) {
      const own = (k - 1) * terms
      if (coefficients === undefined) at[own] = log(Math.max(shares[k], least)) - log(Math.max(shares[0], least))
      else for (let p = 0; p < terms; p++) at[own + p] = coefficients[p * rank + k] - coefficients[p * rank]
    }
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
    for (let i = 0; i < this.#width; i++) {
      // A step that went beyond all bounds: there is no model there.
      if (!(Math.abs(at[i]) < BEYOND)) {
        point.loss = Number.POSITIVE_INFINITY
        return
      }
    }
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
    for (let i = 0; i < this.#width; i++) to.at[i] = length === 0 ? from.at[i] : from.at[i] + length * direction[i]
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

  /** The model at a point; its shares are the mean memberships, and the coefficients of a term sum to zero over the classes. */
  model({ at, memberships }: Point): Parameters & { readonly coefficients: Float64Array } {
    const rank = this.#rank
    const { weights, terms } = this.#design
    const shares = new Float64Array(rank)
    for (let i = 0; i < memberships.length; i++) shares[i % rank] += weights[Math.floor(i / rank)] * memberships[i]
    const { total } = this.#session.data
    const factors = this.#offsets.map((offset, n) => at.slice(offset, this.#end(n)).map(root => root * root))
    const coefficients = new Float64Array(terms.length * rank)
    for (let p = 0; p < terms.length; p++) {
      const row = coefficients.subarray(p * rank, (p + 1) * rank)
      for (let k = 1; k < rank; k++) row[k] = at[(k - 1) * terms.length + p]
      const mean = row.reduce((sum, value) => sum + value, 0) / rank
      for (let k = 0; k < rank; k++) row[k] -= mean
    }
    return { rank, shares: shares.map(share => share / total), factors, coefficients }
  }
}
