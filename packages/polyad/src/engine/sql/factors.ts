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
}

/**
 * Factors to be multiplied. The shares are multiplied into the first mode. The numbers of a label are divided by the largest of them, so that
 * products stay far from underflow; since the labels' sums of values are known, what that does to Σ y·log p is made good without the cells.
 */
export const productFactors = (shape: readonly number[], several: readonly Parameters[]): Factors => {
  const scales = several.map(() => shape.map(labels => new Float64Array(labels + 1)))
  const values = spread(shape, several, (model, n, code, numbers) => {
    let largest = 0
    for (let k = 0; k < numbers.length; k++) largest = Math.max(largest, numbers[k])
    if (largest === 0 || largest === 1) return
    scales[model][n][code] = log(largest)
    for (let k = 0; k < numbers.length; k++) numbers[k] /= largest
  })
  return { tables: tablesByMode(shape, values, widthOf(several)), scales }
}

/** Factors as logarithms, −Infinity for 0: in a table for each mode, or in one by place. */
export const logFactors = (shape: readonly number[], several: readonly Parameters[], inOne: boolean): Factors => {
  const values = spread(shape, several, (_model, _n, _code, numbers) => {
    for (let k = 0; k < numbers.length; k++) numbers[k] = log(numbers[k])
  })
  const width = widthOf(several)
  if (!inOne) return { tables: tablesByMode(shape, values, width), scales: [] }
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
  return { tables: [{ name: 'f', rows, columns }], scales: [] }
}

const widthOf = (several: readonly Parameters[]): number => several.reduce((sum, { rank }) => sum + rank, 0)

/** For each mode the numbers of every code, after `change` has been given those of each model. */
const spread = (
  shape: readonly number[],
  several: readonly Parameters[],
  change: (model: number, mode: number, code: number, numbers: Float64Array) => void,
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
          numbers[k] = n === 0 ? own * shares[k] : own
        }
        change(model, n, code, numbers)
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
