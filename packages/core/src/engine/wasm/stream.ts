import { BLOCK_CELLS, LAST } from './context.ts'

/** The cells of a lane as the kernels read them. */
export interface Stream {
  /** The blocks' trees in depth-first order, one word per node, then the words of each leaf; the highest bit marks the last of its siblings. */
  readonly words: Uint32Array
  /** Where each block's words begin. */
  readonly starts: Uint32Array
}

/**
 * Writes sorted cells as blocks of trees. Every block begins anew at the root, so that blocks can be done one by one.
 * @param rows for every column, from the root on, the row of each cell
 * @param depth how many columns make the tree; at least 1, and fewer than all
 */
export const writeStream = (rows: readonly Uint32Array[], depth: number): Stream => {
  const cells = rows[0].length
  const words = new Uint32Array(countWords(rows, depth))
  const starts = new Uint32Array(Math.ceil(cells / BLOCK_CELLS))
  // The last word written at each level of the tree, and that of the last leaf.
  const open = new Float64Array(depth + 1)
  let at = 0
  for (let cell = 0; cell < cells; cell++) {
    const level = firstChange(rows, depth, cell)
    if (cell % BLOCK_CELLS === 0) starts[cell / BLOCK_CELLS] = at
    if (cell > 0 && level < depth) {
      const top = cell % BLOCK_CELLS === 0 ? 0 : level + 1
      for (let above = top; above <= depth; above++) words[open[above]] |= LAST
    }
    for (let new_ = level; new_ < depth; new_++) {
      open[new_] = at
      words[at++] = rows[new_][cell]
    }
    open[depth] = at
    for (let column = depth; column < rows.length; column++) words[at++] = rows[column][cell]
  }
  for (let level = 0; level <= depth; level++) words[open[level]] |= LAST
  return { words, starts }
}

/** The first level of the tree where a cell differs from the one before; the root at the beginning of a block. */
const firstChange = (rows: readonly Uint32Array[], depth: number, cell: number): number => {
  if (cell % BLOCK_CELLS === 0) return 0
  let level = 0
  while (level < depth && rows[level][cell] === rows[level][cell - 1]) level++
  return level
}

const countWords = (rows: readonly Uint32Array[], depth: number): number => {
  let words = rows[0].length * (rows.length - depth)
  for (let cell = 0; cell < rows[0].length; cell++) words += depth - firstChange(rows, depth, cell)
  return words
}
