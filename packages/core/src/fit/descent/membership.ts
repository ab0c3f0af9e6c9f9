import type { Statistics } from '../../engine/engine.ts'
import type { StepSums } from '../../engine/sweeps/sweeps.ts'
import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { solve } from '../../numeric/symmetric.ts'
import { type Logit, type LogitDesign, logitOf } from '../covariates/logit.ts'

/**
 * A model whose class membership is explained: its factors are of the answers, its shares the mean memberships. The coefficients have
 * a row for each term and a column for each class, like a factor, and sum to zero in each row; without them, membership is by the
 * shares alone.
 */
export interface Explained extends Parameters {
  readonly coefficients?: Float64Array
}

/** Coefficients of standardized terms that are larger are none: memberships are 0 or 1 long before. */
const BEYOND = 1e12
/** A class with less than this part of the largest one begins with that much: its logit must be a number. */
const LEAST_SHARE = 1e-6
/** Points after which the information of the logit, which is the metric of the coefficients, is taken anew. */
const REFRESH = 10

/** What a point has in place of shares: the coefficients of the logit, one list of terms per class but the first, and what follows. */
export interface MembershipPoint {
  readonly at: Float64Array
  /** The negative slope of the objective by the coefficients, per 4M, as for the roots of probabilities. */
  readonly gradient: Float64Array
  /** Of every combination, and how much of it falls to each class. */
  readonly memberships: Float64Array
  readonly fallen: Float64Array
  /** The mean memberships. */
  readonly shares: Float64Array
}

/** A point and the metric that was taken last, for a checkpoint: all else follows from the coefficients. */
export interface KeptMembership {
  readonly at: Float64Array
  readonly gradient: Float64Array
  readonly metric: Float64Array | undefined
  readonly age: number
}

/**
 * The part of a run that explains membership. The data has one mode more than the model, the last: which combination of the covariates a cell
 * has. To the engine the memberships are the factor of that mode, and all shares are 1.
 */
export class Membership {
  readonly #design: LogitDesign
  readonly #logit: Logit
  readonly #rank: number
  readonly #total: number
  /** For every term, what its slope is a sum of. */
  readonly #sizes: Float64Array
  readonly #ones: Float64Array
  #metric: Float64Array | undefined
  #age = 0

  constructor(design: LogitDesign, rank: number, total: number) {
    this.#design = design
    this.#logit = logitOf(design, rank)
    this.#rank = rank
    this.#total = total
    this.#ones = new Float64Array(rank).fill(1)
    const width = design.terms.length
    this.#sizes = new Float64Array(width)
    design.values.forEach((value, i) => {
      this.#sizes[i % width] += design.counts[Math.floor(i / width)] * Math.abs(value)
    })
  }

  get size(): number {
    return this.#logit.size
  }

  newPoint(): MembershipPoint {
    const real = (size: number) => new Float64Array(size)
    const each = this.#design.patterns * this.#rank
    return {
      ...{ at: real(this.size), gradient: real(this.size), shares: real(this.#rank) },
      ...{ memberships: real(each), fallen: real(each) },
    }
  }

  /** Sets a point to a model; without coefficients the intercepts are the logits of the shares, and all else is zero. */
  begin({ at }: MembershipPoint, { shares, coefficients }: Explained): void {
    const [rank, terms] = [this.#rank, this.#design.terms.length]
    const least = Math.max(...shares) * LEAST_SHARE
    at.fill(0)
    for (let k = 1; k < rank; k++) {
      const own = (k - 1) * terms
      if (coefficients === undefined) at[own] = log(Math.max(shares[k], least)) - log(Math.max(shares[0], least))
      else for (let p = 0; p < terms; p++) at[own + p] = coefficients[p * rank + k] - coefficients[p * rank]
    }
  }

  /** Makes the memberships of the coefficients; false if a step went beyond all bounds, and there is no model. */
  settle({ at, memberships, shares }: MembershipPoint): boolean {
    if (!at.every(each => Math.abs(each) < BEYOND)) return false
    this.#logit.memberships(at, memberships)
    shares.fill(0)
    this.#design.counts.forEach((weight, z) => {
      const part = weight / this.#total
      for (let k = 0; k < this.#rank; k++) shares[k] += part * memberships[z * this.#rank + k]
    })
    return true
  }

  /** A model of the answers as an engine sees it, and room for what it gathers. */
  passed({ rank, factors }: Parameters, { memberships }: MembershipPoint): Parameters {
    return { rank, shares: this.#ones, factors: [...factors, memberships] }
  }

  gathered(statistics: Statistics, { fallen }: MembershipPoint): Statistics {
    return { ...statistics, factors: [...statistics.factors, fallen] }
  }

  takeIn({ gradient, fallen, memberships }: MembershipPoint): void {
    this.#logit.slope(fallen, memberships, gradient)
    for (let i = 0; i < gradient.length; i++) gradient[i] /= 4 * this.#total
  }

  /** The largest slope of a coefficient, relative to what it is a sum of. */
  residual({ gradient }: MembershipPoint): number {
    const { length } = this.#sizes
    const relative = (slope: number, i: number) => (4 * this.#total * Math.abs(slope)) / this.#sizes[i % length]
    return gradient.reduce((most, slope, i) => Math.max(most, relative(slope, i)), 0)
  }

  /** Takes the metric at a point, which holds for the points after it; the same for some of them. */
  look({ memberships }: MembershipPoint): void {
    if (this.#metric === undefined || ++this.#age >= REFRESH) {
      this.#metric = this.#logit.information(memberships)
      this.#age = 0
    }
  }

  keep({ at, gradient }: MembershipPoint): KeptMembership {
    return { at: at.slice(), gradient: gradient.slice(), metric: this.#metric?.slice(), age: this.#age }
  }

  restore(point: MembershipPoint, { at, gradient, metric, age }: KeptMembership): void {
    point.at.set(at)
    point.gradient.set(gradient)
    this.settle(point)
    this.#metric = metric?.slice()
    this.#age = age
  }

  /** Newton's step of the coefficients, or a part of it. */
  newton(from: MembershipPoint, length: number, to: MembershipPoint): void {
    const step = this.inverse(from.gradient)
    for (let i = 0; i < step.length; i++) to.at[i] = length === 0 ? from.at[i] : from.at[i] + length * step[i]
  }

  /** M⁻¹·v, and the square of v's length: M is the information, per 4M like the gradient. */
  inverse(vector: Float64Array): Float64Array {
    return solve(this.#metric!, this.size, vector).map(each => 4 * this.#total * each)
  }

  square(vector: Float64Array): number {
    const [factor, size] = [this.#metric!, this.size]
    let sum = 0
    for (let j = 0; j < size; j++) {
      let along = 0
      for (let i = j; i < size; i++) along += factor[i * size + j] * vector[i]
      sum += along * along
    }
    return sum / (4 * this.#total)
  }

  /** The coefficients' part of acceleration. @param pairs how many steps are remembered */
  steps(pairs: number): MembershipSteps {
    return new MembershipSteps(this, pairs)
  }

  /** The coefficients of a term sum to zero over the classes. */
  coefficients({ at }: MembershipPoint): Float64Array {
    const [rank, terms] = [this.#rank, this.#design.terms.length]
    const coefficients = new Float64Array(terms * rank)
    for (let p = 0; p < terms; p++) {
      const row = coefficients.subarray(p * rank, (p + 1) * rank)
      for (let k = 1; k < rank; k++) row[k] = at[(k - 1) * terms + p]
      const mean = row.reduce((sum, value) => sum + value, 0) / rank
      for (let k = 0; k < rank; k++) row[k] -= mean
    }
    return coefficients
  }
}

/** What these steps are, for a checkpoint: the point that was gone to last, and the pairs that are used. */
export interface KeptSteps {
  readonly at: Float64Array
  readonly gradient: Float64Array
  readonly steps: readonly Float64Array[]
  readonly changes: readonly Float64Array[]
}

/** The coefficients' part of what sweeps do with the probabilities: steps, changes of the gradient and the direction. */
export class MembershipSteps {
  readonly #membership: Membership
  readonly #pairs: { readonly step: Float64Array; readonly change: Float64Array }[]
  readonly #at: Float64Array
  readonly #gradient: Float64Array
  readonly #direction: Float64Array

  constructor(membership: Membership, pairs: number) {
    const real = () => new Float64Array(membership.size)
    this.#membership = membership
    this.#pairs = Array.from({ length: pairs }, () => ({ step: real(), change: real() }))
    ;[this.#at, this.#gradient, this.#direction] = [real(), real(), real()]
  }

  goTo({ at, gradient }: MembershipPoint, pair: number, used: readonly number[], slopes: Float64Array): StepSums {
    const { step, change } = this.#pairs[pair]
    for (let i = 0; i < at.length; i++) {
      step[i] = at[i] - this.#at[i]
      change[i] = this.#gradient[i] - gradient[i]
    }
    this.#at.set(at)
    this.#gradient.set(gradient)
    for (let j = 0; j < used.length; j++) slopes[j] += dot(this.#pairs[used[j]].step, gradient)
    slopes[used.length] += dot(step, gradient)
    const inverse = this.#membership.inverse(change)
    return { curvature: dot(step, change), steps: this.#membership.square(step), changes: dot(change, inverse) }
  }

  addChanges(scale: number, used: readonly number[], factors: Float64Array, products: Float64Array): number {
    const sum = this.#gradient.slice()
    for (let j = 0; j < used.length; j++) addTo(sum, factors[j], this.#pairs[used[j]].change)
    const inverse = this.#membership.inverse(sum)
    for (let i = 0; i < sum.length; i++) this.#direction[i] = scale * inverse[i]
    for (let j = 0; j < used.length; j++) products[j] += dot(this.#pairs[used[j]].change, this.#direction)
    return dot(this.#gradient, this.#direction)
  }

  addSteps(used: readonly number[], factors: Float64Array): number {
    for (let j = 0; j < used.length; j++) addTo(this.#direction, factors[j], this.#pairs[used[j]].step)
    return this.#membership.square(this.#direction)
  }

  keep(used: readonly number[]): KeptSteps {
    const of = (which: 'step' | 'change') => used.map(pair => this.#pairs[pair][which].slice())
    return { at: this.#at.slice(), gradient: this.#gradient.slice(), steps: of('step'), changes: of('change') }
  }

  restore(used: readonly number[], { at, gradient, steps, changes }: KeptSteps): void {
    this.#at.set(at)
    this.#gradient.set(gradient)
    used.forEach((pair, j) => {
      this.#pairs[pair].step.set(steps[j])
      this.#pairs[pair].change.set(changes[j])
    })
  }

  walk(length: number, { at }: MembershipPoint): void {
    for (let i = 0; i < at.length; i++) at[i] = this.#at[i] + length * this.#direction[i]
  }
}

const addTo = (into: Float64Array, factor: number, vector: Float64Array): void => {
  for (let i = 0; i < into.length; i++) into[i] += factor * vector[i]
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
