// Kernels for one even rank each, fixed at compile time: the prefix's product, the leaf's class weights and the fibre's
// masses stay in registers. One for leaves of a single mode, one for two, one for any number.
import { countLifts, list, range, scale, stretches, sum, treeKernel } from './tree.mjs'

/** @param {number} rank even @param {1 | 2 | 'any'} suffix how many modes a leaf holds */
export const fixedRankKernel = (rank, suffix) => {
  const vectors = rank / 2
  const row = rank * 8
  /** @param {(i: number, offset: number) => string} text */
  const each = text => list(vectors, i => text(i, 16 * i))
  const leaf = { 1: one, 2: two, any }[suffix](each, sum(range(vectors).map(i => `w${i}`)))
  return treeKernel({
    name: `rank${rank}_${suffix}`,
    row: String(row),
    each: body => each((_, offset) => body(pointer => `${pointer} + ${offset}`)),
    fibre: `
      ${each((i, o) => `const a${i}: v128 = product_f64x2(v128.load(above, ${o}), v128.load(nodeP, ${o}))`)}
      ${each(i => `let t${i}: v128 = f64x2.splat(0)`)}
      let last: i32
      do {
        last = load<i32>(words)
        ${leaf}
        means += 8
        values += 8
      } while (last >= 0)
      ${each(
        (i, o) => `v128.store(nodeS, f64x2.add(v128.load(nodeS, ${o}), t${i}), ${o})
      v128.store(aboveMass, f64x2.add(v128.load(aboveMass, ${o}), t${i}), ${o})`,
      )}`,
  })
}

/** @typedef {(text: (i: number, offset: number) => string) => string} Each */

const one = (/** @type {Each} */ each, /** @type {string} */ total) => `
        words += 4
        const at: usize = (last & 0x7fffffff) * <u32>ROW
        const p: usize = leafP + at
        const s: usize = leafS + at
        ${each((i, o) => `const w${i}: v128 = f64x2.mul(a${i}, v128.load(p, ${o}))`)}
        const sum0: v128 = ${total}
        ${scale()}
        ${each((i, o) => `const x${i}: v128 = f64x2.mul(u0, w${i}); t${i} = f64x2.add(t${i}, x${i}); v128.store(s, f64x2.add(v128.load(s, ${o}), x${i}), ${o})`)}`

const two = (/** @type {Each} */ each, /** @type {string} */ total) => `
        const at: usize = (last & 0x7fffffff) * <u32>ROW
        const at2: usize = load<u32>(words, 4) * <u32>ROW
        words += 8
        const p: usize = leafP + at
        const p2: usize = leafP2 + at2
        const s: usize = leafS + at
        const s2: usize = leafS2 + at2
        ${each((i, o) => `const w${i}: v128 = f64x2.mul(a${i}, product_f64x2(v128.load(p, ${o}), v128.load(p2, ${o})))`)}
        const sum0: v128 = ${total}
        ${scale()}
        ${each(
          (i, o) => `const x${i}: v128 = f64x2.mul(u0, w${i}); t${i} = f64x2.add(t${i}, x${i})
        v128.store(s, f64x2.add(v128.load(s, ${o}), x${i}), ${o}); v128.store(s2, f64x2.add(v128.load(s2, ${o}), x${i}), ${o})`,
        )}`

const any = (/** @type {Each} */ each, /** @type {string} */ total) => `
        ${each(i => `let w${i}: v128 = a${i}`)}
        ${stretches(
          '0',
          'S',
          `const p: usize = load<u32>(suffix + c * 8) + (load<u32>(words + c * 4) & 0x7fffffff) * <u32>ROW
          ${each((i, o) => `w${i} = product_f64x2(w${i}, v128.load(p, ${o}))`)}`,
          `let top: v128 = w0
          ${each(i => `top = f64x2.pmax(top, w${i})`)}`,
          each(i => `w${i} = lift_f64x2(w${i})`),
        )}
        const sum0: v128 = ${total}
        ${scale()}
        ${countLifts}
        ${each(i => `w${i} = f64x2.mul(u0, w${i}); t${i} = f64x2.add(t${i}, w${i})`)}
        for (let c: i32 = 0; c < S; c++) {
          const s: usize = load<u32>(suffix + c * 8, 4) + (load<u32>(words) & 0x7fffffff) * <u32>ROW
          words += 4
          ${each((i, o) => `v128.store(s, f64x2.add(v128.load(s, ${o}), w${i}), ${o})`)}
        }`
