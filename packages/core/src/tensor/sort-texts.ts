import { bucketShift, sortBuckets } from '../numeric/bucket-sort.ts'

/** Texts end to end in UTF-8, and where each of them ends. */
export interface PackedTexts {
  readonly bytes: Uint8Array
  readonly ends: Float64Array
}

/** Up to this many texts are inserted one after the other. */
const FEW = 24

/** Of fewer texts than this a key takes 32 bits: more would be many buckets with hardly a text in any. */
const MANY = 2 ** 14

/** The order of texts by their code units, as strings are compared: for each place, which text it is. */
export const sortedTexts = (texts: PackedTexts): Uint32Array => {
  const order = Uint32Array.from(texts.ends.keys())
  sortRange(texts, order, 0)
  return order
}

export const startOf = (ends: Float64Array, text: number): number => (text === 0 ? 0 : ends[text - 1])

/**
 * A byte of UTF-8 as it is to be compared: characters of four bytes are two code units in a string, each below those of the characters of three
 * bytes that begin with EE and EF.
 */
const COMPARED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0xee || byte > 0xf4 ? byte : byte < 0xf0 ? byte + 5 : byte - 2,
)

/** Compares two texts from a byte on. */
export const compareTexts = (a: PackedTexts, i: number, b: PackedTexts, j: number, depth = 0): number => {
  const [startA, startB] = [startOf(a.ends, i), startOf(b.ends, j)]
  const [sizeA, sizeB] = [a.ends[i] - startA, b.ends[j] - startB]
  for (let k = depth; k < sizeA && k < sizeB; k++) {
    const difference = COMPARED[a.bytes[startA + k]] - COMPARED[b.bytes[startB + k]]
    if (difference !== 0) return difference
  }
  return sizeA - sizeB
}

/** Sorts some of the texts, which are the same up to a byte. */
const sortRange = (texts: PackedTexts, order: Uint32Array, from: number): void => {
  if (order.length <= FEW) {
    insertAll(texts, order, from)
    return
  }
  const { keys, range, depth, isWhole } = keysOf(texts, order, from)
  const size = order.length
  const shift = bucketShift(range, size)
  const [buckets, low] = [new Uint16Array(size), new Uint32Array(size)]
  const factor = 2 ** shift
  for (let i = 0; i < size; i++) {
    const bucket = Math.floor(keys[i] / factor)
    buckets[i] = bucket
    low[i] = keys[i] - bucket * factor
  }
  const sorted = sortBuckets(buckets, low, undefined, shift)
  const before = order.slice()
  /** Where the texts begin whose key is that of the one before. */
  let [begin, last, place] = [0, -1, 0]
  const end = () => {
    if (!isWhole && place > begin + 1) sortRange(texts, order.subarray(begin, place), depth)
    begin = place
  }
  for (let bucket = 0; bucket < sorted.starts.length - 1; bucket++) {
    for (let i = sorted.starts[bucket]; i < sorted.starts[bucket + 1]; i++) {
      const full = bucket * factor + sorted.low[i]
      const key = Math.floor(full / size)
      if (key !== last) end()
      last = key
      order[place++] = before[full - key * size]
    }
  }
  end()
}

/** Bytes of a text that are looked at together. */
const PIECE = 16
/** What may stand at a place: a byte, or none since the text has ended. */
const SYMBOLS = 257

/**
 * A key for each text by its bytes from a place on, so many that a key and the number of a text fit into what is sorted at once: digits for the
 * bytes that occur at each place, in their order, after one for no byte at all. Numbers of ten digits take a third of the bits that ten
 * bytes do.
 */
const keysOf = (texts: PackedTexts, order: Uint32Array, from: number) => {
  const size = order.length
  const most = size < MANY ? 2 ** 32 : 2 ** 48
  const keys = new Float64Array(size)
  let [range, depth] = [size, from]
  for (let places = PIECE, isWhole = false; ; ) {
    const { digits, counts, longest } = digitsAt(texts, order, depth)
    for (places = 0; places < PIECE && range * counts[places] <= most; places++) range *= counts[places]
    addDigits(texts, order, depth, digits, counts.subarray(0, places), keys)
    depth += places
    isWhole = longest <= places
    if (places === PIECE && !isWhole) continue
    for (let i = 0; i < size; i++) keys[i] = keys[i] * size + i
    return { keys, range, depth, isWhole }
  }
}

/** For each place of a piece the digit of every symbol, and how many there are; and the bytes of the longest text from there on. */
const digitsAt = ({ bytes, ends }: PackedTexts, order: Uint32Array, depth: number) => {
  const digits = new Uint16Array(PIECE * SYMBOLS)
  let [shortest, longest] = [PIECE, 0]
  for (let i = 0; i < order.length; i++) {
    const start = startOf(ends, order[i]) + depth
    const length = Math.max(0, ends[order[i]] - start)
    if (length < shortest) shortest = length
    if (length > longest) longest = length
    for (let place = 0; place < length && place < PIECE; place++)
      digits[place * SYMBOLS + COMPARED[bytes[start + place]] + 1] = 1
  }
  const counts = new Uint16Array(PIECE)
  for (let place = 0; place < PIECE; place++) {
    if (place >= shortest) digits[place * SYMBOLS] = 1
    for (let at = place * SYMBOLS; at < (place + 1) * SYMBOLS; at++) if (digits[at] === 1) digits[at] = counts[place]++
  }
  return { digits, counts, longest }
}

/** Appends the digits of some places to the keys; where all texts are the same there is nothing to append. */
const addDigits = (
  { bytes, ends }: PackedTexts,
  order: Uint32Array,
  depth: number,
  digits: Uint16Array,
  counts: Uint16Array,
  keys: Float64Array,
): void => {
  const varying = Uint8Array.from(counts.keys()).filter(place => counts[place] > 1)
  for (let i = 0; i < order.length; i++) {
    const start = startOf(ends, order[i]) + depth
    const length = ends[order[i]] - start
    let key = keys[i]
    for (let v = 0; v < varying.length; v++) {
      const place = varying[v]
      const symbol = place < length ? COMPARED[bytes[start + place]] + 1 : 0
      key = key * counts[place] + digits[place * SYMBOLS + symbol]
    }
    keys[i] = key
  }
}

const insertAll = (texts: PackedTexts, order: Uint32Array, depth: number): void => {
  for (let i = 1; i < order.length; i++) {
    const text = order[i]
    let place = i
    for (; place > 0 && compareTexts(texts, order[place - 1], texts, text, depth) > 0; place--)
      order[place] = order[place - 1]
    order[place] = text
  }
}
