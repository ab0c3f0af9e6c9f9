import { classWeights } from '../../model/class-weights.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Statistics } from '../engine.ts'
import * as C from './context.ts'
import { CONTEXT, type LinkedArena, type LinkedKernels, padded } from './kernels.ts'

/** The exponent of a cell whose products are too small for the kernel. */
const CAREFUL = -(2 ** 31)

/** Hands out the memory from an address on. */
export class Places {
  top: number

  constructor(top: number) {
    this.top = top
  }

  /** Room for so many bytes. */
  take(bytes: number): number {
    const at = this.top
    this.top = Math.ceil((at + bytes) / 64) * 64
    return at
  }
}

/**
 * What passes over linked rows have in common: P[row | class] of every distinct row, and the statistics of the modes from the posteriors of distinct rows.
 */
export class CellPass {
  readonly arena: LinkedArena
  readonly data: Tensor
  /** What follows is of the number of classes of the last pass. */
  rank = 0
  /** Numbers in a row of classes. */
  width = 0
  weights = 0
  exponents = 0
  sums = 0
  #kernels!: LinkedKernels
  readonly #columns: readonly number[]
  readonly #end: number
  #factors: { readonly table: number; readonly statistics: number }[] = []
  #sizes = 0

  constructor(arena: LinkedArena, data: Tensor, places: Places) {
    this.arena = arena
    this.data = data
    this.#columns = data.indices.map(() => places.take(4 * data.cells))
    this.#end = places.take(12 * data.indices.length)
  }

  get kernels(): LinkedKernels {
    return this.#kernels
  }

  /** Writes what is the same for all passes. */
  place(): void {
    this.data.indices.forEach((column, n) => void this.arena.i32.set(column, this.#columns[n] / 4))
  }

  /** Decides where things are for a number of classes. */
  layOut(rank: number, places: Places): void {
    const { cells, shape } = this.data
    this.rank = rank
    this.width = padded(rank)
    this.#kernels = this.arena.kernels(rank)
    const row = 8 * this.width
    this.weights = places.take((cells + 1) * row)
    this.exponents = places.take(4 * (cells + 1))
    this.sums = places.take((cells + 1) * row)
    this.#sizes = places.take(row)
    this.#factors = shape.map(size => ({ table: places.take(size * row), statistics: places.take(size * row) }))
  }

  set(field: number, value: number): void {
    this.arena.i32[(CONTEXT + field) / 4] = value
  }

  /** P[row | class] of every cell, and no posteriors yet. */
  emit(parameters: Omit<Parameters, 'shares'>): void {
    const { rank, width, data } = this
    const { f64, i32 } = this.arena
    this.set(C.ROW, 8 * width)
    this.set(C.CELLS, data.cells)
    this.set(C.WEIGHTS, this.weights)
    this.set(C.EXPONENTS, this.exponents)
    this.set(C.SUMS, this.sums)
    this.set(C.MODES, data.indices.length)
    this.set(C.COLUMNS, this.#end)
    this.set(C.SIZES, this.#sizes)
    data.indices.forEach((_, n) => {
      const { table, statistics } = this.#factors[n]
      i32.set([table, statistics, this.#columns[n]], this.#end / 4 + 3 * n)
      copyRows(parameters.factors[n], rank, f64, table / 8, width, data.shape[n])
    })
    const last = data.cells * width
    f64.fill(1, this.weights / 8 + last, this.weights / 8 + last + width)
    i32[this.exponents / 4 + data.cells] = 0
    f64.fill(0, this.sums / 8, this.sums / 8 + last + width)
    if (this.#kernels.emit(CONTEXT) > 0) this.#emitCarefully(parameters)
  }

  #emitCarefully({ factors }: Pick<Parameters, 'factors'>): void {
    const { rank, width, data } = this
    const { f64, i32 } = this.arena
    const items = { rank, shares: new Float64Array(rank).fill(1), factors }
    const own = new Float64Array(rank)
    for (let cell = 0; cell < data.cells; cell++) {
      if (i32[this.exponents / 4 + cell] !== CAREFUL) continue
      i32[this.exponents / 4 + cell] = classWeights(items, data.indices, cell, own)
      f64.set(own, this.weights / 8 + cell * width)
    }
  }

  /** The statistics of the modes of the items, from the posteriors of all cells. */
  collect({ sizes, factors }: Statistics): void {
    const { rank, width, data } = this
    const { f64 } = this.arena
    const row = this.#sizes / 8
    f64.fill(0, row, row + width)
    data.shape.forEach((size, n) => {
      const at = this.#factors[n].statistics / 8
      f64.fill(0, at, at + size * width)
    })
    this.#kernels.collect(CONTEXT)
    sizes.set(f64.subarray(row, row + rank))
    data.shape.forEach((size, n) => {
      copyRows(f64.subarray(this.#factors[n].statistics / 8), width, factors[n], 0, rank, size)
    })
  }
}

/** Copies rows of one length to rows of another, whose further entries are zero. */
export const copyRows = (
  from: Float64Array,
  length: number,
  into: Float64Array,
  at: number,
  width: number,
  rows: number,
): void => {
  const copied = Math.min(length, width)
  for (let row = 0; row < rows; row++) {
    const to = at + row * width
    for (let k = 0; k < copied; k++) into[to + k] = from[row * length + k]
    for (let k = copied; k < width; k++) into[to + k] = 0
  }
}
