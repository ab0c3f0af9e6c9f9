import { inverseOf } from '../../numeric/linear.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import type { AssignedRows } from './assigned-rows.ts'
import { byWeights } from './distal-estimators.ts'

/** Check of normality of an outcome within classes, which 'ml' assumes. */
export interface Normality {
  /** Of the outcome about the means of the classes, all classes together: 0 if it is normal. */
  readonly skewness: number
  /** Excess kurtosis, likewise. */
  readonly kurtosis: number
  /** Of the hypothesis that the outcome is normal in every class; χ² with 2 degrees of freedom. */
  readonly pValue: number
  /** Whether the outcome clearly is not normal: tests and intervals by the likelihood are then wrong. */
  readonly doubtful: boolean
}

/**
 * Below this p-value an outcome is called not normal. Of outcomes that are normal it is fewer than 1 in 100 in samples of 60 to 1000, and up
 * to 4 in 100 of the smallest if the deviation differs threefold between classes: fourth moments are far from normal themselves.
 */
const DOUBTFUL = 1e-5

/**
 * Tests the third and fourth moments of the outcome within the classes. They are estimated by the weights of the other correction, which
 * assumes nothing of the distribution; classes that are fitted as normal would look normal. Their variances are those of normal outcomes.
 */
export const normalityOf = (rows: AssignedRows): Normality => {
  const { classes, classification, assigned, weights, squares } = rows
  const total = weights.reduce((sum, each) => sum + each, 0)
  const weighted = (of: (i: number) => number) => weights.reduce((sum, w, i) => sum + w * of(i), 0) / total
  // In units of the outcome's own deviation, from its mean: powers of other units may leave the range of doubles.
  const mean = weighted(i => rows.outcome[i])
  const deviation = Math.sqrt(weighted(i => (rows.outcome[i] - mean) ** 2))
  const outcome = rows.outcome.map(y => (y - mean) / deviation)
  const { estimates, shares, variances: found } = byWeights({ ...rows, outcome })
  const variances = found!.map(each => each || 0)
  const corrected = inverseOf(classification, classes)!
  const order = Array.from({ length: classes }, (_, t) => t)
  /**
   * What a row adds that was assigned to s: over the classes, σ³·H₃ or σ⁴·H₄ of its distance from the mean, as much as it counts
   * for each. Hermite's polynomials allow for the errors of mean and variance.
   */
  const polynomial = (s: number, hermite: (variance: number) => number[]) =>
    order.reduce(
      (sum, t) => add(sum, shifted(hermite(variances[t]), estimates[t]), corrected[s * classes + t]),
      [] as number[],
    )
  /** The mean of a polynomial over all rows, and its variance if every class is normal. */
  const judge = (hermite: (variance: number) => number[]) => {
    const own = order.map(s => polynomial(s, hermite))
    const value = assigned.reduce((sum, s, i) => sum + weights[i] * at(own[s], outcome[i]), 0) / total
    const expected = order.map(s => {
      const joint = order.map(u => Math.max(0, shares[u]) * classification[u * classes + s])
      const all = joint.reduce((a, b) => a + b)
      const square = product(own[s], own[s])
      return order.reduce((sum, u) => sum + (joint[u] / all) * normalMean(square, estimates[u], variances[u]), 0)
    })
    return { value, variance: assigned.reduce((sum, s, i) => sum + squares[i] * expected[s], 0) / total ** 2 }
  }
  const [third, fourth] = [
    judge(variance => [0, -3 * variance, 0, 1]),
    judge(variance => [3 * variance ** 2, 0, -6 * variance, 0, 1]),
  ]
  const within = variances.reduce((sum, variance, t) => sum + shares[t] * variance, 0)
  const pValue = chiSquareTail(third.value ** 2 / third.variance + fourth.value ** 2 / fourth.variance, 2)
  return {
    skewness: third.value / within ** 1.5,
    kurtosis: fourth.value / within ** 2,
    pValue,
    doubtful: pValue < DOUBTFUL,
  }
}

// Polynomials are lists of coefficients, lowest power first.

const at = (polynomial: readonly number[], x: number): number =>
  polynomial.reduceRight((value, coefficient) => value * x + coefficient, 0)

/** a + times·b. */
const add = (a: readonly number[], b: readonly number[], times: number): number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, k) => (a[k] ?? 0) + times * (b[k] ?? 0))

const product = (a: readonly number[], b: readonly number[]): number[] => {
  const all = new Array<number>(a.length + b.length - 1).fill(0)
  a.forEach((x, i) => {
    b.forEach((y, j) => {
      all[i + j] += x * y
    })
  })
  return all
}

/** The polynomial of x − centre, as one of x. */
const shifted = (polynomial: readonly number[], centre: number): number[] =>
  polynomial.reduceRight((value, coefficient) => add(product(value, [-centre, 1]), [coefficient], 1), [0])

/** The mean of a polynomial of a normal number. */
const normalMean = (polynomial: readonly number[], mean: number, variance: number): number => {
  const moments = [1, mean]
  for (let k = 2; k < polynomial.length; k++) moments.push(mean * moments[k - 1] + (k - 1) * variance * moments[k - 2])
  return polynomial.reduce((sum, coefficient, k) => sum + coefficient * moments[k], 0)
}
