import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { DataError, type ModeOptions, type Tensor, tensorFromArray, tensorFromColumns } from '@polyad/core'
import { type Inflate, type NpyArray, readNpy, readNpz } from '@polyad/core/file'
import { defined } from '@polyad/core/options'
import { firstOf, repeated } from '../../table/values/note.ts'

export interface NumpyOptions {
  readonly modes?: readonly (string | ModeOptions)[]
  /** Takes a two-way array for a list of cells, one per row: the indices (from 0) and then the value. */
  readonly coordinates?: boolean
}

/** Unpacks a member of an archive, and not one byte more than it announced. */
export const inflate: Inflate = (bytes, size) => inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) })

/** A NumPy array file: dense, or with `coordinates` a list of cells. */
export const readNpyTensor = (path: string, options: NumpyOptions): Tensor =>
  tensorOf(readNpy(readFileSync(path), path), path, options)

/** A NumPy archive: one dense array; or the arrays of `sparse.save_npz`, `scipy.sparse.save_npz`, or `indices` and `values`. */
export const readNpzTensor = (path: string, options: NumpyOptions): Tensor => {
  const arrays = readNpz(readFileSync(path), inflate, path)
  if (arrays.has('model.json')) throw new DataError(`${path} is a model, not data; see it with: polyad show ${path}`)
  const known = modesOf(arrays, options)
  const named = (...names: string[]) => names.map(name => arrays.get(name)).find(array => array !== undefined)
  const values = named('data', 'values', 'vals')
  const shape = numbersOf(named('shape'))
  if (values !== undefined && arrays.has('indptr')) return compressedRows(path, arrays, values, shape, known)
  const [row, column] = [named('row'), named('col')]
  if (values !== undefined && row !== undefined && column !== undefined) {
    return cells([numbers(row, path), numbers(column, path)], numbers(values, path), shape, known)
  }
  const coordinates = named('coords', 'indices', 'subs')
  if (values !== undefined && coordinates !== undefined) {
    return cells(split(coordinates, numbers(values, path).length, path), numbers(values, path), shape, known)
  }
  if (arrays.size === 1) return tensorOf([...arrays.values()][0], path, known)
  throw new DataError(
    `${path} holds ${firstOf([...arrays.keys()].map(repeated), 6) || 'no arrays'}: one dense array is expected, or indices and values`,
  )
}

/** Names and labels where the archive has them, as those that `polyad convert` writes do. */
const modesOf = (arrays: ReadonlyMap<string, NpyArray>, options: NumpyOptions): NumpyOptions => {
  const names = arrays.get('modes')?.data
  if (options.modes !== undefined || !Array.isArray(names)) return options
  const modes = names.map((name, n): ModeOptions => {
    const texts = arrays.get(`labels_${n + 1}`)?.data
    if (!Array.isArray(texts)) return { name }
    const numeric = texts.every(text => text.trim() !== '' && String(Number(text)) === text)
    return { name, labels: numeric ? texts.map(Number) : texts }
  })
  return { ...options, modes }
}

const tensorOf = (array: NpyArray, path: string, options: NumpyOptions): Tensor => {
  const { shape } = array
  if (options.coordinates) {
    if (shape.length !== 2 || shape[1] < 2)
      throw new DataError(
        `${path}: a list of cells must be two-way, with at least two columns (got ${shape.join('×')})`,
      )
    const data = numbers(array, path)
    const width = shape[1]
    const column = (n: number) => Float64Array.from({ length: shape[0] }, (_, i) => data[i * width + n])
    return cells(
      Array.from({ length: width - 1 }, (_, n) => column(n)),
      column(width - 1),
      undefined,
      options,
    )
  }
  if (shape.length === 0) throw new DataError(`${path} holds a single number`)
  return tensorFromArray(numbers(array, path), { shape, ...named(options) })
}

const named = ({ modes }: NumpyOptions) => (modes === undefined ? {} : { modes })

const cells = (
  columns: ArrayLike<number>[],
  values: ArrayLike<number>,
  shape: readonly number[] | undefined,
  options: NumpyOptions,
): Tensor => tensorFromColumns(columns, values, { ...defined({ shape }), ...named(options) })

const numbers = ({ data }: NpyArray, path: string): Float64Array | Int32Array => {
  if (Array.isArray(data)) throw new DataError(`${path} holds strings where numbers are expected`)
  return data
}

const numbersOf = (array: NpyArray | undefined): number[] | undefined =>
  array === undefined || Array.isArray(array.data) ? undefined : [...array.data]

/** Coordinates stand one cell per column (as in the sparse package) or one cell per row. */
const split = (array: NpyArray, entries: number, path: string): Float64Array[] => {
  const data = numbers(array, path)
  const { shape } = array
  if (shape.length !== 2 || !shape.includes(entries)) {
    throw new DataError(`${path}: the indices are ${shape.join('×')}, but there are ${entries} values`)
  }
  const byRow = shape[0] === entries && shape[1] !== entries
  const modes = byRow ? shape[1] : shape[0]
  return Array.from({ length: modes }, (_, n) =>
    Float64Array.from({ length: entries }, (_, i) => data[byRow ? i * modes + n : n * entries + i]),
  )
}

/** scipy's compressed rows or columns. */
const compressedRows = (
  path: string,
  arrays: ReadonlyMap<string, NpyArray>,
  values: NpyArray,
  shape: readonly number[] | undefined,
  options: NumpyOptions,
): Tensor => {
  const starts = numbers(arrays.get('indptr') as NpyArray, path)
  const minor = arrays.get('indices')
  const format = String(arrays.get('format')?.data?.[0] ?? 'csr')
  if (minor === undefined) throw new DataError(`${path} has indptr but no indices`)
  const inner = numbers(minor, path)
  const outer = new Float64Array(inner.length)
  for (let i = 0; i + 1 < starts.length; i++) outer.fill(i, starts[i], starts[i + 1])
  return cells(format === 'csc' ? [inner, outer] : [outer, inner], numbers(values, path), shape, options)
}
