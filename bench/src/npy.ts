import { writeFileSync } from 'node:fs'

const TYPES = new Map<unknown, string>([
  [Int32Array, '<i4'],
  [Float64Array, '<f8'],
])

/** Writes an array as NumPy's own files hold it: a magic, a header in text padded to 64 bytes, the numbers. */
export const writeNpy = (path: string, array: Int32Array | Float64Array): void => {
  const head = `{'descr': '${TYPES.get(array.constructor)}', 'fortran_order': False, 'shape': (${array.length},), }`
  const header = `${head.padEnd(Math.ceil((head.length + 11) / 64) * 64 - 11)}\n`
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8])
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  writeFileSync(path, Buffer.concat([start, Buffer.from(header, 'latin1'), bytes]))
}
