import { exp } from '../../numeric/exp.ts'
import {
  ClassColumns,
  classTotals,
  type FillColumns,
  informative,
  LEAST,
  locate,
  marginalOf,
  momentsOf,
} from './columns.ts'
import {
  drawNegativeBinomial,
  drawPoisson,
  logNegativeBinomial,
  logPoisson,
  scoreOfDispersion,
  scoreOfMean,
} from './count-distributions.ts'
import type { CountSpec, ItemModel, NamedParameter } from './item.ts'
import { numberOf } from './number-labels.ts'

const LEAST_MEAN = 1e-10
/** Below it the distribution is Poisson to nearly all digits, above it all but one in a million are zero. */
const [LEAST_DISPERSION, MOST_DISPERSION] = [1e-8, 1e6]
/** Newton steps a step of EM takes for a dispersion, and one from the moments. */
const [STEPS, STEPS_FROM_MOMENTS] = [2, 20]
/** The logarithm of a dispersion changes by no more in one step. */
const LONGEST = 3
const HALVINGS = 30
/** By which part a dispersion is changed to find how its score bends. */
const PROBE = 1e-4
/** The least information about the logarithm of a dispersion, per count: near Poisson there is none. */
const LEAST_INFORMATION = 1e-6

/**
 * A count whose distribution is Poisson or negative binomial in every class. The parameters are the rates; or the means, then the dispersions.
 * @param values the labels
 */
export const countItem = (spec: CountSpec, values: readonly number[], rank: number): ItemModel =>
  new CountItem(spec, values, rank)

const fillPoisson: FillColumns = (x, theta, { table, scores: [byRate] }) => {
  for (let j = 0, at = 0; j < x.length; j++) {
    for (let k = 0; k < theta.length; k++, at++) {
      table[at] = Math.max(LEAST, exp(logPoisson(x[j], theta[k])))
      byRate[at] = x[j] / theta[k] - 1
    }
  }
}

const fillNegativeBinomial: FillColumns = (x, theta, { table, scores: [byMean, byDispersion] }) => {
  const rank = theta.length / 2
  for (let j = 0, at = 0; j < x.length; j++) {
    for (let k = 0; k < rank; k++, at++) {
      const [mean, dispersion] = [theta[k], theta[rank + k]]
      table[at] = Math.max(LEAST, exp(logNegativeBinomial(x[j], mean, dispersion)))
      byMean[at] = scoreOfMean(x[j], mean, dispersion)
      byDispersion[at] = scoreOfDispersion(x[j], mean, dispersion)
    }
  }
}

class CountItem implements ItemModel {
  readonly kind = 'count'
  readonly rank: number
  readonly size: number
  readonly positive: readonly boolean[]
  readonly #values: Float64Array
  readonly #dispersed: boolean
  readonly #columns: ClassColumns

  constructor({ distribution }: CountSpec, values: readonly number[], rank: number) {
    this.#dispersed = distribution === 'negative-binomial'
    this.rank = rank
    this.size = this.#dispersed ? 2 * rank : rank
    this.positive = Array<boolean>(this.size).fill(true)
    this.#values = Float64Array.from(values)
    const rows = Array.from({ length: rank }, (_, k) => (this.#dispersed ? [k, rank + k] : [k]))
    this.#columns = new ClassColumns(this.#values, rows, this.#dispersed ? fillNegativeBinomial : fillPoisson)
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
    if (number === undefined || !(Number.isInteger(number) && number >= 0)) return false
    this.#columns.probability(number, theta, into)
    return true
  }

  information(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    const { rank, size } = this
    into.fill(0)
    const scores = this.#dispersed ? this.scores(theta) : []
    const table = new Float64Array(this.#dispersed ? expected.length : 0)
    if (this.#dispersed) this.table(theta, table)
    informative(classTotals(expected, rank)).forEach((total, k) => {
      const [mean, dispersion] = [theta[k], this.#dispersed ? theta[rank + k] : 0]
      into[k * (size + 1)] = total / (mean * (1 + dispersion * mean))
      if (!this.#dispersed) return
      // There is no closed form: the mean of the squares over the labels.
      let [squares, mass] = [0, 0]
      for (let j = 0; j < this.#values.length; j++) {
        const score = scores[k].scores[2 * j + 1]
        squares += table[j * rank + k] * score * score
        mass += table[j * rank + k]
      }
      const least = LEAST_INFORMATION / (dispersion * dispersion)
      into[(rank + k) * (size + 1)] = total * Math.max(squares / mass, least)
    })
  }

  maximize(theta: Float64Array, expected: Float64Array, _slope: Float64Array, into: Float64Array) {
    this.#climb(theta, expected, into, STEPS)
  }

  /** The means are in closed form, whatever the dispersions are. */
  #climb(theta: Float64Array, expected: Float64Array, into: Float64Array, steps: number) {
    const { rank } = this
    into.set(theta)
    classTotals(expected, rank).forEach((total, k) => {
      if (!(total > 0)) return
      const counts = this.#column(expected, k)
      into[k] = Math.max(LEAST_MEAN, momentsOf(this.#values, counts).mean)
      if (this.#dispersed) into[rank + k] = this.#dispersion(counts, into[k], theta[rank + k], steps)
    })
  }

  /** A dispersion that is as likely or more so, by Newton steps of its logarithm. */
  #dispersion(counts: Float64Array, mean: number, start: number, steps: number): number {
    const sum = (term: (x: number, mean: number, dispersion: number) => number, dispersion: number) =>
      this.#values.reduce((all, x, j) => (counts[j] > 0 ? all + counts[j] * term(x, mean, dispersion) : all), 0)
    let dispersion = start
    let likelihood = sum(logNegativeBinomial, dispersion)
    for (let step = 0; step < steps; step++) {
      const slope = dispersion * sum(scoreOfDispersion, dispersion)
      const beside = dispersion * (1 + PROBE)
      const curvature = (slope - beside * sum(scoreOfDispersion, beside)) / PROBE
      // Where the likelihood bends upwards, as far as is allowed.
      const newton = curvature > 0 ? slope / curvature : slope * Number.MAX_VALUE
      const direction = Math.min(LONGEST, Math.max(-LONGEST, newton))
      let [part, better] = [1, false]
      for (let halved = 0; halved < HALVINGS && !better; halved++, part /= 2) {
        const next = Math.min(MOST_DISPERSION, Math.max(LEAST_DISPERSION, dispersion * exp(part * direction)))
        const reached = sum(logNegativeBinomial, next)
        better = reached > likelihood
        if (better) [dispersion, likelihood] = [next, reached]
      }
      if (!better) break
    }
    return dispersion
  }

  project(expected: Float64Array) {
    const { rank } = this
    const marginal = marginalOf(expected, rank)
    const theta = new Float64Array(this.size)
    for (let k = 0; k < rank; k++) {
      const column = this.#column(expected, k)
      const { mean, dispersion } = this.#fromMoments(column.some(count => count > 0) ? column : marginal)
      theta[k] = mean
      if (this.#dispersed) theta[rank + k] = dispersion
    }
    this.#climb(theta.slice(), expected, theta, STEPS_FROM_MOMENTS)
    return theta
  }

  reorder(theta: Float64Array, order: readonly number[]) {
    return theta.map((_, at) => theta[at - (at % this.rank) + order[at % this.rank]])
  }

  random(marginal: Float64Array, uniform: () => number) {
    const { mean, dispersion } = this.#fromMoments(marginal)
    const theta = new Float64Array(this.size)
    for (let k = 0; k < this.rank; k++) {
      const { index, part } = locate(marginal, uniform())
      // Between the overall mean and a value, so that none is zero and all differ.
      theta[k] = Math.max(LEAST_MEAN, mean * (0.2 + (0.8 * (this.#values[index] + part)) / (mean + 0.5)))
      if (this.#dispersed) theta[this.rank + k] = Math.max(0.05, dispersion) * (0.3 + 0.7 * uniform())
    }
    return theta
  }

  draw(theta: Float64Array, of: number, uniform: () => number) {
    return this.#dispersed
      ? drawNegativeBinomial(theta[of], theta[this.rank + of], uniform)
      : drawPoisson(theta[of], uniform)
  }

  describe(theta: Float64Array) {
    return Array.from(
      theta,
      (value, at): NamedParameter => ({
        name: at >= this.rank ? 'dispersion' : this.#dispersed ? 'mean' : 'rate',
        class: at % this.rank,
        at,
        value,
      }),
    )
  }

  moments(theta: Float64Array, of: number) {
    const mean = theta[of]
    const dispersion = this.#dispersed ? theta[this.rank + of] : 0
    return { mean, sd: Math.sqrt(mean + dispersion * mean * mean) }
  }

  unit(theta: Float64Array, at: number) {
    return theta[at]
  }

  #column(expected: Float64Array, k: number): Float64Array {
    return this.#values.map((_, j) => expected[j * this.rank + k])
  }

  /** The dispersion is what the variance is too large by for Poisson. */
  #fromMoments(counts: Float64Array): { readonly mean: number; readonly dispersion: number } {
    const { mean, sd } = momentsOf(this.#values, counts)
    const dispersion = (sd * sd - mean) / (mean * mean)
    return { mean: Math.max(LEAST_MEAN, mean), dispersion: dispersion > 0.01 ? Math.min(dispersion, 100) : 0.01 }
  }
}
