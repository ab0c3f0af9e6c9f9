import { atOnce, type Interruptible } from './interruptible.ts'

/** A column to sort by: whole numbers from −1 to below `size`. */
export interface SortColumn {
  readonly index: Int32Array
  readonly size: number
}

const DIGIT = 16

/** The stable order of rows by several columns, the first column first: a radix sort, wide columns in two digits. */
export const sortedOrder = (columns: readonly SortColumn[]): Uint32Array => atOnce(sortSteps(columns))

/** About how many nanoseconds it takes to move a row. */
const MOVE = 20

/** The same in steps. */
export function* sortSteps(columns: readonly SortColumn[]): Interruptible<Uint32Array> {
  const rows = columns[0].index.length
  let order = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) order[row] = row
  let spare = new Uint32Array(rows)
  for (let c = columns.length - 1; c >= 0; c--) {
    const { index, size } = columns[c]
    for (let shift = 0; shift === 0 || size + 1 > 2 ** shift; shift += DIGIT) {
      scatterOrder(index, shift, Math.min(size + 1, 2 ** DIGIT), order, spare)
      ;[order, spare] = [spare, order]
      yield MOVE * rows
    }
  }
  return order
}

const scatterOrder = (
  index: Int32Array,
  shift: number,
  buckets: number,
  order: Uint32Array,
  into: Uint32Array,
): void => {
  const mask = 2 ** DIGIT - 1
  const starts = new Uint32Array(buckets + 1)
  for (let row = 0; row < order.length; row++) starts[(((index[row] + 1) >>> shift) & mask) + 1]++
  addUp(starts)
  for (let i = 0; i < order.length; i++) into[starts[((index[order[i]] + 1) >>> shift) & mask]++] = order[i]
}

/** Keys of up to 52 bits, as `high · 2³² + low`, and what goes with each. */
export interface Keyed {
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly values: Float64Array
}

const WORD = 2 ** 32
const KEY_DIGIT = 11

/**
 * Sorts keys below `range` together with their values, stably. Everything is moved in sequence, which is what matters
 * with millions of keys. The values given are left as they are; the keys given serve as scratch space.
 * @example
 * const keys = { high: Uint32Array.of(0, 0, 0), low: Uint32Array.of(7, 2, 5), values: Float64Array.of(1, 2, 3) }
 * sortKeyed(keys, 8).values // Float64Array.of(2, 3, 1)
 */
export const sortKeyed = (given: Keyed, range: number): Keyed => {
  const size = given.values.length
  let current = given
  let spare: Keyed = { high: new Uint32Array(size), low: new Uint32Array(size), values: new Float64Array(size) }
  for (const word of ['low', 'high'] as const) {
    const top = word === 'low' ? Math.min(range, WORD) : range / WORD
    for (let shift = 0; 2 ** shift < top; shift += KEY_DIGIT) {
      scatterKeyed(current, spare, current[word], shift)
      // The first move is out of the values given, the next ones are between two other arrays.
      const emptied = current.values === given.values ? new Float64Array(size) : current.values
      ;[current, spare] = [spare, { ...current, values: emptied }]
    }
  }
  return current
}

const scatterKeyed = (from: Keyed, to: Keyed, word: Uint32Array, shift: number): void => {
  const mask = 2 ** KEY_DIGIT - 1
  const starts = new Uint32Array(2 ** KEY_DIGIT + 1)
  for (let i = 0; i < word.length; i++) starts[((word[i] >>> shift) & mask) + 1]++
  addUp(starts)
  for (let i = 0; i < word.length; i++) {
    const place = starts[(word[i] >>> shift) & mask]++
    to.high[place] = from.high[i]
    to.low[place] = from.low[i]
    to.values[place] = from.values[i]
  }
}

/** Counts of buckets become the places where they begin. */
const addUp = (starts: Uint32Array): void => {
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket] += starts[bucket - 1]
}
