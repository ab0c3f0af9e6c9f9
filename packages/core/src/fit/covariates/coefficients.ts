/** Coefficients to begin with: a row for each term, the intercept first, and a column for each class. Terms are standardized. */

/** How steep the predictor of a class at random is, per standard deviation, from gentle to next to a step. */
const STEEP = { least: 1, most: 8 }
/** How far from the middle of the data, in standard deviations, it may be zero: a class may have the ends to itself. */
const APART = 2
/** Coefficients of a child are no larger: those that have run off to infinity would never come back. */
const MOST = 4

/** The coefficients of a class at random: its predictor rises in some direction, and is zero somewhere. */
const drawClass = (coefficients: Float64Array, rank: number, k: number, uniform: () => number): void => {
  const slopes = coefficients.length / rank - 1
  const steep = STEEP.least * (STEEP.most / STEEP.least) ** uniform()
  coefficients[k] = steep * APART * (2 * uniform() - 1)
  for (let i = rank + k; i < coefficients.length; i += rank)
    coefficients[i] = (steep / Math.sqrt(slopes)) * (2 * uniform() - 1)
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
