import { product, ROUNDING, unrounded } from './boxes.ts'
import type { MultivariateNormalSpec, NamedParameter } from './item.ts'

/** The normal distribution of every class: its mean, and the covariance Ω of values with their rounding. */
export interface ClassNormals {
  readonly means: readonly Float64Array[]
  readonly omegas: readonly Float64Array[]
}

/** The position in a lower triangle, row by row, of row i and column j ≤ i. */
const inTriangle = (i: number, j: number): number => (i * (i + 1)) / 2 + j

/**
 * Where the parameters of multivariate normal distributions are: the means, by class, then Cholesky's factors of the covariances Σ, row by row, one for
 * every class or one for all.
 */
export class CholeskyLayout {
  readonly rank: number
  readonly names: readonly string[]
  readonly steps: readonly number[]
  /** How many variables there are. */
  readonly n: number
  readonly size: number
  /** Whether all classes have the same covariance. */
  readonly equal: boolean
  readonly #entries: number

  constructor({ variables, variances }: MultivariateNormalSpec, rank: number) {
    this.rank = rank
    this.names = variables.map(({ name }) => name)
    this.steps = variables.map(({ step }) => step)
    this.n = variables.length
    this.equal = variances === 'equal'
    this.#entries = inTriangle(this.n, 0)
    this.size = rank * this.n + (this.equal ? 1 : rank) * this.#entries
  }

  meanAt(k: number, i: number): number {
    return k * this.n + i
  }

  /** Of an entry of Cholesky's factor, j ≤ i. */
  entryAt(k: number, i: number, j: number): number {
    return this.rank * this.n + (this.equal ? 0 : k * this.#entries) + inTriangle(i, j)
  }

  /** The variable that an entry of θ is of, and whether it is on the diagonal of Cholesky's factor. */
  variableAt(at: number): { readonly variable: number; readonly diagonal: boolean } {
    const entry = at - this.rank * this.n
    if (entry < 0) return { variable: at % this.n, diagonal: false }
    const within = entry % this.#entries
    const variable = this.names.findIndex((_, i) => within <= inTriangle(i, i))
    return { variable, diagonal: within === inTriangle(variable, variable) }
  }

  /** All that the distribution of a class depends on. */
  rowsOf(k: number): number[] {
    const means = this.names.map((_, i) => this.meanAt(k, i))
    return [...means, ...Array.from({ length: this.#entries }, (_, at) => this.entryAt(k, 0, 0) + at)]
  }

  /** Cholesky's factor of a class, with zeros above the diagonal. */
  factorOf(theta: Float64Array, k: number): Float64Array {
    const { n } = this
    const factor = new Float64Array(n * n)
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) factor[i * n + j] = theta[this.entryAt(k, i, j)]
    return factor
  }

  normalsOf(theta: Float64Array): ClassNormals {
    const { n, steps, rank } = this
    const omegaOf = (k: number) => {
      const factor = this.factorOf(theta, k)
      const omega = product(factor, factor, [n, n, n], true)
      steps.forEach((step, i) => {
        omega[i * (n + 1)] += step * step * ROUNDING
      })
      return omega
    }
    const classes = Array.from({ length: rank }, (_, k) => k)
    const shared = this.equal ? omegaOf(0) : undefined
    return {
      means: classes.map(k => theta.slice(k * n, (k + 1) * n)),
      omegas: classes.map(k => shared ?? omegaOf(k)),
    }
  }

  /** The parameters of distributions, whose covariances are the same if classes share theirs. */
  thetaOf({ means, omegas }: ClassNormals): Float64Array {
    const { n } = this
    const theta = new Float64Array(this.size)
    means.forEach((mean, k) => void theta.set(mean, k * n))
    omegas.slice(0, this.equal ? 1 : this.rank).forEach((omega, k) => {
      const factor = unrounded(omega, this.steps)
      for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) theta[this.entryAt(k, i, j)] = factor[i * n + j]
    })
    return theta
  }

  /** With the classes in another order: class `order[k]` becomes class k. */
  reordered(theta: Float64Array, order: readonly number[]): Float64Array {
    const result = theta.slice()
    order.forEach((from, to) => {
      const [old, rows] = [this.rowsOf(from), this.rowsOf(to)]
      rows.forEach((at, i) => {
        result[at] = theta[old[i]]
      })
    })
    return result
  }

  /** The standard deviation of a variable in a class. */
  sdOf(theta: Float64Array, k: number, i: number): number {
    let sum = 0
    for (let j = 0; j <= i; j++) sum += theta[this.entryAt(k, i, j)] ** 2
    return Math.sqrt(sum)
  }

  /** Means, standard deviations and correlations. */
  describe(theta: Float64Array): NamedParameter[] {
    const { names, rank } = this
    const means = Array.from({ length: rank }, (_, k) =>
      names.map((name, i): NamedParameter => {
        const at = this.meanAt(k, i)
        return { name: 'mean', of: [name], class: k, at, value: theta[at] }
      }),
    )
    const spreads = Array.from({ length: this.equal ? 1 : rank }, (_, k) => {
      const own = { class: this.equal ? undefined : k, at: undefined }
      const row = (i: number) => names.slice(0, i + 1).map((_, j) => theta[this.entryAt(k, i, j)])
      const places = (i: number) => row(i).map((_, j) => this.entryAt(k, i, j))
      const sd = (i: number) => this.sdOf(theta, k, i)
      const sds = names.map(
        (name, i): NamedParameter => ({
          ...own,
          name: 'sd',
          of: [name],
          value: sd(i),
          by: { rows: places(i), slopes: row(i).map(each => each / sd(i)) },
        }),
      )
      const correlations = names.flatMap((name, a) =>
        names.slice(0, a).map((other, b): NamedParameter => {
          const value = row(b).reduce((sum, each, j) => sum + each * row(a)[j], 0) / (sd(a) * sd(b))
          const slopes = (i: number, j: number) =>
            row(i).map((each, at) => ((row(j)[at] ?? 0) / sd(j) - (value * each) / sd(i)) / sd(i))
          const by = { rows: [...places(a), ...places(b)], slopes: [...slopes(a, b), ...slopes(b, a)] }
          return { ...own, name: 'correlation', of: [other, name], value, by }
        }),
      )
      return [...sds, ...correlations]
    })
    return [...means, ...spreads].flat()
  }
}
