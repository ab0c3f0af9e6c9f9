/** Rows with sampling weights, those of the same cell and weight together: nothing else is left of the rows. */
export interface RowWeights {
  /** Which cell of the tensor they are in. */
  readonly cells: Int32Array
  /** The weight of each, divided by the mean of all. */
  readonly weights: Float64Array
  /** How many there are. */
  readonly counts: Float64Array
}

/**
 * The same rows by their cells in another tensor; rows that it does not have are left out.
 * @param places of every cell, its cell there, or −1
 * @example
 * const rows = { cells: Int32Array.of(0, 1), weights: Float64Array.of(0.5, 1.5), counts: Float64Array.of(2, 1) }
 * rowsWithin(rows, Int32Array.of(-1, 0)).weights.length // 1
 */
export const rowsWithin = ({ cells, weights, counts }: RowWeights, places: Int32Array): RowWeights => {
  const kept = [...cells.keys()].filter(group => places[cells[group]] >= 0)
  return {
    cells: Int32Array.from(kept, group => places[cells[group]]),
    weights: Float64Array.from(kept, group => weights[group]),
    counts: Float64Array.from(kept, group => counts[group]),
  }
}
