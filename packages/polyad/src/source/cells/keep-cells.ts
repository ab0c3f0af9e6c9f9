import { writeCells } from '@polyad/core/engine'
import type { ReadResult } from '../../table/reading/read-view.ts'
import { tensorDigest } from '../../table/view/tensor-digest.ts'

/** Writes cells into a `.polyad` file, with how they were read: models of these cells can then classify new rows of the table. */
export const keepCells = (
  { tensor, recipe, source, rows, dropped }: ReadResult,
  path: string,
  signal?: AbortSignal,
): Promise<void> =>
  writeCells(tensor, path, { record: { recipe, source, rows, dropped, digest: tensorDigest(tensor) }, signal })
