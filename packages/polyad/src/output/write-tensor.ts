import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Model, OptionError, type Tensor } from '@polyad/core'
import { writeCells } from '@polyad/core/engine'
import { type NpyArray, writeNpy, writeNpz } from '@polyad/core/file'
import { advise, defined, words } from '@polyad/core/options'
import { labelsPath, labelsText, removeLabels } from '../source/formats/tns-labels.ts'
import { ktensorText } from '../source/formats/toolbox.ts'
import { type Format, formatOfName, formatsList, writtenExtensions } from '../table/formats/formats.ts'
import type { Codebook } from '../table/values/codebook.ts'
import type { ColumnMeaning } from '../table/view/view.ts'
import { writeAtomically, writeBytes } from './atomic-file.ts'
import { type Cell, writeRows } from './write-rows.ts'

/** A dense array larger than this is not written. */
const DENSE_ENTRIES = 100_000_000

/** The format that the name of a file says, or an error that names those there are. */
export const checkTensorPath = (output: string): Format => {
  const format = formatOfName(output)
  if (format !== undefined) return format
  throw new OptionError(
    `the name ${JSON.stringify(output)} does not have a known ending: use ${formatsList(writtenExtensions(), 'disjunction')}`,
  )
}

/**
 * Writes a tensor in the format of the file's name, with labels of variables and values if the format has them.
 * @example
 * await writeTensor(answers, 'answers.tns')
 */
export const writeTensor = async (tensor: Tensor, output: string, codebook: Codebook = {}): Promise<void> => {
  const format = checkTensorPath(output)
  if (format === 'tns') return writeTns(tensor, output)
  if (format === 'npz') return writeBytes(output, coordinateArchive(tensor))
  if (format === 'npy') return writeBytes(output, denseArray(tensor))
  if (format === 'polyad') return writeCells(tensor, output)
  const names = tensor.modes.map(({ name }) => name)
  let count = 'n'
  while (names.includes(count)) count = `${count}_`
  const called = new Map(Object.entries(codebook).map(([name, own]) => [name.toLowerCase(), own]))
  const meanings = new Map(
    tensor.modes.map(({ name, labels }): [string, ColumnMeaning] => {
      const { title, values: texts } = called.get(name.toLowerCase()) ?? {}
      return [name, defined({ order: labels?.map(String), title, texts })]
    }),
  )
  return writeRows([...names, count], cells(tensor), output, meanings)
}

function* cells({ cells, modes, indices, values }: Tensor): Generator<Cell[]> {
  for (let cell = 0; cell < cells; cell++) {
    const row: Cell[] = modes.map((mode, n) => (indices[n][cell] < 0 ? null : mode.label(indices[n][cell])))
    row.push(values[cell])
    yield row
  }
}

/** FROSTT's text form: indices from 1, and the value. What each index stands for goes into a file beside it. */
const writeTns = async (tensor: Tensor, output: string): Promise<void> => {
  complete(tensor, '.tns')
  const lines = Readable.from(tnsText(tensor))
  const labels = labelsText(tensor)
  await writeAtomically(output, async path => {
    const file = createWriteStream(path)
    await (/\.gz$/i.test(output) ? pipeline(lines, createGzip(), file) : pipeline(lines, file))
  })
  // Labels of a tensor that stood there before must not become those of this one.
  if (labels === undefined) removeLabels(output)
  else await writeBytes(labelsPath(output), labels)
}

/** Writes a model as a Kruskal tensor of the Tensor Toolbox, with names and labels beside it. */
export const writeKtensor = async (model: Model, output: string): Promise<void> => {
  await writeBytes(output, ktensorText(model))
  const labels = labelsText(model)
  if (labels === undefined) removeLabels(output)
  else await writeBytes(labelsPath(output), labels)
}

function* tnsText({ cells, indices, values }: Tensor): Generator<string> {
  let text = ''
  for (let cell = 0; cell < cells; cell++) {
    for (const column of indices) text += `${column[cell] + 1} `
    text += `${values[cell]}\n`
    if (text.length < 1 << 16) continue
    yield text
    text = ''
  }
  yield text
}

/** `coords` (modes × cells, from 0), `data`, `shape` and the labels: as Python's sparse package keeps it. */
const coordinateArchive = (tensor: Tensor): Uint8Array => {
  complete(tensor, '.npz')
  const { modes, indices, values, shape, cells } = tensor
  const coordinates = new Int32Array(modes.length * cells)
  indices.forEach((column, n) => void coordinates.set(column, n * cells))
  const arrays = new Map<string, NpyArray>()
  arrays.set('data', { shape: [cells], data: values })
  arrays.set('coords', { shape: [modes.length, cells], data: coordinates })
  arrays.set('shape', { shape: [shape.length], data: Int32Array.from(shape) })
  arrays.set('fill_value', { shape: [], data: Float64Array.of(0) })
  arrays.set('modes', { shape: [modes.length], data: modes.map(({ name }) => name) })
  modes.forEach(({ labels }, n) => {
    if (labels !== undefined) arrays.set(`labels_${n + 1}`, { shape: [labels.length], data: labels.map(String) })
  })
  return writeNpz(arrays)
}

const denseArray = (tensor: Tensor): Uint8Array => {
  complete(tensor, '.npy')
  const { shape, indices, values, cells } = tensor
  const size = shape.reduce((product, length) => product * length, 1)
  if (size > DENSE_ENTRIES)
    throw new OptionError(`as a dense array it would have ${size} entries; write .npz, which holds the cells only`)
  const data = new Float64Array(size)
  for (let cell = 0; cell < cells; cell++) {
    data[indices.reduce((position, column, n) => position * shape[n] + column[cell], 0)] = values[cell]
  }
  return writeNpy({ shape, data })
}

/** Arrays have no way to say that an index is missing. */
const complete = ({ missing, modes }: Tensor, format: string): void => {
  const n = missing.indexOf(true)
  if (n >= 0)
    throw new OptionError(
      words`${modes[n].name} is missing in some cells, which ${format} cannot hold; ${advise('use', 'missingAs')}, or write .csv`,
    )
}
