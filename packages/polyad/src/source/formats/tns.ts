import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { DataError, type ModeOptions, OptionError, type Tensor, tensorFromColumns } from '@polyad/core'
import { UNPACK_LIMITS } from '../../table/files/unpack-limits.ts'
import { gunzipped, isGzipped } from '../relation/files.ts'
import { TnsCells } from './tns-cells.ts'
import { checkLabels, readLabels } from './tns-labels.ts'
import { readDense, toolboxKind } from './toolbox.ts'

export interface TnsOptions {
  /** Whether indices count from 0 or from 1. Default: from 1, or from 0 where there is a 0. */
  readonly base?: 0 | 1
  /** Names of the modes. Default: mode1, mode2, … */
  readonly modes?: readonly string[]
}

/** Each index from 1 is a label of its own. */
const MOST_LABELS = 2 ** 24 - 1

/** Bytes read at once. */
const BLOCK = 1 << 22

/** Bytes of a line, at most: there is one number for each mode. */
const LONGEST_LINE = 1 << 24

/**
 * A FROSTT tensor: one cell per line, its indices and its value. Comments (#, //) and the header of the Tensor Toolbox
 * (`sptensor`, the number of modes, their sizes, the number of cells) are understood; so are its dense tensors and matrices. Names and
 * labels come from the file that `writeTensor` puts beside it, where there is one.
 */
export const readTns = async (
  path: string,
  options: TnsOptions = {},
): Promise<{ tensor: Tensor; base: 0 | 1; labelled: boolean }> => {
  const kind = isGzipped(path) ? undefined : toolboxKind(path)
  if (kind === 'ktensor')
    throw new DataError(
      `${path} holds a model, not data: polyad show ${path} shows it, and polyad convert ${path} model.npz keeps it`,
    )
  if (kind !== undefined && kind !== 'sptensor')
    return { tensor: readDense(path, options.modes), base: 1, labelled: readLabels(path) !== undefined }
  const cells = new TnsCells(path)
  let rest: Uint8Array = new Uint8Array(0)
  for await (const block of blocks(path)) {
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block])
    const end = bytes.lastIndexOf(10) + 1
    cells.add(bytes, end)
    rest = bytes.slice(end)
    if (rest.length > LONGEST_LINE)
      throw new DataError(`${path} has a line of more than ${LONGEST_LINE} bytes: it is not a list of cells`)
  }
  if (rest.length > 0) {
    const last = Buffer.concat([rest, Buffer.from('\n')])
    cells.add(last, last.length)
  }
  const { columns, values, shape, lowest, base: stated } = cells.finish()
  const base = options.base ?? stated ?? (lowest === 0 ? 0 : 1)
  if (base === 1 && lowest === 0)
    throw new DataError(`${path}: there is an index 0, so the indices do not count from 1`)
  if (options.modes !== undefined && options.modes.length !== columns.length) {
    throw new OptionError('modes', `must name all ${columns.length} modes of ${path}`, options.modes.length)
  }
  if (base === 1) for (const column of columns) for (let i = 0; i < column.length; i++) column[i]--
  const indexed = shape ?? columns.map(column => column.reduce((most, index) => Math.max(most, index), 0) + 1)
  const labels = readLabels(path)
  if (labels !== undefined) checkLabels(path, labels, indexed)
  const sizes = labels?.map(mode => mode.labels.length) ?? indexed
  const modes = sizes.map((size, n): ModeOptions => {
    const name = options.modes?.[n] ?? labels?.[n].name ?? `mode${n + 1}`
    if (labels !== undefined) return { ...labels[n], name }
    if (base === 1 && size > MOST_LABELS)
      throw new DataError(
        `${path}: its indices in ${name} go up to ${size}, and from 1 at most ${MOST_LABELS} are possible: number them from 0, or number those that occur`,
      )
    // Labels read as the indices in the file do.
    return base === 0 ? { name } : { name, labels: Array.from({ length: size }, (_, j) => j + 1), ordered: false }
  })
  return { tensor: tensorFromColumns(columns, values, { shape: sizes, modes }), base, labelled: labels !== undefined }
}

async function* blocks(path: string): AsyncGenerator<Buffer> {
  if (isGzipped(path)) {
    try {
      yield* gunzipped(path, UNPACK_LIMITS.cells)
    } catch (error) {
      throw error instanceof DataError
        ? error
        : new DataError(`${path} is not a readable gzip file: ${(error as Error).message}`)
    }
    return
  }
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    // One more than there is, so that the end is seen at once.
    const block = size > 0 ? Math.min(BLOCK, size + 1) : BLOCK
    for (;;) {
      const buffer = Buffer.allocUnsafe(block)
      const length = readSync(file, buffer, 0, block, null)
      if (length === 0) return
      yield buffer.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}
