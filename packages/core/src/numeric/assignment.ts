/**
 * The assignment of rows to columns with the least total cost (the Hungarian method with potentials, O(n²·m)).
 * `cost[i][j]` with at least as many columns as rows; the result is the column of each row.
 * @example
 * assign([[4, 1, 3], [2, 0, 5]]) // [1, 0]
 */
export const assign = (cost: readonly (readonly number[])[]): number[] => {
  const rows = cost.length
  if (rows === 0) return []
  const columns = cost[0].length
  const rowPotential = new Float64Array(rows + 1)
  const columnPotential = new Float64Array(columns + 1)
  const rowOf = new Int32Array(columns + 1)
  for (let row = 1; row <= rows; row++) {
    const least = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY)
    const previous = new Int32Array(columns + 1)
    const visited = new Uint8Array(columns + 1)
    rowOf[0] = row
    let column = 0
    while (rowOf[column] !== 0) {
      visited[column] = 1
      const from = rowOf[column]
      let step = Number.POSITIVE_INFINITY
      let next = 0
      for (let j = 1; j <= columns; j++) {
        if (visited[j]) continue
        const reduced = cost[from - 1][j - 1] - rowPotential[from] - columnPotential[j]
        if (reduced < least[j]) {
          least[j] = reduced
          previous[j] = column
        }
        if (least[j] < step) {
          step = least[j]
          next = j
        }
      }
      for (let j = 0; j <= columns; j++) {
        if (visited[j]) {
          rowPotential[rowOf[j]] += step
          columnPotential[j] -= step
        } else least[j] -= step
      }
      // Costs that are not numbers have no least one.
      if (next === 0) throw new RangeError('a cost is not a number')
      column = next
    }
    while (column !== 0) {
      rowOf[column] = rowOf[previous[column]]
      column = previous[column]
    }
  }
  const result = new Array<number>(rows).fill(-1)
  for (let j = 1; j <= columns; j++) if (rowOf[j] > 0) result[rowOf[j] - 1] = j - 1
  return result
}
