import { bucketShift, fitsBuckets, type SortedKeys, sortBuckets } from '../numeric/bucket-sort.ts'
import { sortedOrder } from '../numeric/radix-sort.ts'

/** Some rows: for each mode their codes, in as few bytes as they take, and what each row counts (default: 1). */
export interface CodedRows {
  readonly codes: readonly (Uint8Array | Uint16Array | Int32Array)[]
  readonly values?: Float64Array | undefined
}

/** A mode of coded rows. */
export interface CodedMode {
  /** The index that each code stands for, −1 where it is missing. */
  readonly positions: Int32Array
  /** How many labels the mode has. */
  readonly size: number
}

/** Cells in the order of a tensor, and how many rows had nothing in any mode. */
export interface CodedCells {
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
  /** The value of each row of a cell, where rows of different values are apart. */
  readonly each: Float64Array | undefined
  readonly dropped: number
}

/**
 * The cells of coded rows: each combination of indices once, in order, with the sum of its rows. Rows without any index are left out. The
 * list of rows is emptied on the way, so that its memory is free for the cells.
 * @param apart whether rows of different values are different cells, since sums of fractions depend on their order
 * @example
 * const rows = [{ codes: [Uint8Array.of(1, 1, 2), Uint8Array.of(1, 1, 0)] }]
 * const mode = { positions: Int32Array.of(-1, 0, 1), size: 2 }
 * cellsOfCodes(rows, [mode, mode]).values // Float64Array.of(2, 1)
 */
export const cellsOfCodes = (rows: CodedRows[], modes: readonly CodedMode[], apart = false): CodedCells => {
  const range = modes.reduce((product, { size }) => product * (size + 1), 1)
  return fitsBuckets(range) ? packedCells(rows, modes, range, apart) : orderedCells(rows, modes, apart)
}

const rowsOf = ({ codes }: CodedRows): number => codes[0].length

/** Cells as one whole number each, whose digits are the indices of their modes: a missing index is 0. */
const packedCells = (rows: CodedRows[], modes: readonly CodedMode[], range: number, apart: boolean): CodedCells => {
  const all = rows.reduce((sum, piece) => sum + rowsOf(piece), 0)
  const shift = bucketShift(range, all)
  const weighted = rows.some(({ values }) => values !== undefined)
  const keys = {
    buckets: new Uint16Array(all),
    low: new Uint32Array(all),
    values: weighted ? new Float64Array(all) : undefined,
  }
  let kept = 0
  for (let piece = rows.shift(); piece !== undefined; piece = rows.shift())
    kept = packRows(piece, keysOf(piece, modes), shift, keys, kept)
  const sorted = sortBuckets(
    keys.buckets.subarray(0, kept),
    keys.low.subarray(0, kept),
    keys.values?.subarray(0, kept),
    shift,
  )
  const { starts, low, values } = sorted
  const buckets = [...starts.subarray(1).keys()]
  const split = apart && values !== undefined
  if (split) for (const bucket of buckets) sortWithin(low, values, starts[bucket], starts[bucket + 1])
  const counts = buckets.map(bucket => cellsIn(low, split ? values : undefined, starts[bucket], starts[bucket + 1]))
  const cells = counts.reduce((sum, count) => sum + count, 0)
  const made = emptyCells(modes.length, cells, split, all - kept)
  const sizes = modes.map(({ size }) => size + 1)
  const scratch = new Float64Array(counts.reduce((most, count) => Math.max(most, count), 0))
  let cell = 0
  for (const bucket of buckets) {
    unpackBucket(sorted, bucket, sizes, made, cell, scratch.subarray(0, counts[bucket]))
    cell += counts[bucket]
  }
  return made
}

/** Writes the keys of rows from a place on, without those of rows that have nothing; the place after them. */
const packRows = (
  { values: given }: CodedRows,
  keys: Float64Array,
  shift: number,
  { buckets, low, values }: { buckets: Uint16Array; low: Uint32Array; values: Float64Array | undefined },
  from: number,
): number => {
  const factor = 2 ** shift
  const inverse = 1 / factor
  let kept = from
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]
    if (key === 0) continue
    const bucket = (key * inverse) | 0
    buckets[kept] = bucket
    low[kept] = key - bucket * factor
    if (values !== undefined) values[kept] = given === undefined ? 1 : given[row]
    kept++
  }
  return kept
}

/** How many cells the rows of a bucket are. @param values what else tells them apart */
const cellsIn = (low: Uint32Array, values: Float64Array | undefined, from: number, to: number): number => {
  if (from === to) return 0
  let cells = 1
  for (let row = from + 1; row < to; row++)
    if (low[row] !== low[row - 1] || (values !== undefined && values[row] !== values[row - 1])) cells++
  return cells
}

/** The cells of a bucket, to their place: their values, and their keys taken apart mode by mode. */
const unpackBucket = (
  { shift, starts, low, values }: SortedKeys,
  bucket: number,
  sizes: readonly number[],
  made: MadeCells,
  from: number,
  keys: Float64Array,
): void => {
  const high = bucket * 2 ** shift
  const [first, end] = [starts[bucket], starts[bucket + 1]]
  const given = made.values.subarray(from, from + keys.length)
  if (values === undefined) countRows(low, first, end, high, keys, given)
  else addRows(low, values, first, end, high, keys, given, made.each?.subarray(from, from + keys.length))
  for (let n = sizes.length - 1; n > 0; n--)
    takeDigit(keys, sizes[n], made.indices[n].subarray(from, from + keys.length))
  const column = made.indices[0]
  for (let cell = 0; cell < keys.length; cell++) column[from + cell] = keys[cell] - 1
}

const countRows = (
  low: Uint32Array,
  first: number,
  end: number,
  high: number,
  keys: Float64Array,
  values: Float64Array,
): void => {
  let cell = -1
  for (let row = first, before = -1; row < end; row++) {
    const key = low[row]
    if (key !== before) {
      keys[++cell] = high + key
      before = key
    }
    values[cell]++
  }
}

/** @param each of rows of different values apart, the value of each row */
const addRows = (
  low: Uint32Array,
  given: Float64Array,
  first: number,
  end: number,
  high: number,
  keys: Float64Array,
  values: Float64Array,
  each: Float64Array | undefined,
): void => {
  let cell = 0
  for (let begin = first, row = first; begin < end; begin = row, cell++) {
    const [key, one] = [low[begin], given[begin]]
    let sum = 0
    for (; row < end && low[row] === key && (each === undefined || given[row] === one); row++) sum += given[row]
    keys[cell] = high + key
    // Equal rows apart from others are multiplied, not added up: so it does not matter in what order they came.
    values[cell] = each === undefined ? sum : one * (row - begin)
    if (each !== undefined) each[cell] = one
  }
}

/** Takes the lowest digit off keys: the indices of a mode. */
const takeDigit = (keys: Float64Array, size: number, column: Int32Array): void => {
  for (let cell = 0; cell < keys.length; cell++) {
    const key = keys[cell]
    const rest = Math.floor(key / size)
    column[cell] = key - rest * size - 1
    keys[cell] = rest
  }
}

/** The cell of every row as a number. */
const keysOf = ({ codes }: CodedRows, modes: readonly CodedMode[]): Float64Array => {
  const keys = new Float64Array(codes[0].length)
  codes.forEach((column, n) => {
    const { positions, size } = modes[n]
    // One loop for each kind of array, which the compiler then knows.
    if (column instanceof Uint8Array) addBytes(keys, column, positions, size + 1)
    else if (column instanceof Uint16Array) addPairs(keys, column, positions, size + 1)
    else addWords(keys, column, positions, size + 1)
  })
  return keys
}

const addBytes = (keys: Float64Array, codes: Uint8Array, positions: Int32Array, size: number): void => {
  for (let row = 0; row < keys.length; row++) keys[row] = keys[row] * size + positions[codes[row]] + 1
}

const addPairs = (keys: Float64Array, codes: Uint16Array, positions: Int32Array, size: number): void => {
  for (let row = 0; row < keys.length; row++) keys[row] = keys[row] * size + positions[codes[row]] + 1
}

const addWords = (keys: Float64Array, codes: Int32Array, positions: Int32Array, size: number): void => {
  for (let row = 0; row < keys.length; row++) keys[row] = keys[row] * size + positions[codes[row]] + 1
}

/** Puts the values of rows with the same key in order. */
const sortWithin = (low: Uint32Array, values: Float64Array, first: number, end: number): void => {
  for (let from = first, to = from; from < end; from = to) {
    for (to = from + 1; to < end && low[to] === low[from]; ) to++
    if (to > from + 1) values.subarray(from, to).sort()
  }
}

/** Cells of modes with so many labels that their numbers are too large: sorted column by column. */
const orderedCells = (rows: CodedRows[], modes: readonly CodedMode[], apart: boolean): CodedCells => {
  const all = rows.reduce((sum, piece) => sum + rowsOf(piece), 0)
  const weighted = rows.some(({ values }) => values !== undefined)
  const columns = modes.map(() => new Int32Array(all))
  const given = new Float64Array(all).fill(1)
  let from = 0
  for (let piece = rows.shift(); piece !== undefined; piece = rows.shift()) {
    piece.codes.forEach((codes, n) => {
      const { positions } = modes[n]
      for (let row = 0; row < codes.length; row++) columns[n][from + row] = positions[codes[row]]
    })
    if (piece.values !== undefined) given.set(piece.values, from)
    from += rowsOf(piece)
  }
  const order = sortedOrder(columns.map((index, n) => ({ index, size: modes[n].size })))
  const same = (a: number, b: number) => columns.every(column => column[a] === column[b])
  // Rows without any index come first.
  let dropped = 0
  while (dropped < all && columns.every(column => column[order[dropped]] < 0)) dropped++
  const values = Float64Array.from(order, row => given[row])
  const ends = new Uint32Array(all)
  let cells = 0
  for (let begin = dropped, end = begin; begin < all; begin = end) {
    for (end = begin + 1; end < all && same(order[begin], order[end]); ) end++
    if (apart) values.subarray(begin, end).sort()
    for (let row = begin + 1; row < end; row++) if (apart && values[row] !== values[row - 1]) ends[cells++] = row
    ends[cells++] = end
  }
  const made = emptyCells(modes.length, cells, apart && weighted, dropped)
  for (let cell = 0, begin = dropped; cell < cells; begin = ends[cell++]) {
    const end = ends[cell]
    columns.forEach((column, n) => {
      made.indices[n][cell] = column[order[begin]]
    })
    let sum = 0
    for (let row = begin; row < end; row++) sum += values[row]
    // Of equal rows apart from others their number times what each counts.
    made.values[cell] = made.each === undefined ? sum : values[begin] * (end - begin)
    if (made.each !== undefined) made.each[cell] = values[begin]
  }
  return made
}

interface MadeCells extends CodedCells {
  readonly indices: Int32Array[]
}

const emptyCells = (modes: number, cells: number, apart: boolean, dropped: number): MadeCells => ({
  indices: Array.from({ length: modes }, () => new Int32Array(cells)),
  values: new Float64Array(cells),
  each: apart ? new Float64Array(cells) : undefined,
  dropped,
})
