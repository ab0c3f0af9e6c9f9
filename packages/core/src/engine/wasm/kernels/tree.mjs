// The walk over one block of cells, as AssemblyScript text. A block is a forest in depth-first order, one word per node:
// the row of the node's table, and in the sign bit whether it is the last of its siblings. On the way down the products of
// the prefix are formed, on the way up the class masses of the cells below are added to each node's statistics. The
// nodes just above the leaves are most of the work: `fibre` gives the text for one of them with all its leaves.

/** @param {{ name: string, row: string, each: (body: (at: (pointer: string) => string) => string) => string, fibre: string }} parts */
export const treeKernel = ({ name, row, each, fibre }) => `
function block_${name}(words: usize, values: usize, ctx: usize): f64 {
  const ROW: usize = ${row}
  const D: usize = load<u32>(ctx, C.DEPTH)
  const S: i32 = load<i32>(ctx, C.SUFFIX)
  const F: usize = D - 1
  const tiny: f64 = load<f64>(ctx, C.TINY)
  const products: usize = load<u32>(ctx, C.PRODUCTS)
  const masses: usize = load<u32>(ctx, C.MASSES)
  const marks: usize = load<u32>(ctx, C.MARKS)
  const scratch: usize = load<u32>(ctx, C.SCRATCH)
  const columns: usize = ctx + C.COLUMNS
  const fibreP: usize = load<u32>(columns + F * 8)
  const fibreS: usize = load<u32>(columns + F * 8, 4)
  const stretch: i32 = load<i32>(ctx, C.STRETCH)
  const suffix: usize = columns + D * 8
  const leafP: usize = load<u32>(suffix)
  const leafS: usize = load<u32>(suffix, 4)
  const leafP2: usize = load<u32>(suffix, 8)
  const leafS2: usize = load<u32>(suffix, 12)
  const above: usize = products + F * ROW
  const aboveMass: usize = masses + F * ROW
  const product: usize = above + ROW
  const mass: usize = aboveMass + ROW
  let means: usize = load<u32>(ctx, C.MEANS)
  let lifted: f64 = 0
  let level: usize = 0
  while (true) {
    while (level < F) {
      const node: u32 = load<u32>(words)
      words += 4
      store<u32>(marks + level * 4, node)
      const table: usize = load<u32>(columns + level * 8) + (node & 0x7fffffff) * <u32>ROW
      const from: usize = products + level * ROW
      const to: usize = from + ROW
      const zero: usize = masses + (level + 1) * ROW
      ${each(at => `v128.store(${at('to')}, product_f64x2(v128.load(${at('from')}), v128.load(${at('table')}))); v128.store(${at('zero')}, f64x2.splat(0))`)}
      level++
    }
    let node: i32
    do {
      node = load<i32>(words)
      words += 4
      const offset: usize = (node & 0x7fffffff) * <u32>ROW
      const nodeP: usize = fibreP + offset
      const nodeS: usize = fibreS + offset
      ${fibre}
    } while (node >= 0)
    let more = false
    while (level > 0) {
      level--
      const node: i32 = load<i32>(marks + level * 4)
      const table: usize = load<u32>(columns + level * 8, 4) + (node & 0x7fffffff) * <u32>ROW
      const to: usize = masses + level * ROW
      const from: usize = to + ROW
      ${each(at => `{ const x = v128.load(${at('from')}); v128.store(${at('table')}, f64x2.add(v128.load(${at('table')}), x)); v128.store(${at('to')}, f64x2.add(v128.load(${at('to')}), x)) }`)}
      if (node >= 0) {
        more = true
        break
      }
    }
    if (!more) break
  }
  return lifted
}

/** Some blocks of a lane: adds their statistics, returns their log-likelihood. */
export function ${name}(ctx: usize, first: i32, count: i32): f64 {
  let total: f64 = 0
  for (let block = first; block < first + count; block++) {
    const lifted = block_${name}(wordsOf(ctx, block), valuesOf(ctx, block), ctx)
    total += blockLogs(ctx, block) - logOfLifts(lifted)
  }
  return total
}
`

/** @param {number} count @returns {number[]} */
export const range = count => Array.from({ length: count }, (_, i) => i)

/** Text for every number below a count. @param {number} count @param {(i: number) => string} text */
export const list = (count, text) => range(count).map(text).join('\n')

/** The sum of vectors as a tree of additions over every other one: short chains. @param {string[]} terms @returns {string} */
export const sum = terms => {
  if (terms.length <= 2) return terms.reduce((a, b) => `f64x2.add(${a}, ${b})`)
  const half = /** @param {number} rest */ rest => terms.filter((_, i) => i % 2 === rest).reduce((a, b) => `f64x2.add(${a}, ${b})`)
  return `f64x2.add(${half(0)}, ${half(1)})`
}

/** m from the vector of its halves, stored for the logarithm; and y/m, or 0 where m is not to be trusted. @param {number} [k] */
export const scale = (k = 0) => `
  const m${k}: f64 = total_f64x2(sum${k})
  store<f64>(means, m${k}, ${8 * k})
  const u${k}: v128 = splat_f64x2(select<f64>(load<f64>(values, ${8 * k}) / m${k}, 0, m${k} >= tiny))`

/**
 * Multiplies the columns of a leaf of many. Of very many the product would underflow, so it is lifted on the way, by a power of two: what that does to the
 * logarithm is known, and y/m has no need to know. @param {string} from the first column, @param {string} to behind the last
 * @param {string} column multiplies by column c @param {string} top the larger of all products, as a vector @param {string} lift lifts them
 */
export const stretches = (from, to, column, top, lift) => `
        let lifts: f64 = 0
        for (let c: i32 = ${from}; c < ${to};) {
          const end: i32 = min<i32>(${to}, c + stretch)
          for (; c < end; c++) {
            ${column}
          }
          if (c < ${to}) {
            ${top}
            if (isLow_f64x2(top)) {
              ${lift}
              lifts += 1
            }
          }
        }`

/** Counts the lifts of a cell whose m is to be trusted. */
export const countLifts = 'if (m0 >= tiny) lifted += lifts * load<f64>(values)'

/**
 * A kernel of a pass for twice the classes in single precision: its vectors are as long, and hold twice as many.
 * @param {string} text @param {string} name of the kernel @param {string} single its name in single precision
 */
export const inSingle = (text, name, single) =>
  text
    .replaceAll(name, single)
    .replaceAll('f64x2', 'f32x4')
    .replaceAll('C.TINY', 'C.SINGLE_TINY')
    .replaceAll('blockLogs', 'singleLogs')
