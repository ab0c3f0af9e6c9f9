// What goodness of fit and the certainty of the classification need of every cell, as AssemblyScript text: one kernel for each
// fixed rank, whose class weights stay in registers, and one for all others.
import { list, range, sum } from './tree.mjs'

/**
 * Adds Σ y²/m to the first number at `out` and, from the third on, y·Ψ of every cell to the row of its most probable class (the
 * first of several): as many rows, and as many numbers in each, as the padded rank.
 * @param {{ name: string, row: string, weights: string, most: string, add: string }} parts
 */
const measureKernel = ({ name, row, weights, most, add }) => `
function block_${name}(ctx: usize, block: i32, out: usize): void {
  const ROW: usize = ${row}
  const depth: i32 = load<i32>(ctx, C.DEPTH)
  const S: i32 = load<i32>(ctx, C.SUFFIX)
  const marks: usize = load<u32>(ctx, C.MARKS)
  const products: usize = load<u32>(ctx, C.PRODUCTS)
  const columns: usize = ctx + C.COLUMNS
  const suffix: usize = columns + depth * 8
  const prefix: usize = products + depth * ROW
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
      const from: usize = products + level * ROW
      const table: usize = load<u32>(columns + level * 8) + (node & 0x7fffffff) * <u32>ROW
      for (let o: usize = 0; o < ROW; o += 16) v128.store(from + ROW + o, f64x2.mul(v128.load(from + o), v128.load(table + o)))
    }
    const y = load<f64>(values)
    values += 8
    ${weights}
    const m: f64 = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1)
    if (m >= tiny && m < Infinity) {
      ${most}
      const a: f64 = f64x2.extract_lane(most, 0)
      const b: f64 = f64x2.extract_lane(most, 1)
      const i: i64 = i64x2.extract_lane(at, 0)
      const j: i64 = i64x2.extract_lane(at, 1)
      const to: usize = assigned + <usize>(a > b ? i : b > a ? j : min<i64>(i, j)) * ROW
      const ratio: f64 = y / m
      squares += y * ratio
      const factor = f64x2.splat(ratio)
      ${add}
    } else if (y > 0) squares += measureCarefully(words, ctx, y, assigned)
    const last = load<i32>(words)
    words += S * 4
    if (last < 0) {
      level = depth - 1
      while (level > 0 && load<i32>(marks + level * 4) < 0) level--
    }
  }
  store<f64>(out, load<f64>(out) + squares)
}

/** Some blocks of a lane. */
export function ${name}(ctx: usize, first: i32, count: i32, out: usize): void {
  for (let block = first; block < first + count; block++) block_${name}(ctx, block, out)
}
`

const pointer = 'load<u32>(suffix + c * 8) + (load<u32>(words + c * 4) & 0x7fffffff) * <u32>ROW'

/** @param {number} rank even */
export const fixedMeasure = rank => {
  const vectors = rank / 2
  /** @param {(i: number, offset: number) => string} text */
  const each = text => list(vectors, i => text(i, 16 * i))
  return measureKernel({
    name: `measure${rank}`,
    row: String(8 * rank),
    weights: `${each((i, o) => `let w${i}: v128 = v128.load(prefix, ${o})`)}
    for (let c: i32 = 0; c < S; c++) {
      const p: usize = ${pointer}
      ${each((i, o) => `w${i} = f64x2.mul(w${i}, v128.load(p, ${o}))`)}
    }
    const total: v128 = ${sum(range(vectors).map(i => `w${i}`))}`,
    most: `let most: v128 = w0
      let at: v128 = i64x2(0, 1)
      ${range(vectors)
        .slice(1)
        .map(
          i => `const more${i}: v128 = f64x2.gt(w${i}, most)
      most = v128.bitselect(w${i}, most, more${i})
      at = v128.bitselect(i64x2(${2 * i}, ${2 * i + 1}), at, more${i})`,
        )
        .join('\n')}`,
    add: each((i, o) => `v128.store(to, f64x2.add(v128.load(to, ${o}), f64x2.mul(w${i}, factor)), ${o})`),
  })
}

export const anyMeasure = () =>
  measureKernel({
    name: 'measureAny',
    row: 'load<u32>(ctx, C.ROW)',
    weights: `let from: usize = prefix
    for (let c: i32 = 0; c < S - 1; c++) {
      const p: usize = ${pointer}
      for (let o: usize = 0; o < ROW; o += 16) v128.store(w + o, f64x2.mul(v128.load(from + o), v128.load(p + o)))
      from = w
    }
    const c: i32 = S - 1
    const p: usize = ${pointer}
    let total: v128 = f64x2.splat(0)
    let most: v128 = f64x2.splat(-1)
    let at: v128 = i64x2(0, 1)
    let here: v128 = i64x2(0, 1)
    for (let o: usize = 0; o < ROW; o += 16) {
      const x: v128 = f64x2.mul(v128.load(from + o), v128.load(p + o))
      v128.store(w + o, x)
      total = f64x2.add(total, x)
      const more: v128 = f64x2.gt(x, most)
      most = v128.bitselect(x, most, more)
      at = v128.bitselect(here, at, more)
      here = i64x2.add(here, i64x2(2, 2))
    }`,
    most: '',
    add: `for (let o: usize = 0; o < ROW; o += 16) {
        v128.store(to + o, f64x2.add(v128.load(to + o), f64x2.mul(v128.load(w + o), factor)))
      }`,
  })
