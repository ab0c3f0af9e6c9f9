// What is done with whole tables before and after the cells: padding, products of pairs, sums.
import { product_f32x4 } from './blocks'

/** Pads rows in place to the padded rank: the bare rows lie at the end of the space, the padded ones begin at its start. */
export function pad(table: usize, rows: u32, rank: u32, padded: u32): void {
  let from = table + rows * (padded - rank) * 8
  let to = table
  for (let row: u32 = 0; row < rows; row++) {
    for (let k: u32 = 0; k < rank; k++) {
      store<f64>(to + k * 8, load<f64>(from))
      from += 8
    }
    for (let k = rank; k < padded; k++) store<f64>(to + k * 8, 0)
    to += padded * 8
  }
}

/** A row of ones: what a missing index multiplies by. */
export function ones(table: usize, bytes: u32): void {
  for (let o: usize = 0; o < bytes; o += 16) v128.store(table + o, f64x2.splat(1))
}

/** target += source, of a whole number of vectors. */
export function add(target: usize, source: usize, bytes: u32): void {
  for (let o: usize = 0; o < bytes; o += 16) {
    v128.store(target + o, f64x2.add(v128.load(target + o), v128.load(source + o)))
  }
}

export function zero(table: usize, bytes: u32): void {
  memory.fill(table, 0, bytes)
}

/** The factor table of a pair of modes: each row the product of the two rows it stands for. */
export function joinPairs(pairs: usize, rows: u32, left: usize, right: usize, table: usize, row: u32): void {
  for (let r: u32 = 0; r < rows; r++) {
    const a: usize = left + load<u32>(pairs) * row
    const b: usize = right + load<u32>(pairs, 4) * row
    for (let o: usize = 0; o < row; o += 16) v128.store(table + o, f64x2.mul(v128.load(a + o), v128.load(b + o)))
    pairs += 8
    table += row
  }
}

/** The statistics of a pair of modes, added to those of both. */
export function splitPairs(pairs: usize, rows: u32, left: usize, right: usize, table: usize, row: u32): void {
  for (let r: u32 = 0; r < rows; r++) {
    const a: usize = left + load<u32>(pairs) * row
    const b: usize = right + load<u32>(pairs, 4) * row
    for (let o: usize = 0; o < row; o += 16) {
      const x = v128.load(table + o)
      v128.store(a + o, f64x2.add(v128.load(a + o), x))
      v128.store(b + o, f64x2.add(v128.load(b + o), x))
    }
    pairs += 8
    table += row
  }
}

/** Adds sums in single precision to those in double, and begins them anew. */
export function flush(target: usize, source: usize, numbers: u32): void {
  for (const end = source + numbers * 4; source < end; source += 16, target += 32) {
    const x = v128.load(source)
    const high = v128.shuffle<f32>(x, x, 2, 3, 0, 1)
    v128.store(target, f64x2.add(v128.load(target), f64x2.promote_low_f32x4(x)))
    v128.store(target, f64x2.add(v128.load(target, 16), f64x2.promote_low_f32x4(high)), 16)
    v128.store(source, f32x4.splat(0))
  }
}

/** `joinPairs` in single precision. */
export function joinSingle(pairs: usize, rows: u32, left: usize, right: usize, table: usize, row: u32): void {
  for (let r: u32 = 0; r < rows; r++) {
    const a: usize = left + load<u32>(pairs) * row
    const b: usize = right + load<u32>(pairs, 4) * row
    for (let o: usize = 0; o < row; o += 16) v128.store(table + o, product_f32x4(v128.load(a + o), v128.load(b + o)))
    pairs += 8
    table += row
  }
}
