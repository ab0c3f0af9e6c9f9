import type { LinkLogit } from '../../model/links/links.ts'
import { log } from '../../numeric/log.ts'
import { cholesky, solve } from '../../numeric/symmetric.ts'
import { type Logit, logitOf } from './logit.ts'

/** Larger coefficients of standardized terms are treated as diverged; probabilities reach 0 or 1 long before this. */
const BEYOND = 1e6
/** A probability below this has a logarithm of this. */
const LEAST = 1e-300
/** Newton's steps of an M-step, and how often one that goes too far is halved: more change nothing. */
const STEPS = 3
const HALVINGS = 8

/** The distributions of all combinations of covariates as a multinomial logit: its coefficients are lists of terms, one for each entry but the first. */
export class LinkLogitPart {
  readonly link: LinkLogit
  /** How many coefficients there are. */
  readonly size: number
  readonly #logit: Logit
  /** How much of each combination is expected: the counts of the logit. */
  readonly #masses: Float64Array
  readonly #counts: Float64Array
  readonly #shares: Float64Array

  constructor(link: LinkLogit) {
    const { design, length } = link
    const { patterns, values, width } = design
    this.link = link
    this.#masses = new Float64Array(patterns)
    this.#counts = new Float64Array(patterns * length)
    this.#shares = new Float64Array(patterns * length)
    const terms = Array.from({ length: width }, (_, p) => ({ name: `${p}`, factors: [] }))
    this.#logit = logitOf({ terms, patterns, values, counts: this.#masses }, length)
    this.size = this.#logit.size
  }

  /** The coefficients whose distributions are nearest to those of the tables: their logits by least squares. */
  coefficients(tables: Float64Array): Float64Array {
    const { first, stride, length, design } = this.link
    const { patterns, width, values } = design
    const gram = new Float64Array(width * width)
    const right = Array.from({ length: length - 1 }, () => new Float64Array(width))
    for (let z = 0; z < patterns; z++) {
      const x = values.subarray(z * width, (z + 1) * width)
      const at = first + z * stride
      const base = log(Math.max(tables[at], LEAST))
      for (let p = 0; p < width; p++) {
        if (x[p] === 0) continue
        for (let q = 0; q < width; q++) gram[p * width + q] += x[p] * x[q]
        for (let k = 1; k < length; k++) right[k - 1][p] += x[p] * (log(Math.max(tables[at + k], LEAST)) - base)
      }
    }
    const factor = cholesky(gram, width)!
    return Float64Array.from(right.flatMap(each => [...solve(factor, width, each)]))
  }

  /** Writes the distributions of coefficients to the tables; false if they are beyond all bounds. */
  write(coefficients: Float64Array, tables: Float64Array): boolean {
    if (!coefficients.every(each => Math.abs(each) < BEYOND)) return false
    const { first, stride, length, design } = this.link
    this.#logit.memberships(coefficients, this.#shares)
    for (let z = 0; z < design.patterns; z++)
      for (let k = 0; k < length; k++) tables[first + z * stride + k] = this.#shares[z * length + k]
    return true
  }

  /** The slope of the expected log-likelihood by the coefficients, at tables that were written by them. */
  slope(counts: Float64Array, tables: Float64Array, into: Float64Array): void {
    this.#gather(counts, tables)
    this.#logit.slope(this.#counts, this.#shares, into)
  }

  /** Cholesky's factor of the information if the classes were known. */
  information(counts: Float64Array, tables: Float64Array): Float64Array {
    this.#gather(counts, tables)
    return this.#logit.information(this.#shares)
  }

  /** The M-step: the coefficients that maximize the expected log-likelihood, or come nearer. */
  maximize(from: Float64Array, counts: Float64Array, tables: Float64Array): Float64Array {
    this.#gather(counts, tables)
    const gradient = new Float64Array(this.size)
    let at = from
    let best = this.#expected()
    for (let step = 0; step < STEPS; step++) {
      this.#logit.slope(this.#counts, this.#shares, gradient)
      const direction = solve(this.#logit.information(this.#shares), this.size, gradient)
      let scale = 1
      for (let halving = 0; ; halving++, scale /= 2) {
        const next = at.map((each, i) => each + scale * direction[i])
        this.#logit.memberships(next, this.#shares)
        const found = this.#expected()
        if (found >= best) {
          at = next
          best = found
          break
        }
        if (halving === HALVINGS) return at
      }
    }
    return at
  }

  #expected(): number {
    let sum = 0
    for (let i = 0; i < this.#counts.length; i++)
      if (this.#counts[i] > 0) sum += this.#counts[i] * log(Math.max(this.#shares[i], LEAST))
    return sum
  }

  #gather(counts: Float64Array, tables: Float64Array): void {
    const { first, stride, length, design } = this.link
    for (let z = 0; z < design.patterns; z++) {
      let mass = 0
      for (let k = 0; k < length; k++) {
        const i = first + z * stride + k
        this.#counts[z * length + k] = counts[i]
        this.#shares[z * length + k] = tables[i]
        mass += counts[i]
      }
      this.#masses[z] = mass
    }
  }
}
