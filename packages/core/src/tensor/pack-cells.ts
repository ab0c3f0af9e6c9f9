import { type Keyed, sortKeyed } from '../numeric/radix-sort.ts'
import type { Mode } from './mode.ts'

/** Below this a whole number can be divided by another in doubles without error. */
const EXACT = 2 ** 52
const WORD = 2 ** 32

/** How many different cells these modes have room for, a missing index being one more label of each. */
const rangeOf = (modes: readonly Mode[]): number => modes.reduce((range, { size }) => range * (size + 1), 1)

/** Whether the cells of these modes have numbers that a double holds exactly. */
export const arePackable = (modes: readonly Mode[]): boolean => rangeOf(modes) <= EXACT

/** Cells as one whole number each, in the order of their indices (a missing index before all others), sorted, with their values. */
export const sortPacked = (modes: readonly Mode[], indices: readonly Int32Array[], values: Float64Array): Keyed => {
  const cells = values.length
  const high = new Uint32Array(cells)
  const low = new Uint32Array(cells)
  for (let cell = 0; cell < cells; cell++) {
    let key = 0
    for (let n = 0; n < modes.length; n++) key = key * (modes[n].size + 1) + indices[n][cell] + 1
    high[cell] = key / WORD
    low[cell] = key
  }
  return sortKeyed({ high, low, values }, rangeOf(modes))
}

/** The columns of indices of the first `cells` cells. */
export const unpackCells = (modes: readonly Mode[], { high, low }: Keyed, cells: number): Int32Array[] => {
  const columns = modes.map(() => new Int32Array(cells))
  for (let cell = 0; cell < cells; cell++) {
    let key = high[cell] * WORD + low[cell]
    for (let n = modes.length - 1; n >= 0; n--) {
      const size = modes[n].size + 1
      const rest = Math.floor(key / size)
      columns[n][cell] = key - rest * size - 1
      key = rest
    }
  }
  return columns
}
