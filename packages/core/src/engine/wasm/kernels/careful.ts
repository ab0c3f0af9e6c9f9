// The pass for cells whose m is too small (or too large) for doubles: every class keeps a power of two of its own beside
// its product, so nothing is lost however many modes there are. Scaling by powers of two is exact.
import * as C from '../context'
import { LN2_HIGH, LN2_LOW, log } from './log'

const SMALL_FACTOR: f64 = 3.0549363634996047e-151 // 2^-500
const SMALL: f64 = 3.872591914849318e-121 // 2^-400
const LARGE: f64 = 2.582249878086909e120 // 2^400
const LIFT: f64 = 600
const UP: f64 = 4.149515568880993e180 // 2^600
const DOWN: f64 = 2.409919865102884e-181 // 2^-600

/**
 * Adds the statistics of those cells of a block that the fast kernel left out, judged by the m it stored, and returns their
 * part of the log-likelihood.
 */
export function carefulCells(words: usize, values: usize, count: i32, ctx: usize): f64 {
  const depth: i32 = load<i32>(ctx, C.DEPTH)
  const suffix: i32 = load<i32>(ctx, C.SUFFIX)
  const marks: usize = load<u32>(ctx, C.MARKS)
  const means: usize = load<u32>(ctx, C.MEANS)
  const tiny: f64 = load<f64>(ctx, C.TINY)
  let level: i32 = 0
  let total: f64 = 0
  for (let cell: i32 = 0; cell < count; cell++) {
    for (; level < depth; level++) {
      store<u32>(marks + level * 4, load<u32>(words))
      words += 4
    }
    const m = load<f64>(means + cell * 8)
    if (!(m >= tiny && m < Infinity)) total += carefulCell(words, load<f64>(values + cell * 8), ctx)
    const last = load<i32>(words)
    words += suffix * 4
    if (last < 0) {
      level = depth - 1
      while (level > 0 && load<i32>(marks + level * 4) < 0) level--
    }
  }
  return total
}

function carefulCell(words: usize, value: f64, ctx: usize): f64 {
  if (value == 0) return 0
  const depth: i32 = load<i32>(ctx, C.DEPTH)
  const suffix: i32 = load<i32>(ctx, C.SUFFIX)
  const row: u32 = load<u32>(ctx, C.ROW)
  const marks: usize = load<u32>(ctx, C.MARKS)
  const w: usize = load<u32>(ctx, C.SCRATCH)
  const exponent = carefulWeights(words, ctx)
  let m: f64 = 0
  for (let o: usize = 0; o < row; o += 8) m += load<f64>(w + o)
  if (m == 0) return -Infinity
  const scale = value / m
  for (let o: usize = 0; o < row; o += 8) store<f64>(w + o, load<f64>(w + o) * scale)
  addTo(load<u32>(ctx, C.MASSES), w, row)
  for (let c = 0; c < depth + suffix; c++) {
    addTo(load<u32>(ctx + C.COLUMNS + c * 8, 4) + rowOf(c, marks, words, depth) * row, w, row)
  }
  return value * (exponent * LN2_HIGH + (log(m) + exponent * LN2_LOW))
}

/** The class weights of the current cell into the scratch vector, all at one power of two, which is returned. */
export function carefulWeights(words: usize, ctx: usize): f64 {
  const depth: i32 = load<i32>(ctx, C.DEPTH)
  const suffix: i32 = load<i32>(ctx, C.SUFFIX)
  const row: u32 = load<u32>(ctx, C.ROW)
  const marks: usize = load<u32>(ctx, C.MARKS)
  const ids: usize = load<u32>(ctx, C.TABLE_OF_COLUMN)
  const w: usize = load<u32>(ctx, C.SCRATCH)
  const e: usize = load<u32>(ctx, C.EXPONENTS)
  for (let o: usize = 0; o < row; o += 16) {
    v128.store(w + o, f64x2.splat(1))
    v128.store(e + o, f64x2.splat(0))
  }
  multiply(w, e, load<u32>(ctx, C.PRODUCTS), row)
  for (let c = 0; c < depth + suffix; c++) {
    const table = load<i32>(ids + c * 4)
    if (table >= 0) multiplyTable(w, e, table, rowOf(c, marks, words, depth), row, ctx)
  }
  return align(w, e, row)
}

/** The row of a column that belongs to the current cell. */
// @ts-ignore: decorator
@inline
function rowOf(c: i32, marks: usize, words: usize, depth: i32): u32 {
  return (c < depth ? load<u32>(marks + c * 4) : load<u32>(words + (c - depth) * 4)) & 0x7fffffff
}

/** Multiplies by a row of a table; by those of its two tables where it is a pair, since their product may have been lost. */
function multiplyTable(w: usize, e: usize, table: i32, index: u32, row: u32, ctx: usize): void {
  const entry: usize = load<u32>(ctx, C.TABLES) + table * 16
  const rows: usize = load<u32>(entry, 12)
  if (rows == 0) {
    multiply(w, e, load<u32>(entry) + index * row, row)
    return
  }
  multiplyTable(w, e, load<i32>(entry, 4), load<u32>(rows + index * 8), row, ctx)
  multiplyTable(w, e, load<i32>(entry, 8), load<u32>(rows + index * 8, 4), row, ctx)
}

/** w·2^e times a row of factors, with w brought back to the middle of the range wherever it leaves it. */
function multiply(w: usize, e: usize, p: usize, row: u32): void {
  for (let o: usize = 0; o < row; o += 16) {
    let x = v128.load(p + o)
    const wide = v128.or(f64x2.lt(x, f64x2.splat(SMALL_FACTOR)), f64x2.gt(x, f64x2.splat(LARGE)))
    if (v128.any_true(wide)) x = rescale(x, f64x2.splat(SMALL_FACTOR), e + o)
    let y = f64x2.mul(v128.load(w + o), x)
    const out = v128.or(f64x2.lt(y, f64x2.splat(SMALL)), f64x2.gt(y, f64x2.splat(LARGE)))
    if (v128.any_true(out)) y = rescale(y, f64x2.splat(SMALL), e + o)
    v128.store(w + o, y)
  }
}

/** Numbers below a bound times 2^600, those too large times 2^-600; the exponents take the difference. */
function rescale(x: v128, bound: v128, e: usize): v128 {
  const small = f64x2.lt(x, bound)
  const large = f64x2.gt(x, f64x2.splat(LARGE))
  const up = f64x2.mul(x, f64x2.splat(UP))
  const down = f64x2.mul(x, f64x2.splat(DOWN))
  const change = f64x2.sub(v128.and(large, f64x2.splat(LIFT)), v128.and(small, f64x2.splat(LIFT)))
  v128.store(e, f64x2.add(v128.load(e), change))
  return v128.bitselect(up, v128.bitselect(down, x, large), small)
}

/** Brings all classes to one common exponent, that of the largest, and returns it. */
function align(w: usize, e: usize, row: u32): f64 {
  let largest: f64 = -Infinity
  for (let o: usize = 0; o < row; o += 8) {
    const x = load<f64>(w + o)
    if (x == 0) continue
    const exponent = <f64>(<i32>((reinterpret<u64>(x) >> 52) & 0x7ff) - 1023) + load<f64>(e + o)
    store<f64>(e + o, exponent)
    store<f64>(w + o, reinterpret<f64>((reinterpret<u64>(x) & 0x000fffffffffffff) | 0x3ff0000000000000))
    if (exponent > largest) largest = exponent
  }
  if (largest == -Infinity) return 0
  for (let o: usize = 0; o < row; o += 8) {
    const shift = load<f64>(e + o) - largest
    const x = load<f64>(w + o)
    if (x != 0) store<f64>(w + o, shift < -1022 ? 0 : x * reinterpret<f64>(<u64>(<i64>shift + 1023) << 52))
  }
  return largest
}

function addTo(target: usize, w: usize, row: u32): void {
  for (let o: usize = 0; o < row; o += 16) v128.store(target + o, f64x2.add(v128.load(target + o), v128.load(w + o)))
}
