import { binomial, LEAST_MEAN } from '../numeric/binomial.ts'
import { random } from '../numeric/philox.ts'
import { wholeNumber } from '../options.ts'
import { buildTensor } from './build.ts'
import type { Tensor } from './tensor.ts'

/** Up to this many counts of a cell are dealt one by one; more are split by binomial draws, in a time that does not depend on their number. */
const ONE_BY_ONE = 10_000

/**
 * Splits the data into folds at random: every single count of every cell falls into one of them, each with the same chance. What is
 * not a whole count (the fraction of a real value) goes into one fold as it is. Gives the values of each fold for the cells of the tensor,
 * zeros among them; a fold that has no data, or all of it, is left out.
 */
export const foldValues = (tensor: Tensor, folds: number, seed: number): Float64Array[] => {
  const source = random(seed, 'fold')
  const parts = Array.from({ length: folds }, () => new Float64Array(tensor.cells))
  for (let cell = 0; cell < tensor.cells; cell++) {
    const value = tensor.values[cell]
    let left = Math.floor(value)
    parts[source.below(folds)][cell] += value - left
    // The first fold has its share of all, the second of what that leaves, and so on; the last has the rest.
    let from = 0
    if (left > ONE_BY_ONE) {
      for (; from < folds - 1 && left >= LEAST_MEAN * (folds - from); from++) {
        const own = binomial(left, 1 / (folds - from), source)
        parts[from][cell] += own
        left -= own
      }
      if (from === folds - 1) {
        parts[from][cell] += left
        left = 0
      }
    }
    for (; left > 0; left--) parts[from + source.below(folds - from)][cell]++
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
