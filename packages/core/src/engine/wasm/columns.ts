import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'

/**
 * Two tables read as one: row r stands for row `rows[2r]` of the left table and row `rows[2r + 1]` of the right one. Tables are
 * numbered: the modes of the tensor first, then the pairs in their order.
 */
export interface Pair {
  readonly left: number
  readonly right: number
  readonly rows: Uint32Array
}

/** A column of the layout: a table and, for every cell of the tensor, its row in it. */
export interface Column {
  readonly table: number
  readonly rows: number
  /** A mode's own indices, or the rows of a pair; `MISSING` stands for the last row. */
  readonly index: Int32Array
}

export interface Columns {
  readonly columns: readonly Column[]
  readonly pairs: readonly Pair[]
}

/** A pair with more rows than this would leave the fast caches. */
const PAIR_ROWS = 256
/** A pair costs about as much per row as it saves per cell; it must save several times what it costs. */
const CELLS_PER_ROW = 64

/**
 * The modes as columns, with modes of few labels joined in pairs, and pairs of pairs, as long as that pays: twenty yes/no
 * questions become three columns of at most 256 distinct answers each, and the pass works on three modes instead of twenty.
 * The products of the joined rows are formed once per pass; the statistics are taken apart again at its end.
 */
export const joinColumns = (tensor: Tensor): Columns => {
  const { shape, missing, indices, cells } = tensor
  const limit = Math.min(PAIR_ROWS, Math.floor(cells / CELLS_PER_ROW))
  const pairs: Pair[] = []
  let columns: Column[] = shape.map((size, n) => ({ table: n, rows: size + (missing[n] ? 1 : 0), index: indices[n] }))
  for (;;) {
    const [left, right] = [...columns].sort((a, b) => a.rows - b.rows || a.table - b.table)
    // Where the product is far above the limit few distinct rows are unlikely, and the table to find them too large.
    if (right === undefined || left.rows * right.rows > 64 * limit) break
    const joined = join(left, right, limit, shape.length + pairs.length)
    if (joined === undefined) break
    pairs.push(joined.pair)
    columns = [...columns.filter(column => column !== left && column !== right), joined.column]
  }
  return { columns: columns.sort((a, b) => a.table - b.table), pairs }
}

/** The distinct pairs of rows that occur, in order; undefined where there are more than the limit. */
const join = (left: Column, right: Column, limit: number, table: number) => {
  const cells = left.index.length
  const seen = new Int32Array(left.rows * right.rows).fill(-1)
  const key = (cell: number) =>
    (left.index[cell] === MISSING ? left.rows - 1 : left.index[cell]) * right.rows +
    (right.index[cell] === MISSING ? right.rows - 1 : right.index[cell])
  let distinct = 0
  for (let cell = 0; cell < cells; cell++) {
    const at = key(cell)
    if (seen[at] !== -1) continue
    seen[at] = 0
    if (++distinct > limit) return undefined
  }
  const rows = new Uint32Array(2 * distinct)
  for (let at = 0, row = 0; at < seen.length; at++) {
    if (seen[at] === -1) continue
    seen[at] = row
    rows[2 * row] = Math.floor(at / right.rows)
    rows[2 * row++ + 1] = at % right.rows
  }
  const index = new Int32Array(cells)
  for (let cell = 0; cell < cells; cell++) index[cell] = seen[key(cell)]
  const pair: Pair = { left: left.table, right: right.table, rows }
  return { pair, column: { table, rows: distinct, index } }
}
