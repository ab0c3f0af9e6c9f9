import { DataError, type Label, type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import { cellPositions, type RowWeights, tensorOfOrdered } from '@polyad/core/model'
import { isOrdered } from '../values/label-order.ts'
import { mergeRare } from '../values/labels.ts'
import type { Counted, ModePlan } from './view.ts'

/** What sampling weights are multiplied by, so that they sum to the rows that weigh something. @param values the sums of equal weights */
export const scaleOf = (values: Float64Array, weighed: number): { readonly sum: number; readonly scale: number } => {
  // Added up by size, for the cells come in any order.
  const sum = Float64Array.from(values)
    .sort()
    .reduce((total, value) => total + value, 0)
  const scale = sum > 0 ? weighed / sum : 1
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY))
    throw new DataError(
      `the weights sum to ${sum}, which cannot be scaled: ${scale > 0 ? 'multiply' : 'divide'} them all by a constant`,
    )
  return { sum, scale }
}

/**
 * The tensor of counted cells, with rare labels merged, and for each mode how many those were. Sampling weights are divided by their
 * mean, so that they sum to the rows that weigh something and nothing depends on their scale; also the tensor of their squares, of the
 * same cells, the rows by their weights, and what these were multiplied by.
 */
export const tensorOfCells = (
  { labels, indices, values, weights, weighed, ordered }: Counted,
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
  const options = {
    shape: kept.map(each => each.labels.length),
    modes: modes.map((mode, n) => modeOptions(mode, labels[n], kept[n].labels)),
  }
  if (ordered === true && weights === undefined && kept.every(({ merged }) => merged === 0)) {
    const tensor = tensorOfOrdered(options.modes, indices, values)
    const merged = kept.map(() => 0)
    return { tensor, squares: undefined, rowWeights: undefined, population: 0, merged, scale: 1 }
  }
  const { sum, scale } = weights === undefined ? { sum: 0, scale: 1 } : scaleOf(values, weighed)
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
  const rowWeights =
    weights && rowsOf(cellPositions(tensor, kept.map(each => each.indices)), weights, scaled, scale) // biome-ignore format: one call
  return { tensor, squares, rowWeights, population: sum, merged: kept.map(({ merged }) => merged), scale }
}

/** The rows that weigh something, in the order of their cells and weights, whatever the order of the table. */
const rowsOf = (positions: Int32Array, weights: Float64Array, scaled: Float64Array, scale: number): RowWeights => {
  const groups = Uint32Array.from(weights.keys())
    .filter(group => scaled[group] > 0)
    .sort((a, b) => positions[a] - positions[b] || weights[a] - weights[b] || scaled[a] - scaled[b])
  return {
    cells: Int32Array.from(groups, group => positions[group]),
    weights: Float64Array.from(groups, group => weights[group] * scale),
    counts: Float64Array.from(groups, group => Math.round(scaled[group] / (weights[group] * scale))),
  }
}

/** A mode of the tensor. @param kept of its labels those that were not merged */
export const modeOptions = (
  mode: ModePlan,
  labels: readonly Label[],
  kept: readonly Label[],
): ModeOptions & { readonly labels: readonly Label[] } => ({
  name: mode.column.name,
  labels: kept,
  ordered: isOrdered(mode, labels),
})
