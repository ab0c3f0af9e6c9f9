import { random } from '../numeric/philox.ts'
import { wholeNumber } from '../options.ts'
import { buildTensor } from './build.ts'
import type { Tensor } from './tensor.ts'

/** Above this many, a cell's counts are split by their expected shares with a random remainder, not one by one. */
const ONE_BY_ONE = 10_000

/**
 * Splits the data into folds: every single count of every cell is put into one at random. What is not a whole count
 * (the fraction of a real value) goes into one fold as it is. Gives the values of each fold for the cells of the tensor,
 * zeros among them; a fold that has no data, or all of it, is left out.
 */
export const foldValues = (tensor: Tensor, folds: number, seed: number): Float64Array[] => {
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
  return parts.filter(part => part.some(value => value > 0) && part.some((value, cell) => tensor.values[cell] > value))
}

/** What is left of the data without a part of it. */
export const withoutFold = ({ values }: Tensor, part: Float64Array): Float64Array =>
  values.map((value, cell) => Math.max(0, value - part[cell]))

export interface Fold {
  /** All but this fold. */
  readonly training: Tensor
  readonly test: Tensor
}

/**
 * The folds as tensors of their own, each without the cells it has no counts in.
 * @example
 * const folds = splitFolds(answers, 5, 1)
 * folds.reduce((sum, { test }) => sum + test.total, 0) // 1000
 */
export const splitFolds = (tensor: Tensor, folds: number, seed: number): Fold[] =>
  foldValues(tensor, wholeNumber('folds', folds, 2, 1000), seed).map(part => ({
    training: buildTensor(tensor.modes, tensor.indices, withoutFold(tensor, part)),
    test: buildTensor(tensor.modes, tensor.indices, part),
  }))
