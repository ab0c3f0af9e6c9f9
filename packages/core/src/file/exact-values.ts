import { DataError } from '../errors.ts'

/**
 * Plain values as bytes, and back, to the last bit: undefined, booleans, numbers, texts, arrays, objects and arrays of numbers. Objects are written by
 * the order of their keys, without those that are undefined, so that equal values have equal bytes.
 */

const TAGS = { undefined: 0, false: 1, true: 2, number: 3, text: 4, list: 5, object: 6, reals: 7, ints: 8, bytes: 9 }

/** Nothing that is written is nested deeper. */
const DEEPEST = 32

/** Bytes that grow as they are written. */
class Writer {
  #bytes = new Uint8Array(1024)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  #room(size: number): number {
    const at = this.#length
    this.#length += size
    if (this.#length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length))
      bytes.set(this.#bytes.subarray(0, at))
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer)
    }
    return at
  }

  tag(tag: number): void {
    const at = this.#room(1)
    this.#bytes[at] = tag
  }

  count(count: number): void {
    const at = this.#room(4)
    this.#view.setUint32(at, count, true)
  }

  number(value: number): void {
    const at = this.#room(8)
    this.#view.setFloat64(at, value, true)
  }

  bytes(bytes: Uint8Array): void {
    this.count(bytes.length)
    const at = this.#room(bytes.length)
    this.#bytes.set(bytes, at)
  }

  end(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** A value as bytes. */
export const exactBytes = (value: unknown): Uint8Array => {
  const writer = new Writer()
  const encoder = new TextEncoder()
  const write = (each: unknown): void => {
    if (each === undefined) writer.tag(TAGS.undefined)
    else if (typeof each === 'boolean') writer.tag(each ? TAGS.true : TAGS.false)
    else if (typeof each === 'number') {
      writer.tag(TAGS.number)
      writer.number(each)
    } else if (typeof each === 'string') {
      writer.tag(TAGS.text)
      writer.bytes(encoder.encode(each))
    } else if (Array.isArray(each)) {
      writer.tag(TAGS.list)
      writer.count(each.length)
      each.forEach(write)
    } else if (each instanceof Float64Array || each instanceof Int32Array || each instanceof Uint8Array) {
      writer.tag(each instanceof Float64Array ? TAGS.reals : each instanceof Int32Array ? TAGS.ints : TAGS.bytes)
      writer.bytes(bytesOf(each))
    } else writeObject(each)
  }
  const writeObject = (each: unknown): void => {
    // Maps, sets and the like would lose what they hold.
    const kind = Object.prototype.toString.call(each)
    if (kind !== '[object Object]') throw new TypeError(`${kind} cannot be written exactly`)
    const entries = Object.entries(each as object).filter(([, inner]) => inner !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    writer.tag(TAGS.object)
    writer.count(entries.length)
    for (const [key, inner] of entries) {
      writer.bytes(encoder.encode(key))
      write(inner)
    }
  }
  write(value)
  return writer.end()
}

/** The value of bytes; a `DataError` if they are not of any. Nothing larger is made than there are bytes. */
export const exactValue = (bytes: Uint8Array): unknown => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let at = 0
  const take = (size: number): number => {
    if (size > bytes.length - at) throw new DataError('values are cut short')
    at += size
    return at - size
  }
  const count = () => view.getUint32(take(4), true)
  const piece = (): Uint8Array => {
    const size = count()
    const start = take(size)
    return bytes.subarray(start, start + size)
  }
  const numbers = <A extends Float64Array | Int32Array>(make: new (length: number) => A, each: number): A => {
    const from = piece()
    if (from.length % each !== 0) throw new DataError('a list of numbers is cut short')
    const array = new make(from.length / each)
    bytesOf(array).set(from)
    return array
  }
  const read = (depth: number): unknown => {
    if (depth > DEEPEST) throw new DataError('values are nested too deeply')
    const tag = bytes[take(1)]
    switch (tag) {
      case TAGS.undefined:
        return undefined
      case TAGS.false:
      case TAGS.true:
        return tag === TAGS.true
      case TAGS.number:
        return view.getFloat64(take(8), true)
      case TAGS.text:
        return decoder.decode(piece())
      case TAGS.list: {
        const size = count()
        // Every value takes a byte at least.
        if (size > bytes.length - at) throw new DataError('a list is cut short')
        return Array.from({ length: size }, () => read(depth + 1))
      }
      case TAGS.object: {
        const size = count()
        if (size > bytes.length - at) throw new DataError('an object is cut short')
        // `fromEntries` defines what it is given, so that no key reaches a prototype.
        return Object.fromEntries(Array.from({ length: size }, () => [decoder.decode(piece()), read(depth + 1)]))
      }
      case TAGS.reals:
        return numbers(Float64Array, 8)
      case TAGS.ints:
        return numbers(Int32Array, 4)
      case TAGS.bytes:
        return piece().slice()
      default:
        throw new DataError('a value of an unknown kind')
    }
  }
  try {
    const value = read(0)
    if (at !== bytes.length) throw new DataError('there is more than the values')
    return value
  } catch (error) {
    // Text that is not UTF-8.
    throw error instanceof TypeError ? new DataError('a text is damaged', {}, { cause: error }) : error
  }
}
