import type { Interruptible } from '../../numeric/interruptible.ts'
import { sortSteps } from '../../numeric/radix-sort.ts'
import type { Column, ColumnShape } from './columns.ts'

/** A table with more rows than this does not stay in the fast caches at any common rank. */
const CACHED_ROWS = 4096

/**
 * The columns from the root of the tree to its leaves. Small tables first, since then most cells share long prefixes; but a
 * table too large for the caches is best at the root, where it is walked through in order, once.
 */
export const orderColumns = <C extends ColumnShape>(columns: readonly C[]): C[] => {
  const order = [...columns].sort((a, b) => a.rows - b.rows || a.table - b.table)
  const largest = order[order.length - 1]
  if (largest.rows <= CACHED_ROWS) return order
  return [largest, ...order.slice(0, -1)]
}

/**
 * The cells in the order of these columns, first column first. Undefined where they are in that order already, or at least
 * have equal prefixes side by side, as a tensor's own order has.
 */
export function* columnOrder(columns: readonly Column[]): Interruptible<Uint32Array | undefined> {
  if (inOwnOrder(columns)) return undefined
  return yield* sortSteps(columns.map(({ index, rows }) => ({ index, size: rows })))
}

/** Whether the columns are the modes in their order, so that the cells of a tensor are in theirs. */
export const inOwnOrder = (columns: readonly ColumnShape[]): boolean => columns.every((column, c) => column.table === c)

/** A level of the tree is worth having where its nodes are clearly fewer than the cells. */
const SHARED = 0.6

export interface Depth {
  /**
   * How many of the columns make the tree, root first; the others stand in the leaves. Never the last column, since a
   * tree of it would be the cells themselves; 0 where not even the first column is shared by several cells.
   */
  readonly depth: number
  /** How many nodes the tree has just above the leaves. */
  readonly fibres: number
}

export const treeDepth = (columns: readonly Column[], order: Uint32Array | undefined): Depth => {
  const cells = columns[0].index.length
  const changes = new Float64Array(columns.length)
  changes[0] = 1
  for (let i = 1; i < cells; i++) {
    const cell = order === undefined ? i : order[i]
    const before = order === undefined ? i - 1 : order[i - 1]
    let level = 0
    while (level < columns.length - 1 && columns[level].index[cell] === columns[level].index[before]) level++
    changes[level]++
  }
  return depthOf(changes, cells)
}

/** The depth of a tree. @param changes for every level, how many cells differ from the one before at this column first */
export const depthOf = (changes: Float64Array, cells: number): Depth => {
  let depth = 0
  let fibres = 1
  for (let nodes = 0; depth < changes.length - 1; depth++) {
    nodes += changes[depth]
    if (nodes > SHARED * cells) break
    fibres = nodes
  }
  return { depth, fibres }
}

/** Bytes of the leaves' factors and statistics that stay in the second-level cache beside everything else. */
const CACHE = 2 ** 19
/** The rank that ranges are made for: one layout serves all, and those from half to twice this lose little by it. */
const RANK = 16
/** Bytes of a row of factors and of statistics at that rank. */
const ROW = 16 * RANK
/** A fibre must keep this many leaves, or its own cost shows. */
const LEAVES = 5

/**
 * Where the table of the leaves is too large for the caches and fibres are long, the cells are taken range by range of that
 * table: every fibre comes several times, each time with the leaves of one range. Undefined where that does not pay.
 */
export const rangeOrder = (
  columns: readonly Column[],
  order: Uint32Array | undefined,
  tree: Depth,
): Uint32Array | undefined => {
  const { index } = columns[columns.length - 1]
  const cells = index.length
  const found = rangesOf(columns, cells, tree)
  if (found === undefined) return undefined
  const { shift, ranges } = found
  const starts = new Uint32Array(ranges + 1)
  for (let cell = 0; cell < cells; cell++) starts[((index[cell] + 1) >>> shift) + 1]++
  for (let range = 1; range <= ranges; range++) starts[range] += starts[range - 1]
  const result = new Uint32Array(cells)
  for (let i = 0; i < cells; i++) {
    const cell = order === undefined ? i : order[i]
    result[starts[(index[cell] + 1) >>> shift]++] = cell
  }
  return result
}

/** The ranges of the leaves' table: `(index + 1) >>> shift` of a cell is the number of its own. */
export const rangesOf = (columns: readonly ColumnShape[], cells: number, { depth, fibres }: Depth) => {
  const { rows } = columns[columns.length - 1]
  if (depth !== columns.length - 1 || rows * ROW < 3 * CACHE || cells < 2 * LEAVES * fibres) return undefined
  let shift = 0
  const ranges = () => Math.ceil((rows + 1) / 2 ** shift)
  while (2 ** (shift + 1) * ROW <= CACHE || cells < LEAVES * fibres * ranges()) shift++
  return { shift, ranges: ranges() }
}
