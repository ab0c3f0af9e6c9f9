import { DataError, type Label, type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import { mergeRare } from './labels.ts'
import type { Counted, ModePlan } from './view.ts'

/**
 * The tensor of counted cells, with rare labels merged, and for each mode how many those were. Of sampling weights also the tensor of their
 * squares, of the same cells; they may be rescaled to sum to the rows that weigh something.
 */
export const tensorOfCells = (
  { labels, indices, values, squares, weighed }: Counted,
  modes: readonly ModePlan[],
  rescale = false,
): { tensor: Tensor; squares: Tensor | undefined; merged: readonly number[] } => {
  const kept = modes.map(({ top }, n) => mergeRare(indices[n], values, labels[n], top))
  const options = {
    shape: kept.map(each => each.labels.length),
    modes: modes.map((mode, n) => modeOptions(mode, labels[n], kept[n].labels)),
  }
  // Added up by size, for the cells come in any order.
  const scale = rescale
    ? weighed /
      Float64Array.from(values)
        .sort()
        .reduce((sum, value) => sum + value, 0)
    : 1
  const of = (sums: Float64Array, times: number) =>
    tensorFromColumns(
      kept.map(each => each.indices),
      times === 1 ? sums : sums.map(value => value * times),
      options,
    )
  const tensor = of(values, scale)
  const squared = squares === undefined ? undefined : of(squares, scale * scale)
  if (squared !== undefined && squared.cells !== tensor.cells)
    throw new DataError('some weights are so small that their squares are zero: multiply them all by a constant')
  return { tensor, squares: squared, merged: kept.map(({ merged }) => merged) }
}

/** A mode of the tensor. @param kept of its labels those that were not merged */
export const modeOptions = (
  { column, binning }: ModePlan,
  labels: readonly Label[],
  kept: readonly Label[],
): ModeOptions => ({
  name: column.name,
  labels: kept,
  ordered: binning !== undefined || labels.every(label => typeof label === 'number'),
})
