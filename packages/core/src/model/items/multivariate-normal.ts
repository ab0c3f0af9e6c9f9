import { normalQuantile } from '../../numeric/normal.ts'
import type { Label } from '../../tensor/mode.ts'
import {
  type Boxes,
  type BoxSums,
  boxesOf,
  boxSums,
  completed,
  fillBoxes,
  type Margin,
  marginOf,
  product,
  transpose,
} from './boxes.ts'
import { CholeskyLayout, type ClassNormals } from './cholesky-layout.ts'
import { classTotals, informative, locate, marginalOf, momentsOf } from './columns.ts'
import type { ItemModel, ItemScores, MultivariateNormalSpec } from './item.ts'
import { tupleLabel } from './number-labels.ts'
import { onGrid } from './specs.ts'

/** EM steps from the moments, if values are missing. One is exact if none is. */
const STEPS_FROM_MOMENTS = 5

/**
 * Several numbers that have a multivariate normal distribution in every class. A number that is missing is summed over.
 * @param labels such as '5.1 / 3.5', or '5.1 / NA' where one is missing
 */
export const multivariateNormalItem = (
  spec: MultivariateNormalSpec,
  labels: readonly Label[],
  rank: number,
): ItemModel => new MultivariateNormalItem(spec, labels, rank)

/** With the distribution of the variables that labels have, by boxes and class. */
interface PlacedNormals extends ClassNormals {
  readonly margins: readonly (readonly (Margin | undefined)[])[]
}

class MultivariateNormalItem implements ItemModel {
  readonly kind = 'multivariate-normal'
  readonly rank: number
  readonly size: number
  readonly positive: readonly boolean[]
  readonly #layout: CholeskyLayout
  readonly #boxes: readonly Boxes[]
  readonly #labels: number
  /** Of every variable a value, from which its grid is counted. */
  readonly #origins: readonly number[]
  #last: (PlacedNormals & { readonly theta: Float64Array }) | undefined
  #lastSums:
    | (Pick<ClassNormals, 'means'> & {
        readonly expected: Float64Array
        readonly sums: readonly (readonly BoxSums[])[]
      })
    | undefined

  constructor(spec: MultivariateNormalSpec, labels: readonly Label[], rank: number) {
    const layout = new CholeskyLayout(spec, rank)
    this.rank = rank
    this.size = layout.size
    this.positive = Array.from({ length: layout.size }, (_, at) => layout.variableAt(at).diagonal)
    this.#layout = layout
    this.#labels = labels.length
    this.#boxes = boxesOf(labels, layout.steps)
    this.#origins = layout.steps.map((_, i) => {
      const some = this.#boxes.find(({ present }) => present.includes(i))
      return some?.values[some.present.indexOf(i)] ?? 0
    })
  }

  table(theta: Float64Array, into: Float64Array) {
    this.#fill(this.#boxes, this.#at(theta), into)
  }

  probability(value: Label, theta: Float64Array, into: Float64Array) {
    const boxes = boxesOf([value], this.#layout.steps)
    this.#fill(boxes, this.#placed(this.#layout.normalsOf(theta), boxes), into)
    return boxes.length > 0
  }

  slope(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    into.fill(0)
    const at = this.#at(theta)
    const sums = this.#sums(at, expected)
    this.#boxes.forEach((boxes, b) => {
      at.margins[b].forEach((margin, k) => {
        if (margin !== undefined) this.#addSlope(theta, k, boxes, margin, sums[b][k], into)
      })
    })
  }

  scores(theta: Float64Array): ItemScores[] {
    const { means, margins } = this.#at(theta)
    const slope = new Float64Array(this.size)
    return means.map((mean, k) => {
      const rows = this.#layout.rowsOf(k)
      const scores = new Float64Array(this.#labels * rows.length)
      this.#boxes.forEach((boxes, b) => {
        const { present, places, values } = boxes
        const [size, margin] = [present.length, margins[b][k]]
        if (margin === undefined) return
        places.forEach((j, row) => {
          const sum = Float64Array.from(present, (of, i) => values[row * size + i] - mean[of])
          slope.fill(0)
          this.#addSlope(
            theta,
            k,
            boxes,
            margin,
            { weight: 1, sum, products: product(sum, sum, [size, 1, size]) },
            slope,
          )
          rows.forEach((at, i) => {
            scores[j * rows.length + i] = slope[at]
          })
        })
      })
      return { rows, scores }
    })
  }

  information(theta: Float64Array, expected: Float64Array, into: Float64Array) {
    into.fill(0)
    const { n, names } = this.#layout
    const { omegas } = this.#layout.normalsOf(theta)
    const entries = names.flatMap((_, i) => names.slice(0, i + 1).map((_, j) => [i, j] as const))
    informative(classTotals(expected, this.rank)).forEach((total, k) => {
      const inverse = marginOf(omegas[k], n, [...names.keys()])?.inverse
      if (inverse === undefined) return
      const at = (i: number, j: number) => this.#layout.entryAt(k, i, j)
      const factor = this.#layout.factorOf(theta, k)
      const across = product(inverse, factor, [n, n, n])
      const inner = product(transpose(factor, n), across, [n, n, n])
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          into[this.#layout.meanAt(k, i) * this.size + this.#layout.meanAt(k, j)] = total * inverse[i * n + j]
      for (const [i, j] of entries)
        for (const [a, b] of entries)
          into[at(i, j) * this.size + at(a, b)] +=
            total * (across[a * n + j] * across[i * n + b] + inner[j * n + b] * inverse[a * n + i])
    })
  }

  maximize(theta: Float64Array, expected: Float64Array, _slope: Float64Array, into: Float64Array) {
    into.set(this.#layout.thetaOf(this.#maximized(this.#at(theta), expected)))
  }

  residual(theta: Float64Array, expected: Float64Array) {
    const { n, names } = this.#layout
    const now = this.#at(theta)
    const next = this.#layout.normalsOf(this.#layout.thetaOf(this.#maximized(now, expected)))
    const totals = classTotals(expected, this.rank)
    const all = totals.reduce((sum, each) => sum + each, 0)
    let most = 0
    now.omegas.forEach((omega, k) => {
      const margin = marginOf(omega, n, [...names.keys()])
      if (margin === undefined || !(totals[k] > 0)) return
      const shift = next.means[k].map((each, i) => each - now.means[k][i])
      const byShift = product(margin.inverse, shift, [n, n, 1])
      const square = shift.reduce((sum, each, i) => sum + each * byShift[i], 0)
      const change = product(
        margin.inverse,
        next.omegas[k].map((each, at) => each - omega[at]),
        [n, n, n],
      )
      const squares = change.reduce((sum, each, at) => sum + each * change[(at % n) * n + Math.floor(at / n)], 0)
      most = Math.max(most, Math.sqrt((totals[k] / all) * Math.max(0, square, squares / 2)))
    })
    return most
  }

  project(expected: Float64Array) {
    const { means, omegas } = this.#overall(marginalOf(expected, this.rank))
    const each = <T>(values: readonly T[]) => Array.from({ length: this.rank }, () => values[0])
    return this.#layout.thetaOf(this.#settled({ means: each(means), omegas: each(omegas) }, expected))
  }

  reorder(theta: Float64Array, order: readonly number[]) {
    return this.#layout.reordered(theta, order)
  }

  random(marginal: Float64Array, uniform: () => number) {
    const { n, steps, equal } = this.#layout
    const { means, omegas } = this.#overall(marginal)
    const drawn = Array.from({ length: this.rank }, (_, k) => {
      const { index, part } = locate(marginal, uniform())
      const mean = means[0].map((each, i) => each + Math.sqrt(omegas[0][i * (n + 1)]) * normalQuantile(uniform()))
      for (const { present, places, values } of this.#boxes) {
        const row = places.indexOf(index)
        if (row < 0) continue
        present.forEach((of, i) => {
          mean[of] = values[row * present.length + i] + (part - 0.5) * steps[of]
        })
      }
      const scale = k === 0 || !equal ? 0.3 + 0.7 * uniform() : 1
      return { mean, omega: omegas[0].map(each => scale * scale * each) }
    })
    return this.#layout.thetaOf({ means: drawn.map(({ mean }) => mean), omegas: drawn.map(({ omega }) => omega) })
  }

  draw(theta: Float64Array, of: number, uniform: () => number) {
    const { n, steps } = this.#layout
    const normal = Float64Array.from({ length: n }, () => normalQuantile(uniform()))
    const values = product(this.#layout.factorOf(theta, of), normal, [n, n, 1])
    return tupleLabel(
      steps.map((step, i) => onGrid(theta[this.#layout.meanAt(of, i)] + values[i], this.#origins[i], step)),
    ) as string
  }

  describe(theta: Float64Array) {
    return this.#layout.describe(theta)
  }

  moments(theta: Float64Array, of: number, variable = 0) {
    return { mean: theta[this.#layout.meanAt(of, variable)], sd: this.#layout.sdOf(theta, of, variable) }
  }

  unit(theta: Float64Array, at: number) {
    if (this.positive[at]) return theta[at]
    const { variable } = this.#layout.variableAt(at)
    return Math.max(...Array.from({ length: this.rank }, (_, k) => this.#layout.sdOf(theta, k, variable)))
  }

  #fill(all: readonly Boxes[], { means, margins }: PlacedNormals, into: Float64Array): void {
    all.forEach((boxes, b) => {
      margins[b].forEach((margin, k) => {
        fillBoxes(boxes, margin, means[k], [this.rank, k], into)
      })
    })
  }

  /** The distributions at θ. Those of the last one are kept: a pass asks for its table, its slope, its residual and the next step. */
  #at(theta: Float64Array): PlacedNormals {
    if (this.#last === undefined || this.#last.theta.some((each, i) => each !== theta[i]))
      this.#last = { theta: theta.slice(), ...this.#placed(this.#layout.normalsOf(theta), this.#boxes) }
    return this.#last
  }

  #placed(normals: ClassNormals, all: readonly Boxes[]): PlacedNormals {
    const { n } = this.#layout
    const margins = all.map(({ present }) => {
      const known = new Map<Float64Array, Margin | undefined>()
      return normals.omegas.map(omega => {
        if (!known.has(omega)) known.set(omega, marginOf(omega, n, present))
        return known.get(omega)
      })
    })
    return { ...normals, margins }
  }

  /** The sums of the expected counts around the means, by boxes and class. */
  #sums({ means }: ClassNormals, expected: Float64Array): readonly (readonly BoxSums[])[] {
    const last = this.#lastSums
    const isSame = (a: Float64Array, b: Float64Array) => a.length === b.length && a.every((each, i) => each === b[i])
    if (last?.means.length === means.length && means.every((mean, k) => isSame(mean, last.means[k])))
      if (isSame(last.expected, expected)) return last.sums
    const sums = this.#boxes.map(boxes => means.map((mean, k) => boxSums(boxes, mean, [means.length, k], expected)))
    this.#lastSums = { means, expected: expected.slice(), sums }
    return sums
  }

  /** Ω⁻¹(x − μ); and the derivative by Ω of the logarithm of the density, (Ω⁻¹SΩ⁻¹ − Ω⁻¹)/2, times 2L. */
  #addSlope(
    theta: Float64Array,
    k: number,
    { present }: Boxes,
    { inverse }: Margin,
    { weight, sum, products }: BoxSums,
    into: Float64Array,
  ): void {
    if (!(weight > 0)) return
    const size = present.length
    const square = [size, size, size] as const
    product(inverse, sum, [size, size, 1]).forEach((each, i) => {
      into[this.#layout.meanAt(k, present[i])] += each
    })
    const byOmega = product(product(inverse, products, square), inverse, square)
    inverse.forEach((each, at) => {
      byOmega[at] -= weight * each
    })
    present.forEach((a, i) => {
      for (let column = 0; column <= a; column++) {
        let slope = 0
        present.forEach((b, j) => {
          if (column <= b) slope += byOmega[i * size + j] * theta[this.#layout.entryAt(k, b, column)]
        })
        into[this.#layout.entryAt(k, a, column)] += slope
      }
    })
  }

  /** An EM step: what is missing is expected, then means and covariances are those of the expected values. */
  #maximized(from: PlacedNormals, expected: Float64Array): ClassNormals {
    const { n, equal } = this.#layout
    const known = this.#sums(from, expected)
    const sums = from.means.map(() => ({ weight: 0, sum: new Float64Array(n), products: new Float64Array(n * n) }))
    this.#boxes.forEach((boxes, b) => {
      from.margins[b].forEach((margin, k) => {
        const own = known[b][k]
        if (margin === undefined || !(own.weight > 0)) return
        const { sum, products } = completed(own, boxes, margin, from.omegas[k], n)
        sums[k].weight += own.weight
        for (let i = 0; i < sum.length; i++) sums[k].sum[i] += sum[i]
        for (let at = 0; at < products.length; at++) sums[k].products[at] += products[at]
      })
    })
    const shifts = sums.map(({ weight, sum }) => sum.map(each => (weight > 0 ? each / weight : 0)))
    const squares = sums.map(({ weight, products }, k) =>
      products.map((each, at) => each - weight * shifts[k][Math.floor(at / n)] * shifts[k][at % n]),
    )
    const means = from.means.map((mean, k) => mean.map((each, i) => each + shifts[k][i]))
    const covariance = (lists: readonly Float64Array[], weight: number, before: Float64Array) =>
      weight > 0 ? before.map((_, at) => lists.reduce((sum, each) => sum + each[at], 0) / weight) : before
    if (!equal) return { means, omegas: from.omegas.map((omega, k) => covariance([squares[k]], sums[k].weight, omega)) }
    const all = sums.reduce((total, { weight }) => total + weight, 0)
    const pooled = covariance(squares, all, from.omegas[0])
    return { means, omegas: means.map(() => pooled) }
  }

  /** So many steps that what is missing is expected by what the other numbers say. */
  #settled(from: ClassNormals, expected: Float64Array): ClassNormals {
    let normals = from
    const whole = this.#boxes.every(({ present }) => present.length === this.#layout.n)
    for (let step = 0; step < (whole ? 1 : STEPS_FROM_MOMENTS); step++)
      normals = this.#maximized(this.#placed(normals, this.#boxes), expected)
    return normals
  }

  /** The moments of every variable over all classes, as of variables that are not correlated. */
  #overall(marginal: Float64Array): ClassNormals {
    const { n, names, steps } = this.#layout
    const omega = new Float64Array(n * n)
    const mean = Float64Array.from(names, (_, i) => {
      const lists = this.#boxes.filter(({ present }) => present.includes(i))
      const values = lists.flatMap(({ present, places, values: all }) =>
        places.map((_, row) => all[row * present.length + present.indexOf(i)]),
      )
      const counts = lists.flatMap(({ places }) => places.map(j => marginal[j]))
      const moments = momentsOf(Float64Array.from(values), Float64Array.from(counts))
      omega[i * (n + 1)] = Math.max(moments.sd, steps[i] / 2) ** 2
      return moments.mean
    })
    return { means: [mean], omegas: [omega] }
  }
}
