import { DataError } from '@polyad/core'

/** Bytes as characters, one each: by these texts are compared before it is known how they are written. */
export const binaryText = (bytes: Uint8Array, from = 0, to = bytes.length): string => {
  let text = ''
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i])
  return text
}

/** The characters of such a text as bytes again. */
export const bytesOfBinary = (text: string): Uint8Array => Uint8Array.from(text, letter => letter.charCodeAt(0))

/** Reads numbers and texts one after the other. What would lie beyond the end is refused with its place, before anything is allocated. */
export class ByteReader {
  readonly name: string
  readonly bytes: Uint8Array
  readonly view: DataView
  littleEndian: boolean
  at = 0
  /** Where the bytes begin in their file. */
  readonly #base: number

  constructor(name: string, bytes: Uint8Array, littleEndian = true, base = 0) {
    this.#base = base
    this.name = name
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.littleEndian = littleEndian
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  /** The error for what is wrong at a byte. */
  damaged(reason: string, at = this.at): DataError {
    return new DataError(`${this.name} is damaged at byte ${this.#base + at}: ${reason}`)
  }

  /** Moves on by so many bytes, and says where they begin. */
  skip(count: number, what: string): number {
    const { at } = this
    if (!(count >= 0 && at + count <= this.bytes.length)) {
      throw new DataError(
        `${this.name} is damaged or cut short at byte ${this.#base + at}: ${what} needs ${count} bytes, and ${this.left} are left`,
      )
    }
    this.at = at + count
    return at
  }

  uint8(what: string): number {
    return this.bytes[this.skip(1, what)]
  }

  uint16(what: string): number {
    return this.view.getUint16(this.skip(2, what), this.littleEndian)
  }

  int32(what: string): number {
    return this.view.getInt32(this.skip(4, what), this.littleEndian)
  }

  uint32(what: string): number {
    return this.view.getUint32(this.skip(4, what), this.littleEndian)
  }

  /** A number of 64 bits; those beyond 2⁵³ are rounded, and no file is as long. */
  int64(what: string): number {
    return Number(this.view.getBigInt64(this.skip(8, what), this.littleEndian))
  }

  float64(what: string): number {
    return this.view.getFloat64(this.skip(8, what), this.littleEndian)
  }

  take(count: number, what: string): Uint8Array {
    const at = this.skip(count, what)
    return this.bytes.subarray(at, at + count)
  }

  /** A count that the file declares of things that take at least so many bytes each. */
  count(declared: number, each: number, what: string): number {
    if (Number.isInteger(declared) && declared >= 0 && declared * each <= this.left) return declared
    throw this.damaged(`it declares ${declared} ${what}, more than the ${this.left} bytes that follow can hold`)
  }

  /** The bytes of a text that must stand here. */
  expect(text: string): void {
    const { at } = this
    const found = binaryText(this.take(text.length, text))
    if (found !== text) throw this.damaged(`${text} is expected here`, at)
  }
}
