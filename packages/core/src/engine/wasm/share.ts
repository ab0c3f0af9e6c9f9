import type { Arena } from './arena.ts'
import * as C from './context.ts'
import { FIXED_RANKS } from './generated/kernels.ts'
import {
  columnPointers,
  fillTables,
  paddedRank,
  putFactors,
  type RecordShape,
  recordShape,
  splitStatistics,
  takeTables,
} from './lane-tables.ts'
import type { Lane, Plan } from './layout.ts'
import { type Part, planMerges } from './merge.ts'

/** Blocks done in one call: short enough that a call never runs long in code that is not yet optimized. */
const CALL_BLOCKS = 16

/** Told of the statistics of a listed mode of a lane: one padded row for each label. The table is valid during the call. */
export type ListedSink = (lane: number, mode: number, labels: Uint32Array, table: Float64Array) => void

/** Some lanes in one WebAssembly memory, and the pass over them. */
export interface Share {
  readonly arena: Arena
  readonly shape: RecordShape
  /** The sums of lanes that `run` leaves: which lanes, and where in `arena.f64` their record lies. */
  readonly parts: readonly Part[]
  /** The lanes in their order, with the labels of their listed modes. */
  readonly lanes: readonly PlacedLane[]
  run(weights: Float64Array, factors: readonly Float64Array[], listed: ListedSink): void
}

/** A lane whose cells lie in an arena. */
export interface PlacedLane {
  readonly number: number
  readonly labels: readonly (Uint32Array | undefined)[]
  readonly blocks: number
  readonly context: number
}

/** Copies a lane's cells into the arena. */
export const placeLane = (arena: Arena, plan: Plan, lane: Lane): PlacedLane => {
  const { words, starts, values, kinds, labels, number } = lane
  const context = arena.take(C.COLUMNS + 8 * (plan.columns.length + 1))
  const at = {
    // Room for one more: a block of odd length is read in pairs.
    values: arena.take(values.byteLength + 8),
    words: arena.take(words.byteLength),
    starts: arena.take(starts.byteLength),
    kinds: arena.take(kinds.byteLength),
  }
  arena.commit()
  arena.f64.set(values, at.values / 8)
  arena.u32.set(words, at.words / 4)
  arena.u32.set(starts, at.starts / 4)
  arena.u8.set(kinds, at.kinds)
  arena.f64[(context + C.TINY) / 8] = plan.tiny
  write(arena, context, [
    [C.DEPTH, plan.depth],
    [C.SUFFIX, plan.columns.length - plan.depth],
    [C.BLOCKS, at.starts],
    [C.WORDS, at.words],
    [C.VALUES, at.values],
    [C.KINDS, at.kinds],
    [C.CELLS, values.length],
  ])
  return { number, labels, blocks: starts.length, context }
}

const write = (arena: Arena, context: number, fields: readonly (readonly [number, number])[]): void => {
  for (const [field, value] of fields) arena.u32[(context + field) / 4] = value
}

/** Makes a share of lanes whose cells are in the arena already. */
export const newShare = (arena: Arena, plan: Plan, rank: number, lanes: readonly PlacedLane[]): Share => {
  const padded = paddedRank(rank, FIXED_RANKS)
  const row = 8 * padded
  const shape = recordShape(plan, padded)
  const kernel = arena.kernel(kernelName(padded, plan.columns.length - plan.depth))
  const merges = planMerges(lanes.map(lane => lane.number))

  const means = arena.take(8 * C.BLOCK_CELLS)
  const products = arena.take((plan.depth + 1) * row)
  const masses = arena.take((plan.depth + 1) * row)
  const marks = arena.take(4 * plan.depth)
  const scratch = arena.take(row)
  const exponents = arena.take(row)
  const tables = takeTables(arena, plan, row, mostRows(plan, lanes))
  const records = Array.from({ length: merges.slots }, () => arena.take(8 * shape.length))
  arena.commit()
  fillTables(arena, plan, row, tables)
  lanes.forEach(({ context }, i) => {
    write(arena, context, [
      [C.MEANS, means],
      [C.PRODUCTS, products],
      [C.MASSES, masses],
      [C.MARKS, marks],
      [C.ROW, row],
      [C.SCRATCH, scratch],
      [C.EXPONENTS, exponents],
    ])
    arena.u32.set(columnPointers(plan, tables, records[merges.steps[i].slot], shape), (context + C.COLUMNS) / 4)
  })

  const { f64, kernels } = arena
  const run: Share['run'] = (weights, factors, listed) => {
    f64.fill(0, products / 8, products / 8 + padded)
    f64.set(weights, products / 8)
    putFactors(arena, plan, tables, rank, padded, factors)
    for (let i = 0; i < lanes.length; i++) {
      const { number, labels, blocks, context } = lanes[i]
      const { slot, adds } = merges.steps[i]
      const record = records[slot]
      for (let n = 0; n < labels.length; n++) {
        const own = labels[n]
        if (own !== undefined) gatherRows(factors[n], own, f64, tables.factors[n] / 8, rank, padded)
      }
      kernels.zero(masses, row)
      kernels.zero(tables.clear, tables.clearBytes)
      kernels.zero(record, 8 * shape.length)
      let logLikelihood = 0
      for (let block = 0; block < blocks; block += CALL_BLOCKS) {
        logLikelihood += kernel(context, block, Math.min(CALL_BLOCKS, blocks - block))
      }
      splitStatistics(arena, plan, tables, record, shape)
      kernels.add(record, masses, row)
      f64[record / 8 + shape.logLikelihood] = logLikelihood
      for (let n = 0; n < labels.length; n++) {
        const own = labels[n]
        if (own === undefined) continue
        const at = tables.statistics[n] / 8
        listed(number, n, own, f64.subarray(at, at + own.length * padded))
      }
      for (const [target, source] of adds) kernels.add(records[target], records[source], 8 * shape.length)
    }
  }
  const parts = merges.parts.map(({ first, count, slot }) => ({ first, count, at: records[slot] / 8 }))
  return { arena, shape, parts, lanes, run }
}

const kernelName = (padded: number, suffix: number): string => {
  const ranks = padded <= FIXED_RANKS ? `rank${padded}` : padded % 8 === 0 ? 'tiled8' : 'tiled4'
  return `${ranks}_${suffix <= 2 ? suffix : 'any'}`
}

/** For each mode, the most rows a lane lists of it. */
const mostRows = (plan: Plan, lanes: readonly PlacedLane[]): number[] =>
  plan.shape.map((_, n) => lanes.reduce((most, lane) => Math.max(most, lane.labels[n]?.length ?? 0), 0))

/** Copies the rows of some labels of a factor; a label past its end is the missing one, a row of ones. */
const gatherRows = (
  factor: Float64Array,
  labels: Uint32Array,
  target: Float64Array,
  start: number,
  rank: number,
  padded: number,
): void => {
  const first = labels[0]
  const last = labels[labels.length - 1]
  if (padded === rank && last - first === labels.length - 1 && (last + 1) * rank <= factor.length) {
    target.set(factor.subarray(first * rank, (last + 1) * rank), start)
    return
  }
  for (let row = 0, to = start; row < labels.length; row++, to += padded) {
    const from = labels[row] * rank
    if (from < factor.length) for (let k = 0; k < rank; k++) target[to + k] = factor[from + k]
    else target.fill(1, to, to + rank)
    for (let k = rank; k < padded; k++) target[to + k] = 0
  }
}
