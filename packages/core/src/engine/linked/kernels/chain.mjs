// The recursion for persons at several waves. Persons are done in blocks, one wave after the other: so neighbours do not wait for each other.
import { add, loops, store } from './loops.mjs'

/** The forward–backward recursion. @param {number | 'any'} rank */
export const chainKernel = rank => {
  const { row, each, product, outer } = loops(rank)
  return `
/** Some blocks of persons: adds expected counts and posteriors, returns the log-likelihood. */
export function chain_${rank}(ctx: usize, first: i32, end: i32): f64 {
  let sum: f64 = 0
  for (let b = first; b < end; b++) sum += block_${rank}(ctx, b)
  return sum
}

function block_${rank}(ctx: usize, b: usize): f64 {
  const ROW: usize = ${row}
  const STATE: usize = load<u32>(ctx, C.STATE_ROW)
  const stays: bool = STATE > ROW
  const waves: usize = load<u32>(ctx, C.WAVES)
  const present: usize = load<u32>(ctx, C.PRESENT) + ((b * waves) << 2)
  const blockRow: usize = load<u32>(<usize>load<u32>(ctx, C.BLOCK_ROWS) + (b << 2))
  const cells: usize = load<u32>(ctx, C.ROW_CELLS) + (blockRow << 2)
  const rowMoves: usize = load<u32>(ctx, C.ROW_MOVES)
  const ownMoves: usize = rowMoves + (blockRow << 2)
  const waveMoves: usize = load<u32>(ctx, C.WAVE_MOVES)
  const weights: usize = load<u32>(ctx, C.WEIGHTS)
  const exponents: usize = load<u32>(ctx, C.EXPONENTS)
  const forward: usize = load<u32>(ctx, C.FORWARD)
  const lifts: usize = load<u32>(ctx, C.LIFTS)
  const shifts: usize = load<u32>(ctx, C.SHIFTS)
  const last: usize = load<u32>(ctx, C.LAST)
  const personStarts: usize = load<u32>(ctx, C.PERSON_STARTS)
  const starts: usize = load<u32>(ctx, C.STARTS)
  const moves: usize = load<u32>(ctx, C.MOVES)
  const size: usize = (ROW >> 3) * ROW
  const persons: usize = load<u32>(present)
  let row: usize = 0
  let before: usize = 0
  let wave: usize = 0
  for (; wave < waves; wave++) {
    const count: usize = load<u32>(present + (wave << 2))
    if (count == 0) break
    let a: usize = wave == 0 ? starts : moves + <usize>load<u32>(waveMoves + (wave << 2)) * size
    for (let u: usize = 0; u < count; u++) {
      const cell: usize = load<u32>(cells + ((row + u) << 2))
      const e: usize = weights + cell * ROW
      const to: usize = forward + (row + u) * STATE
      let from: usize = 0
      let sum: v128 = f64x2.splat(0)
      if (wave == 0) {
        if (personStarts != 0) a = starts + <usize>load<u32>(personStarts + ((b * C.PERSONS + u) << 2)) * STATE
        from = a
        ${each(at => `const x = f64x2.mul(v128.load(${at('from')}), v128.load(${at('e')})); sum = f64x2.add(sum, x); ${store(at('to'), 'x')}`)}
      } else {
        if (rowMoves != 0) a = moves + <usize>load<u32>(ownMoves + ((row + u) << 2)) * size
        from = forward + (before + u) * STATE
        ${each(
          at => `${product('from', 'a')(at)}
          const y = f64x2.mul(x, v128.load(${at('e')})); sum = f64x2.add(sum, y); ${store(at('to'), 'y')}`,
        )}
      }
      if (stays) {
        from += ROW
        const stay = to + ROW
        ${each(at => `const x = f64x2.mul(v128.load(${at('from')}), v128.load(${at('e')})); sum = f64x2.add(sum, x); ${store(at('stay'), 'x')}`)}
      }
      let s = total(sum)
      let shift: f64 = load<i32>(exponents + (cell << 2))
      let lift: f64 = 1
      if (s < LOW && s > 0) {
        const exponent = exponentOf(s)
        lift = power(-exponent)
        shift += exponent
        s *= lift
        for (let o: usize = 0; o < STATE; o += 16) v128.store(to + o, f64x2.mul(v128.load(to + o), f64x2.splat(lift)))
      }
      store<f64>(lifts + ((row + u) << 3), lift)
      store<f64>(shifts + (u << 3), wave == 0 ? shift : load<f64>(shifts + (u << 3)) + shift)
      store<f64>(last + (u << 3), s)
    }
    before = row
    row += count
  }

  const personWeights: usize = load<u32>(ctx, C.PERSON_WEIGHTS) + b * (C.PERSONS * 8)
  const logs: usize = load<u32>(ctx, C.LOGS) + b * (C.PERSONS * 8)
  let logLikelihood: f64 = 0
  for (let u: usize = 0; u < persons; u++) {
    const s = load<f64>(last + (u << 3))
    const w = load<f64>(personWeights + (u << 3))
    const own = s > 0 ? log(s) + load<f64>(shifts + (u << 3)) * LN2 : -Infinity
    store<f64>(logs + (u << 3), own)
    if (w != 0) logLikelihood += w * own
    // A person of probability zero belongs to no class.
    store<f64>(last + (u << 3), s > 0 ? w / s : 0)
  }

  const backward: usize = load<u32>(ctx, C.BACKWARD)
  const sums: usize = load<u32>(ctx, C.SUMS)
  const startCounts: usize = load<u32>(ctx, C.START_COUNTS)
  const turned: usize = load<u32>(ctx, C.TURNED)
  const moveCounts: usize = load<u32>(ctx, C.MOVE_COUNTS)
  const next: usize = load<u32>(ctx, C.NEXT)
  const staying: usize = load<u32>(ctx, C.STAYING) + b * (C.PERSONS * 8)
  let posteriors: usize = load<u32>(ctx, C.POSTERIORS)
  const wanted = posteriors != 0
  posteriors += blockRow * ROW
  let later: usize = 0
  while (wave > 0) {
    wave--
    const count: usize = load<u32>(present + (wave << 2))
    row -= count
    if (wave > 0) before = row - load<u32>(present + ((wave - 1) << 2))
    let table: usize = wave == 0 ? 0 : load<u32>(waveMoves + (wave << 2))
    for (let u: usize = 0; u < count; u++) {
      const f: usize = forward + (row + u) * STATE
      const back: usize = backward + u * STATE
      if (u >= later) {
        const g = v128.load64_splat(last + (u << 3))
        for (let o: usize = 0; o < STATE; o += 16) v128.store(back + o, g)
      }
      const cell: usize = load<u32>(cells + ((row + u) << 2))
      const e: usize = weights + cell * ROW
      const c: usize = sums + cell * ROW
      const lift = v128.load64_splat(lifts + ((row + u) << 3))
      if (wave == 0) {
        const counts: usize = startCounts + (personStarts == 0 ? 0 : <usize>load<u32>(personStarts + ((b * C.PERSONS + u) << 2)) * STATE)
        ${each(at => `const p = f64x2.mul(v128.load(${at('f')}), v128.load(${at('back')})); ${add(at('c'), 'p')}; ${add(at('counts'), 'p')}`)}
        if (stays) {
          let never: v128 = f64x2.splat(0)
          const f2 = f + ROW
          const back2 = back + ROW
          const counts2 = counts + ROW
          ${each(at => `const p = f64x2.mul(v128.load(${at('f2')}), v128.load(${at('back2')})); never = f64x2.add(never, p); ${add(at('c'), 'p')}; ${add(at('counts2'), 'p')}`)}
          store<f64>(staying + (u << 3), total(never))
        }
      } else {
        ${each(
          at => `const q = v128.load(${at('back')})
          ${add(at('c'), `f64x2.mul(v128.load(${at('f')}), q)`)}
          ${store(at('next'), `f64x2.mul(f64x2.mul(q, v128.load(${at('e')})), lift)`)}`,
        )}
      }
      if (wanted) {
        const to: usize = posteriors + (row + u) * ROW
        ${each(at => store(at('to'), `f64x2.mul(v128.load(${at('f')}), v128.load(${at('back')}))`))}
        if (stays) {
          const f2 = f + ROW
          const back2 = back + ROW
          ${each(at => add(at('to'), `f64x2.mul(v128.load(${at('f2')}), v128.load(${at('back2')}))`))}
        }
      }
      if (wave == 0) continue
      if (stays) {
        const f2 = f + ROW
        const back2 = back + ROW
        ${each(
          at => `const q = v128.load(${at('back2')})
          ${add(at('c'), `f64x2.mul(v128.load(${at('f2')}), q)`)}
          ${store(at('back2'), `f64x2.mul(f64x2.mul(q, v128.load(${at('e')})), lift)`)}`,
        )}
      }
      if (rowMoves != 0) table = load<u32>(ownMoves + ((row + u) << 2))
      const from: usize = forward + (before + u) * STATE
      const pairs: usize = moveCounts + table * size
      const columns: usize = turned + table * size
      ${outer('from', 'next', 'pairs')}
      ${each(at => `${product('next', 'columns')(at)}\n${store(at('back'), 'x')}`)}
    }
    later = count
  }
  return logLikelihood
}
`
}
