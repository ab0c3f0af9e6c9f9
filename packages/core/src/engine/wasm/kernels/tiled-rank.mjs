// Kernels for any rank that is a multiple of 4 or of 8: vectors stay in memory, four or eight classes per step. The leaves of one
// fibre are done up to four at a time, so that the prefix's product is read once for all of them and short fibres, most of a
// sparse tensor, need no buffer for their masses.
import { countLifts, list, range, scale, stretches, treeKernel } from './tree.mjs'

/** Leaves of a fibre done together. */
const GROUP = 4

/** @typedef {(pointer: string) => string} At where a vector of a row lies, as the arguments of a load */
/** @typedef {(body: (at: At, i: number) => string) => string} Loop a loop over a row, a body for each vector of a step */

/** @param {number} step vectors in one step @returns {Loop} */
const loopOf = step => body => `
      for (let o: usize = 0; o < ROW; o += ${16 * step}) {
        ${list(step, i => `{ ${body(pointer => `${pointer} + o, ${16 * i}`, i)} }`)}
      }`

/** @param {string} pointer @param {string} value @param {(pointer: string) => string} at */
const store = (pointer, value, at) => {
  const [base, offset] = at(pointer).split(', ')
  return `v128.store(${base}, ${value}, ${offset})`
}

/** @param {string} pointer @param {string} value @param {(pointer: string) => string} at */
const add = (pointer, value, at) => store(pointer, `f64x2.add(v128.load(${at(pointer)}), ${value})`, at)

/** @param {1 | 2 | 'any'} suffix how many modes a leaf holds @param {4 | 8} classes how many classes a step takes */
export const tiledRankKernel = (suffix, classes) => {
  const step = classes / 2
  const loop = loopOf(step)
  return treeKernel({
    name: `tiled${classes}_${suffix}`,
    row: 'load<u32>(ctx, C.ROW)',
    each: body =>
      `for (let o: usize = 0; o < ROW; o += ${16 * step}) { ${list(step, i => body(pointer => `${pointer} + o + ${16 * i}`))} }`,
    fibre:
      suffix === 1 ? shortFibre(loop, step) : longFibre(loop, step, suffix === 2 ? twoModes(loop, step) : anyModes(loop, step)),
  })
}

/**
 * Some leaves of one fibre: all of it, its beginning, its middle or its end.
 * @param {Loop} loop @param {number} step @param {number} leaves @param {boolean} first @param {boolean} end
 */
const group = (loop, step, leaves, first, end) => {
  const all = range(leaves)
  // Several sums side by side where there are few leaves: additions take longer than they cost.
  const chains = Math.min(step, leaves === 1 ? 4 : leaves < GROUP ? 2 : 1)
  /** @param {number} k @param {number} i */
  const chain = (k, i) => `sum${k}_${i % chains}`
  return `
      words += ${4 * leaves}
      ${list(
        leaves,
        k => `const at${k}: usize = (leaf${k} & 0x7fffffff) * <u32>ROW
      const p${k}: usize = leafP + at${k}
      const s${k}: usize = leafS + at${k}
      ${list(chains, i => `let ${chain(k, i)}: v128 = f64x2.splat(0)`)}`,
      )}
      ${loop(
        (at, i) => `${
          first
            ? `const a: v128 = product_f64x2(v128.load(${at('above')}), v128.load(${at('nodeP')})); ${store('product', 'a', at)}`
            : `const a: v128 = v128.load(${at('product')})`
        }
        ${all.map(k => `${chain(k, i)} = f64x2.add(${chain(k, i)}, f64x2.mul(a, v128.load(${at(`p${k}`)})))`).join('\n')}`,
      )}
      ${list(leaves, k => `const sum${k}: v128 = ${range(chains).map(i => chain(k, i)).reduce((a, b) => `f64x2.add(${a}, ${b})`)}${scale(k)}`)}
      means += ${8 * leaves}
      values += ${8 * leaves}
      ${loop(
        at => `const a: v128 = v128.load(${at('product')})
        ${all.map(k => `const x${k}: v128 = f64x2.mul(u${k}, f64x2.mul(a, v128.load(${at(`p${k}`)}))); ${add(`s${k}`, `x${k}`, at)}`).join('\n')}
        ${first ? '' : `const x: v128 = v128.load(${at('mass')})`}
        const t: v128 = ${[...(first ? [] : ['x']), ...all.map(k => `x${k}`)].reduce((a, b) => `f64x2.add(${a}, ${b})`)}
        ${end ? `${add('nodeS', 't', at)}; ${add('aboveMass', 't', at)}` : store('mass', 't', at)}`,
      )}`
}

/** The whole of a fibre at once where it has few leaves; else its beginning, then two leaves at a time. */
const shortFibre = (/** @type {Loop} */ loop, /** @type {number} */ step) => {
  /** @param {number} leaves @returns {string} */
  const whole = leaves =>
    leaves > GROUP
      ? `${group(loop, step, GROUP, true, false)}
      while (true) {
        const leaf0: i32 = load<i32>(words)
        if (leaf0 < 0) { ${group(loop, step, 1, false, true)}
          break
        }
        const leaf1: i32 = load<i32>(words, 4)
        if (leaf1 < 0) { ${group(loop, step, 2, false, true)}
          break
        } else { ${group(loop, step, 2, false, false)} }
      }`
      : `const leaf${leaves - 1}: i32 = load<i32>(words, ${4 * (leaves - 1)})
      if (leaf${leaves - 1} < 0) { ${group(loop, step, leaves, true, true)} } else { ${whole(leaves + 1)} }`
  return whole(1)
}

/** A fibre whose leaves hold several modes: one leaf after the other. */
const longFibre = (/** @type {Loop} */ loop, /** @type {number} */ step, /** @type {string} */ leaf) => `
      ${loop(at => `${store('product', `product_f64x2(v128.load(${at('above')}), v128.load(${at('nodeP')}))`, at)}; ${store('mass', 'f64x2.splat(0)', at)}`)}
      let last: i32
      do {
        last = load<i32>(words)
        const at: usize = (last & 0x7fffffff) * <u32>ROW
        const p: usize = leafP + at
        const s: usize = leafS + at
        ${list(step, i => `let part${i}: v128 = f64x2.splat(0)`)}
        ${leaf}
        words += <usize>S << 2
        means += 8
        values += 8
      } while (last >= 0)
      ${loop(at => `const t: v128 = v128.load(${at('mass')}); ${add('nodeS', 't', at)}; ${add('aboveMass', 't', at)}`)}`

const total = (/** @type {number} */ step) => `
        const sum0: v128 = ${range(step).map(i => `part${i}`).reduce((a, b) => `f64x2.add(${a}, ${b})`)}
        ${scale()}`

const twoModes = (/** @type {Loop} */ loop, /** @type {number} */ step) => `
        const at2: usize = load<u32>(words, 4) * <u32>ROW
        const p2: usize = leafP2 + at2
        const s2: usize = leafS2 + at2
        ${loop((at, i) => `const w: v128 = f64x2.mul(v128.load(${at('product')}), product_f64x2(v128.load(${at('p')}), v128.load(${at('p2')}))); ${store('scratch', 'w', at)}; part${i} = f64x2.add(part${i}, w)`)}
        ${total(step)}
        ${loop(at => `const x: v128 = f64x2.mul(u0, v128.load(${at('scratch')})); ${add('s', 'x', at)}; ${add('s2', 'x', at)}; ${add('mass', 'x', at)}`)}`

const anyModes = (/** @type {Loop} */ loop, /** @type {number} */ step) => `
        ${loop(at => store('scratch', `product_f64x2(v128.load(${at('product')}), v128.load(${at('p')}))`, at))}
        ${stretches(
          '1',
          'S - 1',
          `const p: usize = load<u32>(suffix + c * 8) + load<u32>(words + c * 4) * <u32>ROW
          ${loop(at => store('scratch', `product_f64x2(v128.load(${at('scratch')}), v128.load(${at('p')}))`, at))}`,
          `let top: v128 = v128.load(scratch)
          ${loop(at => `top = f64x2.pmax(top, v128.load(${at('scratch')}))`)}`,
          loop(at => store('scratch', `lift_f64x2(v128.load(${at('scratch')}))`, at)),
        )}
        const end: usize = load<u32>(words + (S - 1) * 4) * <u32>ROW
        const p2: usize = load<u32>(suffix + (S - 1) * 8) + end
        const s2: usize = load<u32>(suffix + (S - 1) * 8, 4) + end
        ${loop((at, i) => `const w: v128 = f64x2.mul(v128.load(${at('scratch')}), v128.load(${at('p2')})); ${store('scratch', 'w', at)}; part${i} = f64x2.add(part${i}, w)`)}
        ${total(step)}
        ${countLifts}
        ${loop(at => `const x: v128 = f64x2.mul(u0, v128.load(${at('scratch')})); ${store('scratch', 'x', at)}; ${add('s', 'x', at)}; ${add('s2', 'x', at)}; ${add('mass', 'x', at)}`)}
        for (let c: i32 = 1; c < S - 1; c++) {
          const s: usize = load<u32>(suffix + c * 8, 4) + load<u32>(words + c * 4) * <u32>ROW
          ${loop(at => add('s', `v128.load(${at('scratch')})`, at))}
        }`
