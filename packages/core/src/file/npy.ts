import { DataError, show } from '../errors.ts'

/** An array as NumPy's `.npy` format holds it: the entries in C order (the last index varies fastest). */
export interface NpyArray {
  readonly shape: readonly number[]
  /** Numbers for numeric and boolean arrays, strings for arrays of text. */
  readonly data: Float64Array | Int32Array | string[]
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]

/**
 * The bytes of a `.npy` file: float64, int32 or text (`<U`), little-endian, C order.
 * @example
 * const bytes = writeNpy({ shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) })
 */
export const writeNpy = ({ shape, data }: NpyArray): Uint8Array => {
  const width = Array.isArray(data) ? data.reduce((most, text) => Math.max(most, codePoints(text)), 1) : 0
  const descr = Array.isArray(data) ? `<U${width}` : data instanceof Int32Array ? '<i4' : '<f8'
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  let header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${dimensions}), }`
  header += `${' '.repeat(63 - ((10 + header.length) % 64))}\n`
  const body = Array.isArray(data) ? textBytes(data, width) : numberBytes(data)
  const bytes = new Uint8Array(10 + header.length + body.length)
  bytes.set([...MAGIC, 1, 0, header.length & 0xff, header.length >>> 8])
  for (let i = 0; i < header.length; i++) bytes[10 + i] = header.charCodeAt(i)
  bytes.set(body, 10 + header.length)
  return bytes
}

const codePoints = (text: string): number => {
  let points = 0
  for (const _ of text) points++
  return points
}

const textBytes = (texts: readonly string[], width: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(texts.length * width * 4))
  texts.forEach((text, i) => {
    let at = i * width * 4
    for (const point of text) {
      view.setUint32(at, point.codePointAt(0) as number, true)
      at += 4
    }
  })
  return new Uint8Array(view.buffer)
}

const numberBytes = (data: Float64Array | Int32Array): Uint8Array => {
  const view = new DataView(new ArrayBuffer(data.byteLength))
  if (data instanceof Int32Array) data.forEach((value, i) => void view.setInt32(i * 4, value, true))
  else data.forEach((value, i) => void view.setFloat64(i * 8, value, true))
  return new Uint8Array(view.buffer)
}

/**
 * Reads a `.npy` file. Its sizes are checked against its length before anything is allocated: it takes a few times its bytes.
 * @example
 * const { shape, data } = readNpy(writeNpy({ shape: [3], data: Float64Array.of(1, 2, 3) }))
 * shape // [3]
 */
export const readNpy = (bytes: Uint8Array, name = 'the array'): NpyArray => {
  const refuse = (reason: string): never => {
    throw new DataError(`${name} is not a readable .npy array: ${reason}`)
  }
  if (bytes.length < 12 || MAGIC.some((byte, i) => bytes[i] !== byte)) refuse('it does not begin like one')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const major = bytes[6]
  if (major < 1 || major > 3) refuse(`its version is ${major}, and only 1 to 3 can be read`)
  const start = major === 1 ? 10 : 12
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true)
  if (start + length > bytes.length) refuse('it ends within its header')
  const header = new TextDecoder().decode(bytes.subarray(start, start + length))
  const { descr, fortran, shape } = readHeader(header, refuse)
  const entries = shape.reduce((product, size) => product * size, 1)
  const kind = kindOf(descr, refuse)
  const expected = entries * kind.size
  const body = bytes.length - start - length
  if (expected !== body) refuse(`its shape ${shape.join('×') || '()'} needs ${expected} bytes and it has ${body}`)
  // Entries that take no bytes (empty strings) could be any number.
  if (entries > bytes.length) refuse(`its shape ${shape.join('×')} has more entries than the file has bytes`)
  const data = kind.read(view, start + length, entries)
  return { shape, data: fortran && shape.length > 1 ? toCOrder(data, shape) : data }
}

const readHeader = (header: string, refuse: (reason: string) => never) => {
  const descr = /'descr':\s*'([^']*)'/.exec(header)?.[1]
  const fortran = /'fortran_order':\s*(True|False)/.exec(header)?.[1]
  const shape = /'shape':\s*\(([\d,\sL]*)\)/.exec(header)?.[1]
  if (fortran === undefined || shape === undefined) return refuse('its header is not as NumPy writes it')
  if (descr === undefined) return refuse('it holds records, not one type of numbers')
  const sizes = shape.split(',').flatMap(text => (text.trim() === '' ? [] : [Number(text.replace('L', ''))]))
  if (sizes.length > 64) refuse(`it has ${sizes.length} dimensions`)
  return { descr, fortran: fortran === 'True', shape: sizes }
}

interface Kind {
  readonly size: number
  readonly read: (view: DataView, offset: number, entries: number) => Float64Array | Int32Array | string[]
}

const kindOf = (descr: string, refuse: (reason: string) => never): Kind => {
  const [, order, letter, digits] = /^([<>|=]?)([a-zA-Z])(\d*)$/.exec(descr) ?? []
  const little = order !== '>'
  const size = Number(digits)
  const at = (get: (view: DataView, offset: number) => number): Kind => ({
    size,
    read: (view, offset, entries) => Float64Array.from({ length: entries }, (_, i) => get(view, offset + i * size)),
  })
  if (letter === 'O') return refuse('it holds Python objects (a pickle); save it as numbers')
  if (letter === 'U') {
    return { size: size * 4, read: (view, offset, entries) => readTexts(view, offset, entries, size, little) }
  }
  if (letter === 'S') {
    return {
      size,
      read: (view, offset, entries) =>
        Array.from({ length: entries }, (_, i) =>
          new TextDecoder()
            .decode(new Uint8Array(view.buffer, view.byteOffset + offset + i * size, size))
            .replace(/\0+$/, ''),
        ),
    }
  }
  const kinds: Record<string, Kind> = {
    f8: at((view, offset) => view.getFloat64(offset, little)),
    f4: at((view, offset) => view.getFloat32(offset, little)),
    i8: at((view, offset) => Number(view.getBigInt64(offset, little))),
    u8: at((view, offset) => Number(view.getBigUint64(offset, little))),
    i4: at((view, offset) => view.getInt32(offset, little)),
    u4: at((view, offset) => view.getUint32(offset, little)),
    i2: at((view, offset) => view.getInt16(offset, little)),
    u2: at((view, offset) => view.getUint16(offset, little)),
    i1: at((view, offset) => view.getInt8(offset)),
    u1: at((view, offset) => view.getUint8(offset)),
    b1: at((view, offset) => view.getUint8(offset)),
  }
  return kinds[`${letter}${digits}`] ?? refuse(`its type ${show(descr)} is neither numbers nor text`)
}

const readTexts = (view: DataView, offset: number, entries: number, width: number, little: boolean): string[] =>
  Array.from({ length: entries }, (_, i) => {
    let text = ''
    for (let j = 0; j < width; j++) {
      const point = view.getUint32(offset + (i * width + j) * 4, little)
      text += point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
    }
    return text.replace(/\0+$/, '')
  })

/** From the first index varying fastest (Fortran's order) to the last (C's). */
const toCOrder = <T extends Float64Array | Int32Array | string[]>(data: T, shape: readonly number[]): T => {
  const result = data.slice() as T
  const index = new Array<number>(shape.length).fill(0)
  const strides = shape.map((_, n) => shape.slice(0, n).reduce((product, size) => product * size, 1))
  for (let position = 0; position < data.length; position++) {
    result[position] = data[index.reduce((sum, i, n) => sum + i * strides[n], 0)]
    for (let n = shape.length - 1; n >= 0 && ++index[n] === shape[n]; n--) index[n] = 0
  }
  return result
}
