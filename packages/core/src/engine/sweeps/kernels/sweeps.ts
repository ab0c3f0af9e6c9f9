// What a step does with whole arrays of parameters. A block stays in the cache while one vector after the other is added to it
// or multiplied by it; every block has its own sums, so that blocks may be done in any order, by any thread.
import * as C from '../context'

/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR: f64 = 1e-3

/** Does a sweep over some blocks. */
export function sweep(ctx: usize, job: i32, first: i32, end: i32): void {
  for (let b = first; b < end; b++) {
    const block: usize = load<u32>(ctx, C.BLOCKS) + b * 16
    const found: usize = load<u32>(ctx, C.FOUND) + b * load<u32>(ctx, C.FOUND_ROW)
    if (job == C.RECORD_STEP) recordStep(ctx, block, found)
    else if (job == C.ADD_CHANGES) addChanges(ctx, block, found)
    else if (job == C.ADD_STEPS) addSteps(ctx, block, found)
    else {
      const last: i32 = load<i32>(block, 12)
      for (let s: i32 = load<i32>(block, 8); s < last; s++) {
        if (job == C.GATHER) gather(ctx, s)
        else if (job == C.MAXIMIZE) maximize(ctx, s)
        else if (job == C.STEP_ALONG) stepAlong(ctx, s)
        else divide(ctx, s)
      }
    }
  }
}

// A segment may have an odd number of entries: its last is then done as a vector whose other half is zero.

// @ts-ignore: decorator
@inline
function get(at: usize, half: bool): v128 {
  return half ? v128.load64_zero(at) : v128.load(at)
}

// @ts-ignore: decorator
@inline
function put(at: usize, x: v128, half: bool): void {
  if (half) v128.store64_lane(at, x, 0)
  else v128.store(at, x)
}

// @ts-ignore: decorator
@inline
function both(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1)
}

// @ts-ignore: decorator
@inline
function segmentOf(ctx: usize, s: i32): usize {
  return load<u32>(ctx, C.SEGMENTS) + s * 16
}

// @ts-ignore: decorator
@inline
function next(o: usize, wrap: usize): usize {
  const to = o + 16
  return select<usize>(0, to, to == wrap)
}

/** The column sums of the statistics, with what is added to them. */
function gather(ctx: usize, s: i32): void {
  const segment = segmentOf(ctx, s)
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const columns: usize = load<u32>(ctx, C.COLUMNS) + s * wrap
  const table: usize = load<u32>(ctx, C.STATISTICS)
  const added = f64x2.splat(load<f64>(load<u32>(ctx, C.ADDED) + load<u32>(segment, 8) * 8))
  const end: usize = load<u32>(segment, 4)
  let o: usize = load<u32>(segment)
  let k: usize = 0
  memory.fill(columns, 0, wrap)
  for (; o + 8 < end; o += 16) {
    v128.store(columns + k, f64x2.add(v128.load(columns + k), f64x2.add(v128.load(table + o), added)))
    k = next(k, wrap)
  }
  if (o < end) store<f64>(columns + k, load<f64>(columns + k) + (load<f64>(table + o) + f64x2.extract_lane(added, 0)))
}

/** The M-step: update = (statistics + added) / divisor; what it was where there is nothing to divide by. */
function maximize(ctx: usize, s: i32): void {
  const segment = segmentOf(ctx, s)
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const mode = load<u32>(segment, 8)
  const divisors: usize = load<u32>(ctx, C.DIVISORS) + mode * wrap
  const table: usize = load<u32>(ctx, C.STATISTICS)
  const values: usize = load<u32>(ctx, C.VALUES)
  const update: usize = load<u32>(ctx, C.UPDATE)
  const added = f64x2.splat(load<f64>(load<u32>(ctx, C.ADDED) + mode * 8))
  const end: usize = load<u32>(segment, 4)
  let o: usize = load<u32>(segment)
  let k: usize = 0
  for (; o + 8 < end; o += 16) {
    maximizeAt(table + o, values + o, update + o, divisors + k, added, false)
    k = next(k, wrap)
  }
  if (o < end) maximizeAt(table + o, values + o, update + o, divisors + k, added, true)
}

// @ts-ignore: decorator
@inline
function maximizeAt(table: usize, values: usize, update: usize, divisors: usize, added: v128, half: bool): void {
  const divisor = v128.load(divisors)
  const divided = f64x2.div(f64x2.add(get(table, half), added), divisor)
  put(update, v128.bitselect(divided, get(values, half), f64x2.gt(divisor, f64x2.splat(0))), half)
}

/**
 * Goes to a point: roots and gradient become the point's own, step and change what they changed by. Finds the inner product of
 * step and change, the squares of their lengths in the metric, the inner product of the step and the new gradient, and those
 * of all other steps with it.
 */
function recordStep(ctx: usize, block: usize, found: usize): void {
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const values: usize = load<u32>(ctx, C.VALUES)
  const update: usize = load<u32>(ctx, C.UPDATE)
  const roots: usize = load<u32>(ctx, C.ROOTS)
  const gradient: usize = load<u32>(ctx, C.GRADIENT)
  const step: usize = load<u32>(ctx, C.STEP)
  const change: usize = load<u32>(ctx, C.CHANGE)
  const last: i32 = load<i32>(block, 12)
  let curvature = f64x2.splat(0)
  let steps = f64x2.splat(0)
  let changes = f64x2.splat(0)
  let along = f64x2.splat(0)
  for (let s: i32 = load<i32>(block, 8); s < last; s++) {
    const segment = segmentOf(ctx, s)
    const mode = load<u32>(segment, 8)
    const kind: usize = mode == 0 ? 0 : wrap
    const metric: usize = load<u32>(ctx, C.METRIC) + kind
    const inverse: usize = load<u32>(ctx, C.INVERSE) + kind
    const masses: usize = load<u32>(ctx, C.MASSES) + mode * wrap
    const end: usize = load<u32>(segment, 4)
    let o: usize = load<u32>(segment)
    let k: usize = 0
    for (; o + 8 < end; o += 16) {
      const p = v128.load(values + o)
      const root = f64x2.sqrt(p)
      const slope = slopeOf(p, root, v128.load(update + o), v128.load(masses + k))
      const s = f64x2.sub(root, v128.load(roots + o))
      const c = f64x2.sub(v128.load(gradient + o), slope)
      v128.store(roots + o, root)
      v128.store(gradient + o, slope)
      v128.store(step + o, s)
      v128.store(change + o, c)
      curvature = f64x2.add(curvature, f64x2.mul(s, c))
      steps = f64x2.add(steps, f64x2.mul(f64x2.mul(s, s), v128.load(metric + k)))
      changes = f64x2.add(changes, f64x2.mul(f64x2.mul(c, c), v128.load(inverse + k)))
      along = f64x2.add(along, f64x2.mul(s, slope))
      k = next(k, wrap)
    }
    if (o < end) {
      const p = v128.load64_zero(values + o)
      const root = f64x2.sqrt(p)
      const slope = slopeOf(p, root, v128.load64_zero(update + o), v128.load(masses + k))
      const s = f64x2.sub(root, v128.load64_zero(roots + o))
      const c = f64x2.sub(v128.load64_zero(gradient + o), slope)
      v128.store64_lane(roots + o, root, 0)
      v128.store64_lane(gradient + o, slope, 0)
      v128.store64_lane(step + o, s, 0)
      v128.store64_lane(change + o, c, 0)
      curvature = f64x2.add(curvature, f64x2.mul(s, c))
      steps = f64x2.add(steps, f64x2.mul(f64x2.mul(s, s), v128.load(metric + k)))
      changes = f64x2.add(changes, f64x2.mul(f64x2.mul(c, c), v128.load(inverse + k)))
      along = f64x2.add(along, f64x2.mul(s, slope))
    }
  }
  store<f64>(found, both(curvature))
  store<f64>(found, both(steps), 8)
  store<f64>(found, both(changes), 16)
  store<f64>(found, both(along), 24)
  const start: usize = load<u32>(block)
  const end: usize = load<u32>(block, 4)
  dotAll(gradient, load<u32>(ctx, C.PAIRS), load<u32>(ctx, C.USED), start, end, found + 32)
}

/** The negative gradient of the objective by the root of a parameter, per 4M; none at zero. */
// @ts-ignore: decorator
@inline
function slopeOf(p: v128, root: v128, update: v128, mass: v128): v128 {
  const slope = f64x2.mul(f64x2.div(f64x2.sub(update, p), f64x2.add(root, root)), mass)
  return v128.and(slope, f64x2.gt(p, f64x2.splat(0)))
}

/** direction = inverse metric · (gradient + Σ factor · change); finds its inner products with the gradient and with all changes. */
function addChanges(ctx: usize, block: usize, found: usize): void {
  const gradient: usize = load<u32>(ctx, C.GRADIENT)
  const direction: usize = load<u32>(ctx, C.DIRECTION)
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const start: usize = load<u32>(block)
  const end: usize = load<u32>(block, 4)
  const used: usize = load<u32>(ctx, C.USED)
  const pairs: usize = load<u32>(ctx, C.PAIRS) + 4
  const factors: usize = load<u32>(ctx, C.FACTORS)
  combineAll(direction, gradient, pairs, factors, used, start, end)
  const last: i32 = load<i32>(block, 12)
  for (let s: i32 = load<i32>(block, 8); s < last; s++) {
    const segment = segmentOf(ctx, s)
    const inverse: usize = load<u32>(ctx, C.INVERSE) + (load<u32>(segment, 8) == 0 ? 0 : wrap)
    const end: usize = load<u32>(segment, 4)
    let o: usize = load<u32>(segment)
    let k: usize = 0
    for (; o + 8 < end; o += 16) {
      v128.store(direction + o, f64x2.mul(v128.load(direction + o), v128.load(inverse + k)))
      k = next(k, wrap)
    }
    if (o < end) store<f64>(direction + o, load<f64>(direction + o) * load<f64>(inverse + k))
  }
  store<f64>(found, dot(gradient, direction, start, end))
  dotAll(direction, pairs, used, start, end, found + 8)
}

/** direction += Σ factor · step; finds the square of its length in the metric. */
function addSteps(ctx: usize, block: usize, found: usize): void {
  const direction: usize = load<u32>(ctx, C.DIRECTION)
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const used: usize = load<u32>(ctx, C.USED)
  const pairs: usize = load<u32>(ctx, C.PAIRS)
  const factors: usize = load<u32>(ctx, C.FACTORS)
  const start: usize = load<u32>(block)
  const end: usize = load<u32>(block, 4)
  combineAll(direction, direction, pairs, factors, used, start, end)
  const last: i32 = load<i32>(block, 12)
  let sum = f64x2.splat(0)
  for (let s: i32 = load<i32>(block, 8); s < last; s++) {
    const segment = segmentOf(ctx, s)
    const metric: usize = load<u32>(ctx, C.METRIC) + (load<u32>(segment, 8) == 0 ? 0 : wrap)
    const end: usize = load<u32>(segment, 4)
    let o: usize = load<u32>(segment)
    let k: usize = 0
    for (; o + 8 < end; o += 16) {
      const d = v128.load(direction + o)
      sum = f64x2.add(sum, f64x2.mul(f64x2.mul(d, d), v128.load(metric + k)))
      k = next(k, wrap)
    }
    if (o < end) {
      const d = v128.load64_zero(direction + o)
      sum = f64x2.add(sum, f64x2.mul(f64x2.mul(d, d), v128.load(metric + k)))
    }
  }
  store<f64>(found, both(sum))
}

/** values = (roots + length · direction)², but not below a part of the update at its start; and their column sums. */
function stepAlong(ctx: usize, s: i32): void {
  const segment = segmentOf(ctx, s)
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const columns: usize = load<u32>(ctx, C.COLUMNS) + s * wrap
  const roots: usize = load<u32>(ctx, C.ROOTS)
  const direction: usize = load<u32>(ctx, C.DIRECTION)
  const previous: usize = load<u32>(ctx, C.PREVIOUS)
  const values: usize = load<u32>(ctx, C.VALUES)
  const length = f64x2.splat(load<f64>(ctx, C.LENGTH))
  const end: usize = load<u32>(segment, 4)
  let o: usize = load<u32>(segment)
  let k: usize = 0
  memory.fill(columns, 0, wrap)
  for (; o + 8 < end; o += 16) {
    walkAt(roots + o, direction + o, previous + o, values + o, columns + k, length, false)
    k = next(k, wrap)
  }
  if (o < end) walkAt(roots + o, direction + o, previous + o, values + o, columns + k, length, true)
}

// @ts-ignore: decorator
@inline
function walkAt(roots: usize, direction: usize, previous: usize, values: usize, columns: usize, length: v128, half: bool): void {
  const root = f64x2.add(get(roots, half), f64x2.mul(length, get(direction, half)))
  const value = f64x2.max(f64x2.mul(root, root), f64x2.mul(f64x2.splat(FLOOR), get(previous, half)))
  put(values, value, half)
  v128.store(columns, f64x2.add(v128.load(columns), value))
}

/** values /= divisor, column by column. */
function divide(ctx: usize, s: i32): void {
  const segment = segmentOf(ctx, s)
  const wrap: usize = load<u32>(ctx, C.PATTERN)
  const divisors: usize = load<u32>(ctx, C.DIVISORS) + load<u32>(segment, 8) * wrap
  const values: usize = load<u32>(ctx, C.VALUES)
  const end: usize = load<u32>(segment, 4)
  let o: usize = load<u32>(segment)
  let k: usize = 0
  for (; o + 8 < end; o += 16) {
    v128.store(values + o, f64x2.div(v128.load(values + o), v128.load(divisors + k)))
    k = next(k, wrap)
  }
  if (o < end) store<f64>(values + o, load<f64>(values + o) / load<f64>(divisors + k))
}

// Vectors are taken two at a time: what they are added to or multiplied by is then read half as often.

/** The inner products of a vector with one of each pair. */
function dotAll(a: usize, pairs: usize, used: usize, start: usize, end: usize, into: usize): void {
  let j: usize = 0
  for (; j + 1 < used; j += 2) {
    const b: usize = load<u32>(pairs + j * 8)
    const c: usize = load<u32>(pairs + j * 8, 8)
    let b0 = f64x2.splat(0)
    let b1 = f64x2.splat(0)
    let c0 = f64x2.splat(0)
    let c1 = f64x2.splat(0)
    let o = start
    for (; o + 24 < end; o += 32) {
      const x = v128.load(a + o)
      const y = v128.load(a + o, 16)
      b0 = f64x2.add(b0, f64x2.mul(x, v128.load(b + o)))
      c0 = f64x2.add(c0, f64x2.mul(x, v128.load(c + o)))
      b1 = f64x2.add(b1, f64x2.mul(y, v128.load(b + o, 16)))
      c1 = f64x2.add(c1, f64x2.mul(y, v128.load(c + o, 16)))
    }
    for (; o < end; o += 8) {
      const x = v128.load64_zero(a + o)
      b0 = f64x2.add(b0, f64x2.mul(x, v128.load64_zero(b + o)))
      c0 = f64x2.add(c0, f64x2.mul(x, v128.load64_zero(c + o)))
    }
    store<f64>(into + j * 8, both(f64x2.add(b0, b1)))
    store<f64>(into + j * 8, both(f64x2.add(c0, c1)), 8)
  }
  if (j < used) store<f64>(into + j * 8, dot(a, load<u32>(pairs + j * 8), start, end))
}

function dot(a: usize, b: usize, start: usize, end: usize): f64 {
  let s0 = f64x2.splat(0)
  let s1 = f64x2.splat(0)
  let o = start
  for (; o + 24 < end; o += 32) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(a + o), v128.load(b + o)))
    s1 = f64x2.add(s1, f64x2.mul(v128.load(a + o, 16), v128.load(b + o, 16)))
  }
  for (; o < end; o += 8) s0 = f64x2.add(s0, f64x2.mul(v128.load64_zero(a + o), v128.load64_zero(b + o)))
  return both(f64x2.add(s0, s1))
}

/** target = base + Σ factor · one of each pair. */
function combineAll(target: usize, base: usize, pairs: usize, factors: usize, used: usize, start: usize, end: usize): void {
  if (used == 0 && target != base) memory.copy(target + start, base + start, end - start)
  let j: usize = 0
  for (; j + 1 < used; j += 2) {
    const a: usize = load<u32>(pairs + j * 8)
    const b: usize = load<u32>(pairs + j * 8, 8)
    const f = f64x2.splat(load<f64>(factors + j * 8))
    const g = f64x2.splat(load<f64>(factors + j * 8, 8))
    let o = start
    for (; o + 8 < end; o += 16) {
      const x = f64x2.add(v128.load(base + o), f64x2.mul(f, v128.load(a + o)))
      v128.store(target + o, f64x2.add(x, f64x2.mul(g, v128.load(b + o))))
    }
    if (o < end) {
      const x = f64x2.add(v128.load64_zero(base + o), f64x2.mul(f, v128.load64_zero(a + o)))
      v128.store64_lane(target + o, f64x2.add(x, f64x2.mul(g, v128.load64_zero(b + o))), 0)
    }
    base = target
  }
  if (j < used) {
    const a: usize = load<u32>(pairs + j * 8)
    const f = f64x2.splat(load<f64>(factors + j * 8))
    let o = start
    for (; o + 8 < end; o += 16) v128.store(target + o, f64x2.add(v128.load(base + o), f64x2.mul(f, v128.load(a + o))))
    if (o < end) v128.store64_lane(target + o, f64x2.add(v128.load64_zero(base + o), f64x2.mul(f, v128.load64_zero(a + o))), 0)
  }
}
