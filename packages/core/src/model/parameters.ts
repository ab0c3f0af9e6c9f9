/**
 * The parameters of a model as probabilities: `shares[k]` is P[class k], `factors[n][j * rank + k]` is P[label j of mode n | class k]. The shares and every
 * class's column sum to 1, and the classes of one label lie side by side.
 */
export interface Parameters {
  readonly rank: number
  readonly shares: Float64Array
  readonly factors: readonly Float64Array[]
}

/**
 * The parameters of a model with a logit of membership: its factors are those of the answers, its shares the mean memberships. The coefficients have
 * a row for each term and a column for each class, like a factor, and sum to zero in each row; without them, membership is by the
 * shares alone.
 */
export interface ModelParameters extends Parameters {
  readonly coefficients?: Float64Array
  /** For every mode the parameters of its item; undefined for categories, whose parameters are the table. */
  readonly items?: readonly (Float64Array | undefined)[]
  /** The tables of what links the rows: transitions, for example. */
  readonly tables?: Float64Array
}

/** The same of a logit. */
export interface LogitParameters extends ModelParameters {
  readonly coefficients: Float64Array
}

/** Parameters with class sizes in counts (λ of the paper) instead of shares. */
export interface Components {
  readonly rank: number
  readonly sizes: Float64Array
  readonly factors: readonly Float64Array[]
}

/** The sizes in counts of a model of data that sums to `total`. */
export const componentsOf = ({ rank, shares, factors }: Parameters, total: number): Components => ({
  rank,
  sizes: shares.map(share => share * total),
  factors,
})

/** The sums of a table's columns. */
export const columnSums = (table: Float64Array, rank: number): Float64Array => {
  const sums = new Float64Array(rank)
  for (let row = 0; row < table.length; row += rank) for (let k = 0; k < rank; k++) sums[k] += table[row + k]
  return sums
}

/** The classes in descending size; equal ones keep their order. */
export const classOrder = ({ rank, shares }: Parameters): number[] =>
  Array.from({ length: rank }, (_, k) => k).sort((a, b) => shares[b] - shares[a] || a - b)

/** The same model with its classes in descending size; equal ones keep their order. */
export const sortClasses = (parameters: Parameters): Parameters => {
  const { rank, shares, factors } = parameters
  const order = classOrder(parameters)
  return {
    rank,
    shares: shares.map((_, k) => shares[order[k]]),
    factors: factors.map(factor =>
      factor.map((_, position) => factor[position - (position % rank) + order[position % rank]]),
    ),
  }
}
