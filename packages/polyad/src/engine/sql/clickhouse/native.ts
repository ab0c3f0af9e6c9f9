/**
 * ClickHouse's format Native, in which tables travel both ways: blocks of columns, each with its name, its type, and its values one
 * after the other. Only the types that are sent or asked for here are known.
 */

import { DatabaseFault } from '../connection.ts'
import { cutOff, notNative } from './faults.ts'

const decoder = new TextDecoder()

const varint = (value: number): number[] => {
  const bytes: number[] = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  bytes.push(value)
  return bytes
}

/** Texts one after the other, each with its length before it. */
const texts = (values: readonly string[]): Uint8Array => {
  const lengths = values.map(value => Buffer.byteLength(value))
  const into = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length + 5, 0))
  let at = 0
  values.forEach((value, i) => {
    for (const byte of varint(lengths[i])) into[at++] = byte
    at += into.write(value, at)
  })
  return into.subarray(0, at)
}

const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** A column to be sent; one of `width` numbers a row is an array. */
export interface NativeColumn {
  readonly name: string
  readonly values: Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array | readonly string[]
  readonly width?: number
}

const TYPES = new Map<unknown, string>([
  [Uint8Array, 'UInt8'],
  [Uint16Array, 'UInt16'],
  [Int32Array, 'Int32'],
  [Uint32Array, 'UInt32'],
  [Float64Array, 'Float64'],
])

/** The type of a column, as SQL. */
export const nativeType = ({ values, width }: NativeColumn): string => {
  const type = TYPES.get(values.constructor) ?? 'String'
  return width === undefined ? type : `Array(${type})`
}

/** The pieces of one block. */
function* block(columns: readonly NativeColumn[], from: number, to: number): Generator<Uint8Array> {
  yield Uint8Array.from([...varint(columns.length), ...varint(to - from)])
  for (const column of columns) {
    const { values, width } = column
    yield texts([column.name, nativeType(column)])
    if (width !== undefined && ArrayBuffer.isView(values)) {
      const ends = new BigUint64Array(to - from)
      for (let row = 0; row < ends.length; row++) ends[row] = BigInt((row + 1) * width)
      yield bytesOf(ends)
      yield bytesOf(values.subarray(from * width, to * width))
    } else if (ArrayBuffer.isView(values)) yield bytesOf(values.subarray(from, to))
    else yield texts(values.slice(from, to))
  }
}

/** Rows of a block: large enough to be quick, small enough to be nothing beside the data. */
const ROWS = 65_536

/** The bytes of a table, piece after piece. */
export function* encodeNative(columns: readonly NativeColumn[], rows: number): Generator<Uint8Array> {
  for (let from = 0; from < rows; from += ROWS) yield* block(columns, from, Math.min(rows, from + ROWS))
}

/** The values of a column; where some may be NULL, an array. */
export type NativeValues = Int32Array | Float64Array | readonly (string | number | null)[]

/** More bytes, rows or columns than this are in no block of a server: it is something else that was read as a number. */
const MOST = 2 ** 32

/** What is set aside before bytes have come: a wrong length must not take all the memory there is. */
const AHEAD = 2 ** 20

/** Reads bytes as they come; `need` waits until so many are there. */
class Bytes {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)
  #at = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Whether there is at least one more. */
  async more(): Promise<boolean> {
    while (this.#at === this.#held.length) {
      const { done, value } = await this.#source.next()
      if (done) return false
      this.#held = value
      this.#at = 0
    }
    return true
  }

  /** The next so many, aligned in memory of their own. */
  async take(count: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!(count <= MOST)) throw notNative()
    let into = new Uint8Array(Math.min(count, AHEAD))
    for (let filled = 0; filled < count; ) {
      if (!(await this.more())) throw cutOff()
      if (filled === into.length) {
        const longer = new Uint8Array(Math.min(count, 2 * filled))
        longer.set(into)
        into = longer
      }
      const part = this.#held.subarray(this.#at, this.#at + into.length - filled)
      into.set(part, filled)
      filled += part.length
      this.#at += part.length
    }
    return into
  }

  async byte(): Promise<number> {
    if (!(await this.more())) throw cutOff()
    return this.#held[this.#at++]
  }

  async varint(): Promise<number> {
    for (let [value, scale] = [0, 1]; scale < MOST * 128; scale *= 128) {
      const byte = await this.byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    throw notNative()
  }

  /** A number of eight bytes. */
  async whole(): Promise<number> {
    return Number(new BigUint64Array((await this.take(8)).buffer)[0])
  }

  async text(): Promise<string> {
    return decoder.decode(await this.take(await this.varint()))
  }

  /** The next text, where all of it has come and it is short; undefined else, and nothing is taken. Texts come by the million. */
  shortText(): string | undefined {
    const length = this.#held[this.#at]
    const end = this.#at + 1 + length
    if (!(length < 128 && end <= this.#held.length)) return undefined
    const found = decoder.decode(this.#held.subarray(this.#at + 1, end))
    this.#at = end
    return found
  }

  /** Ends the source, read to its end or not: an answer that is left as it is keeps its connection. */
  async end(): Promise<void> {
    await this.#source.return?.()
  }
}

/** What a type is inside another, such as `String` in `Nullable(String)`. */
const within = (outer: string, type: string): string | undefined =>
  type.startsWith(`${outer}(`) && type.endsWith(')') ? type.slice(outer.length + 1, -1) : undefined

const readColumn = async (bytes: Bytes, type: string, rows: number): Promise<NativeValues> => {
  const shared = within('LowCardinality', type)
  if (shared !== undefined) return readShared(bytes, shared, rows)
  const inner = within('Nullable', type)
  if (inner !== undefined) {
    const nulls = await bytes.take(rows)
    const values = await readColumn(bytes, inner, rows)
    return Array.from(nulls, (isNull, row) => (isNull ? null : values[row]))
  }
  if (type === 'Int32') return new Int32Array((await bytes.take(rows * 4)).buffer)
  if (type === 'Float64') return new Float64Array((await bytes.take(rows * 8)).buffer)
  if (type === 'UInt8') return Int32Array.from(await bytes.take(rows))
  if (type === 'UInt32') return Float64Array.from(new Uint32Array((await bytes.take(rows * 4)).buffer))
  if (type === 'UInt64') return Float64Array.from(new BigUint64Array((await bytes.take(rows * 8)).buffer), Number)
  if (type === 'String') {
    const texts: string[] = []
    for (let row = 0; row < rows; row++) texts.push(bytes.shortText() ?? (await bytes.text()))
    return texts
  }
  if (!/^[A-Z]\w*(\([\x20-\x7e]{0,200}\))?$/.test(type)) throw notNative()
  throw new DatabaseFault(`Polyad cannot read columns of type ${type}: make a view that casts them to String`, {
    transient: false,
  })
}

/** How wide positions in a dictionary are, by their number. */
const POSITIONS = [Uint8Array, Uint16Array, Uint32Array, BigUint64Array] as const

/** Values that are kept once each: a dictionary, whose first value is NULL if there may be any, and for every row a position in it. */
const readShared = async (bytes: Bytes, type: string, rows: number): Promise<NativeValues> => {
  const inner = within('Nullable', type)
  const version = await bytes.whole()
  const flags = await bytes.whole()
  const positions = POSITIONS[flags % 256]
  // The dictionary is in the block itself, and not one for all blocks.
  if (version !== 1 || positions === undefined || (flags & 0x300) !== 0x200) throw notNative()
  const values = await readColumn(bytes, inner ?? type, await bytes.whole())
  if ((await bytes.whole()) !== rows) throw notNative()
  const at = Array.from(
    new positions((await bytes.take(rows * positions.BYTES_PER_ELEMENT)).buffer) as Iterable<number | bigint>,
    Number,
  )
  if (!at.every(position => position < values.length)) throw notNative()
  return at.map(position => (inner !== undefined && position === 0 ? null : values[position]))
}

/** The blocks of an answer, each as its columns. What it cannot read is a `DatabaseFault`; however it ends, so does the source. */
export async function* decodeNative(source: AsyncIterable<Uint8Array>): AsyncGenerator<NativeValues[]> {
  const bytes = new Bytes(source)
  try {
    while (await bytes.more()) {
      const [count, rows] = [await bytes.varint(), await bytes.varint()]
      if (rows > 0 && count === 0) throw notNative()
      const columns: NativeValues[] = []
      for (let i = 0; i < count; i++) {
        await bytes.text()
        const type = await bytes.text()
        if (rows > 0) columns.push(await readColumn(bytes, type, rows))
      }
      if (rows > 0) yield columns
    }
  } finally {
    await bytes.end()
  }
}
