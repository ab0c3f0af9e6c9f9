// The blocks of a lane: where their words and values lie, and their log-likelihood once a kernel has stored every cell's m.
import * as C from '../context'
import { carefulCells } from './careful'
import { flagged, sumLogs, sumLogsOfOnes, sumLogsOfWhole } from './log'

export function wordsOf(ctx: usize, block: i32): usize {
  return load<u32>(ctx, C.WORDS) + load<u32>(load<u32>(ctx, C.BLOCKS) + block * 4) * 4
}

export function valuesOf(ctx: usize, block: i32): usize {
  return load<u32>(ctx, C.VALUES) + block * (C.BLOCK_CELLS * 8)
}

/** The sum of a vector. */
// @ts-ignore: decorator
@inline
export function total_f64x2(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1)
}

// @ts-ignore: decorator
@inline
export function total_f32x4(x: v128): f64 {
  const halves = f32x4.add(x, v128.shuffle<f32>(x, x, 2, 3, 0, 1))
  return <f64>(f32x4.extract_lane(halves, 0) + f32x4.extract_lane(halves, 1))
}

/** The least product in single precision: below 1e-38 every operation would take a hundred times as long. */
export const FLOOR: usize = memory.data<f32>([1e-18, 1e-18, 1e-18, 1e-18], 16)

/** A product that is multiplied further. */
// @ts-ignore: decorator
@inline
export function product_f64x2(a: v128, b: v128): v128 {
  return f64x2.mul(a, b)
}

// @ts-ignore: decorator
@inline
export function product_f32x4(a: v128, b: v128): v128 {
  return f32x4.pmax(f32x4.mul(a, b), v128.load(FLOOR))
}

/** What a product that has become small is multiplied by. */
const LIFT: f64 = 4.149515568880993e180 // 2^600
const LOW: f64 = 4.909093465297727e-91 // 2^-300
const LN_LIFT: f64 = 415.88830833596717 // 600 ln 2

/** Whether a vector of largest products is so small that the products are to be lifted. */
// @ts-ignore: decorator
@inline
export function isLow_f64x2(x: v128): bool {
  return f64x2.extract_lane(x, 0) < LOW && f64x2.extract_lane(x, 1) < LOW
}

/** In single precision products have a floor instead. */
// @ts-ignore: decorator
@inline
export function isLow_f32x4(_: v128): bool {
  return false
}

/** A product that has become small times 2^600, which is exact. */
// @ts-ignore: decorator
@inline
export function lift_f64x2(x: v128): v128 {
  return f64x2.mul(x, f64x2.splat(LIFT))
}

// @ts-ignore: decorator
@inline
export function lift_f32x4(x: v128): v128 {
  return x
}

/** What so many lifts have added to a log-likelihood. */
// @ts-ignore: decorator
@inline
export function logOfLifts(lifts: f64): f64 {
  return lifts * LN_LIFT
}

/** A vector of one number. */
// @ts-ignore: decorator
@inline
export function splat_f64x2(x: f64): v128 {
  return f64x2.splat(x)
}

// @ts-ignore: decorator
@inline
export function splat_f32x4(x: f64): v128 {
  return f32x4.splat(<f32>x)
}

/** The log-likelihood of a block; cells whose m is not to be trusted are done again, statistics and all. */
export function blockLogs(ctx: usize, block: i32): f64 {
  const total = logsOf(ctx, block, load<f64>(ctx, C.TINY))
  return flagged ? total + carefulCells(wordsOf(ctx, block), valuesOf(ctx, block), cellsOf(ctx, block), ctx) : total
}

/** The log-likelihood of a block in single precision; not a number if a cell's m is not to be trusted there. */
export function singleLogs(ctx: usize, block: i32): f64 {
  const total = logsOf(ctx, block, load<f64>(ctx, C.SINGLE_TINY))
  return flagged ? NaN : total
}

function cellsOf(ctx: usize, block: i32): i32 {
  return min<i32>(load<i32>(ctx, C.CELLS) - block * C.BLOCK_CELLS, C.BLOCK_CELLS)
}

/** The same of the cells whose m can be trusted; `flagged` says whether there are others. */
function logsOf(ctx: usize, block: i32, tiny: f64): f64 {
  const means: usize = load<u32>(ctx, C.MEANS)
  const size = cellsOf(ctx, block)
  const values = valuesOf(ctx, block)
  const kind: i32 = load<u8>(load<u32>(ctx, C.KINDS) + block)
  if (kind == C.ONES) return sumLogsOfOnes(means, values, size, tiny)
  if (kind == C.TWO_BITS || kind == C.FOUR_BITS) return sumLogsOfWhole(means, values, size, tiny, kind == C.FOUR_BITS)
  return sumLogs(means, values, size, tiny)
}
