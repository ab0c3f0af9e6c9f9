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

/** A column of the layout: a table, and how many rows it has. */
export interface ColumnShape {
  readonly table: number
  readonly rows: number
}

/** A column of cells in memory. */
export interface Column extends ColumnShape {
  /** For every cell of the tensor its row: a mode's own indices, or the rows of a pair; `MISSING` stands for the last row. */
  readonly index: Int32Array
}

export interface Columns<C extends ColumnShape = Column> {
  readonly columns: readonly C[]
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
export const joinColumns = ({ shape, missing, indices, cells }: Tensor): Columns =>
  chooseColumns(
    shape.map((size, n) => ({ table: n, rows: size + (missing[n] ? 1 : 0), index: indices[n] })),
    cells,
    (left, right, limit, table) => {
      const search = new PairSearch(left, right, limit)
      if (!search.add(left.index, right.index)) return undefined
      const pair = search.finish()
      return { pair, column: { table, rows: pair.rows.length / 2, index: search.rowsOf(left.index, right.index) } }
    },
  )

/** The choice of the pairs, wherever the cells are. @param join looks at the cells; undefined where a pair has more rows than the limit */
export const chooseColumns = <C extends ColumnShape>(
  modes: readonly C[],
  cells: number,
  join: (left: C, right: C, limit: number, table: number) => { pair: Pair; column: C } | undefined,
): Columns<C> => {
  const limit = Math.min(PAIR_ROWS, Math.floor(cells / CELLS_PER_ROW))
  const pairs: Pair[] = []
  let columns = [...modes]
  for (;;) {
    const [left, right] = [...columns].sort((a, b) => a.rows - b.rows || a.table - b.table)
    // Where the product is far above the limit few distinct rows are unlikely, and the table to find them too large.
    if (right === undefined || left.rows * right.rows > 64 * limit) break
    const joined = join(left, right, limit, modes.length + pairs.length)
    if (joined === undefined) break
    pairs.push(joined.pair)
    columns = [...columns.filter(column => column !== left && column !== right), joined.column]
  }
  return { columns: columns.sort((a, b) => a.table - b.table), pairs }
}

/** Finds the distinct pairs of rows that occur, in order. */
export class PairSearch {
  readonly #left: ColumnShape
  readonly #right: ColumnShape
  readonly #limit: number
  /** For every pair of rows −1 where it does not occur, else (in the end) its row. */
  readonly #seen: Int32Array
  #distinct = 0

  constructor(left: ColumnShape, right: ColumnShape, limit: number) {
    this.#left = left
    this.#right = right
    this.#limit = limit
    this.#seen = new Int32Array(left.rows * right.rows).fill(-1)
  }

  /** Looks at the rows of some cells; false as soon as there are more pairs than the limit. */
  add(left: Int32Array, right: Int32Array): boolean {
    const seen = this.#seen
    for (let cell = 0; cell < left.length; cell++) {
      const at = this.#place(left[cell], right[cell])
      if (seen[at] !== -1) continue
      seen[at] = 0
      if (++this.#distinct > this.#limit) return false
    }
    return true
  }

  /** Numbers the pairs; call it after all cells. */
  finish(): Pair {
    const rows = new Uint32Array(2 * this.#distinct)
    for (let at = 0, row = 0; at < this.#seen.length; at++) {
      if (this.#seen[at] === -1) continue
      this.#seen[at] = row
      rows[2 * row] = Math.floor(at / this.#right.rows)
      rows[2 * row++ + 1] = at % this.#right.rows
    }
    return { left: this.#left.table, right: this.#right.table, rows }
  }

  /** The rows of the pair for some cells. */
  rowsOf(left: Int32Array, right: Int32Array): Int32Array {
    const rows = new Int32Array(left.length)
    for (let cell = 0; cell < rows.length; cell++) rows[cell] = this.#seen[this.#place(left[cell], right[cell])]
    return rows
  }

  #place(left: number, right: number): number {
    const { rows } = this.#right
    return (left === MISSING ? this.#left.rows - 1 : left) * rows + (right === MISSING ? rows - 1 : right)
  }
}
