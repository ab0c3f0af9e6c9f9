// A cell whose m is too small for doubles, as the measuring kernels need it.
import * as C from '../context'
import { carefulWeights } from './careful'

/** Adds y·Ψ to the row of the most probable class, and returns y²/m, which may be infinite. */
export function measureCarefully(words: usize, ctx: usize, y: f64, assigned: usize): f64 {
  const row: usize = load<u32>(ctx, C.ROW)
  const w: usize = load<u32>(ctx, C.SCRATCH)
  const exponent = carefulWeights(words, ctx)
  let m: f64 = 0
  let best: usize = 0
  for (let o: usize = 0; o < row; o += 8) {
    m += load<f64>(w + o)
    if (load<f64>(w + o) > load<f64>(w + best)) best = o
  }
  if (m == 0) return Infinity
  const to: usize = assigned + (best >> 3) * row
  for (let o: usize = 0; o < row; o += 8) store<f64>(to + o, load<f64>(to + o) + (load<f64>(w + o) * y) / m)
  let ratio = (y / m) * y
  let power = -exponent
  for (; power > 1000; power -= 1000) ratio *= 1.0715086071862673e301 // 2^1000
  return ratio * reinterpret<f64>(<u64>(<i64>power + 1023) << 52)
}
