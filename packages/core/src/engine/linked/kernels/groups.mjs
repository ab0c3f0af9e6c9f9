// Sums over the members of groups.
import { add, loops } from './loops.mjs'

/** Sums over the members of groups, by group class. @param {number | 'any'} rank the number of group classes, even */
export const nestedKernel = rank => {
  const { row, each } = loops(rank)
  const width = row.replace('C.ROW', 'C.GROUP_ROW')
  return `
/** Adds the logarithms of all members of each group to those that are there, and their exponents. */
export function gather_${rank}(ctx: usize, first: i32, end: i32): void {
  const ROW: usize = ${width}
  const starts: usize = load<u32>(ctx, C.GROUP_STARTS)
  const kinds: usize = load<u32>(ctx, C.KINDS)
  const counts: usize = load<u32>(ctx, C.COUNTS)
  const logs: usize = load<u32>(ctx, C.KIND_LOGS)
  const exponents: usize = load<u32>(ctx, C.EXPONENTS)
  const shifts: usize = load<u32>(ctx, C.GROUP_SHIFTS)
  for (let g: usize = first; g < <usize>end; g++) {
    const to: usize = load<u32>(ctx, C.GROUPS) + g * ROW
    const stop: usize = load<u32>(starts + (g << 2), 4)
    let shift: f64 = 0
    for (let r: usize = load<u32>(starts + (g << 2)); r < stop; r++) {
      const kind: usize = load<u32>(kinds + (r << 2))
      const count: f64 = load<f64>(counts + (r << 3))
      const own = f64x2.splat(count)
      const from: usize = logs + kind * ROW
      shift += count * <f64>load<i32>(exponents + (kind << 2))
      ${each(at => add(at('to'), `f64x2.mul(own, v128.load(${at('from')}))`))}
    }
    store<f64>(shifts + (g << 3), shift)
  }
}

/** Adds the posteriors of each group to the masses of all of its members. */
export function scatter_${rank}(ctx: usize, first: i32, end: i32): void {
  const ROW: usize = ${width}
  const starts: usize = load<u32>(ctx, C.GROUP_STARTS)
  const kinds: usize = load<u32>(ctx, C.KINDS)
  const counts: usize = load<u32>(ctx, C.COUNTS)
  const masses: usize = load<u32>(ctx, C.KIND_MASSES)
  for (let g: usize = first; g < <usize>end; g++) {
    const from: usize = load<u32>(ctx, C.GROUPS) + g * ROW
    const stop: usize = load<u32>(starts + (g << 2), 4)
    for (let r: usize = load<u32>(starts + (g << 2)); r < stop; r++) {
      const own = v128.load64_splat(counts + (r << 3))
      const to: usize = masses + <usize>load<u32>(kinds + (r << 2)) * ROW
      ${each(at => add(at('to'), `f64x2.mul(own, v128.load(${at('from')}))`))}
    }
  }
}
`
}
