import { random } from '../numeric/philox.ts'
import { buildTensor } from './build.ts'
import type { Tensor } from './tensor.ts'

/** Above this many, a cell's counts are split by their expected shares with a random remainder, not one by one. */
const ONE_BY_ONE = 10_000

export interface Fold {
  /** All but this fold. */
  readonly training: Tensor
  readonly test: Tensor
}

/**
 * Splits the data into folds: every single count of every cell is put into one at random. What is not a whole count
 * (the fraction of a real value) goes into one fold as it is. Folds without any data are left out.
 */
export const splitFolds = (tensor: Tensor, folds: number, seed: number): Fold[] => {
  const { below } = random(seed, 'fold')
  const parts = Array.from({ length: folds }, () => new Float64Array(tensor.cells))
  for (let cell = 0; cell < tensor.cells; cell++) {
    const value = tensor.values[cell]
    let whole = Math.floor(value)
    parts[below(folds)][cell] += value - whole
    if (whole > ONE_BY_ONE) {
      const each = Math.floor(whole / folds)
      for (const part of parts) part[cell] += each
      whole -= each * folds
      // Beyond 2⁵³ the remainder is rounding, and may be anything.
      if (!(whole >= 0 && whole <= ONE_BY_ONE)) whole = 0
    }
    for (let i = 0; i < whole; i++) parts[below(folds)][cell]++
  }
  return parts.flatMap(test => {
    const rest = tensor.values.map((value, cell) => Math.max(0, value - test[cell]))
    if (!test.some(value => value > 0) || !rest.some(value => value > 0)) return []
    return [{ training: withValues(tensor, rest), test: withValues(tensor, test) }]
  })
}

const withValues = (tensor: Tensor, values: Float64Array): Tensor => buildTensor(tensor.modes, tensor.indices, values)
