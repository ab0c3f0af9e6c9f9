/** A position, drawn with probabilities in proportion to the weights. */
export const draw = (uniform: () => number, weights: readonly number[]): number => {
  const end = uniform() * weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  for (const [position, weight] of weights.entries()) {
    sum += weight
    if (end < sum) return position
  }
  return weights.length - 1
}
