import type { Mode } from './mode.ts'

/**
 * Cells as one whole number each, in the order of their indices (a missing index before all others), sorted, and their
 * values in the same order. All that the sort moves it moves in sequence, which with millions of cells is what counts.
 */
export interface SortedCells {
  /** The number is `high · 2³² + low`. */
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly values: Float64Array
}

/** Below this a whole number can be divided by another in doubles without error. */
const EXACT = 2 ** 52
const WORD = 2 ** 32
const DIGIT = 11

/** Whether the cells of these modes have numbers that a double holds exactly. */
export const arePackable = (modes: readonly Mode[]): boolean =>
  modes.reduce((range, { size }) => range * (size + 1), 1) <= EXACT

export const sortCells = (
  modes: readonly Mode[],
  indices: readonly Int32Array[],
  values: Float64Array,
): SortedCells => {
  const cells = values.length
  let current: SortedCells = { high: new Uint32Array(cells), low: new Uint32Array(cells), values }
  for (let cell = 0; cell < cells; cell++) {
    let key = 0
    for (let n = 0; n < modes.length; n++) key = key * (modes[n].size + 1) + indices[n][cell] + 1
    current.high[cell] = key / WORD
    current.low[cell] = key
  }
  let spare: SortedCells = {
    high: new Uint32Array(cells),
    low: new Uint32Array(cells),
    values: new Float64Array(cells),
  }
  const range = modes.reduce((product, { size }) => product * (size + 1), 1)
  for (const word of ['low', 'high'] as const) {
    const top = word === 'low' ? Math.min(range, WORD) : range / WORD
    for (let shift = 0; 2 ** shift < top; shift += DIGIT) {
      scatter(current, spare, current[word], shift)
      // The values that were given stay as they are: the first move is out of them, the next ones between two others.
      const emptied = current.values === values ? new Float64Array(cells) : current.values
      ;[current, spare] = [spare, { ...current, values: emptied }]
    }
  }
  return current
}

/** One pass of a radix sort: stable, by the digit at `shift`. */
const scatter = (from: SortedCells, to: SortedCells, word: Uint32Array, shift: number): void => {
  const mask = 2 ** DIGIT - 1
  const cells = word.length
  const starts = new Uint32Array(2 ** DIGIT + 1)
  for (let i = 0; i < cells; i++) starts[((word[i] >>> shift) & mask) + 1]++
  for (let b = 1; b < starts.length; b++) starts[b] += starts[b - 1]
  for (let i = 0; i < cells; i++) {
    const place = starts[(word[i] >>> shift) & mask]++
    to.high[place] = from.high[i]
    to.low[place] = from.low[i]
    to.values[place] = from.values[i]
  }
}

/** The columns of indices of the first `cells` cells. */
export const unpackCells = (modes: readonly Mode[], { high, low }: SortedCells, cells: number): Int32Array[] => {
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
