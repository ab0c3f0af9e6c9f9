import { classWeights } from '../model/class-weights.ts'
import type { Parameters } from '../model/parameters.ts'
import type { Interruptible } from '../numeric/interruptible.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Counts } from '../tensor/tensor.ts'
import { type Information, newInformation } from './engine.ts'

/** Cells of a step. */
const STEP_CELLS = 1024

/**
 * The information of cells, added up as they come. A cell with N labels touches ½(N + 1)(N + 2) pairs of rows, all with the same
 * products y·Ψ_k·Ψ_l: those with l ≤ k are made once, and added where they lie side by side. The rest follows by symmetry at the end.
 */
export class InformationSums {
  readonly #parameters: Parameters
  readonly #shape: readonly number[]
  readonly #into: ReturnType<typeof newInformation>
  readonly #sums: Float64Array

  constructor(data: Pick<Counts, 'shape'>, parameters: Parameters) {
    this.#parameters = parameters
    this.#shape = data.shape
    this.#into = newInformation(data, parameters)
    const { rank, rows } = this.#into
    this.#sums = new Float64Array((rows * (rows + 1) * rank * (rank + 1)) / 4)
  }

  /** Adds cells, in the order given where there is one. */
  *add(indices: readonly Int32Array[], values: Float64Array, order?: Uint32Array): Interruptible<void> {
    const [parameters, shape, into, sums] = [this.#parameters, this.#shape, this.#into, this.#sums]
    const { rank } = into
    const half = (rank * (rank + 1)) / 2
    const posterior = new Float64Array(rank)
    const products = new Float64Array(half)
    const has = new Int32Array(shape.length + 1)
    const step = half * (shape.length + 1) * (shape.length + 2)
    for (let i = 0; i < values.length; i++) {
      if (i % STEP_CELLS === STEP_CELLS - 1) yield STEP_CELLS * step
      const cell = order === undefined ? i : order[i]
      const y = values[cell]
      if (y === 0) continue
      classWeights(parameters, indices, cell, posterior)
      let p = 0
      for (let k = 0; k < rank; k++) p += posterior[k]
      if (p === 0) {
        into.impossible += y
        continue
      }
      for (let k = 0, t = 0; k < rank; k++) {
        for (let l = 0; l <= k; l++) products[t++] = y * (posterior[k] / p) * (posterior[l] / p)
      }
      let count = 1
      let offset = 1
      for (let n = 0; n < shape.length; n++) {
        const index = indices[n][cell]
        if (index !== MISSING) has[count++] = offset + index
        offset += shape[n]
      }
      for (let i = 0; i < count; i++) {
        const row = (has[i] * (has[i] + 1)) / 2
        for (let j = 0; j <= i; j++) {
          const at = (row + has[j]) * half
          for (let t = 0; t < half; t++) sums[at + t] += products[t]
        }
      }
    }
  }

  /** The information of all cells that were added. */
  finish(): Information {
    spread(this.#sums, this.#into)
    return this.#into
  }
}

/** Writes every sum to the four places it stands for. */
const spread = (sums: Float64Array, { rank, rows, outer }: Information): void => {
  const size = rows * rank
  let at = 0
  for (let a = 0; a < rows; a++) {
    for (let b = 0; b <= a; b++) {
      for (let k = 0; k < rank; k++) {
        for (let l = 0; l <= k; l++) {
          const sum = sums[at++]
          outer[(a * rank + k) * size + b * rank + l] = sum
          outer[(a * rank + l) * size + b * rank + k] = sum
          outer[(b * rank + k) * size + a * rank + l] = sum
          outer[(b * rank + l) * size + a * rank + k] = sum
        }
      }
    }
  }
}
