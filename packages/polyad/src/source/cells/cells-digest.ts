import { createHash, type Hash } from 'node:crypto'
import type { Label } from '@polyad/core'

/** The digest of data, begun with the names and labels of its modes; the bytes of its cells are to follow. */
export const cellsDigest = (
  modes: readonly { readonly name: string; readonly labels?: readonly Label[] | undefined }[],
  shape: readonly number[],
): Hash =>
  createHash('sha256').update(
    JSON.stringify(modes.map(({ name, labels }, n) => [name, shape[n], labels?.map(String) ?? null])),
  )
