import { BLOCK_CELLS, LAST } from './context.ts'
import { blockKinds, NO_TABLE, type Plan } from './layout.ts'
import type { Stream } from './stream.ts'

/** What the words of a lane may say: how many rows the table of each column has, and how many columns make the tree. */
export interface WordLimits {
  readonly rows: readonly number[]
  readonly depth: number
}

/** @param labels of the compacted modes of the lane */
export const wordLimits = (
  { columns, tableRows, depth }: Plan,
  labels: readonly (Uint32Array | undefined)[],
): WordLimits => ({
  rows: columns.map(table => (table === NO_TABLE ? 1 : (labels[table]?.length ?? tableRows[table]))),
  depth,
})

/**
 * Whether the kernels can work on cells that come from a file: every word names a row that there is, blocks begin and end where they are said to, and
 * values are above 0. A checksum says only that they are what somebody has written.
 */
export const isUsable = (
  { words, starts }: Stream,
  values: Float64Array,
  kinds: Uint8Array,
  { rows, depth }: WordLimits,
): boolean => {
  const columns = rows.length
  const path = new Uint32Array(columns)
  let [at, level] = [0, 0]
  for (let cell = 0; cell < values.length; cell++) {
    if (cell % BLOCK_CELLS === 0 && starts[cell / BLOCK_CELLS] !== at) return false
    if (at + columns - level > words.length) return false
    for (; level < columns; level++) {
      const word = words[at++]
      // Only the words of the tree, and the first of a leaf, say whether they are the last.
      if ((level > depth ? word : (word & ~LAST) >>> 0) >= rows[level]) return false
      path[level] = word
    }
    if (!(values[cell] > 0 && values[cell] < Number.POSITIVE_INFINITY)) return false
    // As kernels read them: the next cell begins at the first level that is not done.
    level = depth
    if (path[depth] >= LAST) for (level = depth - 1; level > 0 && path[level] >= LAST; level--);
    const isClosed = level === 0 && path[depth] >= LAST && path[0] >= LAST
    const isEnd = cell + 1 === values.length || (cell + 1) % BLOCK_CELLS === 0
    if (isClosed !== isEnd) return false
  }
  return at === words.length && blockKinds(values).every((kind, block) => kind === kinds[block])
}
