import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { cholesky, solve } from '../../numeric/symmetric.ts'
import type { Design } from './design.ts'

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
  /** Coefficients under which Σ t·log π is no lower than under those given, by one step of Newton's. */
  improve(coefficients: Float64Array, fallen: Float64Array, memberships: Float64Array): Float64Array
}

/** Added to the diagonal, relative to it, until it can be inverted: the steps are then shorter, their end is the same. */
const RIDGES = [0, 1e-8, 1e-4, 1]

/** How often Newton's step is halved before it is given up. */
const HALVINGS = 8

export const logitOf = ({ values, weights, patterns, terms }: Design, rank: number): Logit => {
  const width = terms.length
  const size = (rank - 1) * width

  const memberships = (coefficients: Float64Array, into: Float64Array): void => {
    const predictors = new Float64Array(rank)
    for (let z = 0; z < patterns; z++) {
      let most = 0
      for (let k = 1; k < rank; k++) {
        let sum = 0
        for (let p = 0; p < width; p++) sum += coefficients[(k - 1) * width + p] * values[z * width + p]
        predictors[k] = sum
        if (sum > most) most = sum
      }
      let total = 0
      for (let k = 0; k < rank; k++) {
        const part = exp(predictors[k] - most)
        into[z * rank + k] = part
        total += part
      }
      for (let k = 0; k < rank; k++) into[z * rank + k] /= total
    }
  }

  const slope = (fallen: Float64Array, pi: Float64Array, into: Float64Array): void => {
    into.fill(0)
    for (let z = 0; z < patterns; z++) {
      for (let k = 1; k < rank; k++) {
        const excess = fallen[z * rank + k] - weights[z] * pi[z * rank + k]
        for (let p = 0; p < width; p++) into[(k - 1) * width + p] += excess * values[z * width + p]
      }
    }
  }

  const information = (pi: Float64Array): Float64Array => {
    const matrix = new Float64Array(size * size)
    const squares = new Float64Array(width * width)
    for (let z = 0; z < patterns; z++) {
      for (let p = 0; p < width; p++) {
        for (let q = 0; q <= p; q++) squares[p * width + q] = values[z * width + p] * values[z * width + q]
      }
      for (let k = 1; k < rank; k++) {
        for (let l = 1; l <= k; l++) {
          const own = pi[z * rank + k]
          const weight = weights[z] * (k === l ? own * (1 - own) : -own * pi[z * rank + l])
          const corner = (k - 1) * width * size + (l - 1) * width
          for (let p = 0; p < width; p++) {
            for (let q = 0; q <= p; q++) matrix[corner + p * size + q] += weight * squares[p * width + q]
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

  const height = (fallen: Float64Array, pi: Float64Array): number => {
    let sum = 0
    for (let i = 0; i < fallen.length; i++) if (fallen[i] > 0) sum += fallen[i] * log(pi[i])
    return sum
  }

  return {
    size,
    memberships,
    slope,
    information,
    improve: (coefficients, fallen, pi) => {
      const gradient = new Float64Array(size)
      slope(fallen, pi, gradient)
      const step = solve(information(pi), size, gradient)
      const before = height(fallen, pi)
      const tried = new Float64Array(pi.length)
      for (let length = 1, times = 0; times < HALVINGS; times++, length /= 2) {
        const next = coefficients.map((value, i) => value + length * step[i])
        memberships(next, tried)
        if (height(fallen, tried) >= before) return next
      }
      return coefficients
    },
  }
}

/** Cholesky's factor, with a ridge where the matrix has none of its own: as where a class has died out. */
const inverted = (matrix: Float64Array, size: number): Float64Array => {
  const largest = matrix.reduce((most, entry) => Math.max(most, entry), 0) || 1
  for (const ridge of RIDGES) {
    const raised = matrix.map((entry, i) => (i % (size + 1) === 0 ? entry * (1 + ridge) + ridge * 1e-3 * largest : entry))
    const factor = cholesky(raised, size)
    if (factor !== undefined) return factor
  }
  return Float64Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? Math.sqrt(largest) : 0))
}
