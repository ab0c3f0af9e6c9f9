import { atOnce, type Interruptible } from '../../numeric/interruptible.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { type Column, type ColumnShape, joinColumns, type Pair } from './columns.ts'
import { ANY, BLOCK_CELLS, FOUR_BITS, ONES, TWO_BITS } from './context.ts'
import { compactedModes, countLanes, laneBounds } from './lanes.ts'
import { columnOrder, type Depth, orderColumns, rangeOrder, treeDepth } from './order.ts'
import { type Stream, writeStream } from './stream.ts'

/** The table of the root of a flat layout: a single row of ones. */
export const NO_TABLE = -1

/** What all lanes have in common. Plain data: it is sent to workers. */
export interface Plan {
  /** Labels of each mode. */
  readonly shape: readonly number[]
  /** Rows of every table, those of the modes first: one more than labels where the mode has missing entries. */
  readonly tableRows: readonly number[]
  readonly pairs: readonly Pair[]
  /** The table of each column from the root of the tree to the leaves, or `NO_TABLE`. */
  readonly columns: readonly number[]
  /** How many columns make the tree. At least 1. */
  readonly depth: number
  /** For each mode, whether a lane keeps only the rows that occur in it. */
  readonly compacted: readonly boolean[]
  readonly lanes: number
  /** For each mode powers of two that bring the probabilities of its labels near 1: for single precision. */
  readonly scales?: readonly Float64Array[]
}

/** The values of a lane's cells. */
export interface LaneValues {
  readonly values: Float64Array
  /** For every block, what its values are like. */
  readonly kinds: Uint8Array
}

/** A part of the cells with statistics of its own. */
export interface Lane extends Stream, LaneValues {
  readonly number: number
  /** For every compacted mode, the labels its rows stand for, in order. */
  readonly labels: readonly (Uint32Array | undefined)[]
}

/** Which cells of the tensor each lane has, in which order. */
export interface Arrangement {
  /** The cells in the order of the lanes; undefined where it is the tensor's own. */
  readonly order: Uint32Array | undefined
  /** Where each lane begins in that order, and where the last ends. */
  readonly bounds: readonly number[]
}

export interface Layout {
  readonly plan: Plan
  readonly arrangement: Arrangement
  /** Builds one lane: called lane by lane, so that the lanes of all cells never exist twice. */
  lane(number: number): Lane
}

/** How the cells of a tensor are laid out: chosen by the data alone, so that every machine adds in the same order. */
export const layOut = (tensor: Tensor): Layout => atOnce(layoutSteps(tensor))

/** About how many nanoseconds a look at a cell takes. */
const LOOK = 10

/** The same in steps. */
export function* layoutSteps(tensor: Tensor): Interruptible<Layout> {
  const { shape, cells, values } = tensor
  const { columns: unordered, pairs } = joinColumns(tensor)
  yield LOOK * cells
  const columns = orderColumns(unordered)
  const sorted = yield* columnOrder(columns)
  const tree = treeDepth(columns, sorted)
  yield LOOK * cells
  const order = rangeOrder(columns, sorted, tree) ?? sorted
  yield LOOK * cells
  const given = planOf(tensor, columns, pairs, tree)
  const bounds = laneBounds(cells, given.lanes)
  const compacted = compactedModes(shape.length, columns, order, bounds)
  const plan: Plan = { ...given, compacted, scales: scalesOf(tensor) }
  const arrangement = { order, bounds }
  return { plan, arrangement, lane: number => buildLane(plan, columns, arrangement, values, number) }
}

/** One over the part of the data that each label has, as the nearest power of two; 0 for a label without data. */
export const scalesOf = ({ marginals, total }: Counts): Float64Array[] =>
  marginals.map(counts => counts.map(count => (count > 0 ? 2 ** Math.round(log(total / count) / Math.LN2) : 0)))

/** The plan as far as it is known before it is seen which rows the lanes use. */
export const planOf = (
  { shape, missing, cells }: Pick<Counts, 'shape' | 'missing' | 'cells'>,
  columns: readonly ColumnShape[],
  pairs: readonly Pair[],
  { depth }: Depth,
): Omit<Plan, 'compacted'> => {
  const tableRows = [
    ...shape.map((size, n) => size + (missing[n] ? 1 : 0)),
    ...pairs.map(({ rows }) => rows.length / 2),
  ]
  return {
    shape: [...shape],
    tableRows,
    pairs,
    columns: [...(depth === 0 ? [NO_TABLE] : []), ...columns.map(column => column.table)],
    depth: Math.max(1, depth),
    lanes: countLanes(cells, columns, tableRows),
  }
}

const buildLane = (
  plan: Plan,
  columns: readonly Column[],
  arrangement: Arrangement,
  values: Float64Array,
  number: number,
): Lane => {
  const { order, bounds } = arrangement
  const from = bounds[number]
  const size = bounds[number + 1] - from
  const labels: (Uint32Array | undefined)[] = plan.shape.map(() => undefined)
  const rows = columns.map(({ table, rows, index }) => {
    const own = new Uint32Array(size)
    for (let i = 0; i < size; i++) {
      const row = index[order === undefined ? from + i : order[from + i]]
      own[i] = row === MISSING ? rows - 1 : row
    }
    if (table < plan.shape.length && plan.compacted[table]) labels[table] = renumber(own, rows)
    return own
  })
  if (plan.columns[0] === NO_TABLE) rows.unshift(new Uint32Array(size))
  return { number, labels, ...laneValues(arrangement, values, number), ...writeStream(rows, plan.depth) }
}

/** The values of a lane, out of those of all cells in the tensor's order. */
export const laneValues = ({ order, bounds }: Arrangement, values: Float64Array, number: number): LaneValues => {
  const from = bounds[number]
  const own = values.slice(from, bounds[number + 1])
  if (order !== undefined) for (let i = 0; i < own.length; i++) own[i] = values[order[from + i]]
  return { values: own, kinds: blockKinds(own) }
}

/** What the values of each block are like. */
export const blockKinds = (values: Float64Array): Uint8Array =>
  Uint8Array.from({ length: Math.ceil(values.length / BLOCK_CELLS) }, (_, block) => {
    const end = Math.min(values.length, (block + 1) * BLOCK_CELLS)
    const size = end - block * BLOCK_CELLS
    let [others, fours, large, whole] = [0, 0, 0, true]
    for (let i = block * BLOCK_CELLS; i < end; i++) {
      const value = values[i]
      if (value !== 1) others++
      if (value >= 4) fours++
      if (value >= 16) large++
      whole &&= Number.isInteger(value) && value < 2 ** 51
    }
    if (8 * others <= size) return ONES
    if (whole && 8 * fours <= size) return TWO_BITS
    return whole && 8 * large <= size ? FOUR_BITS : ANY
  })

/** Replaces rows by their position among the rows that occur, and returns the rows that do. */
const renumber = (own: Uint32Array, rows: number): Uint32Array => {
  const position = new Uint32Array(rows)
  for (let i = 0; i < own.length; i++) position[own[i]] = 1
  let count = 0
  for (let row = 0; row < rows; row++) if (position[row] === 1) position[row] = ++count
  const labels = new Uint32Array(count)
  for (let row = 0; row < rows; row++) if (position[row] !== 0) labels[position[row] - 1] = row
  for (let i = 0; i < own.length; i++) own[i] = position[own[i]] - 1
  return labels
}
