import { DataError, type Label, type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import { mergeRare } from '../values/labels.ts'
import type { Counted, ModePlan } from './view.ts'

/**
 * The tensor of counted cells, with rare labels merged, and for each mode how many those were. Sampling weights are divided by their
 * mean, so that they sum to the rows that weigh something and nothing depends on their scale; also the tensor of their squares, of the
 * same cells, and what they were multiplied by.
 */
export const tensorOfCells = (
  { labels, indices, values, weights, weighed }: Counted,
  modes: readonly ModePlan[],
): { tensor: Tensor; squares: Tensor | undefined; merged: readonly number[]; scale: number } => {
  const kept = modes.map(({ top }, n) => mergeRare(indices[n], values, labels[n], top))
  const options = {
    shape: kept.map(each => each.labels.length),
    modes: modes.map((mode, n) => modeOptions(mode, labels[n], kept[n].labels)),
  }
  // Added up by size, for the cells come in any order.
  const sum =
    weights === undefined
      ? 0
      : Float64Array.from(values)
          .sort()
          .reduce((total, value) => total + value, 0)
  const scale = sum > 0 ? weighed / sum : 1
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY))
    throw new DataError(
      `the weights sum to ${sum}, which cannot be scaled: ${scale > 0 ? 'multiply' : 'divide'} them all by a constant`,
    )
  const of = (sums: Float64Array) =>
    tensorFromColumns(
      kept.map(each => each.indices),
      sums,
      options,
    )
  const scaled = scale === 1 ? values : values.map(value => value * scale)
  const tensor = of(scaled)
  // Scaled first, for the squares of tiny weights are zero.
  const squares = weights && of(scaled.map((value, cell) => value * (weights[cell] * scale)))
  if (squares !== undefined && squares.cells !== tensor.cells)
    throw new DataError(
      'some weights are so small compared with the others that their squares are zero: set those weights to 0',
    )
  return { tensor, squares, merged: kept.map(({ merged }) => merged), scale }
}

/** A mode of the tensor. @param kept of its labels those that were not merged */
export const modeOptions = (
  { column, binning }: ModePlan,
  labels: readonly Label[],
  kept: readonly Label[],
): ModeOptions => ({
  name: column.name,
  labels: kept,
  ordered: binning !== undefined || column.ordered === true || labels.every(label => typeof label === 'number'),
})
