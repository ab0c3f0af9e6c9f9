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
