// What kernels of rows that belong together are written with, as AssemblyScript text: for a number of classes that is known, so that a row of classes stays in
// registers, or for any.

/** @typedef {(at: (pointer: string) => string, i: number) => string} Body of a loop over the vectors of a row; `at` gives the arguments of a load */

/** How the loops of a kernel are written. @param {number | 'any'} rank even */
export const loops = rank => {
  const any = rank === 'any'
  const count = any ? 0 : rank / 2
  const range = Array.from({ length: count }, (_, i) => i)
  return {
    any,
    row: any ? 'load<u32>(ctx, C.ROW)' : `${8 * rank}`,
    /** @param {Body} body */
    each: body =>
      any
        ? `for (let o: usize = 0; o < ROW; o += 16) { ${body(pointer => `${pointer} + o`, 0)} }`
        : range.map(i => `{ ${body(pointer => `${pointer}, ${16 * i}`, i)} }`).join('\n'),
    /** The sum of a vector's row with rows of a table: Σ from[i]·table[i]. @param {string} from @param {string} table */
    product: (from, table) => (/** @type {(pointer: string) => string} */ at) => {
      if (any)
        return `let x: v128 = f64x2.splat(0)
        for (let i: usize = 0, line: usize = ${table}; i < ROW; i += 8, line += ROW) x = f64x2.add(x, f64x2.mul(v128.load64_splat(${from} + i), v128.load(line + o)))`
      const offset = Number(at('').slice(2))
      const terms = Array.from(
        { length: rank },
        (_, i) => `f64x2.mul(v128.load64_splat(${from}, ${8 * i}), v128.load(${table}, ${8 * rank * i + offset}))`,
      )
      return `const x: v128 = ${tree(terms)}`
    },
    /** Adds from[i]·row to row i of a table. @param {string} from @param {string} row @param {string} table */
    outer: (from, row, table) =>
      any
        ? `for (let i: usize = 0, line: usize = ${table}; i < ROW; i += 8, line += ROW) {
          const f = v128.load64_splat(${from} + i)
          for (let o: usize = 0; o < ROW; o += 16) v128.store(line + o, f64x2.add(v128.load(line + o), f64x2.mul(f, v128.load(${row} + o))))
        }`
        : `${range.map(i => `const r${i} = v128.load(${row}, ${16 * i})`).join('\n')}
        ${Array.from({ length: rank }, (_, i) => {
          const each = range.map(j => {
            const offset = 8 * rank * i + 16 * j
            return `v128.store(${table}, f64x2.add(v128.load(${table}, ${offset}), f64x2.mul(f${i}, r${j})), ${offset})`
          })
          return `const f${i} = v128.load64_splat(${from}, ${8 * i})\n${each.join('\n')}`
        }).join('\n')}`,
  }
}

/** The sum of terms in pairs. @param {string[]} terms @returns {string} */
const tree = terms => {
  if (terms.length === 1) return terms[0]
  const half = Math.ceil(terms.length / 2)
  return `f64x2.add(${tree(terms.slice(0, half))}, ${tree(terms.slice(half))})`
}

/** A store to where a load would be from. @param {string} at @param {string} value */
export const store = (at, value) => {
  const [pointer, offset] = at.split(', ')
  return `v128.store(${pointer}, ${value}${offset === undefined ? '' : `, ${offset}`})`
}

/** @param {string} at @param {string} value */
export const add = (at, value) => store(at, `f64x2.add(v128.load(${at}), ${value})`)

/** What the kernels of linked rows begin with. */
export const LINKED_HEADER = `import { log } from '../../../wasm/kernels/log'
import * as C from '../../context'

/** ln 2, and numbers below which products are multiplied by a power of two. */
const LN2: f64 = 0.6931471805599453
const LOW: f64 = 6.223015277861142e-61 // 2^-200
const COMFORTABLE: f64 = 1.1830521861667747e-271 // 2^-900
/** The exponent of a cell that must be computed with care. */
const CAREFUL: i32 = i32.MIN_VALUE

/** The exponent e of x = f·2^e with 1 ≤ f < 2, for a positive x; at most 1022, so that its power has an inverse. */
// @ts-ignore: decorator
@inline
function exponentOf(x: f64): i32 {
  return min<i32>(1022, max<i32>(1, <i32>(reinterpret<u64>(x) >> 52)) - 1023)
}

/** 2^exponent. */
// @ts-ignore: decorator
@inline
function power(exponent: i32): f64 {
  return reinterpret<f64>(<u64>(exponent + 1023) << 52)
}

// @ts-ignore: decorator
@inline
function total(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1)
}

/** Where the memory is free: above the constants of the kernels. */
export function freeFrom(): usize {
  return __heap_base
}
`
