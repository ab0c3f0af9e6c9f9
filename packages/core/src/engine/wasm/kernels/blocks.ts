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

/** The log-likelihood of a block; cells whose m is not to be trusted are done again, statistics and all. */
export function blockLogs(ctx: usize, block: i32): f64 {
  const means: usize = load<u32>(ctx, C.MEANS)
  const tiny: f64 = load<f64>(ctx, C.TINY)
  const size: i32 = min<i32>(load<i32>(ctx, C.CELLS) - block * C.BLOCK_CELLS, C.BLOCK_CELLS)
  const values = valuesOf(ctx, block)
  const kind: i32 = load<u8>(load<u32>(ctx, C.KINDS) + block)
  let total: f64
  if (kind == C.ONES) total = sumLogsOfOnes(means, values, size, tiny)
  else if (kind == C.TWO_BITS || kind == C.FOUR_BITS) total = sumLogsOfWhole(means, values, size, tiny, kind == C.FOUR_BITS)
  else total = sumLogs(means, values, size, tiny)
  if (flagged) total += carefulCells(wordsOf(ctx, block), values, size, ctx)
  return total
}
