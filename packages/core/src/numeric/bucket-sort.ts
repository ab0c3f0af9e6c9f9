/** Whole numbers below 2⁴⁸ in their order: `bucket · 2^shift + low`, bucket by bucket. */
export interface SortedKeys {
  readonly shift: number
  /** Where each bucket begins, and where the last one ends. */
  readonly starts: Uint32Array
  readonly low: Uint32Array
  /** What goes with each key, where something does. */
  readonly values: Float64Array | undefined
}

/**
 * So many bits of a key name its bucket, if the others are no more than 32: with more buckets the places that are written to no longer fit
 * into a cache.
 */
const BUCKET_BITS = 11
/** So many bits name it at most. */
const MOST_BUCKET_BITS = 16
/** Keys of a bucket that sort within a cache. */
const BUCKET_KEYS = 2 ** 14
const DIGIT_BITS = 11
/** A digit of fewer keys than this is shorter: to go through all of its values would take longer than through the keys. */
const MANY_KEYS = 512
const SHORT_DIGIT_BITS = 8

/** Whether keys below this can be sorted here. */
export const fitsBuckets = (range: number): boolean => range <= 2 ** (32 + MOST_BUCKET_BITS)

/** How many of the lower bits of keys below `range` are left to the sort within buckets. */
export const bucketShift = (range: number, keys: number): number => {
  const bits = Math.ceil(Math.log2(Math.max(2, range)))
  const wanted = Math.min(BUCKET_BITS, Math.ceil(Math.log2(Math.max(1, keys / BUCKET_KEYS))))
  return Math.max(0, bits - Math.max(wanted, bits - 32))
}

/**
 * Sorts keys, stably: first into buckets by their upper bits, then each bucket by itself, which fits into a cache and moves half of the
 * bytes.
 * @param buckets of every key its upper bits @param low the `shift` lower bits
 */
export const sortBuckets = (
  buckets: Uint16Array,
  low: Uint32Array,
  values: Float64Array | undefined,
  shift: number,
): SortedKeys => {
  const keys = buckets.length
  let last = 0
  for (let i = 0; i < keys; i++) if (buckets[i] > last) last = buckets[i]
  const starts = new Uint32Array(last + 2)
  for (let i = 0; i < keys; i++) starts[buckets[i] + 1]++
  let most = 0
  for (let bucket = 1; bucket < starts.length; bucket++) {
    if (starts[bucket] > most) most = starts[bucket]
    starts[bucket] += starts[bucket - 1]
  }
  const places = starts.slice()
  const sorted = new Uint32Array(keys)
  const carried = values && new Float64Array(keys)
  if (values === undefined || carried === undefined)
    for (let i = 0; i < keys; i++) sorted[places[buckets[i]]++] = low[i]
  else
    for (let i = 0; i < keys; i++) {
      const place = places[buckets[i]]++
      sorted[place] = low[i]
      carried[place] = values[i]
    }
  const spare = { low: new Uint32Array(most), values: carried && new Float64Array(most) }
  for (let bucket = 0; bucket < starts.length - 1; bucket++) {
    const [from, to] = [starts[bucket], starts[bucket + 1]]
    if (to - from > 1) sortOne(sorted.subarray(from, to), carried?.subarray(from, to), spare, shift)
  }
  return { shift, starts, low: sorted, values: carried }
}

interface Spare {
  readonly low: Uint32Array
  readonly values: Float64Array | undefined
}

/** Up to this many keys are inserted one after the other. */
const FEW = 48

const sortOne = (low: Uint32Array, values: Float64Array | undefined, spare: Spare, bits: number): void => {
  if (low.length <= FEW) {
    insertAll(low, values)
    return
  }
  // As few digits as there must be, all of about the same size.
  const digits = Math.ceil(bits / (low.length < MANY_KEYS ? SHORT_DIGIT_BITS : DIGIT_BITS))
  const width = Math.ceil(bits / Math.max(1, digits))
  let from: Spare = { low, values }
  let to = spare
  for (let digit = 0; digit < digits; digit++) {
    scatter(from, to, low.length, digit * width, width)
    ;[from, to] = [to, from]
  }
  if (from.low === low) return
  low.set(from.low.subarray(0, low.length))
  if (values !== undefined && from.values !== undefined) values.set(from.values.subarray(0, low.length))
}

const scatter = (from: Spare, to: Spare, keys: number, shift: number, width: number): void => {
  const mask = 2 ** width - 1
  const places = new Uint32Array(2 ** width + 1)
  const source = from.low
  const target = to.low
  for (let i = 0; i < keys; i++) places[((source[i] >>> shift) & mask) + 1]++
  for (let digit = 1; digit < places.length; digit++) places[digit] += places[digit - 1]
  if (from.values === undefined || to.values === undefined) {
    for (let i = 0; i < keys; i++) target[places[(source[i] >>> shift) & mask]++] = source[i]
    return
  }
  for (let i = 0; i < keys; i++) {
    const place = places[(source[i] >>> shift) & mask]++
    target[place] = source[i]
    to.values[place] = from.values[i]
  }
}

const insertAll = (low: Uint32Array, values: Float64Array | undefined): void => {
  for (let i = 1; i < low.length; i++) {
    const key = low[i]
    const value = values === undefined ? 0 : values[i]
    let to = i
    for (; to > 0 && low[to - 1] > key; to--) {
      low[to] = low[to - 1]
      if (values !== undefined) values[to] = values[to - 1]
    }
    low[to] = key
    if (values !== undefined) values[to] = value
  }
}
