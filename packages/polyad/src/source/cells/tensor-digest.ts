import type { Tensor } from '@polyad/core'
import { cellsDigest } from './cells-digest.ts'

/**
 * SHA-256 of data as it was fitted: the names and labels of its modes, and its cells. Cells are in a fixed order, so that it does
 * not depend on the order of the rows, on the file's format or on its name.
 * @example
 * tensorDigest(answers).length // 64
 */
export const tensorDigest = ({ modes, shape, indices, values }: Tensor): string => {
  const hash = cellsDigest(modes, shape)
  // Bytes as they lie in memory: little-endian wherever this runs.
  for (const array of [...indices, values])
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return hash.digest('hex')
}
