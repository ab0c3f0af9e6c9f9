/** The compression of TIFF: LZW with codes of 9 to 12 bits, the highest bit first. */

const CLEAR = 256
const END = 257
const FIRST = 258
/** Before the table has as many codes, it is begun anew. */
const FULL = 4094

export const lzw = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(Math.ceil(bytes.length * 1.6) + 16)
  let [length, buffer, bits] = [0, 0, 0]
  let width = 9
  const put = (code: number) => {
    buffer = (buffer << width) | code
    bits += width
    while (bits >= 8) {
      bits -= 8
      out[length++] = (buffer >>> bits) & 255
    }
    buffer &= (1 << bits) - 1
  }
  // A known string and the byte that follows it.
  let table = new Map<number, number>()
  let next = FIRST
  const grow = () => {
    next++
    if (next === 1 << width && width < 12) width++
    if (next < FULL) return
    put(CLEAR)
    table = new Map()
    next = FIRST
    width = 9
  }
  put(CLEAR)
  let current = -1
  for (const byte of bytes) {
    const key = current * 256 + byte
    const known = current < 0 ? byte : table.get(key)
    if (known !== undefined) {
      current = known
      continue
    }
    put(current)
    table.set(key, next)
    grow()
    current = byte
  }
  if (current >= 0) {
    put(current)
    // Who unpacks it counts the last one too.
    grow()
  }
  put(END)
  if (bits > 0) out[length++] = (buffer << (8 - bits)) & 255
  return out.slice(0, length)
}
