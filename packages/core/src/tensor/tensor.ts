import type { Mode } from './mode.ts'

/**
 * A sparse N-way table of nonnegative values. Its cells are distinct, sorted by their indices (first mode first, a
 * missing index before all others) and free of zeros: so the same data gives the same tensor whatever the order of
 * its rows. The arrays are shared, not copied: treat them as read-only.
 */
export interface Tensor {
  readonly modes: readonly Mode[]
  /** How many labels each mode has. */
  readonly shape: readonly number[]
  /** How many distinct cells there are. */
  readonly cells: number
  /** For each mode, the index of every cell in it, or `MISSING`. */
  readonly indices: readonly Int32Array[]
  /** The value of every cell: finite and above zero. */
  readonly values: Float64Array
  /** M, the sum of all values. */
  readonly total: number
  /** For each mode, whether any cell lacks its index. */
  readonly missing: readonly boolean[]
}
