import { exp } from '@polyad/core/numeric'

/**
 * The prior of a row's classes from its linear predictors, by class and row; the shares of the classes where one is not a number, since
 * a covariate is missing.
 * @example
 * const prior = new Float64Array(2)
 * membership([[0, NaN], [0, NaN]], 0, Float64Array.of(0.6, 0.4), prior)[0] // 0.5
 * membership([[0, NaN], [0, NaN]], 1, Float64Array.of(0.6, 0.4), prior)[0] // 0.6
 */
export const membership = (
  predictors: readonly ArrayLike<number>[],
  row: number,
  shares: Float64Array,
  into: Float64Array,
): Float64Array => {
  const most = predictors.reduce((largest, column) => Math.max(largest, column[row]), Number.NEGATIVE_INFINITY)
  if (!Number.isFinite(most)) {
    into.set(shares)
    return into
  }
  let sum = 0
  for (let k = 0; k < into.length; k++) {
    into[k] = exp(predictors[k][row] - most)
    sum += into[k]
  }
  for (let k = 0; k < into.length; k++) into[k] /= sum
  return into
}
