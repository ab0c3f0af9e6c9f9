import { OptionError, type Tensor } from '@polyad/core'
import { cellPositions, labelArray } from '@polyad/core/model'
import { mention, words } from '@polyad/core/options'
import { type Column, columnNamed, type Inspection } from '../columns/columns.ts'
import { expandNames } from '../columns/named-lists.ts'
import { OTHER } from '../values/labels.ts'
import type { Reading } from '../view/reading.ts'
import { firstFaultError } from '../view/value-fault.ts'
import type { Counted, ModePlan, TableView } from '../view/view.ts'

/** Replicate weights of a sample, as a reader gives them: for every replicate the values of all cells. */
export interface ReadReplicates {
  readonly columns: readonly string[]
  readonly values: readonly Float64Array[]
}

/** The columns that names and patterns such as `rw*` stand for, in the order of the table. */
export const replicateColumns = (seen: Inspection, patterns: readonly string[], view: TableView): readonly Column[] => {
  const found = expandNames(patterns, 'replicateWeights', view).map(name =>
    columnNamed(seen, name, ' of replicate weights', view),
  )
  const columns = seen.columns.filter(column => found.includes(column))
  if (columns.length < 2)
    throw new OptionError(words`${mention('replicateWeights')} must name two or more columns (got ${columns.length})`)
  return columns
}

/**
 * Reads replicate weights: the table is counted once by each, as it was by its weights, so that sums are the same to the last bit wherever they
 * are made. @param scale what the weights were multiplied by
 */
export const readReplicates = async (
  view: TableView,
  columns: readonly Column[],
  modes: readonly ModePlan[],
  reading: Reading,
  tensor: Tensor,
  scale: number,
): Promise<ReadReplicates> => {
  const values: Float64Array[] = []
  for (const column of columns) {
    const { bad } = await view.countFigures(column, reading)
    const rule = (shown: string | null) => `a replicate weight must be a number ≥ 0 (got ${JSON.stringify(shown)})`
    if (bad > 0) throw await firstFaultError(view, [{ column, is: 'no count', rule }], reading)
    const counted = await view.countCells(modes, { column, sampling: true, fractions: true }, reading)
    values.push(sumsOf(counted, tensor, scale))
  }
  return { columns: columns.map(({ name }) => name), values }
}

/** The sums by cells of a tensor. Equal weights come together, and are added up by size. */
const sumsOf = ({ labels, indices, values }: Counted, tensor: Tensor, scale: number): Float64Array => {
  const columns = tensor.modes.map((mode, n) => {
    const place = Int32Array.from(labelArray(labels[n]), label => mode.indexOf(label) ?? mode.indexOf(OTHER) ?? -2)
    return indices[n].map(index => (index < 0 ? index : place[index]))
  })
  const places = cellPositions(tensor, columns)
  const order = Uint32Array.from(values.keys()).sort((a, b) => places[a] - places[b] || values[a] - values[b])
  const sums = new Float64Array(tensor.cells)
  for (const at of order) if (places[at] >= 0) sums[places[at]] += values[at] * scale
  return sums
}
