import type { Parameters } from '@polyad/core'
import { log } from '@polyad/core/numeric'
import type { Codes, SentTable } from './connection.ts'
import { codeBits } from './dialect.ts'

/** Where the codes of each mode begin among the places of all: a mode has one more code than labels, for what is missing. */
export const offsetsOf = (shape: readonly number[]): readonly number[] => {
  let next = 0
  return shape.map(labels => {
    const offset = next
    next += labels + 1
    return offset
  })
}

/** The codes from 0 of a mode of so many labels, or from `first` on, in their own type. */
export const codesOf = (labels: number): Codes => {
  const codes = newCodes(labels, labels + 1)
  for (let code = 0; code <= labels; code++) codes[code] = code
  return codes
}

export const newCodes = (labels: number, length: number): Codes => {
  const bits = codeBits(labels)
  return bits === 8 ? new Uint8Array(length) : bits === 16 ? new Uint16Array(length) : new Int32Array(length)
}

/** The factors of several models as they are sent: for each mode every code's numbers, model beside model. */
export interface Factors {
  readonly tables: readonly SentTable[]
  /** For each model and each code of each mode the logarithm of what its numbers were divided by; none where they are logarithms. */
  readonly scales: readonly (readonly Float64Array[])[]
  /** Whether a number became too small to be one: then only logarithms will do. */
  readonly underflow: boolean
}

/** Below this numbers lose digits. */
const LEAST_NORMAL = 2 ** -1022

/**
 * Factors to be multiplied. The shares are multiplied into the first mode. The numbers of a label are divided by the largest of them, so that
 * products stay far from underflow; since the labels' sums of values are known, what that does to Σ y·log p is made good without the cells.
 */
export const productFactors = (shape: readonly number[], several: readonly Parameters[]): Factors => {
  const scales = several.map(() => shape.map(labels => new Float64Array(labels + 1)))
  let underflow = false
  const times = (factor: number, share: number) => {
    const product = factor * share
    if (product < LEAST_NORMAL && factor > 0 && share > 0) underflow = true
    return product
  }
  const values = spread(shape, several, times, (model, n, code, numbers) => {
    let largest = 0
    for (let k = 0; k < numbers.length; k++) largest = Math.max(largest, numbers[k])
    if (largest === 0 || largest === 1) return
    scales[model][n][code] = log(largest)
    for (let k = 0; k < numbers.length; k++) numbers[k] /= largest
  })
  return { tables: tablesByMode(shape, values, widthOf(several)), scales, underflow }
}

/** Factors as logarithms, −Infinity for 0: in a table for each mode, or in one by place. */
export const logFactors = (shape: readonly number[], several: readonly Parameters[], inOne: boolean): Factors => {
  const values = spread(shape, several, (factor, share) => log(factor) + log(share))
  const width = widthOf(several)
  const known = { scales: [], underflow: false }
  if (!inOne) return { tables: tablesByMode(shape, values, width), ...known }
  const rows = shape.reduce((sum, labels) => sum + labels + 1, 0)
  const all = new Float64Array(rows * width)
  let from = 0
  for (const table of values) {
    all.set(table, from)
    from += table.length
  }
  const places = Int32Array.from({ length: rows }, (_, place) => place)
  const columns = [
    { name: 'code', values: places },
    { name: 'f', values: all, width },
  ]
  return { tables: [{ name: 'f', rows, columns }], ...known }
}

const widthOf = (several: readonly Parameters[]): number => several.reduce((sum, { rank }) => sum + rank, 0)

/** For each mode the numbers of every code: what is made of a factor and a share, which is 1 but in the first mode, and then of those of each model. */
const spread = (
  shape: readonly number[],
  several: readonly Parameters[],
  combine: (factor: number, share: number) => number,
  change?: (model: number, mode: number, code: number, numbers: Float64Array) => void,
): Float64Array[] => {
  const width = widthOf(several)
  return shape.map((labels, n) => {
    const table = new Float64Array((labels + 1) * width)
    let first = 0
    several.forEach(({ rank, shares, factors }, model) => {
      const numbers = new Float64Array(rank)
      for (let code = 0; code <= labels; code++) {
        for (let k = 0; k < rank; k++) {
          const own = code === 0 ? 1 : factors[n][(code - 1) * rank + k]
          numbers[k] = combine(own, n === 0 ? shares[k] : 1)
        }
        change?.(model, n, code, numbers)
        table.set(numbers, code * width + first)
      }
      first += rank
    })
    return table
  })
}

const tablesByMode = (shape: readonly number[], values: readonly Float64Array[], width: number): SentTable[] =>
  shape.map((labels, n) => ({
    name: `f${n}`,
    rows: labels + 1,
    columns: [
      { name: 'code', values: codesOf(labels) },
      { name: 'f', values: values[n], width },
    ],
  }))
