import { exp } from '../../numeric/exp.ts'
import { cholesky } from '../../numeric/symmetric.ts'
import type { Design } from './design.ts'

/** What a logit needs of a design: plain data, so that it can be sent to a worker. */
export type LogitDesign = Pick<Design, 'terms' | 'patterns' | 'values' | 'weights'>

/**
 * The multinomial logit of class membership: log π_k(z)/π_0(z) = x(z)·β_k. Coefficients are one list of terms per class but the
 * first, which is what the others are held against; memberships are one row of classes per combination of the covariates.
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

export const logitOf = ({ values, weights, patterns, terms }: LogitDesign, rank: number): Logit => {
  const width = terms.length
  const size = (rank - 1) * width
  const { from, columns, entries } = nonzero(values, patterns, width)

  const memberships = (coefficients: Float64Array, into: Float64Array): void => {
    const predictors = new Float64Array(rank)
    for (let z = 0; z < patterns; z++) {
      let most = 0
      for (let k = 1; k < rank; k++) {
        let sum = 0
        for (let i = from[z]; i < from[z + 1]; i++) sum += coefficients[(k - 1) * width + columns[i]] * entries[i]
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
      for (let z = 0; z < patterns; z++) {
        const excess = fallen[z * rank + k] - weights[z] * pi[z * rank + k]
        for (let i = from[z]; i < from[z + 1]; i++) own[columns[i]] += excess * entries[i]
      }
    }
  }

  const information = (pi: Float64Array): Float64Array => {
    const matrix = new Float64Array(size * size)
    for (let z = 0; z < patterns; z++) {
      const used = columns.subarray(from[z], from[z + 1])
      const own = entries.subarray(from[z], from[z + 1])
      for (let k = 1; k < rank; k++) {
        for (let l = 1; l <= k; l++) {
          const share = pi[z * rank + k]
          const weight = weights[z] * (k === l ? share * (1 - share) : -share * pi[z * rank + l])
          const corner = (k - 1) * width * size + (l - 1) * width
          for (let i = 0; i < used.length; i++) {
            const row = corner + used[i] * size
            for (let j = 0; j <= i; j++) matrix[row + used[j]] += weight * (own[i] * own[j])
          }
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
    return inverted(matrix, size)
  }

  return { size, memberships, slope, information }
}

/** The values that are not zero, combination by combination: of categories there are few. */
const nonzero = (values: Float64Array, patterns: number, width: number) => {
  const from = new Int32Array(patterns + 1)
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) from[Math.floor(i / width) + 1]++
  for (let z = 0; z < patterns; z++) from[z + 1] += from[z]
  const columns = new Int32Array(from[patterns])
  const entries = new Float64Array(from[patterns])
  for (let i = 0, at = 0; i < values.length; i++) {
    if (values[i] === 0) continue
    columns[at] = i % width
    entries[at++] = values[i]
  }
  return { from, columns, entries }
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
