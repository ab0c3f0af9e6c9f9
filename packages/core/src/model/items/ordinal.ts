import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { cholesky, solve } from '../../numeric/symmetric.ts'
import type { Label } from '../../tensor/mode.ts'
import { classTotals, informative, LEAST, locate, marginalOf, momentsOf } from './columns.ts'
import type { ItemModel, NamedParameter, OrdinalSpec } from './item.ts'

/** Thresholds and standardized slopes beyond this are treated as diverged. */
const MOST = 1e6
/** No linear predictor changes by more in one step, which is that of a parabola. */
const LONGEST = 20
const HALVINGS = 20
/** A gain of less, in parts of the log-likelihood, is rounding; a step that promises no more is made if no linear predictor changes by more than this. */
const [ROUNDING, SHORT] = [1e-13, 1e-3]
/** Newton steps of a projection. */
const STEPS = 20
/** What is added to all expected counts of a projection together, in parts of their total, so that no coefficient is infinite. */
const ADDED = 1e-6
/** In parts of the total: what is added to the diagonal of the information, so that it is positive definite also at the bounds. */
const RIDGE = 1e-10
/** Counts that a category without any has when a start is drawn. */
const UNSEEN = 0.5
/** Standardized slopes of a random start are drawn from an interval of this half-width. */
const SPREAD = 1.5

/**
 * A variable whose categories are a scale: log P[j | k] is a_j + b_k·score_j, less what makes the sum 1 (adjacent-category logit). The parameters are a
 * of the second category and on, then b of the second class and on.
 * @param labels of the categories
 */
export const ordinalItem = ({ scores }: OrdinalSpec, rank: number, labels: readonly Label[] = scores): ItemModel =>
  new OrdinalItem(scores, rank, labels)

class OrdinalItem implements ItemModel {
  readonly kind = 'ordinal'
  readonly rank: number
  readonly size: number
  readonly positive: readonly boolean[]
  readonly #labels: ReadonlyMap<string, number>
  readonly #scores: Float64Array
  /** The scores with mean 0 and standard deviation 1. */
  readonly #standard: Float64Array
  readonly #sd: number

  constructor(scores: readonly number[], rank: number, labels: readonly Label[]) {
    this.rank = rank
    this.size = scores.length + rank - 2
    this.positive = Array<boolean>(this.size).fill(false)
    this.#labels = new Map(labels.map((label, j) => [String(label), j]))
    this.#scores = Float64Array.from(scores)
    const { mean, sd } = momentsOf(this.#scores, new Float64Array(scores.length))
    this.#sd = sd
    this.#standard = this.#scores.map(score => (score - mean) / sd)
  }

  table(theta: Float64Array, into: Float64Array) {
    for (let k = 0; k < this.rank; k++) this.#column(theta, k, into)
  }

  /** A slope changes nothing if a number is added to all scores: those of mean 0 are used. */
  #column(theta: Float64Array, k: number, into: Float64Array) {
    const { rank } = this
    const labels = this.#scores.length
    const slope = this.#sd * (k === 0 ? 0 : theta[labels - 2 + k])
    let most = Number.NEGATIVE_INFINITY
    for (let j = 0, at = k; j < labels; j++, at += rank) {
      into[at] = (j === 0 ? 0 : theta[j - 1]) + slope * this.#standard[j]
      if (into[at] > most) most = into[at]
    }
    let sum = 0
    for (let j = 0, at = k; j < labels; j++, at += rank) {
      into[at] = exp(into[at] - most)
      sum += into[at]
    }
    for (let j = 0, at = k; j < labels; j++, at += rank) into[at] = Math.max(LEAST, into[at] / sum)
  }

  probability(value: Label, theta: Float64Array, into: Float64Array) {
    const j = this.#labels.get(String(value))
    if (j === undefined) return false
    into.set(this.#table(theta).subarray(j * this.rank, (j + 1) * this.rank))
    return true
  }

  slope(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    const { rank } = this
    const labels = this.#scores.length
    const table = this.#table(theta)
    const totals = classTotals(expected, rank)
    into.fill(0)
    for (let j = 0, at = 0; j < labels; j++) {
      for (let k = 0; k < rank; k++, at++) {
        const rest = expected[at] - totals[k] * table[at]
        if (j > 0) into[j - 1] += rest
        if (k > 0) into[labels - 2 + k] += rest * this.#standard[j]
      }
    }
    for (let k = 1; k < rank; k++) into[labels - 2 + k] *= this.#sd
  }

  information(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    const { rank, size } = this
    const labels = this.#scores.length
    const table = this.#table(theta)
    const totals = classTotals(expected, rank)
    // Classes without counts hold their slopes, and say nothing of the thresholds.
    const least = informative(totals)
    const ridge = RIDGE * least.reduce((sum, each) => sum + each, 0)
    into.fill(0)
    for (let k = 0; k < rank; k++) {
      const at = labels - 2 + k
      const { mean, sd } = this.moments(theta, k)
      for (let j = 1; j < labels; j++) {
        const weight = totals[k] * table[j * rank + k]
        into[(j - 1) * (size + 1)] += weight
        for (let i = 1; i < labels; i++) into[(j - 1) * size + i - 1] -= weight * table[i * rank + k]
        if (k === 0) continue
        into[(j - 1) * size + at] = weight * (this.#scores[j] - mean)
        into[at * size + j - 1] = into[(j - 1) * size + at]
      }
      if (k > 0) into[at * (size + 1)] = least[k] * sd * sd
    }
    for (let i = 0; i < size; i++) into[i * (size + 1)] += ridge * (i < labels - 1 ? 1 : this.#sd * this.#sd)
  }

  /** A Newton step, halved until it is better; false if nothing is left to gain. */
  maximize(theta: Float64Array, expected: Float64Array, slope: Float64Array, into: Float64Array): boolean {
    const { size } = this
    const information = new Float64Array(size * size)
    this.information(theta, expected, information)
    const from = theta.slice()
    into.set(from)
    const direction = this.#direction(information, slope)
    const unit = (i: number) => (i < this.#scores.length - 1 ? 1 : this.#sd)
    const longest = direction.reduce((most, each, i) => Math.max(most, Math.abs(each) * unit(i)), 0)
    const gain = direction.reduce((sum, each, i) => sum + each * slope[i], 0)
    const likelihood = this.#likelihood(from, expected)
    // So short a step gains digits that the log-likelihood does not show.
    const rounding = !(gain > ROUNDING * Math.abs(likelihood))
    if (rounding && !(longest < SHORT)) return false
    let part = Math.min(1, LONGEST / longest)
    for (let halved = 0; halved < HALVINGS; halved++, part /= 2) {
      for (let i = 0; i < size; i++) {
        const most = MOST / unit(i)
        into[i] = Math.min(most, Math.max(-most, from[i] + part * direction[i]))
      }
      if (rounding) return false
      if (this.#likelihood(into, expected) > likelihood) return true
    }
    into.set(from)
    return false
  }

  /** With more on the diagonal if rounding has made it indefinite. */
  #direction(information: Float64Array, slope: Float64Array): Float64Array {
    const { size } = this
    const diagonal = Float64Array.from({ length: size }, (_, i) => information[i * (size + 1)])
    for (let more = 1e-9; ; more *= 100) {
      const factor = cholesky(information, size)
      if (factor !== undefined) return solve(factor, size, slope)
      if (more > 1) return slope.map((each, i) => each / diagonal[i])
      for (let i = 0; i < size; i++) information[i * (size + 1)] += more * diagonal[i]
    }
  }

  #likelihood(theta: Float64Array, expected: Float64Array): number {
    const table = this.#table(theta)
    let sum = 0
    for (let at = 0; at < table.length; at++) if (expected[at] > 0) sum += expected[at] * log(table[at])
    return sum
  }

  scores(theta: Float64Array) {
    const { rank } = this
    const labels = this.#scores.length
    const table = this.#table(theta)
    return Array.from({ length: rank }, (_, k) => {
      const rows = Array.from({ length: labels - 1 }, (_, i) => i)
      if (k > 0) rows.push(labels - 2 + k)
      const { mean } = this.moments(theta, k)
      const scores = new Float64Array(labels * rows.length)
      for (let j = 0; j < labels; j++) {
        const from = j * rows.length
        for (let i = 1; i < labels; i++) scores[from + i - 1] = (i === j ? 1 : 0) - table[i * rank + k]
        if (k > 0) scores[from + labels - 1] = this.#scores[j] - mean
      }
      return { rows, scores }
    })
  }

  project(expected: Float64Array) {
    const total = expected.reduce((sum, each) => sum + each, 0)
    const added = total > LEAST ? (ADDED * total) / expected.length : 1
    const counts = expected.map(each => each + added)
    const theta = this.#start(marginalOf(counts, this.rank))
    const slope = new Float64Array(this.size)
    for (let step = 0, better = true; step < STEPS && better; step++) {
      this.slope(theta, counts, slope)
      better = this.maximize(theta, counts, slope, theta)
    }
    return theta
  }

  /** Slopes are differences from that of the first class, which the thresholds are of. */
  reorder(theta: Float64Array, order: readonly number[]) {
    const first = this.#scores.length - 1
    const slope = (k: number) => (k === 0 ? 0 : theta[first + k - 1])
    const base = slope(order[0])
    return theta.map((value, at) =>
      at < first ? value + base * (this.#scores[at + 1] - this.#scores[0]) : slope(order[at - first + 1]) - base,
    )
  }

  random(marginal: Float64Array, uniform: () => number) {
    const theta = this.#start(marginal.map(count => Math.max(count, UNSEEN)))
    for (let i = this.#scores.length - 1; i < this.size; i++) theta[i] = (SPREAD * (2 * uniform() - 1)) / this.#sd
    return theta
  }

  /** All classes as the marginal distribution is. */
  #start(marginal: Float64Array): Float64Array {
    const theta = new Float64Array(this.size)
    for (let j = 1; j < marginal.length; j++) theta[j - 1] = log(marginal[j]) - log(marginal[0])
    return theta
  }

  /** @returns the position of a category */
  draw(theta: Float64Array, of: number, uniform: () => number) {
    return locate(this.#columnOf(theta, of), uniform()).index
  }

  describe(theta: Float64Array) {
    const first = this.#scores.length - 1
    const parameter = (name: string, of: number | undefined, at: number | undefined): NamedParameter => ({
      name,
      class: of,
      at,
      value: at === undefined ? 0 : theta[at],
    })
    const slopes = Array.from({ length: this.rank }, (_, k) =>
      parameter('slope', k, k === 0 ? undefined : first + k - 1),
    )
    return [...slopes, ...Array.from({ length: first }, (_, at) => parameter(`threshold ${at + 2}`, undefined, at))]
  }

  moments(theta: Float64Array, of: number) {
    return momentsOf(this.#scores, this.#columnOf(theta, of))
  }

  unit() {
    return 1
  }

  #columnOf(theta: Float64Array, of: number): Float64Array {
    const table = this.#table(theta)
    return this.#scores.map((_, j) => table[j * this.rank + of])
  }

  #table(theta: Float64Array): Float64Array {
    const table = new Float64Array(this.#scores.length * this.rank)
    this.table(theta, table)
    return table
  }
}
