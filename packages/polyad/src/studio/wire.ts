import { DataError, type Label, type Tensor, tensorFromColumns } from '@polyad/core'
import { type RowWeights, scaleWeights } from '@polyad/core/model'
import { defined, omit } from '@polyad/core/options'
import type { ReadResult } from '../table/reading/read-view.ts'

/**
 * Data that was read, as bytes between the server and the page, exact to the last bit:
 *
 *     8 bytes   'polyad' and two digits, the version
 *     8 bytes   the length of the head, as a float64
 *     head      JSON in UTF-8: modes, labels, notes, recipe and the rest; blanks up to a multiple of 8
 *     values    float64, one per cell; then, if there are weights, the sums of their squares, and the weights (as they are in the data) and numbers of the rows
 *     indices   int32, one per cell, mode by mode; −1 where nothing was observed; then, if there are weights, the cells of the rows
 *
 * Numbers are little-endian, as they lie in memory wherever this runs.
 */
const MAGIC = 'polyad03'

interface Head extends Omit<ReadResult, 'tensor' | 'squares' | 'rowWeights' | 'replicates'> {
  readonly cells: number
  readonly squared: boolean
  /** How many groups of weighted rows there are. */
  readonly groups: number
  readonly modes: readonly {
    readonly name: string
    readonly size: number
    readonly ordered: boolean
    readonly labels?: readonly Label[]
  }[]
}

/** The key under which a number stands that JSON does not know: −0, NaN, Infinity. */
const NUMBER = '\u0000number'

const written = (_: string, value: unknown): unknown =>
  typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))
    ? { [NUMBER]: Object.is(value, -0) ? '-0' : String(value) }
    : value

const revived = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && NUMBER in value ? Number(value[NUMBER]) : value

/**
 * Data that was read, as bytes, without the weights of single rows, which the page does not use.
 * @example
 * decodeRead(encodeRead(await readTensor('survey.csv'))).tensor.total // 1000
 */
export const encodeRead = (read: ReadResult): Uint8Array<ArrayBuffer> => {
  const { tensor, squares, rowWeights, ...rest } = omit(read, 'replicates')
  const { cells } = tensor
  const head: Head = {
    ...rest,
    cells,
    squared: squares !== undefined,
    groups: rowWeights?.cells.length ?? 0,
    modes: tensor.modes.map(({ name, size, ordered, labels }) => ({
      name,
      size,
      ordered,
      ...defined({ labels }),
    })),
  }
  const text = new TextEncoder().encode(JSON.stringify(head, written))
  const length = 8 * Math.ceil(text.length / 8)
  const columns = [
    ...[tensor.values, ...(squares === undefined ? [] : [squares.values])],
    ...(rowWeights === undefined ? [] : [rowWeights.raw ?? rowWeights.weights, rowWeights.counts]),
    ...tensor.indices,
    ...(rowWeights === undefined ? [] : [rowWeights.cells]),
  ]
  const bytes = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + byteLength, 16 + length))
  bytes.set(new TextEncoder().encode(MAGIC))
  new DataView(bytes.buffer).setFloat64(8, length, true)
  bytes.fill(32, 16, 16 + length).set(text, 16)
  let at = 16 + length
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return bytes
}

/**
 * Decodes the data. Throws a `DataError` if the bytes are not the complete output of `encodeRead`.
 * @example
 * try {
 *   decodeRead(new Uint8Array(3))
 * } catch (error) {
 *   if (error instanceof DataError) error.message // 'the data from the server is cut short or not what was asked for'
 * }
 */
export const decodeRead = (bytes: Uint8Array): ReadResult => {
  try {
    return decoded(bytes)
  } catch (error) {
    // A head that is not the one of `encodeRead` fails in many ways.
    throw error instanceof DataError ? error : broken(error)
  }
}

const decoded = (bytes: Uint8Array): ReadResult => {
  if (bytes.length < 16 || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) throw broken()
  const length = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(8, true)
  if (!(length <= bytes.length - 16)) throw broken()
  const text = new TextDecoder().decode(bytes.subarray(16, 16 + length))
  const { cells, squared, groups, modes, ...rest } = JSON.parse(text, revived) as Head
  // A copy where the columns do not lie as typed arrays must.
  const body = bytes.byteOffset % 8 === 0 ? bytes.subarray(16 + length) : bytes.slice(16 + length)
  const lists = squared ? 2 : 1
  if (body.length !== cells * (8 * lists + 4 * modes.length) + 20 * groups) throw broken()
  const reals = (n: number) => new Float64Array(body.buffer, body.byteOffset + 8 * cells * n, cells)
  const rows = (n: number) => new Float64Array(body.buffer, body.byteOffset + 8 * (cells * lists + groups * n), groups)
  const first = body.byteOffset + 8 * (cells * lists + 2 * groups)
  const columns = modes.map((_, n) => new Int32Array(body.buffer, first + 4 * cells * n, cells))
  const shape = modes.map(({ size }) => size)
  const of = (values: Float64Array): Tensor => tensorFromColumns(columns, values, { shape, modes })
  const places = new Int32Array(body.buffer, first + 4 * cells * modes.length, groups)
  return {
    ...rest,
    tensor: of(reals(0)),
    ...(squared && { squares: of(reals(1)) }),
    ...(groups > 0 && { rowWeights: rowsOf(places, rows(0), rows(1)) }),
  }
}

const rowsOf = (cells: Int32Array, raw: Float64Array, counts: Float64Array): RowWeights => ({
  cells,
  counts,
  raw,
  weights: scaleWeights(raw, counts).weights,
})

const broken = (cause?: unknown): DataError =>
  new DataError('the data from the server is cut short or not what was asked for', {}, { cause })
