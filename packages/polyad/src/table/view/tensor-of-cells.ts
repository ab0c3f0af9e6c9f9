import { type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import {
  cellPositions,
  type LabelList,
  labelArray,
  type RowWeights,
  tensorOfOrdered,
  weighRows,
} from '@polyad/core/model'
import { isOrdered } from '../values/label-order.ts'
import { mergeRare } from '../values/labels.ts'
import type { Counted, ModePlan } from './view.ts'

/**
 * The tensor of counted cells, with rare labels merged, and for each mode how many those were. Sampling weights are divided by their
 * mean, so that they sum to the rows that weigh something and nothing depends on their scale; also the tensor of their squares, of the
 * same cells, the rows by their weights, and what these were multiplied by.
 */
export const tensorOfCells = (
  { labels, indices, values, weights, ordered }: Counted,
  modes: readonly ModePlan[],
): {
  tensor: Tensor
  squares: Tensor | undefined
  rowWeights: RowWeights | undefined
  population: number
  merged: readonly number[]
  scale: number
} => {
  const kept = modes.map(({ top }, n) => mergeRare(indices[n], values, labels[n], top))
  const merged = kept.map(each => each.merged)
  const named = modes.map((mode, n) => modeOptions(mode, labels[n], kept[n].labels))
  const shape = kept.map(each => each.labels.length)
  const columns = kept.map(each => each.indices)
  const fromColumns = (sums: Float64Array): Tensor =>
    tensorFromColumns(columns, sums, {
      shape,
      modes: named.map(mode => ({ ...mode, labels: labelArray(mode.labels) })),
    })
  if (weights !== undefined) {
    const counts = values.map((value, group) => (value > 0 ? Math.round(value / weights[group]) : 0))
    const tensor = fromColumns(counts)
    return { ...weighRows(tensor, rowsOf(cellPositions(tensor, columns), counts, weights)), merged }
  }
  const inOrder = ordered === true && merged.every(some => some === 0)
  const tensor = inOrder ? tensorOfOrdered(named, indices, values) : fromColumns(values)
  return { tensor, squares: undefined, rowWeights: undefined, population: 0, merged, scale: 1 }
}

/** The rows that weigh something, in the order of their cells and weights, whatever the order of the table. */
const rowsOf = (positions: Int32Array, counts: Float64Array, weights: Float64Array): RowWeights => {
  const groups = Uint32Array.from(weights.keys())
    .filter(group => counts[group] > 0)
    .sort((a, b) => positions[a] - positions[b] || weights[a] - weights[b] || counts[a] - counts[b])
  return {
    cells: Int32Array.from(groups, group => positions[group]),
    weights: Float64Array.from(groups, group => weights[group]),
    counts: Float64Array.from(groups, group => counts[group]),
  }
}

/** A mode of the tensor. @param kept of its labels those that were not merged */
export const modeOptions = (
  mode: ModePlan,
  labels: LabelList,
  kept: LabelList,
): Pick<ModeOptions, 'name' | 'ordered'> & { readonly labels: LabelList } => ({
  name: mode.column.name,
  labels: kept,
  ordered: isOrdered(mode, labels),
})
