import { DataError } from '../../errors.ts'
import type { Interruptible } from '../../numeric/interruptible.ts'
import { knownOptions, nonNegativeNumber } from '../../options.ts'
import { CellTensor } from '../../tensor/cell-tensor.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { nodeModule } from '../../thread/node-module.ts'
import { InformationSums } from '../cell-information.ts'
import type { ClosableSession } from '../engine.ts'
import { newArenaPool } from '../wasm/arena.ts'
import { wordLimits } from '../wasm/check-chunk.ts'
import { type Plan, scalesOf } from '../wasm/layout.ts'
import { placeLanes } from '../wasm/place-lanes.ts'
import { LaneReader } from '../wasm/read-lane.ts'
import { openSession } from '../wasm/session.ts'
import { chunkLayout, chunkParts, chunksOf, type StoredLane } from '../wasm/stored-lane.ts'
import {
  singleTraits,
  threadsFor,
  traitsOf,
  WASM_ENGINE_OPTIONS,
  type WasmEngineOptions,
  wasmEngine,
} from '../wasm/wasm-engine.ts'
import { type CellsFile, readCellsFile } from './cells-file.ts'

export interface OpenCellsOptions extends WasmEngineOptions {
  /** How many bytes of the cells may be kept in memory; the others are read in every pass. Default: half of what is free. */
  readonly memory?: number
}

/** A session on cells in a file. */
export interface StoredSession extends ClosableSession {
  /** What was written beside the data. */
  readonly record: unknown
  /** How many bytes the cells take, and how many of them are in memory. */
  readonly bytes: number
  readonly resident: number
}

/**
 * Opens a file of cells: a session that reads them in every pass, as far as they are not to be kept in memory, and gives the same bits
 * as the engine does with cells in memory. What needs the cells themselves (the bootstrap, residuals, folds) is refused or left out.
 * @example
 * await writeCells(answers, 'answers.polyad')
 * const cells = await openCells('answers.polyad', { memory: 0 })
 * const { model } = await fit(cells, { rank: 2, seed: 1 })
 * await cells.close()
 * model.shares // [0.60, 0.40]
 */
export const openCells = async (path: string, options: OpenCellsOptions = {}): Promise<StoredSession> => {
  knownOptions('openCells', options, [...WASM_ENGINE_OPTIONS, 'memory'])
  const { memory: asked, ...rest } = options
  if (asked !== undefined) nonNegativeNumber('memory', asked)
  const file = readCellsFile(path)
  const memory = asked ?? freeMemory() / 2
  const { counts, record } = file
  const plan = { ...file.plan, scales: scalesOf(counts) }
  const bytes = file.lanes.reduce((sum, { chunks }) => sum + sizeOf(chunks), 0)
  const stored = storedLanes(path, file, Math.min(1, memory / bytes))
  const resident = stored.reduce((sum, lane) => sum + (lane.resident ? sizeOf(lane.chunks) : 0), 0)
  const engine = wasmEngine(rest)
  const traits = traitsOf(counts.cells, plan)
  const { threads, here, shared } = threadsFor(rest, plan, traits)
  // A thread that waits for a file is no help to others.
  const placing = { threads, here: resident === bytes ? here : threads === 1, shared }
  const { placement, notes } = await placeLanes(newArenaPool(), plan, number => stored[number], placing, rest)
  const information: Parameters<typeof openSession>[0]['information'] = async (parameters, signal) => {
    const sums = new InformationSums(counts, parameters)
    const all = function* (): Interruptible<void> {
      for (const { indices, values } of cellsOf(plan, stored)) yield* sums.add(indices, values)
    }
    await runCooperatively(all(), signal)
    return sums.finish()
  }
  const placed = { placement, arrangement: undefined, traits, single: singleTraits(traits), parallelRuns: undefined }
  const session = openSession({ ...placed, notes, open: engine.open, information }, counts)
  return Object.assign(session, { record, bytes, resident })
}

/**
 * The cells of a file as a tensor, in memory.
 * @example
 * await writeCells(answers, 'answers.polyad')
 * loadCells('answers.polyad').tensor.total // 1000
 */
export const loadCells = (path: string): { readonly tensor: Tensor; readonly record: unknown } => {
  const file = readCellsFile(path)
  const { counts, plan, record } = file
  const { cells, modes } = counts
  const indices = modes.map(() => new Int32Array(cells))
  const values = new Float64Array(cells)
  let from = 0
  for (const piece of cellsOf(plan, storedLanes(path, file, 0))) {
    values.set(piece.values, from)
    piece.indices.forEach((column, n) => void indices[n].set(column, from))
    from += piece.values.length
  }
  // In the order of the lanes: sorted as a tensor is.
  const { indices: sorted, values: own } = tensorFromColumns(indices, values, { shape: counts.shape })
  return { tensor: new CellTensor(modes, sorted, own), record }
}

/**
 * Describes the cells of a file without reading them.
 * @example
 * await writeCells(answers, 'answers.polyad')
 * describeCells('answers.polyad').counts.shape // [2, 2, 3]
 */
export const describeCells = (
  path: string,
): { readonly counts: Counts; readonly record: unknown; readonly bytes: number } => {
  const { counts, record, lanes } = readCellsFile(path)
  return { counts, record, bytes: lanes.reduce((sum, { chunks }) => sum + sizeOf(chunks), 0) }
}

const sizeOf = (chunks: StoredLane['chunks']): number =>
  chunks.reduce((sum, chunk) => sum + chunkLayout(chunk).bytes, 0)

/** The lanes of a file; a part of them, evenly spread, is to be kept in memory. */
const storedLanes = (
  path: string,
  { lanes, plan, state }: CellsFile & { readonly state: string },
  part: number,
): StoredLane[] => {
  const chunkBytes = lanes.reduce(
    (most, { chunks }) => chunks.reduce((most, chunk) => Math.max(most, chunkLayout(chunk).bytes), most),
    0,
  )
  return lanes.map((lane, number) => ({
    number,
    path,
    state,
    ...lane,
    chunkBytes,
    limits: wordLimits(plan, lane.labels),
    resident: Math.floor((number + 1) * part) > Math.floor(number * part),
  }))
}

/** The cells lane by lane, some at a time. */
function* cellsOf(plan: Plan, lanes: readonly StoredLane[]) {
  for (const lane of lanes) {
    const reader = new LaneReader(plan, lane.labels)
    for (const { chunk, bytes } of chunksOf(lane)) {
      const { words, values } = chunkParts(chunk, bytes)
      yield { indices: reader.read(words, chunk.cells), values }
    }
  }
}

/** Bytes of memory that nobody uses, and that this process may. */
export const freeMemory = (): number => {
  const { process } = globalThis as { process?: { availableMemory?(): number } }
  const free = process?.availableMemory?.() ?? nodeModule<{ freemem(): number }>('node:os')?.freemem()
  if (free === undefined) throw new DataError('the free memory is not known here: give a limit')
  return free
}
