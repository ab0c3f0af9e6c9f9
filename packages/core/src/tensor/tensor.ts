import { DataError } from '../errors.ts'
import type { Mode } from './mode.ts'

/**
 * An N-way table without its cells: modes, marginals, total. The cells may be in memory, on disk or in a database. Closed form, random starts, stopping and
 * criteria need no more.
 */
export interface Counts {
  readonly modes: readonly Mode[]
  /** How many labels each mode has. */
  readonly shape: readonly number[]
  /** How many distinct cells there are. */
  readonly cells: number
  /** M, the sum of all values. */
  readonly total: number
  /** For each mode, whether any cell lacks its index. */
  readonly missing: readonly boolean[]
  /** For each mode, how much of the data carries each of its labels: y⁽ⁿ⁾ of the paper. Cells without a label are left out. */
  readonly marginals: readonly Float64Array[]
  /** Sums that depend on the values alone. */
  readonly constants: {
    /** Σ y·log y. */
    readonly yLogY: number
    /** Σ log y!, by the gamma function where y is not whole. */
    readonly logFactorials: number
  }
}

/**
 * A table whose cells are in memory. They are distinct, sorted by their indices (first mode first, a missing index before
 * all others) and free of zeros: so the same data gives the same tensor whatever the order of its rows. The arrays are
 * shared, not copied: treat them as read-only.
 */
export interface Tensor extends Counts {
  /** For each mode, the index of every cell in it, or `MISSING`. */
  readonly indices: readonly Int32Array[]
  /** The value of every cell: finite and above zero. */
  readonly values: Float64Array
}

/**
 * Whether the cells of these counts are in memory.
 * @example
 * hasCells(answers) // true
 */
export const hasCells = (counts: Counts): counts is Tensor => {
  if (!('indices' in counts && 'values' in counts)) return false
  if ('marginals' in counts) return true
  throw new DataError(
    'this is a copy of a tensor that has lost its methods, as structuredClone and postMessage make them: pass reviveTensor(copy) of @polyad/core/model',
  )
}
