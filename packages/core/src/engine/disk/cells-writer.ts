import { defined } from '../../defined.ts'
import { DataError, type StopSignal, throwIfStopped } from '../../errors.ts'
import { wholeNumber } from '../../options.ts'
import { CountSums } from '../../tensor/cell-tensor.ts'
import { MISSING, type Mode, type ModeOptions } from '../../tensor/mode.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { modesOfShape } from '../../tensor/values.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { type ColumnShape, chooseColumns, PairSearch } from '../wasm/columns.ts'
import { BLOCK_CELLS } from '../wasm/context.ts'
import { CALL_BLOCKS } from '../wasm/lane-pass.ts'
import { isCompacted, laneBounds, mayBeCompacted } from '../wasm/lanes.ts'
import { blockKinds, NO_TABLE, type Plan, planOf } from '../wasm/layout.ts'
import { type Depth, depthOf, inOwnOrder, orderColumns, rangesOf } from '../wasm/order.ts'
import { type Chunk, chunkLayout, chunkParts } from '../wasm/stored-lane.ts'
import { writeStream } from '../wasm/stream.ts'
import { CellsFileWriter, type FileLane } from './cells-file.ts'
import { type Key, type Sorting, sortStaged } from './external-sort.ts'
import { type Piece, StagedCells, type Turns } from './staged-cells.ts'

export interface CellsWriterOptions {
  /** Where temporary files go. Default: the folder of the file. */
  readonly folder?: string
  /** How many bytes may be used for sorting. Default 128 MB. */
  readonly memory?: number
  /** Stops the writing: there is an `AbortError`, and no file. */
  readonly signal?: StopSignal | undefined
}

/** What is said of the cells once all are there. */
export interface CellsDescription {
  /** The modes, and how many labels they have. */
  readonly modes: readonly (string | ModeOptions)[]
  readonly shape: readonly number[]
  /** For every mode the index that each of its codes stands for, where the cells were given by codes. */
  readonly recode?: readonly (Int32Array | undefined)[]
  /** By what all values are multiplied. */
  readonly scale?: number
  /** Anything to be kept with the data. */
  readonly record?: unknown
  /** Called with the bytes of the cells as a tensor has them: the indices of the first mode, of the next …, the values. */
  readonly onBytes?: (bytes: Uint8Array) => void
}

const MEMORY = 128 * 2 ** 20
/** About how many bytes of a chunk there may be: large reads, of which a worker holds two. */
const CHUNK_BYTES = 2 ** 22

/**
 * Writes cells into a file that `openCells` opens, and never holds more than a few of them. They may come in any order, with repetitions
 * and zeros.
 * @example
 * const writer = new CellsWriter('pairs.polyad', 2)
 * writer.add([Int32Array.of(0, 0, 1), Int32Array.of(2, -1, 0)], Float64Array.of(5, 1, 3))
 * const { total } = await writer.finish({ modes: ['item', 'buyer'], shape: [2, 3] })
 * total // 9
 */
export class CellsWriter {
  readonly #path: string
  readonly #sorting: Sorting
  readonly #file: CellsFileWriter
  readonly #signal: StopSignal | undefined
  /** All cells as they came, or as they are in the end. */
  #cells: StagedCells
  #over = false

  constructor(path: string, modes: number, options: CellsWriterOptions = {}) {
    const { folder = folderOf(path), memory = MEMORY, signal } = options
    wholeNumber('modes', modes, 1)
    throwIfStopped(signal)
    this.#path = path
    this.#signal = signal
    // Sorting holds the cells twice, their keys and their order twice.
    this.#sorting = { folder, atOnce: Math.max(1024, Math.floor(memory / (24 + 16 * modes))) }
    this.#file = new CellsFileWriter(partOf(path))
    try {
      this.#cells = new StagedCells(folder, modes)
    } catch (error) {
      this.#file.discard()
      throw error
    }
  }

  /** Adds cells: for each mode their indices or codes from 0, −1 where missing, and their values. */
  add(indices: readonly Int32Array[], values: Float64Array): void {
    this.#guarded(() => this.#cells.add({ indices, values }))
  }

  /** Writes the file, in place of one that is there. */
  async finish(meaning: CellsDescription): Promise<Counts> {
    const turns = this.#finish(meaning)
    for (;;) {
      const { done, value } = this.#guarded(() => {
        throwIfStopped(this.#signal)
        return turns.next()
      })
      if (done) return value
      await eventLoopTurn()
    }
  }

  /** Gives up; nothing is left. */
  discard(): void {
    if (this.#over) return
    this.#over = true
    this.#cells.release()
    this.#file.discard()
  }

  #guarded<T>(work: () => T): T {
    if (this.#over) throw new DataError(`${this.#path} is closed: no more cells can be added`)
    try {
      return work()
    } catch (error) {
      this.discard()
      throw error
    }
  }

  *#finish({ modes: named, shape, recode, scale = 1, record = null, onBytes }: CellsDescription): Turns<Counts> {
    if (this.#cells.cells === 0) throw new DataError('there is no data: not a single row or cell')
    const modes = modesOfShape(shape, named)
    const codes = recode?.some(own => own !== undefined) === true
    if (codes || scale !== 1) this.#replace(yield* translated(this.#cells, this.#sorting.folder, recode ?? [], scale))
    const keys = modes.map((_, n) => modeKey(n, modes[n].size))
    let counts = yield* countOrdered(this.#cells, modes)
    if (counts === undefined) {
      this.#replace(yield* sortStaged(this.#cells, keys, { ...this.#sorting, merge: true }))
      if (this.#cells.cells === 0) throw new DataError('all values are zero: there is nothing to count')
      counts = (yield* countOrdered(this.#cells, modes))!
    }
    if (onBytes !== undefined) yield* tellBytes(this.#cells, onBytes)
    const { columns: unordered, pairs } = chooseColumns(
      keys.map((key, n): FileColumn => ({ ...key, table: n, rows: shape[n] + (counts.missing[n] ? 1 : 0) })),
      counts.cells,
      (left, right, limit, table) => this.#join(left, right, limit, table),
    )
    const columns = orderColumns(unordered)
    if (!inOwnOrder(columns)) this.#replace(yield* sortStaged(this.#cells, columns, this.#sorting))
    const tree = yield* countDepth(this.#cells, columns)
    const ranges = rangesOf(columns, counts.cells, tree)
    if (ranges !== undefined) {
      const last = columns[columns.length - 1]
      this.#replace(yield* sortStaged(this.#cells, [rangeKey(last, ranges), ...columns], this.#sorting))
    }
    const given = planOf(counts, columns, pairs, tree)
    const bounds = laneBounds(counts.cells, given.lanes)
    const used = yield* usedRows(this.#cells, columns, shape.length, bounds)
    const plan: Plan = { ...given, compacted: shape.map((_, n) => used[n] !== undefined) }
    const lanes = yield* this.#writeLanes(plan, columns, bounds, used)
    this.#file.finish({ counts, plan, lanes, record }, this.#path)
    this.#over = true
    this.#cells.release()
    return counts
  }

  #replace(cells: StagedCells): void {
    this.#cells.release()
    this.#cells = cells
  }

  #join(left: FileColumn, right: FileColumn, limit: number, table: number) {
    const search = new PairSearch(left, right, limit)
    const modes = [...left.modes, ...right.modes]
    for (const piece of this.#cells.pieces({ modes, values: false }))
      if (!search.add(left.of(piece), right.of(piece))) return undefined
    const pair = search.finish()
    const of = (piece: Piece) => search.rowsOf(left.of(piece), right.of(piece))
    return { pair, column: { table, rows: pair.rows.length / 2, modes, of } }
  }

  *#writeLanes(
    plan: Plan,
    columns: readonly FileColumn[],
    bounds: readonly number[],
    used: readonly (Uint32Array | undefined)[],
  ): Turns<FileLane[]> {
    const chunk = new ChunkBuffer(plan, columns)
    const lanes: { labels: (Uint32Array | undefined)[]; chunks: Chunk[] }[] = []
    const write = () => {
      if (chunk.cells === 0) return
      const { bytes, ...rest } = chunk.take()
      const [at, , checksum] = this.#file.section(bytes)
      lanes[lanes.length - 1].chunks.push({ at, ...rest, checksum })
    }
    const beginLane = () => {
      write()
      const labels = plan.shape.map((_, n) => used[n] && labelsOf(used[n], lanes.length))
      lanes.push({ labels, chunks: [] })
      chunk.renumber(labels)
    }
    let cell = 0
    for (const piece of this.#cells.pieces()) {
      const rows = columns.map(column => column.of(piece))
      for (let from = 0; from < piece.values.length; ) {
        if (cell === bounds[lanes.length]) beginLane()
        const size = Math.min(piece.values.length - from, bounds[lanes.length] - cell, chunk.room)
        chunk.add(rows, piece.values, from, from + size)
        if (chunk.room === 0) write()
        from += size
        cell += size
      }
      yield
    }
    write()
    return lanes
  }
}

/** A column of the layout over cells in a file. */
interface FileColumn extends ColumnShape, Key {}

const folderOf = (path: string): string => {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return end < 0 ? '.' : path.slice(0, Math.max(1, end))
}

/** What a file is called while this process writes it. */
const partOf = (path: string): string => {
  const { process } = globalThis as { process?: { pid: number } }
  return `${path}.${process?.pid ?? 0}.part`
}

const modeKey = (mode: number, size: number): Key => ({
  rows: size,
  modes: [mode],
  of: ({ indices }) => indices[mode],
})

/** The range of the leaves' table that a cell belongs to. */
const rangeKey = ({ modes, of }: Key, { shift, ranges }: { readonly shift: number; readonly ranges: number }): Key => ({
  rows: ranges,
  modes,
  of: piece => of(piece).map(row => (row + 1) >>> shift),
})

function* translated(
  cells: StagedCells,
  folder: string,
  recode: readonly (Int32Array | undefined)[],
  scale: number,
): Turns<StagedCells> {
  const result = new StagedCells(folder, cells.modes)
  for (const { indices, values } of cells.pieces()) {
    const columns = indices.map((column, n) => {
      const table = recode[n]
      return table === undefined ? column : column.map(code => (code < 0 ? MISSING : table[code]))
    })
    result.add({ indices: columns, values: scale === 1 ? values : values.map(value => value * scale) })
    yield
  }
  return result
}

/** What is known of the cells; undefined where they are not in order, or repeat, or are zero. */
function* countOrdered(cells: StagedCells, modes: readonly Mode[]): Turns<Counts | undefined> {
  const sums = new CountSums(modes)
  const last = new Int32Array(modes.length).fill(MISSING - 1)
  for (const { indices, values } of cells.pieces()) {
    check(indices, values, modes)
    if (values.includes(0)) return undefined
    for (let cell = 0; cell < values.length; cell++) {
      let difference = 0
      for (let n = 0; n < indices.length; n++) {
        const index = indices[n][cell]
        if (difference === 0) difference = index - last[n]
        last[n] = index
      }
      if (difference <= 0) return undefined
    }
    sums.add(indices, values)
    yield
  }
  return sums.finish()
}

const check = (indices: readonly Int32Array[], values: Float64Array, modes: readonly Mode[]): void => {
  indices.forEach((column, n) => {
    const { name, size } = modes[n]
    for (let cell = 0; cell < column.length; cell++) {
      const index = column[cell]
      if (index < MISSING || index >= size)
        throw new DataError(
          `mode ${JSON.stringify(name)}: an index must be from 0 to ${size - 1}, or −1 (got ${index})`,
        )
    }
  })
  for (let cell = 0; cell < values.length; cell++) {
    const value = values[cell]
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY))
      throw new DataError(`a value must be a finite number ≥ 0 (got ${value})`)
  }
}

function* tellBytes(cells: StagedCells, tell: (bytes: Uint8Array) => void): Turns {
  const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    new Uint8Array(buffer, byteOffset, byteLength)
  for (let n = 0; n < cells.modes; n++) {
    for (const { indices } of cells.pieces({ modes: [n], values: false })) yield tell(bytesOf(indices[n]))
  }
  for (const { values } of cells.pieces({ modes: [] })) yield tell(bytesOf(values))
}

function* countDepth(cells: StagedCells, columns: readonly FileColumn[]): Turns<Depth> {
  const changes = new Float64Array(columns.length)
  const last = new Int32Array(columns.length).fill(MISSING - 1)
  for (const piece of cells.pieces({ values: false })) {
    const rows = columns.map(column => column.of(piece))
    const size = rows[0].length
    for (let cell = 0; cell < size; cell++) {
      let level = 0
      while (level < rows.length - 1 && rows[level][cell] === last[level]) level++
      changes[level]++
      for (; level < rows.length; level++) last[level] = rows[level][cell]
    }
    yield
  }
  return depthOf(changes, cells.cells)
}

/** For every mode that is compacted and every row of its table, the lanes that use it: a bit for each. */
function* usedRows(
  cells: StagedCells,
  columns: readonly FileColumn[],
  modes: number,
  bounds: readonly number[],
): Turns<(Uint32Array | undefined)[]> {
  const lanes = bounds.length - 1
  const wide = columns.filter(column => mayBeCompacted(column, modes))
  const used = wide.map(({ rows }) => new Uint32Array(rows))
  let from = 0
  let lane = 0
  if (wide.length > 0) {
    for (const piece of cells.pieces({ modes: wide.flatMap(column => column.modes), values: false })) {
      const rows = wide.map(column => column.of(piece))
      const size = rows[0].length
      for (let cell = 0; cell < size; ) {
        while (from + cell >= bounds[lane + 1]) lane++
        const end = Math.min(size, bounds[lane + 1] - from)
        const bit = 1 << lane
        wide.forEach((column, c) => {
          const [own, marks] = [rows[c], used[c]]
          for (let i = cell; i < end; i++) marks[own[i] === MISSING ? column.rows - 1 : own[i]] |= bit
        })
        cell = end
      }
      from += size
      yield
    }
  }
  const result: (Uint32Array | undefined)[] = new Array(modes).fill(undefined)
  wide.forEach((column, c) => {
    let count = 0
    for (let bits of used[c]) for (; bits !== 0; bits &= bits - 1) count++
    if (isCompacted(column, count, lanes)) result[column.table] = used[c]
  })
  return result
}

const labelsOf = (used: Uint32Array, lane: number): Uint32Array => {
  const isUsed = (row: number) => ((used[row] >>> lane) & 1) === 1
  let count = 0
  for (let row = 0; row < used.length; row++) if (isUsed(row)) count++
  const labels = new Uint32Array(count)
  for (let row = 0, at = 0; row < used.length; row++) if (isUsed(row)) labels[at++] = row
  return labels
}

/** Gathers the cells of a chunk, and makes its bytes. */
class ChunkBuffer {
  readonly #plan: Plan
  readonly #columns: readonly FileColumn[]
  readonly #rows: readonly Uint32Array[]
  readonly #values: Float64Array
  /** For every column of a compacted mode, the position of each row among those that the lane uses. */
  #positions: (Uint32Array | undefined)[] = []
  cells = 0

  constructor(plan: Plan, columns: readonly FileColumn[]) {
    this.#plan = plan
    this.#columns = columns
    // Whole calls of the kernels, which add up call by call.
    const call = CALL_BLOCKS * BLOCK_CELLS
    const most = Math.max(1, Math.floor(CHUNK_BYTES / (call * (8 + 4 * plan.columns.length)))) * call
    this.#values = new Float64Array(most)
    this.#rows = plan.columns.map(() => new Uint32Array(most))
  }

  get room(): number {
    return this.#values.length - this.cells
  }

  renumber(labels: readonly (Uint32Array | undefined)[]): void {
    this.#positions = this.#columns.map(({ table, rows }) => {
      const own = labels[table]
      if (own === undefined) return undefined
      const positions = new Uint32Array(rows)
      for (let at = 0; at < own.length; at++) positions[own[at]] = at
      return positions
    })
  }

  add(rows: readonly Int32Array[], values: Float64Array, from: number, to: number): void {
    this.#values.set(values.subarray(from, to), this.cells)
    // The root of a flat layout has no column, and a single row.
    const root = this.#plan.columns[0] === NO_TABLE ? 1 : 0
    this.#columns.forEach((column, c) => {
      const [own, into, positions] = [rows[c], this.#rows[c + root], this.#positions[c]]
      for (let i = from, at = this.cells; i < to; i++, at++) {
        const row = own[i] === MISSING ? column.rows - 1 : own[i]
        into[at] = positions === undefined ? row : positions[row]
      }
    })
    this.cells += to - from
  }

  take(): { readonly bytes: Uint8Array; readonly cells: number; readonly words: number } {
    const { cells } = this
    const values = this.#values.subarray(0, cells)
    const { words, starts } = writeStream(
      this.#rows.map(own => own.subarray(0, cells)),
      this.#plan.depth,
    )
    const size = { cells, words: words.length }
    const bytes = new Uint8Array(chunkLayout(size).bytes)
    const parts = chunkParts({ at: 0, checksum: 0, ...size }, bytes)
    parts.values.set(values)
    parts.words.set(words)
    parts.starts.set(starts)
    parts.kinds.set(blockKinds(values))
    this.cells = 0
    return { bytes, ...size }
  }
}

/**
 * Writes the cells of a tensor into a file that `openCells` opens.
 * @example
 * await writeCells(answers, 'answers.polyad')
 */
export const writeCells = async (
  tensor: Tensor,
  path: string,
  { record, ...options }: CellsWriterOptions & Pick<CellsDescription, 'record'> = {},
): Promise<void> => {
  const { modes, shape, indices, values } = tensor
  const writer = new CellsWriter(path, modes.length, options)
  writer.add(indices, values)
  const named = modes.map(({ name, labels, ordered }) => ({ name, ordered, ...(labels && { labels }) }))
  await writer.finish({ modes: named, shape, ...defined({ record }) })
}
