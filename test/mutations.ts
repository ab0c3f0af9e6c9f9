export type Random = () => number

/** A change of some bytes. @param name of the member of an archive that they are, or nothing */
export type Change = (bytes: Uint8Array, random: Random, name: string) => Uint8Array

/** A small generator (mulberry32), so that a failure can be repeated. */
export const randomNumbers = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number below `n`. */
export const below = (n: number, random: Random): number => Math.floor(random() * n)

export const oneOf = <T>(values: readonly T[], random: Random): T => values[below(values.length, random)]

/** Numbers that are wrong in places where a file has lengths, counts and offsets. */
const EXTREMES = [
  0,
  1,
  2,
  -1,
  0x7fffffff,
  0x80000000,
  0xffffffff,
  0x10000000,
  65_535,
  65_536,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
]

const putExtreme = (bytes: Uint8Array<ArrayBuffer>, place: number, random: Random): void => {
  const view = new DataView(bytes.buffer)
  const width = oneOf([2, 4, 4, 4, 8, 8], random)
  const at = Math.max(0, Math.min(place, bytes.length - width))
  const value = oneOf(EXTREMES, random)
  const little = random() < 0.7
  if (bytes.length < width) bytes.fill(value)
  else if (width === 2) view.setUint16(at, value, little)
  else if (width === 4) view.setUint32(at, value, little)
  else if (random() < 0.5) view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), little)
  else view.setFloat64(at, oneOf([value, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 0.5], random), little)
}

export const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** One to four bytes changed, a number overwritten with an extreme one, the end cut off, a piece left out, doubled or moved. */
export const mutate = (bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> => {
  const { length } = bytes
  // Most of what can mislead a reader stands at the beginning or at the end.
  const place = () => {
    const where = random()
    if (where < 0.5) return below(Math.min(length, 2000), random)
    return where < 0.7 ? length - 1 - below(Math.min(length, 200), random) : below(length, random)
  }
  const kind = length < 4 ? 0 : below(8, random)
  if (kind === 1) return bytes.slice(0, place())
  if (kind === 2 || kind === 3) {
    const [from, size] = [place(), 1 + below(40, random)]
    const piece = bytes.subarray(from, from + size)
    if (kind === 2) return joined(bytes.subarray(0, from), bytes.subarray(from + size))
    const to = place()
    return joined(bytes.subarray(0, to), piece, bytes.subarray(to))
  }
  const changed = new Uint8Array(bytes)
  if (length === 0) return changed
  if (kind === 4 || kind === 5 || kind === 6) putExtreme(changed, place(), random)
  else for (let n = 0; n <= below(4, random); n++) changed[place()] = below(256, random)
  return changed
}
