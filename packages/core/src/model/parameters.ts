/**
 * The numbers of a model and nothing else. `weights[k]` is λₖ in counts; `factors[n][j * rank + k]` is
 * P[label j of mode n | class k]: a class's column sums to 1, and the classes of one label lie side by side.
 */
export interface Parameters {
  readonly rank: number
  readonly weights: Float64Array
  readonly factors: readonly Float64Array[]
}

/** Parameters of the right size, all zero, for a loop that writes into them. */
export const newParameters = (shape: readonly number[], rank: number): Parameters => ({
  rank,
  weights: new Float64Array(rank),
  factors: shape.map(size => new Float64Array(size * rank)),
})

export const copyParameters = (from: Parameters, to: Parameters): void => {
  to.weights.set(from.weights)
  from.factors.forEach((factor, n) => {
    to.factors[n].set(factor)
  })
}

/** The sums of a table's columns. */
export const columnSums = (table: Float64Array, rank: number): Float64Array => {
  const sums = new Float64Array(rank)
  for (let row = 0; row < table.length; row += rank) for (let k = 0; k < rank; k++) sums[k] += table[row + k]
  return sums
}

/** The same model with its classes in descending weight; equal weights keep their order. */
export const sortClasses = ({ rank, weights, factors }: Parameters): Parameters => {
  const order = Array.from({ length: rank }, (_, k) => k).sort((a, b) => weights[b] - weights[a] || a - b)
  return {
    rank,
    weights: weights.map((_, k) => weights[order[k]]),
    factors: factors.map(factor =>
      factor.map((_, position) => factor[position - (position % rank) + order[position % rank]]),
    ),
  }
}
