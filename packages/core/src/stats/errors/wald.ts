import { chiSquareTail, fisherTail } from '../../numeric/special.ts'
import { congruence, eigen } from '../../numeric/symmetric.ts'

/** A Wald test: linear functions of the estimates are all zero. */
export interface WaldTest {
  readonly statistic: number
  /** How many of the functions the data tells apart: those whose variance is not zero. */
  readonly degreesOfFreedom: number
  readonly pValue: number
}

/** An eigenvalue below this part of the largest is a sum that is fixed, not a direction in which the estimates vary. */
const FIXED = 1e-9

/** What is above this part of the largest estimate is no rounding. */
const ROUNDING = 1e-9

/**
 * Wald's test of C·θ = 0, with (C·V·Cᵀ)⁺, the inverse over the directions in which C·θ varies: so functions that follow from each
 * other, as differences of probabilities that sum to 1, may all be given. Undefined where none varies, and where one that does not vary is not
 * zero, as between probabilities of 0 and 1: no number of standard errors says how far apart these are.
 * @param contrasts the rows of C
 * @param covariance V, of the estimates θ
 * @param sample degrees of freedom of V itself, as under a design: then p is of the statistic brought to Fisher's F
 */
export const waldTest = (
  contrasts: readonly (readonly number[])[],
  estimates: Float64Array,
  covariance: Float64Array,
  sample?: number,
): WaldTest | undefined => {
  const [rows, n] = [contrasts.length, estimates.length]
  const map = Float64Array.from(contrasts.flat())
  const values = Float64Array.from(contrasts, row => row.reduce((sum, c, i) => sum + c * estimates[i], 0))
  const { values: variances, vectors } = eigen(congruence(map, rows, covariance, n), rows)
  const varying = [...variances.keys()].filter(i => variances[i] > FIXED * variances[0] && variances[i] > 0)
  if (varying.length === 0) return undefined
  const scale = estimates.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
  let statistic = 0
  for (const i of variances.keys()) {
    let along = 0
    for (let j = 0; j < rows; j++) along += vectors[i * rows + j] * values[j]
    if (varying.includes(i)) statistic += (along * along) / variances[i]
    else if (Math.abs(along) > ROUNDING * scale) return undefined
  }
  const q = varying.length
  if (sample === undefined) return { statistic, degreesOfFreedom: q, pValue: chiSquareTail(statistic, q) }
  // With fewer clusters than functions nothing can be said of all of them together.
  if (sample < q) return undefined
  const below = sample - q + 1
  return { statistic, degreesOfFreedom: q, pValue: fisherTail((statistic * below) / (sample * q), q, below) }
}
