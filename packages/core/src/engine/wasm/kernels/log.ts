// The logarithm of numeric/log.ts, two numbers at a time and bit for bit the same, and sums of it over the cells of a block.
import { BLOCK_CELLS } from '../context'

export const LN2_HIGH: f64 = 0.6931471804855391
export const LN2_LOW: f64 = 7.440617110012397e-11

// What the vector steps need, each number twice. They are read from memory: today's compilers build a vector constant anew
// at every use, with several instructions where a load is one.
const SERIES: usize = memory.data<f64>([
  0.6666666666666723, 0.6666666666666723, 0.3999999999947235, 0.3999999999947235,
  0.28571428731756066, 0.28571428731756066, 0.22222199508680776, 0.22222199508680776,
  0.18183521751983592, 0.18183521751983592, 0.15315017720491964, 0.15315017720491964,
  0.14787274466547523, 0.14787274466547523,
], 16)

const REALS: usize = memory.data<f64>([
  0.6931471804855391, 0.6931471804855391, 7.440617110012397e-11, 7.440617110012397e-11,
  // 2^52 and the exponents' bias
  4503599627371519, 4503599627371519, 1, 1, 2, 2, 0.5, 0.5, Infinity, Infinity,
], 16)

const BITS: usize = memory.data<u64>([
  // 1 less √½, √½, the bits of a fraction, 2^52 (a whole number put into its lowest bits is added to it), 1, and small bits
  0x00095f6200000000, 0x00095f6200000000, 0x3fe6a09e00000000, 0x3fe6a09e00000000,
  0x000fffffffffffff, 0x000fffffffffffff, 0x4330000000000000, 0x4330000000000000,
  0x3ff0000000000000, 0x3ff0000000000000,
  1, 1, 2, 2, 4, 4, 8, 8,
], 16)

const FRACTION: i64 = 0x000fffffffffffff

// @ts-ignore: decorator
@inline
function series(i: i32): v128 {
  return v128.load(SERIES + 16 * i)
}

// @ts-ignore: decorator
@inline
function real(i: i32): v128 {
  return v128.load(REALS + 16 * i)
}

// @ts-ignore: decorator
@inline
function bits(i: i32): v128 {
  return v128.load(BITS + 16 * i)
}

/** x as 2^k·(1 + f) with 1 + f between √½ and √2: the bits that both are made of. */
// @ts-ignore: decorator
@inline
function split(x: v128): v128 {
  return i64x2.add(x, bits(0))
}

// @ts-ignore: decorator
@inline
function exponentOf(high: v128): v128 {
  return f64x2.sub(v128.or(i64x2.shr_u(high, 52), bits(3)), real(2))
}

// @ts-ignore: decorator
@inline
function excessOf(high: v128): v128 {
  return f64x2.sub(i64x2.add(v128.and(high, bits(2)), bits(1)), real(3))
}

// @ts-ignore: decorator
@inline
function quotientOf(f: v128): v128 {
  return f64x2.div(f, f64x2.add(f, real(4)))
}

/** The logarithm from its parts. */
// @ts-ignore: decorator
@inline
function assemble(k: v128, f: v128, s: v128): v128 {
  const z = f64x2.mul(s, s)
  const y = f64x2.mul(z, z)
  const even46 = f64x2.add(series(4), f64x2.mul(y, series(6)))
  const even = f64x2.add(series(0), f64x2.mul(y, f64x2.add(series(2), f64x2.mul(y, even46))))
  const odd = f64x2.add(series(1), f64x2.mul(y, f64x2.add(series(3), f64x2.mul(y, series(5)))))
  const r = f64x2.mul(z, f64x2.add(even, f64x2.mul(z, odd)))
  const half = f64x2.mul(f64x2.mul(real(5), f), f)
  const low = f64x2.add(f64x2.mul(s, f64x2.add(half, r)), f64x2.mul(k, real(1)))
  return f64x2.sub(f64x2.mul(k, real(0)), f64x2.sub(f64x2.sub(half, low), f))
}

/** The logarithms of two normal, finite, positive numbers. */
// @ts-ignore: decorator
@inline
export function log2(x: v128): v128 {
  const high = split(x)
  const f = excessOf(high)
  return assemble(exponentOf(high), f, quotientOf(f))
}

/** The logarithm of a normal, finite, positive number. */
export function log(x: f64): f64 {
  return f64x2.extract_lane(log2(f64x2.splat(x)), 0)
}

/** Whether the last sum met a cell whose m is not to be trusted; such cells add nothing to it. */
export let flagged: bool = false

/** Which of two m are to be trusted. */
// @ts-ignore: decorator
@inline
function trusted(m: v128, tiny: v128): v128 {
  return v128.and(f64x2.ge(m, tiny), f64x2.lt(m, real(6)))
}

/** Cells whose logarithms are taken together, and a buffer for their parts. */
const BATCH: i32 = 64
const PARTS: usize = memory.data(3 * 8 * 64, 16)

/**
 * Σ y·log m over the cells of a block. The logarithms are taken in two short loops, one up to the division and one after
 * it: a processor overlaps many rounds of a short loop, and few of a long one.
 */
export function sumLogs(means: usize, values: usize, count: i32, tiny: f64): f64 {
  const least = f64x2.splat(tiny)
  let good = i64x2.splat(-1)
  let sum = f64x2.splat(0)
  const end = means + (evenCount(means, values, count) << 3)
  while (means < end) {
    const stop = min<usize>(end, means + 8 * BATCH)
    let part = PARTS
    for (; means < stop; means += 16, part += 16) {
      const m = v128.load(means)
      const fine = trusted(m, least)
      good = v128.and(good, fine)
      const high = split(v128.bitselect(m, real(3), fine))
      const f = excessOf(high)
      v128.store(part, exponentOf(high))
      v128.store(part, f, 8 * BATCH)
      v128.store(part, quotientOf(f), 16 * BATCH)
    }
    const last = part
    for (part = PARTS; part < last; part += 16, values += 16) {
      const log = assemble(v128.load(part), v128.load(part, 8 * BATCH), v128.load(part, 16 * BATCH))
      sum = f64x2.add(sum, f64x2.mul(v128.load(values), log))
    }
  }
  flagged = !i64x2.all_true(good)
  return bothLanes(sum)
}

/**
 * The same for a block where nearly all values are 1. Those need one logarithm together: that of the product of their
 * fractions, each below 2, with the exact sum of their exponents; a block is short enough that the product stays
 * finite. The few other values add what they have above 1, in a loop of its own: the first is the faster for being short.
 */
export function sumLogsOfOnes(means: usize, values: usize, count: i32, tiny: f64): f64 {
  const even = evenCount(means, values, count)
  const least = f64x2.splat(tiny)
  const end = even << 3
  let good = i64x2.splat(-1)
  let other = i64x2.splat(0)
  let product = f64x2.splat(1)
  let exponents = i64x2.splat(0)
  for (let o: i32 = 0; o < end; o += 16) {
    const m = v128.load(means + o)
    const fine = trusted(m, least)
    good = v128.and(good, fine)
    other = v128.or(other, v128.xor(v128.load(values + o), bits(4)))
    const x = v128.bitselect(m, real(3), fine)
    exponents = i64x2.add(exponents, i64x2.shr_u(x, 52))
    product = f64x2.mul(product, fraction(x))
  }
  flagged = !i64x2.all_true(good)
  const more = v128.any_true(other) ? sumAboveOne(means, values, end, tiny) : 0
  const biased = i64x2.extract_lane(exponents, 0) + i64x2.extract_lane(exponents, 1)
  const exponent = <f64>(biased - 1023 * <i64>even)
  return exponent * LN2_HIGH + (bothLanes(log2(product)) + exponent * LN2_LOW) + more
}

/** Room for the cells of a block that are taken out of the row: their m, and what is left of their value. */
const TAKEN: usize = memory.data(8 * (BLOCK_CELLS + 2), 16)
const TAKEN_VALUES: usize = memory.data(8 * (BLOCK_CELLS + 2), 16)

/** Writes two cells to the end of those taken out, and counts those whose rest is not 0: the others are overwritten. */
// @ts-ignore: decorator
@inline
function takeOut(taken: i32, x: v128, rest: v128): i32 {
  const kept = i64x2.bitmask(f64x2.ne(rest, f64x2.splat(0)))
  v128.store64_lane(TAKEN + (taken << 3), x, 0)
  v128.store64_lane(TAKEN_VALUES + (taken << 3), rest, 0)
  taken += kept & 1
  v128.store64_lane(TAKEN + (taken << 3), x, 1)
  v128.store64_lane(TAKEN_VALUES + (taken << 3), rest, 1)
  return taken + (kept >> 1)
}

/** Σ (y − 1)·log m of the cells whose value is not 1. */
function sumAboveOne(means: usize, values: usize, end: i32, tiny: f64): f64 {
  const least = f64x2.splat(tiny)
  let taken: i32 = 0
  let o: i32 = 0
  while (o < end) {
    if (o + 64 <= end && eightOnes(values + o)) {
      o += 64
      continue
    }
    const m = v128.load(means + o)
    taken = takeOut(taken, m, v128.and(f64x2.sub(v128.load(values + o), real(3)), trusted(m, least)))
    o += 16
  }
  return sumTaken(taken)
}

/** Σ rest·log x of the cells taken out. Those not to be trusted are not among them. */
function sumTaken(taken: i32): f64 {
  const before = flagged
  const sum = sumLogs(TAKEN, TAKEN_VALUES, taken, 0)
  flagged = before
  return sum
}

// @ts-ignore: decorator
@inline
function eightOnes(values: usize): bool {
  const one = bits(4)
  const a = v128.or(v128.xor(v128.load(values), one), v128.xor(v128.load(values, 16), one))
  const b = v128.or(v128.xor(v128.load(values, 32), one), v128.xor(v128.load(values, 48), one))
  return !v128.any_true(v128.or(a, b))
}

/**
 * The same for a block of whole values, nearly all below 4 (two bits) or below 16 (four). Each bit of the values has a product
 * of its own: of the fractions of the cells whose value has that bit. Their logarithms, times what the bit stands for,
 * make the sum; to which the few larger values add the rest of theirs.
 */
export function sumLogsOfWhole(means: usize, values: usize, count: i32, tiny: f64, four: bool): f64 {
  const even = evenCount(means, values, count)
  const least = f64x2.splat(tiny)
  const end = even << 3
  let good = i64x2.splat(-1)
  let all = i64x2.splat(0)
  let low = f64x2.splat(1)
  let high = f64x2.splat(1)
  let exponents = f64x2.splat(0)
  for (let o: i32 = 0; o < end; o += 16) {
    const m = v128.load(means + o)
    const fine = trusted(m, least)
    good = v128.and(good, fine)
    const x = v128.bitselect(m, real(3), fine)
    const y = v128.load(values + o)
    const k = f64x2.sub(v128.or(i64x2.shr_u(x, 52), bits(3)), real(2))
    exponents = f64x2.add(exponents, f64x2.mul(y, k))
    const whole = f64x2.add(y, bits(3))
    all = v128.or(all, whole)
    const z = fraction(x)
    low = f64x2.mul(low, whereBit(z, whole, 5))
    high = f64x2.mul(high, whereBit(z, whole, 6))
  }
  flagged = !i64x2.all_true(good)
  const exponent = bothLanes(exponents)
  let sum = bothLanes(log2(low)) + 2 * bothLanes(log2(high))
  if (four) {
    low = f64x2.splat(1)
    high = f64x2.splat(1)
    for (let o: i32 = 0; o < end; o += 16) {
      const m = v128.load(means + o)
      const z = fraction(v128.bitselect(m, real(3), trusted(m, least)))
      const whole = f64x2.add(v128.load(values + o), bits(3))
      low = f64x2.mul(low, whereBit(z, whole, 7))
      high = f64x2.mul(high, whereBit(z, whole, 8))
    }
    sum += 4 * bothLanes(log2(low)) + 8 * bothLanes(log2(high))
  }
  const done: i64 = four ? 15 : 3
  const rest = (i64x2.extract_lane(all, 0) | i64x2.extract_lane(all, 1)) & FRACTION & ~done
  if (rest) sum += sumFrom(means, values, end, tiny, done)
  return exponent * LN2_HIGH + (sum + exponent * LN2_LOW)
}

/** Σ y'·log z, y' the values without the bits that are done, z the fractions of the cells' m. */
function sumFrom(means: usize, values: usize, end: i32, tiny: f64, done: i64): f64 {
  const least = f64x2.splat(tiny)
  const lowest = i64x2.splat(done)
  let taken: i32 = 0
  for (let o: i32 = 0; o < end; o += 16) {
    const m = v128.load(means + o)
    const rest = f64x2.sub(v128.andnot(f64x2.add(v128.load(values + o), bits(3)), lowest), bits(3))
    taken = takeOut(taken, fraction(m), v128.and(rest, trusted(m, least)))
  }
  return sumTaken(taken)
}

/** A number's fraction, from 1 to 2. */
// @ts-ignore: decorator
@inline
function fraction(x: v128): v128 {
  return v128.or(v128.and(x, bits(2)), bits(4))
}

/** z where a whole number, lying in the lowest bits of a double, has a bit; else 1. */
// @ts-ignore: decorator
@inline
function whereBit(z: v128, whole: v128, bit: i32): v128 {
  const mask = bits(bit)
  return v128.bitselect(z, real(3), i64x2.eq(v128.and(whole, mask), mask))
}

// @ts-ignore: decorator
@inline
function bothLanes(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1)
}

/** A last cell without a neighbour gets one that adds nothing: its m is 1. There is room for it in both buffers. */
// @ts-ignore: decorator
@inline
function evenCount(means: usize, values: usize, count: i32): i32 {
  if (count & 1) {
    store<f64>(means + (count << 3), 1)
    store<f64>(values + (count << 3), 1)
  }
  return (count + 1) & ~1
}
