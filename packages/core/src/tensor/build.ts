import { DataError } from '../errors.ts'
import { sortedOrder } from '../numeric/radix-sort.ts'
import { CellTensor, checkTotal, sum } from './cell-tensor.ts'
import type { Mode, ModeOptions } from './mode.ts'
import { arePackable, sortPacked, unpackCells } from './pack-cells.ts'
import { type LabelList, modeWithLabels } from './packed-labels.ts'
import type { Tensor } from './tensor.ts'
import { checkNames } from './values.ts'

/**
 * A tensor from checked columns of indices and checked values, in any order, with duplicates and zeros: sorts the
 * cells, adds up the duplicates, drops the zeros. The arrays given are not changed, but may be kept.
 */
export const buildTensor = (modes: readonly Mode[], indices: readonly Int32Array[], values: Float64Array): Tensor => {
  if (values.length === 0) throw new DataError('there is no data: not a single row or cell')
  const merged = isSorted(indices, values)
    ? { indices, values }
    : arePackable(modes)
      ? mergePacked(modes, indices, values)
      : mergeCells(indices, values, orderOf(modes, indices))
  const total = sum(merged.values)
  if (merged.values.length === 0) throw new DataError(`all ${values.length} values are zero: there is nothing to count`)
  checkTotal(total)
  return new CellTensor(modes, merged.indices, merged.values, total)
}

/**
 * A tensor of cells that are distinct, in order and above zero, as `cellsOfCodes` makes them: nothing is checked, copied or sorted.
 * @example
 * const tensor = tensorOfOrdered([{ name: 'vote', labels: ['no', 'yes'] }], [Int32Array.of(0, 1)], Float64Array.of(3, 1))
 * tensor.total // 4
 */
export const tensorOfOrdered = (
  named: readonly (Pick<ModeOptions, 'name' | 'ordered'> & { readonly labels: LabelList })[],
  indices: readonly Int32Array[],
  values: Float64Array,
): Tensor => {
  const total = sum(values)
  checkTotal(total)
  const modes = named.map(({ name, labels, ordered }) => modeWithLabels(name, labels, ordered))
  checkNames(modes)
  return new CellTensor(modes, indices, values, total)
}

const orderOf = (modes: readonly Mode[], indices: readonly Int32Array[]): Uint32Array =>
  sortedOrder(indices.map((index, n) => ({ index, size: modes[n].size })))

/** Whether the cells are distinct, in order and free of zeros already, as files written by programs mostly are. */
const isSorted = (indices: readonly Int32Array[], values: Float64Array): boolean => {
  if (values.includes(0)) return false
  for (let cell = 1; cell < values.length; cell++) if (compare(indices, cell - 1, cell) >= 0) return false
  return true
}

const compare = (indices: readonly Int32Array[], a: number, b: number): number => {
  for (let n = 0; n < indices.length; n++) {
    const difference = indices[n][a] - indices[n][b]
    if (difference !== 0) return difference
  }
  return 0
}

/** Sorts and merges cells whose indices fit into one number together: nearly all there are. */
const mergePacked = (modes: readonly Mode[], indices: readonly Int32Array[], values: Float64Array) => {
  const sorted = sortPacked(modes, indices, values)
  const { high, low } = sorted
  let cells = 0
  for (let from = 0, to = 0; from < values.length; from = to) {
    for (to = from + 1; to < values.length && low[to] === low[from] && high[to] === high[from]; ) to++
    const value = to === from + 1 ? sorted.values[from] : groupSum(sorted.values.subarray(from, to))
    if (value === 0) continue
    high[cells] = high[from]
    low[cells] = low[from]
    sorted.values[cells++] = value
  }
  return { indices: unpackCells(modes, sorted, cells), values: sorted.values.slice(0, cells) }
}

export const mergeCells = (indices: readonly Int32Array[], values: Float64Array, order: Uint32Array) => {
  const firsts = new Uint32Array(order.length)
  const merged = new Float64Array(order.length)
  let cells = 0
  for (let from = 0, to = 0; from < order.length; from = to) {
    for (to = from + 1; to < order.length && compare(indices, order[from], order[to]) === 0; ) to++
    const value =
      to === from + 1
        ? values[order[from]]
        : groupSum(Float64Array.from(order.subarray(from, to), position => values[position]))
    if (value === 0) continue
    firsts[cells] = order[from]
    merged[cells++] = value
  }
  const gather = (column: Int32Array) => {
    const result = new Int32Array(cells)
    for (let cell = 0; cell < cells; cell++) result[cell] = column[firsts[cell]]
    return result
  }
  return { indices: indices.map(gather), values: merged.slice(0, cells) }
}

/** The sum of a cell's values, to the same bits in whatever order they came: real values are added by size. */
const groupSum = (group: Float64Array): number => {
  let total = 0
  let whole = true
  for (const value of group) {
    total += value
    whole &&= Number.isInteger(value)
  }
  if (group.length < 3 || (whole && total <= Number.MAX_SAFE_INTEGER)) return total
  return sum(group.slice().sort())
}
