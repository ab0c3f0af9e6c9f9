// What passes over linked rows do with distinct rows, before and after.
import { add, loops, store } from './loops.mjs'

/** P[row | class] of every cell, and from their posteriors the statistics of every mode. @param {number | 'any'} rank */
export const emissionKernel = rank => {
  const { row, each } = loops(rank)
  return `
/** Computes P[row | class] of every cell; returns how many are so small that it must be done with care. */
export function emit_${rank}(ctx: usize): i32 {
  const ROW: usize = ${row}
  const cells: i32 = load<i32>(ctx, C.CELLS)
  const modes: usize = load<u32>(ctx, C.MODES)
  const columns: usize = load<u32>(ctx, C.COLUMNS)
  const exponents: usize = load<u32>(ctx, C.EXPONENTS)
  let to: usize = load<u32>(ctx, C.WEIGHTS)
  let careful: i32 = 0
  for (let cell: i32 = 0; cell < cells; cell++) {
    ${each(at => store(at('to'), 'f64x2.splat(1)'))}
    for (let n: usize = 0; n < modes; n++) {
      const label: i32 = load<i32>(<usize>load<u32>(columns + n * 12, 8) + ((<usize>cell) << 2))
      if (label < 0) continue
      const p: usize = <usize>load<u32>(columns + n * 12) + <usize>label * ROW
      ${each(at => store(at('to'), `f64x2.mul(v128.load(${at('to')}), v128.load(${at('p')}))`))}
    }
    let sum: v128 = f64x2.splat(0)
    ${each(at => `sum = f64x2.add(sum, v128.load(${at('to')}))`)}
    const s = total(sum)
    let exponent: i32 = 0
    if (s >= COMFORTABLE) {
      exponent = exponentOf(s)
      const factor = f64x2.splat(power(-exponent))
      ${each(at => store(at('to'), `f64x2.mul(v128.load(${at('to')}), factor)`))}
    } else {
      exponent = CAREFUL
      careful++
    }
    store<i32>(exponents + ((<usize>cell) << 2), exponent)
    to += ROW
  }
  return careful
}

/** Adds up the posteriors of cells by class, and by label and class of every mode that is present. */
export function collect_${rank}(ctx: usize): void {
  const ROW: usize = ${row}
  const cells: i32 = load<i32>(ctx, C.CELLS)
  const modes: usize = load<u32>(ctx, C.MODES)
  const columns: usize = load<u32>(ctx, C.COLUMNS)
  const sizes: usize = load<u32>(ctx, C.SIZES)
  let from: usize = load<u32>(ctx, C.SUMS)
  for (let cell: i32 = 0; cell < cells; cell++) {
    ${each(at => add(at('sizes'), `v128.load(${at('from')})`))}
    for (let n: usize = 0; n < modes; n++) {
      const label: i32 = load<i32>(<usize>load<u32>(columns + n * 12, 8) + ((<usize>cell) << 2))
      if (label < 0) continue
      const s: usize = <usize>load<u32>(columns + n * 12, 4) + <usize>label * ROW
      ${each(at => add(at('s'), `v128.load(${at('from')})`))}
    }
    from += ROW
  }
}
`
}
