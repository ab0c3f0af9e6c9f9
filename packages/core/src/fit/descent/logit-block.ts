import type { ModelParameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { quadraticForm, solve } from '../../numeric/symmetric.ts'
import { type Logit, type LogitDesign, logitOf } from '../covariates/logit.ts'
import type { Block, BlockPoint, KeptBlock } from './block.ts'

/** Larger coefficients of standardized terms are treated as diverged; memberships reach 0 or 1 long before this. */
const BEYOND = 1e12
/** A class with less than this part of the largest one begins with that much: its logit must be a number. */
const LEAST_SHARE = 1e-6
/** Points after which the information of the logit, which is the metric of the coefficients, is computed anew. */
const REFRESH = 10

/**
 * The logit of class membership. The data has one mode more than the model, the last: which combination of the covariates a cell
 * has. To the engine the memberships of the combinations are the factor of that mode, and all shares are 1. The parameters are lists of terms, one per class but
 * the first.
 */
export class LogitBlock implements Block {
  readonly mode: number
  readonly #design: LogitDesign
  readonly #logit: Logit
  readonly #rank: number
  readonly #total: number
  /** For every term, what its slope is a sum of. */
  readonly #sizes: Float64Array
  #metric: Float64Array | undefined
  #age = 0

  /** @param mode the last one of the data */
  constructor(design: LogitDesign, mode: number, rank: number, total: number) {
    this.mode = mode
    this.#design = design
    this.#logit = logitOf(design, rank)
    this.#rank = rank
    this.#total = total
    const width = design.terms.length
    this.#sizes = new Float64Array(width)
    design.values.forEach((value, i) => {
      this.#sizes[i % width] += design.counts[Math.floor(i / width)] * Math.abs(value)
    })
  }

  get size(): number {
    return this.#logit.size
  }

  newPoint(): Required<BlockPoint> {
    const real = (size: number) => new Float64Array(size)
    const each = this.#design.patterns * this.#rank
    return {
      at: real(this.size),
      gradient: real(this.size),
      table: real(each),
      expectedCounts: real(each),
      shares: real(this.#rank),
    }
  }

  /** Without coefficients the intercepts are the logits of the shares, and all else is zero. */
  initialize({ at }: BlockPoint, { shares, coefficients }: ModelParameters): void {
    const [rank, terms] = [this.#rank, this.#design.terms.length]
    const least = Math.max(...shares) * LEAST_SHARE
    at.fill(0)
    for (let k = 1; k < rank; k++) {
      const own = (k - 1) * terms
      if (coefficients === undefined) at[own] = log(Math.max(shares[k], least)) - log(Math.max(shares[0], least))
      else for (let p = 0; p < terms; p++) at[own + p] = coefficients[p * rank + k] - coefficients[p * rank]
    }
  }

  /** The memberships of every combination, and their means as class sizes. */
  computeTable({ at, table, shares }: Required<BlockPoint>): boolean {
    if (!at.every(each => Math.abs(each) < BEYOND)) return false
    this.#logit.memberships(at, table)
    shares.fill(0)
    this.#design.counts.forEach((weight, z) => {
      const part = weight / this.#total
      for (let k = 0; k < this.#rank; k++) shares[k] += part * table[z * this.#rank + k]
    })
    return true
  }

  updateGradient({ gradient, expectedCounts, table }: BlockPoint): void {
    this.#logit.slope(expectedCounts, table, gradient)
    for (let i = 0; i < gradient.length; i++) gradient[i] /= 4 * this.#total
  }

  residual({ gradient }: BlockPoint): number {
    const { length } = this.#sizes
    const relative = (slope: number, i: number) => (4 * this.#total * Math.abs(slope)) / this.#sizes[i % length]
    return gradient.reduce((most, slope, i) => Math.max(most, relative(slope, i)), 0)
  }

  refreshMetric({ table }: BlockPoint): void {
    if (this.#metric === undefined || ++this.#age >= REFRESH) {
      this.#metric = this.#logit.information(table)
      this.#age = 0
    }
  }

  /** Newton's step. */
  maximize(from: BlockPoint, length: number, to: BlockPoint): void {
    const step = this.inverse(from.gradient)
    for (let i = 0; i < step.length; i++) to.at[i] = length === 0 ? from.at[i] : from.at[i] + length * step[i]
  }

  inverse(vector: Float64Array): Float64Array {
    return solve(this.#metric!, this.size, vector).map(each => 4 * this.#total * each)
  }

  square(vector: Float64Array): number {
    return quadraticForm(this.#metric!, this.size, vector) / (4 * this.#total)
  }

  /** The coefficients of a term sum to zero over the classes. */
  parameters({ at }: BlockPoint): { coefficients: Float64Array } {
    const [rank, terms] = [this.#rank, this.#design.terms.length]
    const coefficients = new Float64Array(terms * rank)
    for (let p = 0; p < terms; p++) {
      const row = coefficients.subarray(p * rank, (p + 1) * rank)
      for (let k = 1; k < rank; k++) row[k] = at[(k - 1) * terms + p]
      const mean = row.reduce((sum, value) => sum + value, 0) / rank
      for (let k = 0; k < rank; k++) row[k] -= mean
    }
    return { coefficients }
  }

  snapshot({ at, gradient }: BlockPoint): KeptBlock {
    return { at: at.slice(), gradient: gradient.slice(), metric: this.#metric?.slice(), age: this.#age }
  }

  restore(point: Required<BlockPoint>, { at, gradient, metric, age }: KeptBlock): void {
    point.at.set(at)
    point.gradient.set(gradient)
    this.computeTable(point)
    this.#metric = metric?.slice()
    this.#age = age
  }
}
