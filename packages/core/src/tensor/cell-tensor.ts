import { DataError } from '../errors.ts'
import { log } from '../numeric/log.ts'
import { logGamma } from '../numeric/special.ts'
import { MISSING, type Mode } from './mode.ts'
import type { Counts, Tensor } from './tensor.ts'

/** A tensor of checked, sorted cells, with zeros only where it is a part of other data. Sums over the cells are made when first asked for. */
export class CellTensor implements Tensor {
  readonly modes: readonly Mode[]
  readonly shape: readonly number[]
  readonly cells: number
  readonly total: number
  readonly missing: readonly boolean[]
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
  #marginals: readonly Float64Array[] | undefined
  #constants: Counts['constants'] | undefined

  constructor(modes: readonly Mode[], indices: readonly Int32Array[], values: Float64Array, total = sum(values)) {
    this.modes = Object.freeze([...modes])
    this.shape = Object.freeze(modes.map(mode => mode.size))
    this.cells = values.length
    this.total = total
    this.missing = Object.freeze(indices.map(column => column.includes(MISSING)))
    this.indices = Object.freeze([...indices])
    this.values = values
    Object.freeze(this)
  }

  get marginals(): readonly Float64Array[] {
    this.#marginals ??= this.indices.map((column, n) => marginalOf(column, this.values, this.shape[n]))
    return this.#marginals
  }

  get constants(): Counts['constants'] {
    this.#constants ??= constantsOf(this.values)
    return this.#constants
  }
}

export const sum = (values: Float64Array): number => {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}

/** Beyond these the sums of a fit (a total times logarithms, squares of values) would leave the range of doubles. */
const TOTALS = { least: 1e-150, most: 1e150 }

/**
 * Refuses data whose sum a fit cannot work with.
 * @example
 * checkTotal(1476)
 */
export const checkTotal = (total: number): void => {
  if (total >= TOTALS.least && total <= TOTALS.most) return
  if (total === 0) throw new DataError('all values are zero: there is nothing to count')
  const how = total > 1 ? `above ${TOTALS.most}: divide` : `below ${TOTALS.least}: multiply`
  throw new DataError(`the values sum to ${total}, ${how} them all by a constant`)
}

const marginalOf = (column: Int32Array, values: Float64Array, size: number): Float64Array => {
  const sums = new Float64Array(size)
  addMarginal(column, values, sums)
  return sums
}

const addMarginal = (column: Int32Array, values: Float64Array, sums: Float64Array): void => {
  for (let cell = 0; cell < values.length; cell++) {
    const index = column[cell]
    if (index !== MISSING) sums[index] += values[cell]
  }
}

/** Most values are small whole numbers, whose terms are looked up. */
const SMALL = 256
const Y_LOG_Y = Float64Array.from({ length: SMALL }, (_, y) => (y === 0 ? 0 : y * log(y)))
const LOG_FACTORIAL = Float64Array.from({ length: SMALL }, (_, y) => logGamma(y + 1))

const constantsOf = (values: Float64Array): Counts['constants'] => {
  const sums = { yLogY: 0, logFactorials: 0 }
  addConstants(values, sums)
  return Object.freeze(sums)
}

const addConstants = (values: Float64Array, sums: { yLogY: number; logFactorials: number }): void => {
  let { yLogY, logFactorials } = sums
  for (let cell = 0; cell < values.length; cell++) {
    const y = values[cell]
    const known = y < SMALL && Number.isInteger(y)
    yLogY += known ? Y_LOG_Y[y] : y * log(y)
    logFactorials += known ? LOG_FACTORIAL[y] : logGamma(y + 1)
  }
  sums.yLogY = yLogY
  sums.logFactorials = logFactorials
}

/** What is known of data without its cells, added up as these come in their order: to the same bits as those of a tensor. */
export class CountSums {
  readonly #modes: readonly Mode[]
  readonly #marginals: readonly Float64Array[]
  readonly #missing: boolean[]
  readonly #constants = { yLogY: 0, logFactorials: 0 }
  #cells = 0
  #total = 0

  constructor(modes: readonly Mode[]) {
    this.#modes = modes
    this.#marginals = modes.map(({ size }) => new Float64Array(size))
    this.#missing = modes.map(() => false)
  }

  add(indices: readonly Int32Array[], values: Float64Array): void {
    this.#cells += values.length
    for (let cell = 0; cell < values.length; cell++) this.#total += values[cell]
    addConstants(values, this.#constants)
    indices.forEach((column, n) => {
      addMarginal(column, values, this.#marginals[n])
      this.#missing[n] ||= column.includes(MISSING)
    })
  }

  finish(): Counts {
    checkTotal(this.#total)
    return Object.freeze({
      modes: Object.freeze([...this.#modes]),
      shape: Object.freeze(this.#modes.map(({ size }) => size)),
      cells: this.#cells,
      total: this.#total,
      missing: Object.freeze(this.#missing),
      marginals: Object.freeze(this.#marginals),
      constants: Object.freeze(this.#constants),
    })
  }
}
