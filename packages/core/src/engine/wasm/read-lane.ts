import { MISSING } from '../../tensor/mode.ts'
import { LAST } from './context.ts'
import { NO_TABLE, type Plan } from './layout.ts'

/** A mode within a column: for every row of the column's table its index in the mode. */
interface Digit {
  readonly mode: number
  readonly index: Int32Array
}

/** Reads the words of a lane's blocks back to the indices of their cells. */
export class LaneReader {
  readonly #plan: Plan
  /** For every column the modes it stands for. */
  readonly #digits: readonly (readonly Digit[])[]

  constructor(plan: Plan, labels: readonly (Uint32Array | undefined)[]) {
    this.#plan = plan
    const { shape, tableRows, pairs } = plan
    const digitsOf = (table: number): Digit[] => {
      if (table === NO_TABLE) return []
      if (table < shape.length) {
        const rows = labels[table] ?? Uint32Array.from({ length: tableRows[table] }, (_, row) => row)
        return [{ mode: table, index: Int32Array.from(rows, row => (row === shape[table] ? MISSING : row)) }]
      }
      const { left, right, rows } = pairs[table - shape.length]
      return [left, right].flatMap((own, side) =>
        digitsOf(own).map(({ mode, index }) => ({
          mode,
          index: Int32Array.from({ length: rows.length / 2 }, (_, row) => index[rows[2 * row + side]]),
        })),
      )
    }
    this.#digits = plan.columns.map(digitsOf)
  }

  /** The indices of so many cells, mode by mode, whose words these are: whole blocks. */
  read(words: Uint32Array, cells: number): Int32Array[] {
    const { shape, depth, columns } = this.#plan
    const indices = shape.map(() => new Int32Array(cells))
    const path = new Uint32Array(columns.length)
    let [at, level] = [0, 0]
    for (let cell = 0; cell < cells; cell++) {
      while (level < columns.length) path[level++] = words[at++]
      for (let column = 0; column < columns.length; column++) {
        const row = path[column] & ~LAST
        for (const { mode, index } of this.#digits[column]) indices[mode][cell] = index[row]
      }
      // The next cell begins at the first level that is not done; after the last of a block's nodes, at the root.
      level = depth
      if (path[depth] < LAST) continue
      for (level = depth - 1; level > 0 && path[level] >= LAST; level--);
    }
    return indices
  }
}
