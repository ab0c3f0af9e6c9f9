/**
 * A⁻¹ of a square matrix of n rows, one array row by row, by elimination with the largest pivot of each column; undefined where a
 * pivot is not above `tolerance` times the largest entry.
 */
export const inverseOf = (matrix: Float64Array, n: number, tolerance = 1e-10): Float64Array | undefined => {
  const a = matrix.slice()
  const inverse = Float64Array.from(a, (_, i) => (i % (n + 1) === 0 ? 1 : 0))
  const least = tolerance * a.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0)
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let i = column + 1; i < n; i++) if (Math.abs(a[i * n + column]) > Math.abs(a[pivot * n + column])) pivot = i
    // Not a number fails too.
    if (!(Math.abs(a[pivot * n + column]) > least)) return undefined
    for (const table of [a, inverse]) {
      for (let j = 0; j < n; j++)
        [table[column * n + j], table[pivot * n + j]] = [table[pivot * n + j], table[column * n + j]]
    }
    const scale = a[column * n + column]
    for (const table of [a, inverse]) for (let j = 0; j < n; j++) table[column * n + j] /= scale
    for (let i = 0; i < n; i++) {
      const times = a[i * n + column]
      if (i === column || times === 0) continue
      for (const table of [a, inverse]) for (let j = 0; j < n; j++) table[i * n + j] -= times * table[column * n + j]
    }
  }
  return inverse
}

/** A pivot below this is rounding, where columns and rows have been brought to length 1. */
const NO_PIVOT = 1e-10

/** How many rows of a matrix are independent: by elimination with the largest pivot of all that is left. */
export const realRank = (rows: readonly Float64Array[]): number => {
  const columns = rows[0]?.length ?? 0
  const scale = new Float64Array(columns)
  for (const row of rows) for (let j = 0; j < columns; j++) scale[j] += row[j] * row[j]
  const left = rows.map(row => {
    const scaled = row.map((entry, j) => (scale[j] > 0 ? entry / Math.sqrt(scale[j]) : 0))
    const length = Math.sqrt(scaled.reduce((sum, entry) => sum + entry * entry, 0))
    return length > 0 ? scaled.map(entry => entry / length) : scaled
  })
  for (let rank = 0; rank < left.length; rank++) {
    let [most, from, column] = [0, rank, 0]
    for (let i = rank; i < left.length; i++) {
      for (let j = 0; j < columns; j++) {
        if (Math.abs(left[i][j]) > most) [most, from, column] = [Math.abs(left[i][j]), i, j]
      }
    }
    if (most <= NO_PIVOT) return rank
    const pivot = left[from]
    left[from] = left[rank]
    left[rank] = pivot
    for (let i = rank + 1; i < left.length; i++) {
      const row = left[i]
      const times = row[column] / pivot[column]
      if (times === 0) continue
      for (let j = 0; j < columns; j++) row[j] -= times * pivot[j]
      row[column] = 0
    }
  }
  return left.length
}
