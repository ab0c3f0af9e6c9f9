import { sortedOrder } from '../../numeric/radix-sort.ts'
import { mergeCells } from '../../tensor/build.ts'
import { type Piece, StagedCells, type Turns } from './staged-cells.ts'

/** A column to sort by: whole numbers from −1 to below `rows`, which follow from the indices of cells. */
export interface Key {
  readonly rows: number
  /** The modes that must be read for it. */
  readonly modes: readonly number[]
  of(piece: Piece): Int32Array
}

export interface Sorting {
  /** Where temporary files go. */
  readonly folder: string
  /** How many cells may be in memory at once. */
  readonly atOnce: number
  /** Whether cells may repeat, and be zero: their values are then added up, and zeros dropped. */
  readonly merge?: boolean
}

/** Files that are written side by side. */
const MOST_BUCKETS = 64
/** Bytes of a piece of such a file. */
const BUCKET_PIECE = 2 ** 18
/** How many combinations of the first keys are counted, to divide the cells by. */
const MOST_COUNTS = 2 ** 21

/**
 * The cells in the order of the keys, first key first: dealt to files by ranges of the first keys until a file can be sorted in
 * memory, then file after file. The cells given are left as they are.
 */
export function* sortStaged(cells: StagedCells, keys: readonly Key[], sorting: Sorting): Turns<StagedCells> {
  const sorted = new StagedCells(sorting.folder, cells.modes)
  try {
    yield* sortInto(sorted, cells, keys, sorting)
    return sorted
  } catch (error) {
    sorted.release()
    throw error
  }
}

function* sortInto(sorted: StagedCells, cells: StagedCells, keys: readonly Key[], sorting: Sorting): Turns {
  // Cells that have no key left are the same cell, again and again.
  if (cells.cells <= sorting.atOnce || keys.length === 0) {
    sorted.add(sortedPiece(cells.all(), keys, sorting.merge === true))
    yield
    return
  }
  const prefix = prefixOf(keys)
  const { numbers, used } = prefix
  const { bucketOf, single } = divide(yield* countNumbers(cells, prefix), cells.cells, sorting.atOnce)
  const rest = keys.slice(used)
  if (single.length === 1) {
    yield* sortInto(sorted, cells, rest, sorting)
    return
  }
  const buckets = single.map(() => new StagedCells(sorting.folder, cells.modes, BUCKET_PIECE))
  try {
    for (const piece of cells.pieces()) {
      const own = numbers(piece)
      for (let cell = 0; cell < own.length; cell++) buckets[bucketOf[own[cell]]].addCell(piece, cell)
      yield
    }
    for (const [b, bucket] of buckets.entries()) {
      yield* sortInto(sorted, bucket, single[b] ? rest : keys, sorting)
      bucket.release()
    }
  } finally {
    for (const bucket of buckets) bucket.release()
  }
}

/** As many of the first keys as can be counted together. */
interface Prefix {
  readonly used: number
  readonly modes: readonly number[]
  /** The numbers of some cells, below `range`, in the order of these keys. */
  readonly numbers: (piece: Piece) => Uint32Array
  readonly range: number
}

const prefixOf = (keys: readonly Key[]): Prefix => {
  let range = keys[0].rows + 1
  let used = 1
  while (used < keys.length && range * (keys[used].rows + 1) <= MOST_COUNTS) range *= keys[used++].rows + 1
  const own = keys.slice(0, used)
  const numbers = (piece: Piece): Uint32Array => {
    const result = new Uint32Array(piece.indices[own[0].modes[0]].length)
    for (const key of own) {
      const column = key.of(piece)
      for (let i = 0; i < column.length; i++) result[i] = result[i] * (key.rows + 1) + column[i] + 1
    }
    return result
  }
  return { numbers, range, used, modes: own.flatMap(key => key.modes) }
}

function* countNumbers(cells: StagedCells, { numbers, range, modes }: Prefix): Turns<Uint32Array> {
  const counts = new Uint32Array(range)
  for (const piece of cells.pieces({ modes, values: false })) {
    const own = numbers(piece)
    for (let cell = 0; cell < own.length; cell++) counts[own[cell]]++
    yield
  }
  return counts
}

/** Neighbouring numbers in buckets of cells that fit in memory, as far as there may be so many; which have a single number. */
const divide = (counts: Uint32Array, cells: number, atOnce: number) => {
  const most = Math.max(atOnce, Math.ceil((2 * cells) / MOST_BUCKETS))
  const bucketOf = new Uint8Array(counts.length)
  const single: boolean[] = []
  let held = 0
  for (let number = 0; number < counts.length; number++) {
    if (counts[number] === 0) continue
    if (single.length === 0 || held + counts[number] > most) {
      single.push(true)
      held = 0
    } else single[single.length - 1] = false
    held += counts[number]
    bucketOf[number] = single.length - 1
  }
  return { bucketOf, single }
}

const sortedPiece = (piece: Piece, keys: readonly Key[], merge: boolean): Piece => {
  const { indices, values } = piece
  if (values.length === 0) return piece
  const order =
    keys.length === 0
      ? Uint32Array.from(values, (_, cell) => cell)
      : sortedOrder(keys.map(key => ({ index: key.of(piece), size: key.rows })))
  if (merge) return mergeCells(indices, values, order)
  const gathered = new Float64Array(values.length)
  for (let i = 0; i < order.length; i++) gathered[i] = values[order[i]]
  const columns = indices.map(column => {
    const own = new Int32Array(order.length)
    for (let i = 0; i < order.length; i++) own[i] = column[order[i]]
    return own
  })
  return { indices: columns, values: gathered }
}
