import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/** The rows of all tables, one mode after the other: its labels, then one row for what is missing, if anything is. */
export interface Rows {
  /** The first row of each mode. */
  readonly first: readonly number[]
  readonly count: number
  /** The row for what is missing in each mode, or −1. */
  readonly missing: readonly number[]
}

/**
 * The most cells of a segment: enough to pay for its beginning and end, and few enough to be summed in single precision. Shorter where there
 * are few cells, so that there are segments for the whole device.
 */
const SEGMENT = { most: 512, least: 32, wanted: 30_000 }

const segmentCells = (cells: number): number =>
  Math.max(SEGMENT.least, Math.min(SEGMENT.most, 2 ** Math.round(Math.log2(cells / SEGMENT.wanted))))

/**
 * The cells of one mode in one buffer, by their label, cut into segments: cells of one label that are summed by one group of lanes.
 */
export interface Chunk {
  readonly mode: number
  /** The first of its cells in the order of its mode, or among all cells: as the plan is made. */
  readonly from: number
  readonly cells: number
  /** Four words for each segment: its first cell in the chunk, its cells, its label's row, the row of its sum. */
  readonly segments: Uint32Array<ArrayBuffer>
}

/** Where the work of a pass lies. */
export interface CellPlan {
  readonly rows: Rows
  readonly chunks: readonly Chunk[]
  /** Four words for each label whose sums are in several rows: its own row, the first row of the sums, how many, nothing. */
  readonly heavy: Uint32Array<ArrayBuffer>
  /** Rows of sums behind the tables. */
  readonly extra: number
}

type Cells = Pick<Tensor, 'shape' | 'missing' | 'indices' | 'cells'>

export const rowsOf = ({ shape, missing }: Pick<Tensor, 'shape' | 'missing'>): Rows => {
  let count = 0
  const first: number[] = []
  const lacking: number[] = []
  shape.forEach((labels, n) => {
    first.push(count)
    count += labels
    lacking.push(missing[n] ? count++ : -1)
  })
  return { first, count, missing: lacking }
}

/** How many cells there are of each label of a mode, those that lack one last. */
const tally = (index: Int32Array, labels: number): Uint32Array => {
  const counts = new Uint32Array(labels + 1)
  for (let cell = 0; cell < index.length; cell++) counts[index[cell] === MISSING ? labels : index[cell]]++
  return counts
}

/** The cells by their label in a mode, in their own order where it is the same. Those that lack one are last. */
export const orderBy = (index: Int32Array, labels: number): Uint32Array => {
  const next = tally(index, labels)
  for (let label = 0, sum = 0; label <= labels; label++) {
    const count = next[label]
    next[label] = sum
    sum += count
  }
  const order = new Uint32Array(index.length)
  for (let cell = 0; cell < index.length; cell++) order[next[index[cell] === MISSING ? labels : index[cell]]++] = cell
  return order
}

/**
 * A plan in which every mode has its own order of all cells, and a chunk is a part of that.
 * @param most cells of a chunk
 */
export const planByMode = (tensor: Cells, most: number): CellPlan =>
  plan(tensor, most, segmentCells(tensor.cells), (mode, from, to) => {
    // What of each label lies between two places of the order.
    const counts = tally(tensor.indices[mode], tensor.shape[mode])
    for (let label = 0, at = 0; label < counts.length; label++) {
      const end = at + counts[label]
      counts[label] = Math.max(0, Math.min(end, to) - Math.max(at, from))
      at = end
    }
    return counts
  })

/**
 * A plan in which a chunk is a part of the cells as they are, and every mode has its own order of each.
 * @param most cells of a chunk
 */
export const planByCells = (tensor: Cells, most: number): CellPlan =>
  plan(tensor, most, segmentCells(Math.min(most, tensor.cells) * tensor.shape.length), (mode, from, to) =>
    tally(tensor.indices[mode].subarray(from, to), tensor.shape[mode]),
  )

/** The first mode also sums what lacks its label, so that its sums are those of all cells. */
const plan = (
  tensor: Cells,
  most: number,
  longest: number,
  countsIn: (mode: number, from: number, to: number) => Uint32Array,
): CellPlan => {
  const rows = rowsOf(tensor)
  const chunks: Chunk[] = []
  const heavy: number[] = []
  let extra = 0
  tensor.shape.forEach((labels, mode) => {
    const parts: { from: number; cells: number; counts: Uint32Array }[] = []
    for (let from = 0; from < tensor.cells; from += most) {
      const to = Math.min(tensor.cells, from + most)
      const counts = countsIn(mode, from, to)
      if (mode > 0) counts[labels] = 0
      parts.push({ from, cells: to - from, counts })
    }
    const pieces = new Uint32Array(labels + 1)
    for (const { counts } of parts)
      for (let label = 0; label <= labels; label++) pieces[label] += Math.ceil(counts[label] / longest)
    // Where the next sum of each label goes.
    const into = new Uint32Array(labels + 1)
    for (let label = 0; label <= labels; label++) {
      const row = rows.first[mode] + label
      into[label] = row
      if (pieces[label] < 2) continue
      into[label] = rows.count + extra
      heavy.push(row, rows.count + extra, pieces[label], 0)
      extra += pieces[label]
    }
    for (const { from, cells, counts } of parts) {
      const segments = byLength(segmentsOf(counts, rows.first[mode], into, longest), longest)
      if (segments.length > 0) chunks.push({ mode, from, cells, segments })
    }
  })
  return { rows, chunks, heavy: Uint32Array.from(heavy), extra }
}

/** The segments of a chunk in the order of their labels, each label's of about equal length. */
const segmentsOf = (counts: Uint32Array, row: number, into: Uint32Array, longest: number): Uint32Array<ArrayBuffer> => {
  let count = 0
  for (const cells of counts) count += Math.ceil(cells / longest)
  const segments = new Uint32Array(4 * count)
  for (let label = 0, at = 0, to = 0; label < counts.length; label++) {
    const cells = counts[label]
    const pieces = Math.ceil(cells / longest)
    for (let i = 0; i < pieces; i++, to += 4) {
      const start = Math.floor((cells * i) / pieces)
      segments[to] = at + start
      segments[to + 1] = Math.floor((cells * (i + 1)) / pieces) - start
      segments[to + 2] = row + label
      segments[to + 3] = into[label]++
    }
    at += cells
  }
  return segments
}

/** The longest segments first, otherwise in their order: neighbours then take equally long. */
const byLength = (segments: Uint32Array, longest: number): Uint32Array<ArrayBuffer> => {
  const next = new Uint32Array(longest + 2)
  for (let i = 1; i < segments.length; i += 4) next[longest - segments[i] + 1]++
  for (let length = 1; length < next.length; length++) next[length] += next[length - 1]
  const sorted = new Uint32Array(segments.length)
  for (let i = 0; i < segments.length; i += 4) {
    const to = 4 * next[longest - segments[i + 1]]++
    for (let word = 0; word < 4; word++) sorted[to + word] = segments[i + word]
  }
  return sorted
}

/**
 * The words of some cells: the rows of their labels in all modes, but not in `without`, and then the value.
 * @param order which cells these are; without it all from the first
 */
export const writeRecords = (
  { indices, values }: Pick<Tensor, 'indices' | 'values'>,
  { first, missing }: Rows,
  { from, cells, without, order }: { from: number; cells: number; without?: number; order?: Uint32Array | undefined },
): Uint32Array<ArrayBuffer> => {
  const width = indices.length + (without === undefined ? 1 : 0)
  const words = new Uint32Array(cells * width)
  const floats = new Float32Array(words.buffer)
  let column = 0
  indices.forEach((index, n) => {
    if (n === without) return
    const [start, lacking] = [first[n], missing[n]]
    for (let i = 0, to = column; i < cells; i++, to += width) {
      const label = index[order === undefined ? from + i : order[from + i]]
      words[to] = label === MISSING ? lacking : start + label
    }
    column++
  })
  for (let i = 0, to = column; i < cells; i++, to += width)
    floats[to] = values[order === undefined ? from + i : order[from + i]]
  return words
}
