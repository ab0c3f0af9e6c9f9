import { EngineError } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { Arena } from './arena.ts'
import * as C from './context.ts'
import {
  CALL_BLOCKS,
  type CompactedSink,
  type LanePass,
  mostRows,
  type PausablePass,
  type PlacedLane,
} from './lane-pass.ts'
import { planMerges } from './lane-sums.ts'
import { paddedSingle, recordShape } from './lane-tables.ts'
import { NO_TABLE, type Plan } from './layout.ts'
import type { ChunkReader } from './stored-lane.ts'

/** A table's sums in single precision are added to those in double after this many cells for each of its rows, and at the end of a lane. */
const CELLS_PER_ROW = 64

/**
 * The pass of one rank in single precision over the lanes of one memory. Factors and sums are in single precision; the sums are added to
 * records in double again and again, so that none is of more than some hundred cells. The log-likelihood is not a number if a cell is too
 * improbable for it.
 */
export const newSinglePass = (
  arena: Arena,
  plan: Plan,
  rank: number,
  fixedRanks: number,
  lanes: readonly PlacedLane[],
  reader?: ChunkReader,
): LanePass => {
  const padded = paddedSingle(rank, fixedRanks)
  const row = 4 * padded
  const shape = recordShape(plan, padded)
  const suffix = plan.columns.length - plan.depth
  const ranks = padded <= fixedRanks ? `single${padded}` : padded % 16 === 0 ? 'singleTiled16' : 'singleTiled8'
  const kernel = arena.kernel(`${ranks}_${suffix <= 2 ? suffix : 'any'}`)
  const merges = planMerges(lanes.map(lane => lane.number))
  const modes = plan.shape.length
  const scales = plan.scales!
  const compactedRows = mostRows(plan, lanes)
  const rows = plan.tableRows.map((all, table) => (plan.compacted[table] ? compactedRows[table] : all))

  const means = arena.take(8 * C.BLOCK_CELLS)
  const products = arena.take((plan.depth + 1) * row)
  const marks = arena.take(4 * plan.depth)
  const scratch = arena.take(row)
  const one = arena.take(row)
  const pairs = plan.pairs.map(each => arena.take(each.rows.byteLength))
  const factors = rows.map(count => arena.take(count * row))
  const clear = arena.take(0)
  const masses = arena.take((plan.depth + 1) * row)
  const unread = arena.take(row)
  const sums = rows.map(count => arena.take(count * row))
  const clearEnd = arena.take(0)
  /** In double, for what is not in the record: compacted modes and pairs. */
  const totals = rows.map((count, table) => (table < modes && !plan.compacted[table] ? 0 : arena.take(2 * count * row)))
  const totalsEnd = arena.take(0)
  const records = Array.from({ length: merges.slots }, () => arena.take(8 * shape.length))
  arena.commit()
  const { f64, u32, kernels } = arena
  const f32 = new Float32Array(f64.buffer)
  f32.fill(1, one / 4, one / 4 + padded)
  plan.pairs.forEach((pair, p) => {
    u32.set(pair.rows, pairs[p] / 4)
  })
  plan.shape.forEach((size, n) => {
    if (!plan.compacted[n] && plan.tableRows[n] > size) {
      const at = factors[n] / 4 + size * padded
      f32.fill(1, at, at + padded)
    }
  })
  const columns = plan.columns.flatMap(table => (table === NO_TABLE ? [one, unread] : [factors[table], sums[table]]))
  for (const { context } of lanes) {
    const fields = [
      [C.MEANS, means],
      [C.PRODUCTS, products],
      [C.MASSES, masses],
      [C.MARKS, marks],
      [C.ROW, row],
      [C.SCRATCH, scratch],
    ] as const
    for (const [field, value] of fields) u32[(context + field) / 4] = value
    u32.set(columns, (context + C.COLUMNS) / 4)
  }
  const inRecord = (table: number): boolean => table < modes && !plan.compacted[table]
  const used = [...new Set(plan.columns)].filter(table => table !== NO_TABLE)
  const firstTotal = totals.find(at => at > 0) ?? totalsEnd
  /** Whether the sums in single precision are those of a pass that was not finished. */
  let dirty = true

  /** Writes the factors; false if they are out of the range of single precision. */
  const putParameters = (parameters: Parameters): boolean => {
    f32.fill(0, products / 4, products / 4 + padded)
    f32.set(parameters.shares, products / 4)
    const fine = plan.shape.map(
      (_, n) => plan.compacted[n] || putRows(parameters.factors[n], scales[n], rank, f32, factors[n] / 4, padded),
    )
    plan.pairs.forEach(({ left, right, rows: joined }, p) => {
      kernels.joinSingle(pairs[p], joined.length / 2, factors[left], factors[right], factors[modes + p], row)
    })
    return fine.every(each => each)
  }
  const putCompacted = (parameters: Parameters, { labels }: PlacedLane): boolean =>
    labels
      .map(
        (own, n) =>
          own === undefined || putRows(parameters.factors[n], scales[n], rank, f32, factors[n] / 4, padded, own),
      )
      .every(each => each)

  /** Adds what was summed up to the sums in double: of every table now and then, of all at the end of a lane. */
  const flush = (record: number, calls: number, end: boolean): void => {
    kernels.flush(record, masses, padded)
    for (const table of used) {
      const every = Math.ceil((CELLS_PER_ROW * rows[table]) / (CALL_BLOCKS * C.BLOCK_CELLS))
      if (!end && calls % every !== 0) continue
      const to = inRecord(table) ? record + 8 * shape.tables[table] : totals[table]
      kernels.flush(to, sums[table], rows[table] * padded)
    }
  }
  const endLane = (i: number, logLikelihood: number, compacted: CompactedSink): void => {
    const { slot, adds } = merges.steps[i]
    const record = records[slot]
    for (let p = plan.pairs.length - 1; p >= 0; p--) {
      const { left, right, rows: joined } = plan.pairs[p]
      const [a, b] = [left, right].map(each => (inRecord(each) ? record + 8 * shape.tables[each] : totals[each]))
      kernels.splitPairs(pairs[p], joined.length / 2, a, b, totals[modes + p], 8 * padded)
    }
    f64[record / 8 + shape.logLikelihood] = logLikelihood
    lanes[i].labels.forEach((labels, n) => {
      const at = totals[n] / 8
      if (labels !== undefined) compacted(n, labels, f64.subarray(at, at + labels.length * padded))
    })
    for (const [target, source] of adds) kernels.add(records[target], records[source], 8 * shape.length)
  }

  /** Blocks of a lane, a call of the kernels after the other: `lane` keeps count of them and of the log-likelihood. */
  function* runBlocks(context: number, blocks: number, lane: { calls: number; logLikelihood: number; record: number }) {
    for (let block = 0; block < blocks; block += CALL_BLOCKS) {
      lane.logLikelihood += kernel(context, block, Math.min(CALL_BLOCKS, blocks - block))
      flush(lane.record, ++lane.calls, false)
      yield
    }
  }

  function* run(parameters: Parameters, compacted: CompactedSink): PausablePass {
    if (reader !== undefined) yield* reader.begin()
    if (dirty) kernels.zero(clear, clearEnd - clear)
    dirty = true
    const fine = putParameters(parameters)
    for (const [i, lane] of lanes.entries()) {
      const record = records[merges.steps[i].slot]
      const sum = { calls: 0, logLikelihood: putCompacted(parameters, lane) && fine ? 0 : Number.NaN, record }
      kernels.zero(firstTotal, totalsEnd - firstTotal)
      kernels.zero(record, 8 * shape.length)
      yield* runBlocks(lane.context, lane.blocks, sum)
      for (let c = 0; c < lane.chunks; c++) yield* runBlocks(lane.context, yield* reader!.next(lane.context), sum)
      flush(record, 0, true)
      endLane(i, sum.logLikelihood, compacted)
    }
    dirty = false
  }
  const noMeasure = (): never => {
    throw new EngineError('measures are in double precision')
  }

  return {
    rank,
    shape,
    lanes,
    memory: f64,
    parts: merges.parts.map(({ first, count, slot }) => ({ first, count, at: records[slot] / 8 })),
    waits: reader !== undefined,
    run: (parameters, compacted) => {
      for (const _ of run(parameters, compacted));
    },
    measure: noMeasure,
    steps: { run, measure: noMeasure },
  }
}

/** The least number in a table: products of two tables are then far above where single precision ends. */
const LEAST = 1e-16
/** How far below its part of the data a label may be in every class: in a model that is fitted it is above it in one of them. */
const IMPROBABLE = 1e-4

/** Copies the rows of a factor, scaled; false if a label is too improbable. @param labels which rows; else all */
const putRows = (
  factor: Float64Array,
  scales: Float64Array,
  rank: number,
  target: Float32Array,
  start: number,
  padded: number,
  labels?: Uint32Array,
): boolean => {
  const rows = labels?.length ?? scales.length
  let fine = true
  for (let row = 0, to = start; row < rows; row++, to += padded) {
    const label = labels === undefined ? row : labels[row]
    if (label >= scales.length) {
      // That of missing entries.
      target.fill(1, to, to + padded)
      continue
    }
    const scale = scales[label]
    let most = 0
    for (let k = 0, from = label * rank; k < rank; k++, from++) {
      const scaled = factor[from] * scale
      if (scaled > most) most = scaled
      target[to + k] = Math.max(scaled, LEAST)
    }
    // A label without data, whose scale is 0, may be as improbable as it likes.
    if (most < IMPROBABLE && scale !== 0) fine = false
    target.fill(LEAST, to + rank, to + padded)
  }
  return fine
}
