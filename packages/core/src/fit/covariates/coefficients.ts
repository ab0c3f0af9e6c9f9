/** Coefficients to begin with: a row for each term, the intercept first, and a column for each class. Terms are standardized. */

/** How far the predictors of a random start reach: memberships are then told apart, but far from certain. */
const REACH = 3
/** Coefficients of a child are no larger: those that have run off to infinity would never come back. */
const MOST = 4

/** The slopes of a class at random; its intercept is zero. */
const drawClass = (coefficients: Float64Array, rank: number, k: number, uniform: () => number): void => {
  const slopes = coefficients.length / rank - 1
  coefficients[k] = 0
  for (let i = rank + k; i < coefficients.length; i += rank)
    coefficients[i] = (REACH / Math.sqrt(slopes)) * (2 * uniform() - 1)
}

/** Coefficients of a random start. */
export const randomCoefficients = (terms: number, rank: number, uniform: () => number): Float64Array => {
  const coefficients = new Float64Array(terms * rank)
  for (let k = 0; k < rank; k++) drawClass(coefficients, rank, k, uniform)
  return coefficients
}

/** Makes coefficients of a child free to become others: none is huge, and those of a new class are drawn. */
export const freeCoefficients = (
  coefficients: Float64Array,
  rank: number,
  newborn: number,
  uniform: () => number,
): void => {
  for (let k = 0; k < rank; k++) {
    let most = 0
    for (let i = k; i < coefficients.length; i += rank) most = Math.max(most, Math.abs(coefficients[i]))
    for (let i = k; i < coefficients.length && most > MOST; i += rank) coefficients[i] *= MOST / most
  }
  if (newborn >= 0) drawClass(coefficients, rank, newborn, uniform)
}
