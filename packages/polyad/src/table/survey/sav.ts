import { DataError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { checkUnpackedSize, UNPACK_LIMITS } from '../files/unpack-limits.ts'
import { grouped, warning } from '../values/note.ts'
import { ByteReader, binaryText, bytesOfBinary } from './byte-reader.ts'
import { readSavDictionary, type SavDictionary, type SavVariable } from './sav-dictionary.ts'
import { spssDates } from './survey-dates.ts'
import {
  type Code,
  checkSize,
  type DeclaredMissing,
  recoded,
  type SurveyFile,
  type SurveyVariable,
  ValueCollector,
} from './survey-file.ts'

/** Reads a system file of SPSS (.sav, .zsav), however it is compressed. */
export const readSav = async (name: string, bytes: Uint8Array, encoding?: string): Promise<SurveyFile> => {
  const reader = new ByteReader(name, bytes)
  const dictionary = readSavDictionary(reader, encoding)
  const { variables, cases, weight, compression } = dictionary
  const data = compression === 2 ? await unpackedBlocks(reader) : reader
  // A case takes a byte or more for each of its parts of eight bytes.
  const fewest = compression === 0 ? dictionary.caseBytes : dictionary.caseBytes / 8
  const most = Math.floor(data.left / fewest)
  if (compression === 0 && cases !== undefined && cases > most)
    throw new DataError(`${name} is cut short: it declares ${grouped(cases)} cases, and has ${grouped(most)}`)
  const expected = Math.min(cases ?? 0, most)
  checkSize(name, expected, variables.length)
  const columns = variables.map(variable => new Column(variable, dictionary, expected, reader.littleEndian))
  let rows = 0
  const add = (row: Uint8Array, view: DataView, from: number) => {
    for (const column of columns) column.add(row, view, from)
    if (++rows % 65_536 === 0) checkSize(name, rows, variables.length)
  }
  if (compression === 0)
    for (let at = data.at, end = at + (cases ?? most) * fewest; at < end; at += fewest) add(data.bytes, data.view, at)
  else readCompressed(data, dictionary, row => add(row.bytes, row.view, 0))
  const fewer = cases !== undefined && rows < cases
  return {
    name,
    variables: columns.map(column => column.finish()),
    rows,
    ...defined({ weight }),
    notes: [
      ...dictionary.notes,
      ...(fewer
        ? [warning('file-doubtful', `${name} declares ${grouped(cases)} cases, and has ${grouped(rows)}`)]
        : []),
    ],
  }
}

/** A variable whose values are collected. */
class Column {
  readonly #variable: SavVariable
  readonly #dictionary: SavDictionary
  readonly #littleEndian: boolean
  readonly #numbers: ValueCollector<number>
  readonly #texts: ValueCollector<string>

  constructor(variable: SavVariable, dictionary: SavDictionary, rows: number, littleEndian: boolean) {
    this.#variable = variable
    this.#dictionary = dictionary
    this.#littleEndian = littleEndian
    this.#numbers = new ValueCollector(variable.width === 0 ? rows : 0)
    this.#texts = new ValueCollector(variable.width === 0 ? 0 : rows)
  }

  /** Adds its value of the case that begins at a byte. */
  add(bytes: Uint8Array, view: DataView, at: number): void {
    const { width, pieces } = this.#variable
    if (width === 0) {
      const value = view.getFloat64(at + pieces[0].from, this.#littleEndian)
      const absent = value === this.#dictionary.systemMissing || Number.isNaN(value)
      this.#numbers.add(absent ? undefined : value)
      return
    }
    let text = ''
    for (const { from, bytes: length } of pieces) {
      const kept = Math.min(length, width - text.length)
      if (kept > 0) text += binaryText(bytes, at + from, at + from + kept)
    }
    this.#texts.add(text.replace(/ +$/, ''))
  }

  finish(): SurveyVariable {
    const { name, title, width, format, ordinal, labels } = this.#variable
    const { decode } = this.#dictionary.decoder
    const shown = width === 0 ? spssDates(format) : undefined
    const missing = declaredMissing(this.#variable)
    const texts = () =>
      recoded(this.#texts.finish(), value => decode(bytesOfBinary(String(value))).replace(/[ \0]+$/, ''))
    return {
      name,
      title,
      ordinal,
      labels,
      ...defined({ missing, shown }),
      values: width === 0 ? this.#numbers.finish() : texts(),
    }
  }
}

const declaredMissing = ({ missing: { codes, range } }: SavVariable): DeclaredMissing | undefined => {
  if (codes.length === 0 && range === undefined) return undefined
  const known = new Set<Code>(codes)
  const [low, high] = range ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const bound = (value: number) => (Math.abs(value) > 1e300 ? (value < 0 ? 'lowest' : 'highest') : String(value))
  const texts = [...(range === undefined ? [] : [`${bound(low)} to ${bound(high)}`]), ...codes.map(String)]
  return {
    isMissing: code => known.has(code) || (typeof code === 'number' && code >= low && code <= high),
    text: texts.join(', '),
  }
}

/** What the bytes of compressed data mean that stand for no number. */
const [SKIP, END, RAW, BLANKS, SYSTEM_MISSING] = [0, 252, 253, 254, 255]

/** Unpacks cases in which every eight bytes are one: a small number, blanks, missing, or that they follow as they are. */
const readCompressed = (
  data: ByteReader,
  { caseBytes, cases = Number.POSITIVE_INFINITY, bias, systemMissing }: SavDictionary,
  onCase: (row: { readonly bytes: Uint8Array; readonly view: DataView }) => void,
): void => {
  const bytes = new Uint8Array(caseBytes)
  const view = new DataView(bytes.buffer)
  const { littleEndian } = data
  let [filled, rows] = [0, 0]
  while (rows < cases) {
    if (data.left === 0 && filled === 0 && cases === Number.POSITIVE_INFINITY) return
    const commands = data.skip(8, `case ${rows + 1}`)
    for (let i = 0; i < 8 && rows < cases; i++) {
      const command = data.bytes[commands + i]
      if (command === SKIP) continue
      if (command === END) {
        if (filled > 0) throw data.damaged(`the data ends within case ${rows + 1}`, commands + i)
        return
      }
      if (command === RAW) {
        const from = data.skip(8, `case ${rows + 1}`)
        for (let b = 0; b < 8; b++) bytes[filled + b] = data.bytes[from + b]
      } else if (command === BLANKS) bytes.fill(0x20, filled, filled + 8)
      else view.setFloat64(filled, command === SYSTEM_MISSING ? systemMissing : command - bias, littleEndian)
      filled += 8
      if (filled < caseBytes) continue
      onCase({ bytes, view })
      filled = 0
      rows++
    }
  }
}

/** The data of a .zsav file: compressed like others, and then packed in blocks by zlib, with a list of the blocks at the end. */
const unpackedBlocks = async (reader: ByteReader): Promise<ByteReader> => {
  const start = reader.at
  const own = reader.int64('the header of the packed data')
  const trailer = reader.int64('the header of the packed data')
  const length = reader.int64('the header of the packed data')
  if (own !== start) throw reader.damaged('the packed data is not where its header says', start)
  if (!(trailer >= reader.at && trailer + length <= reader.bytes.length))
    throw reader.damaged(`the list of blocks is said to be at byte ${trailer}, beyond the end`, start)
  reader.at = trailer
  reader.skip(20, 'the list of blocks')
  const count = reader.count(reader.int32('the list of blocks'), 24, 'blocks')
  let total = 0
  const blocks = Array.from({ length: count }, () => {
    const entry = reader.at
    reader.skip(8, 'a block')
    const at = reader.int64('a block')
    const size = reader.int32('a block')
    const packed = reader.int32('a block')
    total += size
    // Zlib cannot do better than about 1 : 1032, so a larger claim is false and nothing is allocated for it.
    if (!(at > start && packed > 0 && at + packed <= trailer && size >= 0 && size <= 1100 * packed + 100))
      throw reader.damaged(`a block of ${packed} bytes at byte ${at} cannot hold ${size}`, entry)
    return { at, size, packed }
  })
  checkUnpackedSize(reader.name, reader.bytes.length, total, UNPACK_LIMITS.memory)
  const unpacked = new Uint8Array(total)
  let filled = 0
  for (const { at, size, packed } of blocks) {
    await inflate(reader, at, reader.bytes.subarray(at, at + packed), unpacked.subarray(filled, filled + size))
    filled += size
  }
  return new ByteReader(reader.name, unpacked, reader.littleEndian)
}

/** Unpacks a block, which must fill what was allocated for it exactly. */
const inflate = async (reader: ByteReader, at: number, packed: Uint8Array, into: Uint8Array): Promise<void> => {
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate'))
  let filled = 0
  try {
    for (const pieces = stream.getReader(); ; ) {
      const { done, value } = await pieces.read()
      if (done) break
      if (filled + value.length > into.length) {
        await pieces.cancel()
        filled += value.length
        break
      }
      into.set(value, filled)
      filled += value.length
    }
  } catch (error) {
    throw reader.damaged(`the block cannot be unpacked (${(error as Error).message})`, at)
  }
  if (filled !== into.length)
    throw reader.damaged(`the block unpacks to another size than the ${into.length} declared`, at)
}
