/**
 * Philox 4×32-10 (Salmon, Moraes, Dror, Shaw 2011): random numbers as a pure function of a key and a counter. The key
 * is the seed; the counter holds which start is asking, for what purpose, and how many numbers it has had. So any
 * start can be drawn at any time, on any thread, and always gets the same numbers.
 */

const MULTIPLIER_A = 0xd2511f53
const MULTIPLIER_B = 0xcd9e8d57
const WEYL_A = 0x9e3779b9
const WEYL_B = 0xbb67ae85
const ROUNDS = 10

/** The upper 32 bits of a 64-bit product of two unsigned 32-bit numbers. */
const multiplyHigh = (a: number, b: number): number => {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const low = aLow * bLow
  const middle = aHigh * bLow + (low >>> 16)
  const cross = aLow * bHigh + (middle & 0xffff)
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(cross / 65536)) >>> 0
}

/** One block: four 32-bit words from a four-word counter and a two-word key, written into `out`. */
export const philox = (
  out: Uint32Array,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  key0: number,
  key1: number,
): Uint32Array => {
  let [x0, x1, x2, x3, k0, k1] = [c0 >>> 0, c1 >>> 0, c2 >>> 0, c3 >>> 0, key0 >>> 0, key1 >>> 0]
  for (let round = 0; round < ROUNDS; round++) {
    const highA = multiplyHigh(MULTIPLIER_A, x0)
    const lowA = Math.imul(MULTIPLIER_A, x0) >>> 0
    const highB = multiplyHigh(MULTIPLIER_B, x2)
    const lowB = Math.imul(MULTIPLIER_B, x2) >>> 0
    x0 = (highB ^ x1 ^ k0) >>> 0
    x1 = lowB
    x2 = (highA ^ x3 ^ k1) >>> 0
    x3 = lowA
    k0 = (k0 + WEYL_A) >>> 0
    k1 = (k1 + WEYL_B) >>> 0
  }
  out[0] = x0
  out[1] = x1
  out[2] = x2
  out[3] = x3
  return out
}

/** What a stream of random numbers is for: two purposes never share a number. */
export const PURPOSES = {
  start: 0,
  parents: 8,
  child: 9,
  slopes: 22,
  sample: 1,
  replicate: 20,
  resample: 21,
  impute: 11,
  hide: 12,
  items: 23,
  numbers: 24,
  links: 25,
  paths: 26,
  fold: 4,
  data: 6,
  probe: 7,
} as const

export type Purpose = keyof typeof PURPOSES

/** A stream of random numbers. */
export interface Random {
  /** A number strictly between 0 and 1, with 52 random bits. */
  uniform(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
}

/**
 * The stream of a seed (a whole number up to 2⁵³), a purpose and a number within it (the start, the draw), from a block of two
 * numbers on: so that every row of a table can have blocks of its own.
 * @example
 * const { uniform, below } = random(1, 'sample')
 * const [chance, die] = [uniform(), 1 + below(6)]
 */
export const random = (seed: number, purpose: Purpose, stream = 0, from = 0): Random => {
  const key0 = seed >>> 0
  const key1 = Math.floor(seed / 2 ** 32) >>> 0
  const words = new Uint32Array(4)
  let block = from
  let used = 4
  const uniform = () => {
    if (used === 4) {
      philox(words, block >>> 0, Math.floor(block / 2 ** 32) >>> 0, stream >>> 0, PURPOSES[purpose], key0, key1)
      block++
      used = 0
    }
    const high = words[used] >>> 6
    const low = words[used + 1] >>> 6
    used += 2
    return (high * 2 ** 26 + low + 0.5) * 2 ** -52
  }
  return { uniform, below: limit => Math.min(limit - 1, Math.floor(uniform() * limit)) }
}
