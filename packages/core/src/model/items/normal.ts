import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { normalDensity, normalQuantile, normalTail, normalTailRatio } from '../../numeric/normal.ts'
import {
  ClassColumns,
  type Columns,
  classTotals,
  informative,
  LEAST,
  locate,
  marginalOf,
  momentsOf,
} from './columns.ts'
import type { ItemModel, ItemPrior, NamedParameter, NormalSpec } from './item.ts'
import { numberOf } from './number-labels.ts'
import { onGrid } from './specs.ts'

/** In steps: an interval holds all of a normal distribution whose standard deviation is smaller. */
const LEAST_SD = 1 / 20
/** In ranges of the values: a normal distribution is flat over them long before. */
const MOST_SD = 1e6
/** If an interval is narrower than this, or this part of 1/z, the series has 14 digits. */
const NARROW = 0.1
/** The difference of tails at the ends of intervals whose width is less than this part of 1/z has lost digits, if they are this far from the mean. */
const [STEEP, OUTER] = [2, 1.5]
/** An interval that begins so many standard deviations from the mean has a probability below 1e-300. */
const FARTHEST = 38
const PER_ROOT_TWO_PI = 0.3989422804014327
/** EM steps from the moments, which take every value for the middle of its interval; none if that changes variances by less than a part in 10,000. */
const [STEPS_FROM_MOMENTS, FINE] = [3, 1 / 30]

/** The columns of normal distributions over intervals, with the scores by mean and standard deviation. `stride` is 0 if all have one standard deviation. */
const fillNormal = (x: Float64Array, step: number, rank: number, stride: 0 | 1, theta: Float64Array, into: Columns) => {
  const {
    table,
    scores: [byMean, bySd],
  } = into
  for (let k = 0; k < rank; k++) {
    const [mean, sd] = [theta[k], theta[rank + stride * k]]
    const [width, perSd] = [step / sd, 1 / sd]
    const w = width * width
    const [c2, c4, c6] = [w / 24, (w * w) / 1920, (w * w * w) / 322560]
    for (let j = 0, at = k; j < x.length; j++, at += rank) {
      const z = (x[j] - mean) * perSd
      const distance = Math.abs(z)
      const square = z * z
      let p = 0
      if (distance - width / 2 > FARTHEST) {
        // It stays zero.
      } else if (width * Math.max(distance, 1) < NARROW) {
        // The series of the integral around the middle, in Hermite polynomials.
        const h2 = c2 * (square - 1)
        const h4 = c4 * ((square - 6) * square + 3)
        const h6 = c6 * (((square - 15) * square + 45) * square - 15)
        const series = 1 + (h2 + (h4 + h6))
        const byZ = z * (2 * c2 + 4 * c4 * (square - 3) + 6 * c6 * ((square - 10) * square + 15))
        p = PER_ROOT_TWO_PI * exp(-0.5 * square) * width * series
        const inverse = 1 / series
        byMean[at] = (z - byZ * inverse) * perSd
        bySd[at] = (square - 1 - (z * byZ + 2 * h2 + 4 * h4 + 6 * h6) * inverse) * perSd
      } else if (distance > OUTER && width * distance < STEEP) {
        // With e^(−z²/2) taken out of both tails, the rounding of their ends does not matter.
        const [a, b] = [distance - width / 2, distance + width / 2]
        const atA = exp(0.5 * width * distance)
        const atB = 1 / atA
        const mass = atA * normalTailRatio(a) - atB * normalTailRatio(b)
        p = exp(-0.5 * square) * exp(-0.125 * width * width) * mass
        byMean[at] = ((z > 0 ? PER_ROOT_TWO_PI : -PER_ROOT_TWO_PI) * (atA - atB)) / (sd * mass)
        bySd[at] = (PER_ROOT_TWO_PI * (a * atA - b * atB)) / (sd * mass)
      } else {
        const [a, b] = [z - width / 2, z + width / 2]
        p = z > 0 ? normalTail(a) - normalTail(b) : normalTail(-b) - normalTail(-a)
        const [atA, atB] = [normalDensity(a), normalDensity(b)]
        byMean[at] = (atA - atB) / (sd * p)
        bySd[at] = (a * atA - b * atB) / (sd * p)
      }
      if (!(p > LEAST)) {
        p = LEAST
        byMean[at] = z / sd
        bySd[at] = (square - 1) / sd
      }
      table[at] = p
    }
  }
}

/**
 * A number that is normally distributed in every class. A value stands for an interval around it. The parameters are the means, then the standard
 * deviations: one for every class, or one for all.
 * @param values the labels
 */
export const normalItem = (spec: NormalSpec, values: readonly number[], rank: number): ItemModel =>
  new NormalItem(spec, values, rank)

class NormalItem implements ItemModel {
  readonly kind = 'normal'
  readonly rank: number
  readonly size: number
  readonly positive: readonly boolean[]
  readonly #step: number
  readonly #values: Float64Array
  /** Whether classes have standard deviations of their own: how far theirs are apart in θ. */
  readonly #stride: 0 | 1
  readonly #bounds: { readonly least: number; readonly most: number }
  readonly #columns: ClassColumns
  /** Observations that the prior adds to every variance. */
  readonly #added: number

  constructor({ step, variances, prior = 0 }: NormalSpec, values: readonly number[], rank: number) {
    const stride = variances === 'free' ? 1 : 0
    this.rank = rank
    this.size = rank + (stride === 1 ? rank : 1)
    this.positive = Array.from({ length: this.size }, (_, i) => i >= rank)
    this.#step = step
    this.#added = prior
    this.#stride = stride
    this.#values = Float64Array.from(values)
    const range = this.#values.reduce((a, b) => Math.max(a, b)) - this.#values.reduce((a, b) => Math.min(a, b))
    this.#bounds = { least: step * LEAST_SD, most: MOST_SD * Math.max(range, step) }
    const rows = Array.from({ length: rank }, (_, k) => [k, rank + stride * k])
    this.#columns = new ClassColumns(this.#values, rows, (x, theta, into) =>
      fillNormal(x, step, rank, stride, theta, into),
    )
  }

  table(theta: Float64Array, into: Float64Array) {
    this.#columns.table(theta, into)
  }

  slope(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    this.#columns.slope(theta, expected, into)
  }

  scores(theta: Float64Array) {
    return this.#columns.scores(theta)
  }

  probability(value: string | number, theta: Float64Array, into: Float64Array) {
    const number = numberOf(value)
    if (number === undefined) return false
    this.#columns.probability(number, theta, into)
    return true
  }

  information(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    into.fill(0)
    informative(classTotals(expected, this.rank)).forEach((total, k) => {
      const sd = this.rank + this.#stride * k
      into[k * (this.size + 1)] = total / (theta[sd] * theta[sd])
      into[sd * (this.size + 1)] += (2 * total) / (theta[sd] * theta[sd])
    })
  }

  maximize(theta: Float64Array, expected: Float64Array, slope: Float64Array, into: Float64Array) {
    const { rank } = this
    const totals = classTotals(expected, rank)
    into.set(theta)
    // By class, or over all: the expected sum of squares around the new means.
    let [squares, all] = [0, 0]
    for (let k = 0; k < rank; k++) {
      const total = totals[k]
      if (!(total > 0)) continue
      const sd = theta[rank + this.#stride * k]
      const shift = (sd * sd * slope[k]) / total
      into[k] = theta[k] + shift
      if (this.#stride === 1) {
        const all = total + this.#added
        into[rank + k] = this.#sd(sd * sd * (1 + (sd * slope[rank + k]) / all) - (total / all) * shift * shift)
      }
      squares += total * (sd * sd - shift * shift)
      all += total
    }
    if (this.#stride === 0 && all > 0) {
      const [sd, added] = [theta[rank], this.#added]
      into[rank] = this.#sd((squares + added * sd * sd + sd * sd * sd * slope[rank]) / (all + added))
    }
  }

  prior(marginal: Float64Array): ItemPrior | undefined {
    const { rank } = this
    const added = this.#added
    if (added === 0) return undefined
    const { sd: overall } = momentsOf(this.#values, marginal)
    const square = overall * overall
    return {
      penalty: theta =>
        theta.subarray(rank).reduce((sum, sd) => sum + added * (log(sd / overall) + square / (2 * sd * sd)), 0),
      addSlope: (theta, into) => {
        for (let i = rank; i < theta.length; i++) into[i] += (added * (square / (theta[i] * theta[i]) - 1)) / theta[i]
      },
    }
  }

  project(expected: Float64Array) {
    const { rank } = this
    const overall = () => momentsOf(this.#values, marginalOf(expected, rank))
    const totals = classTotals(expected, rank)
    const theta = new Float64Array(this.size)
    let [squares, all] = [0, 0]
    for (let k = 0; k < rank; k++) {
      const { mean, sd } = totals[k] > 0 ? momentsOf(this.#values, expected, k, rank) : overall()
      theta[k] = mean
      theta[rank + this.#stride * k] = Math.max(sd, this.#step / 4)
      squares += totals[k] * sd * sd
      all += totals[k]
    }
    if (this.#stride === 0 && all > 0) theta[rank] = Math.max(Math.sqrt(squares / all), this.#step / 4)
    if (theta.subarray(rank).every(sd => this.#step < FINE * sd)) return theta
    const slope = new Float64Array(this.size)
    for (let step = 0; step < STEPS_FROM_MOMENTS; step++) {
      this.slope(theta, expected, slope)
      this.maximize(theta.slice(), expected, slope, theta)
    }
    return theta
  }

  reorder(theta: Float64Array, order: readonly number[]) {
    const { rank } = this
    return theta.map((value, at) =>
      at < rank ? theta[order[at]] : this.#stride === 1 ? theta[rank + order[at - rank]] : value,
    )
  }

  random(marginal: Float64Array, uniform: () => number) {
    const { sd } = momentsOf(this.#values, marginal)
    const theta = new Float64Array(this.size)
    for (let k = 0; k < this.rank; k++) {
      const { index, part } = locate(marginal, uniform())
      theta[k] = this.#values[index] + (part - 0.5) * this.#step
      if (k === 0 || this.#stride === 1) theta[this.rank + k] = Math.max(this.#step / 4, sd * (0.3 + 0.7 * uniform()))
    }
    return theta
  }

  draw(theta: Float64Array, of: number, uniform: () => number) {
    const { mean, sd } = this.moments(theta, of)
    return onGrid(mean + sd * normalQuantile(uniform()), this.#values[0], this.#step)
  }

  describe(theta: Float64Array) {
    return Array.from(
      theta,
      (value, at): NamedParameter => ({
        name: at < this.rank ? 'mean' : 'sd',
        class: at < this.rank ? at : this.#stride === 1 ? at - this.rank : undefined,
        at,
        value,
      }),
    )
  }

  moments(theta: Float64Array, of: number) {
    return { mean: theta[of], sd: theta[this.rank + this.#stride * of] }
  }

  unit(theta: Float64Array, at: number) {
    return this.positive[at] ? theta[at] : theta.subarray(this.rank).reduce((most, sd) => Math.max(most, sd))
  }

  #sd(variance: number): number {
    const { least, most } = this.#bounds
    return Math.min(most, Math.sqrt(Math.max(least * least, variance)))
  }
}
