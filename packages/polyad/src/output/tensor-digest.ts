import { createHash } from 'node:crypto'
import type { Tensor } from '@polyad/core'

/**
 * SHA-256 of data as it was fitted: the names and labels of its modes, and its cells. Cells are in a fixed order, so that it does
 * not depend on the order of the rows, on the file's format or on its name.
 * @example
 * tensorDigest(answers).length // 64
 */
export const tensorDigest = ({ modes, shape, indices, values }: Tensor): string => {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(modes.map(({ name, labels }, n) => [name, shape[n], labels?.map(String) ?? null])))
  // Bytes as they lie in memory: little-endian wherever this runs.
  for (const array of [...indices, values])
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return hash.digest('hex')
}
