import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { cholesky, eigen, inverse } from '../../numeric/symmetric.ts'
import type { Label } from '../../tensor/mode.ts'
import { LEAST } from './columns.ts'
import { tupleOf } from './number-labels.ts'

/**
 * The probability of a box of intervals has no closed form if the numbers in it are correlated. A value that was rounded to a step differs from the number
 * that was measured by an error which is nearly uniform over the step, with the variance step²/12 (Sheppard). So the probability is that of a normal density
 * of the covariance Ω = Σ + diag(step²/12) at the middle of the box, times the volume of the box. It is bounded, whatever Σ is, and the density of the
 * sum of number and error but for its fourth cumulants: in one dimension it differs from the integral by a part of (step/sd)⁴/960 at most near the mean.
 */

/** log 2π. */
const LOG_TWO_PI = 1.8378770664093453
/** The variance of rounding to a step of 1. */
export const ROUNDING = 1 / 12

/** The labels that have values of the same variables. */
export interface Boxes {
  /** The variables that they have. */
  readonly present: readonly number[]
  /** The positions of the labels. */
  readonly places: readonly number[]
  /** A row of values for each of them. */
  readonly values: Float64Array
  /** The logarithm of the volume of a box. */
  readonly logVolume: number
}

/** Labels by what they lack. @param steps of the variables */
export const boxesOf = (labels: readonly Label[], steps: readonly number[]): Boxes[] => {
  const lists = new Map<string, { present: number[]; places: number[]; values: number[] }>()
  labels.forEach((label, j) => {
    const tuple = tupleOf(label, steps.length)
    if (tuple === undefined) return
    const present = steps.flatMap((_, i) => (Number.isNaN(tuple[i]) ? [] : [i]))
    const key = present.join()
    if (!lists.has(key)) lists.set(key, { present, places: [], values: [] })
    const own = lists.get(key)!
    own.places.push(j)
    for (const i of present) own.values.push(tuple[i])
  })
  return [...lists.values()].map(({ present, places, values }) => ({
    present,
    places,
    values: Float64Array.from(values),
    logVolume: present.reduce((sum, i) => sum + log(steps[i]), 0),
  }))
}

/** The normal distribution of some of the variables: Cholesky's factor of its covariance, the inverse, and the logarithm of the density at the mean. */
export interface Margin {
  readonly factor: Float64Array
  readonly inverse: Float64Array
  readonly logPeak: number
}

/** What is added to a diagonal that rounding has made too small, relative to it. */
const RIDGES = [0, 1e-14, 1e-12, 1e-9]

/** Rows and columns of a matrix of n rows. */
export const part = (
  matrix: Float64Array,
  n: number,
  rows: readonly number[],
  columns: readonly number[] = rows,
): Float64Array => Float64Array.from(rows.flatMap(i => columns.map(j => matrix[i * n + j])))

/** The distribution of the variables that some labels have; undefined if the covariance is not finite. @param omega of all variables */
export const marginOf = (omega: Float64Array, n: number, present: readonly number[]): Margin | undefined => {
  const size = present.length
  const own = part(omega, n, present)
  for (const ridge of RIDGES) {
    const factor = cholesky(
      own.map((value, at) => (at % (size + 1) === 0 ? value * (1 + ridge) : value)),
      size,
      0,
    )
    if (factor === undefined || factor.some(each => !Number.isFinite(each))) continue
    let logPeak = (-LOG_TWO_PI * size) / 2
    for (let i = 0; i < size; i++) logPeak -= log(factor[i * (size + 1)])
    return { factor, inverse: inverse(factor, size), logPeak }
  }
  return undefined
}

/** Writes the probabilities of labels in one class. */
export const fillBoxes = (
  { present, places, values, logVolume }: Boxes,
  margin: Margin | undefined,
  mean: Float64Array,
  [rank, k]: readonly [number, number],
  into: Float64Array,
): void => {
  if (margin === undefined) {
    for (const place of places) into[place * rank + k] = LEAST
    return
  }
  const size = present.length
  const { factor, logPeak } = margin
  const own = Float64Array.from(present, i => mean[i])
  const z = new Float64Array(size)
  for (let row = 0; row < places.length; row++) {
    let square = 0
    for (let i = 0; i < size; i++) {
      let rest = values[row * size + i] - own[i]
      for (let j = 0; j < i; j++) rest -= factor[i * size + j] * z[j]
      z[i] = rest / factor[i * size + i]
      square += z[i] * z[i]
    }
    into[places[row] * rank + k] = Math.max(LEAST, exp(logPeak + logVolume - 0.5 * square))
  }
}

/** Expected counts of labels in a class, and the sums of the values' differences from a mean and of their products. */
export interface BoxSums {
  readonly weight: number
  readonly sum: Float64Array
  readonly products: Float64Array
}

export const boxSums = (
  { present, places, values }: Boxes,
  mean: Float64Array,
  [rank, k]: readonly [number, number],
  expected: Float64Array,
): BoxSums => {
  const size = present.length
  const [sum, products, own] = [new Float64Array(size), new Float64Array(size * size), new Float64Array(size)]
  const around = Float64Array.from(present, i => mean[i])
  let weight = 0
  for (let row = 0; row < places.length; row++) {
    const y = expected[places[row] * rank + k]
    if (y === 0) continue
    weight += y
    for (let i = 0; i < size; i++) {
      own[i] = values[row * size + i] - around[i]
      sum[i] += y * own[i]
      for (let j = 0; j <= i; j++) products[i * size + j] += y * own[i] * own[j]
    }
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) products[j * size + i] = products[i * size + j]
  return { weight, sum, products }
}

/**
 * The same of all variables: what is missing is expected, given what is known, under a distribution.
 * @param omega the covariance of all n variables
 */
export const completed = (
  { weight, sum, products }: BoxSums,
  { present }: Boxes,
  { inverse: known }: Margin,
  omega: Float64Array,
  n: number,
): BoxSums => {
  const size = present.length
  if (size === n) return { weight, sum, products }
  const all = Array.from({ length: n }, (_, i) => i)
  // What all variables are expected to be by those that are known: the known ones themselves, and regressions on them.
  const across = part(omega, n, all, present)
  const by = product(across, known, [n, size, size])
  const explained = product(by, across, [n, size, n], true)
  const squares = product(product(by, products, [n, size, size]), by, [n, size, n], true)
  return {
    weight,
    sum: product(by, sum, [n, size, 1]),
    products: squares.map((each, at) => each + weight * (omega[at] - explained[at])),
  }
}

/** A·B, or A·Bᵀ, of sizes rows × inner and inner × columns. */
export const product = (
  a: Float64Array,
  b: Float64Array,
  [rows, inner, columns]: readonly [number, number, number],
  transposed = false,
): Float64Array => {
  const result = new Float64Array(rows * columns)
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let sum = 0
      for (let at = 0; at < inner; at++)
        sum += a[i * inner + at] * (transposed ? b[j * inner + at] : b[at * columns + j])
      result[i * columns + j] = sum
    }
  return result
}

/**
 * In steps, the least standard deviation in any direction; and relative to the largest one. The likelihood hardly depends on standard deviations so far below
 * that of rounding.
 */
const [LEAST_SD, NARROWEST] = [1e-4, 1e-9]

/**
 * Cholesky's factor of the covariance Σ that maximizes the likelihood of values with the covariance Ω = Σ + diag(step²/12). Directions in which values vary
 * less than by rounding get the least variance: that is the maximum of what is allowed.
 */
export const unrounded = (omega: Float64Array, steps: readonly number[]): Float64Array => {
  const n = steps.length
  const scaled = omega.map(
    (each, at) => each / (steps[Math.floor(at / n)] * steps[at % n]) - (at % (n + 1) === 0 ? ROUNDING : 0),
  )
  const { values, vectors } = eigen(scaled, n)
  const least = Math.max(LEAST_SD, NARROWEST * Math.sqrt(Math.max(0, values[0])))
  const roots = values.map(each => Math.max(Math.sqrt(Math.max(0, each)), least))
  // Σ is Bᵀ·B, by columns orthogonalized one after the other: exact also if it is nearly singular.
  const b = vectors.map((each, at) => each * roots[Math.floor(at / n)])
  const factor = new Float64Array(n * n)
  for (let j = 0; j < n; j++) {
    let square = 0
    for (let row = 0; row < n; row++) square += b[row * n + j] * b[row * n + j]
    const length = Math.sqrt(square) || least
    factor[j * (n + 1)] = length * steps[j]
    for (let i = j + 1; i < n; i++) {
      let along = 0
      for (let row = 0; row < n; row++) along += (b[row * n + j] / length) * b[row * n + i]
      factor[i * n + j] = along * steps[i]
      for (let row = 0; row < n; row++) b[row * n + i] -= along * (b[row * n + j] / length)
    }
  }
  return factor
}

export const transpose = (matrix: Float64Array, n: number): Float64Array =>
  matrix.map((_, at) => matrix[(at % n) * n + Math.floor(at / n)])
