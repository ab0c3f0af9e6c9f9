import { classWeights } from '../class-weights.ts'
import type { Parameters } from '../parameters.ts'

/** P[row | class] of every cell, as `weights[cell * rank + k] · 2^exponents[cell]`. */
export interface Emission {
  readonly weights: Float64Array
  readonly exponents: Int32Array
}

export const newEmission = (cells: number, rank: number): Emission => ({
  weights: new Float64Array(cells * rank),
  exponents: new Int32Array(cells),
})

/** Computes P[row | class] of every cell by the factors of its modes. */
export const emit = (
  { rank, factors }: Omit<Parameters, 'shares'>,
  indices: readonly Int32Array[],
  into: Emission,
): void => {
  const { weights, exponents } = into
  const parameters = { rank, shares: new Float64Array(rank).fill(1), factors }
  for (let cell = 0; cell < exponents.length; cell++)
    exponents[cell] = classWeights(parameters, indices, cell, weights.subarray(cell * rank, (cell + 1) * rank))
}
