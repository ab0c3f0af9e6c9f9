import { sortKeyed } from '@polyad/core/numeric'
import type { PackedTexts } from '../../duckdb/text-codes.ts'

/** Bytes of a text by which it is sorted at a time: so many fit into a key. */
const KEY_BYTES = 6

/** Up to this many texts are inserted one after the other. */
const FEW = 24

/** The texts in the order of their code units, as strings are compared, and for each of those given its place in that order. */
export const sortPacked = ({ bytes, ends }: PackedTexts): { texts: string[]; places: Int32Array } => {
  const order = Uint32Array.from(ends.keys())
  sortRange({ bytes, ends }, order, 0, order.length, 0)
  const places = new Int32Array(order.length)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts = Array.from(order, (text, place) => {
    places[text] = place
    return buffer.toString('utf8', startOf(ends, text), ends[text])
  })
  return { texts, places }
}

const startOf = (ends: Float64Array, text: number): number => (text === 0 ? 0 : ends[text - 1])

/**
 * A byte of UTF-8 as it is to be compared: characters of four bytes are two code units in a string, each below those of the characters of three
 * bytes that begin with EE and EF.
 */
const COMPARED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0xee || byte > 0xf4 ? byte : byte < 0xf0 ? byte + 5 : byte - 2,
)

/** Sorts some of the texts, which are the same up to a byte. */
const sortRange = (texts: PackedTexts, order: Uint32Array, from: number, to: number, given: number): void => {
  if (to - from < 2) return
  if (to - from <= FEW) {
    insertAll(texts, order, from, to, given)
    return
  }
  const depth = sharedBytes(texts, order, from, to, given)
  const size = to - from
  const [high, low] = [new Uint32Array(size), new Uint32Array(size)]
  const values = new Float64Array(size)
  let longest = 0
  for (let i = 0; i < size; i++) {
    const text = order[from + i]
    const [begin, end] = [startOf(texts.ends, text) + depth, texts.ends[text]]
    const at = (k: number) => (begin + k < end ? COMPARED[texts.bytes[begin + k]] : 0)
    high[i] = (at(0) << 8) | at(1)
    low[i] = ((at(2) << 24) | (at(3) << 16) | (at(4) << 8) | at(5)) >>> 0
    values[i] = text
    if (end - begin > longest) longest = end - begin
  }
  const sorted = sortKeyed({ high, low, values }, 2 ** (8 * KEY_BYTES))
  for (let i = 0; i < size; i++) order[from + i] = sorted.values[i]
  for (let begin = 0, end = 0; begin < size; begin = end) {
    for (
      end = begin + 1;
      end < size && sorted.low[end] === sorted.low[begin] && sorted.high[end] === sorted.high[begin];
    )
      end++
    if (end === begin + 1) continue
    // Texts that are at their end differ by their length alone: by zero bytes.
    if (longest <= KEY_BYTES) insertAll(texts, order, from + begin, from + end, depth)
    else sortRange(texts, order, from + begin, from + end, depth + KEY_BYTES)
  }
}

/** How many bytes all of the texts begin with alike. */
const sharedBytes = (
  { bytes, ends }: PackedTexts,
  order: Uint32Array,
  from: number,
  to: number,
  given: number,
): number => {
  const first = startOf(ends, order[from])
  let shared = ends[order[from]] - first
  for (let i = from + 1; i < to && shared > given; i++) {
    const begin = startOf(ends, order[i])
    const most = Math.min(shared, ends[order[i]] - begin)
    let same = Math.min(given, most)
    while (same < most && bytes[first + same] === bytes[begin + same]) same++
    shared = same
  }
  return Math.max(given, shared)
}

const insertAll = (texts: PackedTexts, order: Uint32Array, from: number, to: number, depth: number): void => {
  for (let i = from + 1; i < to; i++) {
    const text = order[i]
    let place = i
    for (; place > from && compare(texts, order[place - 1], text, depth) > 0; place--) order[place] = order[place - 1]
    order[place] = text
  }
}

/** Compares two texts from a byte on. */
const compare = ({ bytes, ends }: PackedTexts, a: number, b: number, depth: number): number => {
  const [startA, startB] = [startOf(ends, a), startOf(ends, b)]
  const [sizeA, sizeB] = [ends[a] - startA, ends[b] - startB]
  for (let k = depth; k < sizeA && k < sizeB; k++) {
    const difference = COMPARED[bytes[startA + k]] - COMPARED[bytes[startB + k]]
    if (difference !== 0) return difference
  }
  return sizeA - sizeB
}
