import type { Parameters } from '../../model/parameters.ts'
import type { Arena } from './arena.ts'
import * as C from './context.ts'
import { type Part, planMerges } from './lane-sums.ts'
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
import type { Plan } from './layout.ts'
import type { MeasureKernel } from './module.ts'
import type { ChunkReader } from './stored-lane.ts'

/** A lane whose cells lie in an arena. */
export interface PlacedLane {
  readonly number: number
  readonly labels: readonly (Uint32Array | undefined)[]
  /** Where its context lies, by which the kernels find everything. */
  readonly context: number
  /** How many blocks of it lie in the memory, or chunks in a file: those are read, one after the other, when they are worked on. */
  readonly blocks: number
  readonly chunks: number
}

/** Work in steps: what a step yields is to be waited for, and between steps the work may be given up. */
export type PausablePass = Generator<Promise<void> | undefined, void>

/** Blocks done in one call: few enough that a call never runs long in code that is not yet optimized. */
export const CALL_BLOCKS = 16

/** Receives the statistics of a compacted mode of a lane: one padded row for each label. The table is valid during the call. */
export type CompactedSink = (mode: number, labels: Uint32Array, table: Float64Array) => void

/** Receives the measures of a lane: Σ y²/m, an unused number, and the padded table of assigned classes. Valid during the call. */
export type MeasureSink = (lane: number, numbers: Float64Array) => void

/** The pass of one rank over the lanes of one memory. */
export interface LanePass {
  readonly rank: number
  readonly shape: RecordShape
  readonly lanes: readonly PlacedLane[]
  /** The memory that holds the results. */
  readonly memory: Float64Array
  /** The sums of lanes that `run` leaves: which lanes, and where in the memory their record lies. */
  readonly parts: readonly Part[]
  run(parameters: Parameters, compacted: CompactedSink): void
  measure(parameters: Parameters, sink: MeasureSink): void
  /** Whether some of the lanes are in a file: then it has to be done in steps. */
  readonly waits: boolean
  /** The same in steps, of a call of the kernels each. */
  readonly steps: {
    run(parameters: Parameters, compacted: CompactedSink): PausablePass
    measure(parameters: Parameters, sink: MeasureSink): PausablePass
  }
}

/** How many numbers the measures of a lane take. */
export const measureLength = (padded: number): number => 2 + padded * padded

export const newLanePass = (
  arena: Arena,
  plan: Plan,
  rank: number,
  fixedRanks: number,
  lanes: readonly PlacedLane[],
  reader?: ChunkReader,
): LanePass => {
  const padded = paddedRank(rank, fixedRanks)
  const row = 8 * padded
  const shape = recordShape(plan, padded)
  const kernel = arena.kernel(kernelName(padded, plan.columns.length - plan.depth, fixedRanks))
  // Looked up when it is needed: its module may be loaded later.
  const measureKernel: MeasureKernel = (...given) =>
    arena.measureKernel(padded <= fixedRanks ? `measure${padded}` : 'measureAny')(...given)
  const merges = planMerges(lanes.map(lane => lane.number))

  const means = arena.take(8 * C.BLOCK_CELLS)
  const products = arena.take((plan.depth + 1) * row)
  const masses = arena.take((plan.depth + 1) * row)
  const marks = arena.take(4 * plan.depth)
  const scratch = arena.take(row)
  const exponents = arena.take(row)
  const tables = takeTables(arena, plan, row, mostRows(plan, lanes))
  const records = Array.from({ length: merges.slots }, () => arena.take(8 * shape.length))
  const length = measureLength(padded)
  const measures = arena.take(8 * length)
  arena.commit()
  fillTables(arena, plan, row, tables)
  const { f64, u32, kernels } = arena
  lanes.forEach(({ context }, i) => {
    const fields = [
      [C.MEANS, means],
      [C.PRODUCTS, products],
      [C.MASSES, masses],
      [C.MARKS, marks],
      [C.ROW, row],
      [C.SCRATCH, scratch],
      [C.EXPONENTS, exponents],
      [C.TABLES, tables.directory],
      [C.TABLE_OF_COLUMN, tables.columns],
    ] as const
    for (const [field, value] of fields) u32[(context + field) / 4] = value
    u32.set(columnPointers(plan, tables, records[merges.steps[i].slot], shape), (context + C.COLUMNS) / 4)
  })

  const putParameters = ({ shares, factors }: Parameters): void => {
    f64.fill(0, products / 8, products / 8 + padded)
    f64.set(shares, products / 8)
    putFactors(arena, plan, tables, rank, padded, factors)
  }
  /** Puts the rows of a lane's compacted modes where the kernels look for them. */
  const putCompacted = (labels: PlacedLane['labels'], factors: Parameters['factors']): void => {
    for (let n = 0; n < labels.length; n++) {
      const own = labels[n]
      if (own !== undefined) gatherRows(factors[n], own, f64, tables.factors[n] / 8, rank, padded)
    }
  }

  const beginLane = (i: number, factors: Parameters['factors']): void => {
    putCompacted(lanes[i].labels, factors)
    kernels.zero(masses, row)
    kernels.zero(tables.clear, tables.clearBytes)
    kernels.zero(records[merges.steps[i].slot], 8 * shape.length)
  }
  /** Blocks of a lane, in their order; adds to the log-likelihood of those before. */
  const runBlocks = (context: number, blocks: number, before: number): number => {
    let logLikelihood = before
    for (let block = 0; block < blocks; block += CALL_BLOCKS) {
      logLikelihood += kernel(context, block, Math.min(CALL_BLOCKS, blocks - block))
    }
    return logLikelihood
  }
  function* blockSteps(context: number, blocks: number, before: number): Generator<undefined, number> {
    let logLikelihood = before
    for (let block = 0; block < blocks; block += CALL_BLOCKS) {
      logLikelihood += kernel(context, block, Math.min(CALL_BLOCKS, blocks - block))
      yield
    }
    return logLikelihood
  }
  const endLane = (i: number, logLikelihood: number, compacted: CompactedSink): void => {
    const { labels } = lanes[i]
    const { slot, adds } = merges.steps[i]
    const record = records[slot]
    splitStatistics(arena, plan, tables, record, shape)
    kernels.add(record, masses, row)
    f64[record / 8 + shape.logLikelihood] = logLikelihood
    for (let n = 0; n < labels.length; n++) {
      const own = labels[n]
      if (own === undefined) continue
      const at = tables.statistics[n] / 8
      compacted(n, own, f64.subarray(at, at + own.length * padded))
    }
    for (const [target, source] of adds) kernels.add(records[target], records[source], 8 * shape.length)
  }

  const beginMeasure = (i: number, factors: Parameters['factors']): void => {
    putCompacted(lanes[i].labels, factors)
    kernels.zero(measures, 8 * length)
  }
  const measureBlocks = (context: number, blocks: number): void => {
    for (let block = 0; block < blocks; block += CALL_BLOCKS) {
      measureKernel(context, block, Math.min(CALL_BLOCKS, blocks - block), measures)
    }
  }
  function* measureBlockSteps(context: number, blocks: number): Generator<undefined, void> {
    for (let block = 0; block < blocks; block += CALL_BLOCKS) {
      measureKernel(context, block, Math.min(CALL_BLOCKS, blocks - block), measures)
      yield
    }
  }
  const endMeasure = (i: number, sink: MeasureSink): void =>
    sink(lanes[i].number, f64.subarray(measures / 8, measures / 8 + length))

  return {
    rank,
    shape,
    lanes,
    memory: f64,
    parts: merges.parts.map(({ first, count, slot }) => ({ first, count, at: records[slot] / 8 })),
    run(parameters, compacted) {
      putParameters(parameters)
      for (let i = 0; i < lanes.length; i++) {
        beginLane(i, parameters.factors)
        endLane(i, runBlocks(lanes[i].context, lanes[i].blocks, 0), compacted)
      }
    },
    measure(parameters, sink) {
      putParameters(parameters)
      for (let i = 0; i < lanes.length; i++) {
        beginMeasure(i, parameters.factors)
        measureBlocks(lanes[i].context, lanes[i].blocks)
        endMeasure(i, sink)
      }
    },
    waits: reader !== undefined,
    steps: {
      *run(parameters: Parameters, compacted: CompactedSink): PausablePass {
        if (reader !== undefined) yield* reader.begin()
        putParameters(parameters)
        for (const [i, { context, blocks, chunks }] of lanes.entries()) {
          beginLane(i, parameters.factors)
          let logLikelihood = yield* blockSteps(context, blocks, 0)
          for (let c = 0; c < chunks; c++) {
            logLikelihood = yield* blockSteps(context, yield* reader!.next(context), logLikelihood)
          }
          endLane(i, logLikelihood, compacted)
        }
      },
      *measure(parameters: Parameters, sink: MeasureSink): PausablePass {
        if (reader !== undefined) yield* reader.begin()
        putParameters(parameters)
        for (const [i, { context, blocks, chunks }] of lanes.entries()) {
          beginMeasure(i, parameters.factors)
          yield* measureBlockSteps(context, blocks)
          for (let c = 0; c < chunks; c++) yield* measureBlockSteps(context, yield* reader!.next(context))
          endMeasure(i, sink)
        }
      },
    },
  }
}

const kernelName = (padded: number, suffix: number, fixedRanks: number): string => {
  const ranks = padded <= fixedRanks ? `rank${padded}` : padded % 8 === 0 ? 'tiled8' : 'tiled4'
  return `${ranks}_${suffix <= 2 ? suffix : 'any'}`
}

/** For each mode, the largest number of rows that a lane has of it where it is compacted. */
export const mostRows = (plan: Plan, lanes: readonly PlacedLane[]): number[] =>
  plan.shape.map((_, n) => lanes.reduce((most, lane) => Math.max(most, lane.labels[n]?.length ?? 0), 0))

/** Copies the rows of some labels of a factor, four numbers at a time; a label past its end is the missing one, a row of ones. */
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
  // Rows are far apart in memory: with fewer instructions for each, the processor waits for more of them at the same time.
  const fours = rank - (rank % 4)
  for (let row = 0, to = start; row < labels.length; row++, to += padded) {
    const from = labels[row] * rank
    let k = 0
    if (from >= factor.length) {
      target.fill(1, to, to + rank)
      k = rank
    }
    for (; k < fours; k += 4) {
      const a = factor[from + k]
      const b = factor[from + k + 1]
      const c = factor[from + k + 2]
      const d = factor[from + k + 3]
      target[to + k] = a
      target[to + k + 1] = b
      target[to + k + 2] = c
      target[to + k + 3] = d
    }
    for (; k < rank; k++) target[to + k] = factor[from + k]
    for (; k < padded; k++) target[to + k] = 0
  }
}
