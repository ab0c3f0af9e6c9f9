import { type FreeParameters, logDerivatives } from '../identification/free-parameters.ts'

/** What a column, or the shares, of a class say of the free parameters. */
export interface ColumnScores {
  /** The free parameters that it depends on. */
  readonly rows: readonly number[]
  /** For each label, the derivatives of the logarithm of its probability by them; of the shares there is one label. */
  readonly scores: Float64Array
  /** The position of its first entry among all parameters. */
  readonly first: number
}

/** For every class its share, where shares are parameters, and for every mode and class its column. */
export const columnScores = (
  free: FreeParameters,
  factors: readonly Float64Array[],
  rank: number,
): { readonly shares: readonly ColumnScores[]; readonly modes: readonly (readonly ColumnScores[])[] } => {
  const map = logDerivatives(free)
  const size = free.values.length
  const scoresOf = (first: number, labels: number): ColumnScores => {
    const at = (j: number) => first + j * rank
    const rows: number[] = []
    for (let row = 0; row < free.count; row++) {
      let some = false
      for (let j = 0; j < labels; j++) some ||= map[row * size + at(j)] !== 0
      if (some) rows.push(row)
    }
    const scores = new Float64Array(labels * rows.length)
    for (let j = 0; j < labels; j++)
      for (let i = 0; i < rows.length; i++) scores[j * rows.length + i] = map[rows[i] * size + at(j)]
    return { rows, scores, first }
  }
  const classes = Array.from({ length: rank }, (_, k) => k)
  let offset = rank
  return {
    shares: classes.map(k => scoresOf(k, 1)),
    modes: factors.map(factor => {
      const first = offset
      offset += factor.length
      return classes.map(k => scoresOf(first + k, factor.length / rank))
    }),
  }
}
