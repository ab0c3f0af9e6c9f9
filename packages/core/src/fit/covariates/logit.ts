import { exp } from '../../numeric/exp.ts'
import { cholesky } from '../../numeric/symmetric.ts'
import type { CovariateDesign } from './design.ts'

/** What a logit needs of a design: plain data, so that it can be sent to a worker. */
export type LogitDesign = Pick<CovariateDesign, 'terms' | 'patterns' | 'values' | 'counts'>

/**
 * The multinomial logit of class membership: log π_k(z)/π_0(z) = x(z)·β_k. Coefficients are one list of terms per class but the
 * first, the reference class; memberships are one row of classes per combination of the covariates.
 */
export interface Logit {
  /** How many coefficients there are. */
  readonly size: number
  /** Writes π of every combination. */
  memberships(coefficients: Float64Array, into: Float64Array): void
  /** The slope of Σ t·log π by the coefficients, t how much of each combination falls to each class. */
  slope(fallen: Float64Array, memberships: Float64Array, into: Float64Array): void
  /** Cholesky's factor of the information of a logit whose classes are known. */
  information(memberships: Float64Array): Float64Array
}

/** Predictors below this are exponentiated as they are. */
const MODERATE = 300

/** Added to the diagonal, relative to it, until it can be inverted: the steps are then shorter, their end is the same. */
const RIDGES = [0, 1e-8, 1e-4, 1]

export const logitOf = ({ values, counts, patterns, terms }: LogitDesign, rank: number): Logit => {
  const width = terms.length
  const size = (rank - 1) * width
  const rows = rowsOf(values, patterns, width)

  const memberships = (coefficients: Float64Array, into: Float64Array): void => {
    const predictors = new Float64Array(rank)
    for (let z = 0; z < patterns; z++) {
      let most = 0
      for (let k = 1; k < rank; k++) {
        const sum = rows.dot(z, coefficients, (k - 1) * width)
        predictors[k] = sum
        if (sum > most) most = sum
      }
      // What does not overflow needs no shift, and the first class then no exponential.
      if (most < MODERATE) most = 0
      let total = most === 0 ? 1 : exp(-most)
      into[z * rank] = total
      for (let k = 1; k < rank; k++) {
        const part = exp(predictors[k] - most)
        into[z * rank + k] = part
        total += part
      }
      for (let k = 0; k < rank; k++) into[z * rank + k] /= total
    }
  }

  const slope = (fallen: Float64Array, pi: Float64Array, into: Float64Array): void => {
    into.fill(0)
    // Class by class: few sums are then under way at once.
    for (let k = 1; k < rank; k++) {
      const own = into.subarray((k - 1) * width, k * width)
      for (let z = 0; z < patterns; z++) rows.add(z, own, fallen[z * rank + k] - counts[z] * pi[z * rank + k])
    }
  }

  const others = Array.from({ length: rank - 1 }, (_, k) => k + 1)
  const information = (pi: Float64Array): Float64Array =>
    inverted(informationWith(rows, counts, width, pi, rank, others), size)

  return { size, memberships, slope, information }
}

/** The information of a logit whose classes are known, about the coefficients of some of the classes. */
export const logitInformation = (
  { values, counts, patterns, terms }: LogitDesign,
  memberships: Float64Array,
  rank: number,
  classes: readonly number[],
): Float64Array =>
  informationWith(rowsOf(values, patterns, terms.length), counts, terms.length, memberships, rank, classes)

const informationWith = (
  rows: Rows,
  counts: Float64Array,
  width: number,
  pi: Float64Array,
  rank: number,
  classes: readonly number[],
): Float64Array => {
  const size = classes.length * width
  const matrix = new Float64Array(size * size)
  for (let z = 0; z < counts.length; z++) {
    for (let a = 0; a < classes.length; a++) {
      for (let b = 0; b <= a; b++) {
        const share = pi[z * rank + classes[a]]
        const weight = counts[z] * (a === b ? share * (1 - share) : -share * pi[z * rank + classes[b]])
        rows.addSquares(z, matrix, a * width * size + b * width, size, weight)
      }
    }
  }
  // Every block is symmetric, and so is the whole.
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const [p, q] = [i % width, j % width]
      if (p < q) matrix[i * size + j] = matrix[(i - p + q) * size + j - q + p]
      matrix[j * size + i] = matrix[i * size + j]
    }
  }
  return matrix
}

/** The rows of a design, one for each combination of the covariates. */
interface Rows {
  /** x·β, with β from a place on. */
  dot(row: number, beta: Float64Array, at: number): number
  /** Adds a multiple of x. */
  add(row: number, into: Float64Array, factor: number): void
  /** Adds a multiple of the lower half of x·xᵀ to a corner of a matrix. */
  addSquares(row: number, matrix: Float64Array, corner: number, size: number, factor: number): void
}

/** Below this part of entries that are not zero, these are listed: of many categories a row has one. */
const SPARSE = 0.5

const rowsOf = (values: Float64Array, patterns: number, width: number): Rows => {
  const used = values.reduce((sum, value) => (value === 0 ? sum : sum + 1), 0)
  return used < SPARSE * values.length ? sparseRows(values, patterns, width, used) : denseRows(values, width)
}

const denseRows = (values: Float64Array, width: number): Rows => ({
  dot: (row, beta, at) => {
    let sum = 0
    for (let p = 0; p < width; p++) sum += beta[at + p] * values[row * width + p]
    return sum
  },
  add: (row, into, factor) => {
    for (let p = 0; p < width; p++) into[p] += factor * values[row * width + p]
  },
  addSquares: (row, matrix, corner, size, factor) => {
    const from = row * width
    for (let p = 0; p < width; p++) {
      for (let q = 0; q <= p; q++) matrix[corner + p * size + q] += factor * (values[from + p] * values[from + q])
    }
  },
})

const sparseRows = (values: Float64Array, patterns: number, width: number, used: number): Rows => {
  const from = new Int32Array(patterns + 1)
  const columns = new Int32Array(used)
  const entries = new Float64Array(used)
  for (let i = 0, at = 0; i < values.length; i++) {
    if (values[i] !== 0) {
      columns[at] = i % width
      entries[at++] = values[i]
    }
    if (i % width === width - 1) from[(i + 1) / width] = at
  }
  return {
    dot: (row, beta, at) => {
      let sum = 0
      for (let i = from[row]; i < from[row + 1]; i++) sum += beta[at + columns[i]] * entries[i]
      return sum
    },
    add: (row, into, factor) => {
      for (let i = from[row]; i < from[row + 1]; i++) into[columns[i]] += factor * entries[i]
    },
    addSquares: (row, matrix, corner, size, factor) => {
      for (let i = from[row]; i < from[row + 1]; i++) {
        const start = corner + columns[i] * size
        for (let j = from[row]; j <= i; j++) matrix[start + columns[j]] += factor * (entries[i] * entries[j])
      }
    },
  }
}

/** Cholesky's factor, with a ridge where the matrix has none of its own: as where a class has died out. */
const inverted = (matrix: Float64Array, size: number): Float64Array => {
  const largest = matrix.reduce((most, entry) => Math.max(most, entry), 0) || 1
  for (const ridge of RIDGES) {
    const raised = matrix.map((entry, i) =>
      i % (size + 1) === 0 ? entry * (1 + ridge) + ridge * 1e-3 * largest : entry,
    )
    const factor = cholesky(raised, size)
    if (factor !== undefined) return factor
  }
  return Float64Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? Math.sqrt(largest) : 0))
}
