// What goodness of fit and the certainty of the classification need of every cell. It runs once or twice a fit, for any rank.
import * as C from '../context'
import { valuesOf, wordsOf } from './blocks'
import { carefulWeights } from './careful'

/**
 * Some blocks of a lane. Adds Σ y²/m to the first number at `out` and, from the third on, y·Ψ of every cell to the row of its
 * most probable class: as many rows, and as many numbers in each, as the padded rank.
 */
export function measure(ctx: usize, first: i32, count: i32, out: usize): void {
  for (let block = first; block < first + count; block++) measureBlock(ctx, block, out)
}

function measureBlock(ctx: usize, block: i32, out: usize): void {
  const depth: i32 = load<i32>(ctx, C.DEPTH)
  const suffix: i32 = load<i32>(ctx, C.SUFFIX)
  const row: usize = load<u32>(ctx, C.ROW)
  const marks: usize = load<u32>(ctx, C.MARKS)
  const products: usize = load<u32>(ctx, C.PRODUCTS)
  const columns: usize = ctx + C.COLUMNS
  const w: usize = load<u32>(ctx, C.SCRATCH)
  const tiny: f64 = load<f64>(ctx, C.TINY)
  const size: i32 = min<i32>(load<i32>(ctx, C.CELLS) - block * C.BLOCK_CELLS, C.BLOCK_CELLS)
  const assigned: usize = out + 16
  let values: usize = valuesOf(ctx, block)
  let words: usize = wordsOf(ctx, block)
  let squares: f64 = 0
  let level: i32 = 0
  for (let cell: i32 = 0; cell < size; cell++) {
    for (; level < depth; level++) {
      const node: u32 = load<u32>(words)
      words += 4
      store<u32>(marks + level * 4, node)
      const from: usize = products + level * row
      multiply(from + row, from, load<u32>(columns + level * 8) + (node & 0x7fffffff) * <u32>row, row)
    }
    const y = load<f64>(values)
    values += 8
    let from: usize = products + depth * row
    for (let c: i32 = 0; c < suffix; c++) {
      const index = load<u32>(words + c * 4) & 0x7fffffff
      multiply(w, from, load<u32>(columns + (depth + c) * 8) + index * <u32>row, row)
      from = w
    }
    let sum = f64x2.splat(0)
    let most = v128.load(w)
    for (let o: usize = 0; o < row; o += 16) {
      const x = v128.load(w + o)
      sum = f64x2.add(sum, x)
      most = f64x2.pmax(most, x)
    }
    let m: f64 = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
    if (m >= tiny && m < Infinity) {
      squares += (y * y) / m
      add(assigned, w, row, y / m, max<f64>(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)))
    } else if (y > 0) squares += carefully(words, ctx, y, assigned)
    const last = load<i32>(words)
    words += suffix * 4
    if (last < 0) {
      level = depth - 1
      while (level > 0 && load<i32>(marks + level * 4) < 0) level--
    }
  }
  store<f64>(out, load<f64>(out) + squares)
}

// @ts-ignore: decorator
@inline
function multiply(to: usize, a: usize, b: usize, row: usize): void {
  for (let o: usize = 0; o < row; o += 16) v128.store(to + o, f64x2.mul(v128.load(a + o), v128.load(b + o)))
}

/** Adds w times a number to the row of the first class whose w is `most`. */
// @ts-ignore: decorator
@inline
function add(assigned: usize, w: usize, row: usize, scale: f64, most: f64): void {
  let o: usize = 0
  while (load<f64>(w + o) != most) o += 8
  const to: usize = assigned + (o >> 3) * row
  const factor = f64x2.splat(scale)
  for (let i: usize = 0; i < row; i += 16) {
    v128.store(to + i, f64x2.add(v128.load(to + i), f64x2.mul(v128.load(w + i), factor)))
  }
}

/** A cell whose m is too small for doubles: y²/m, which may be infinite. */
function carefully(words: usize, ctx: usize, y: f64, assigned: usize): f64 {
  const row: usize = load<u32>(ctx, C.ROW)
  const w: usize = load<u32>(ctx, C.SCRATCH)
  const exponent = carefulWeights(words, ctx)
  let m: f64 = 0
  let most: f64 = 0
  for (let o: usize = 0; o < row; o += 8) {
    m += load<f64>(w + o)
    most = max<f64>(most, load<f64>(w + o))
  }
  if (m == 0) return Infinity
  add(assigned, w, row, y / m, most)
  let ratio = (y * y) / m
  let power = -exponent
  for (; power > 1000; power -= 1000) ratio *= 1.0715086071862673e301 // 2^1000
  return ratio * reinterpret<f64>(<u64>(<i64>power + 1023) << 52)
}
