import { EngineError } from '../../errors.ts'
import { checksum, RandomFile } from '../../file/random-file.ts'
import type { Arena } from './arena.ts'
import { isUsable, type WordLimits } from './check-chunk.ts'
import * as C from './context.ts'
import type { Lane } from './layout.ts'

/**
 * Some blocks of a lane in a file, as the kernels read them: the values and room for one more, the words, where each block's words
 * begin, and the kinds of the blocks.
 */
export interface Chunk {
  /** Where in the file it begins. */
  readonly at: number
  readonly cells: number
  readonly words: number
  readonly checksum: number
}

/** A lane whose cells are in a file. Plain data: it is sent to workers. */
export interface StoredLane {
  readonly number: number
  readonly path: string
  /** What `RandomFile.state` said when the file was opened. */
  readonly state: string
  readonly labels: readonly (Uint32Array | undefined)[]
  readonly chunks: readonly Chunk[]
  readonly limits: WordLimits
  /** Bytes of the largest chunk of all lanes. */
  readonly chunkBytes: number
  /** Whether it is to be kept in memory all the same. */
  readonly resident: boolean
}

/** Where the parts of a chunk lie, in bytes from its beginning, and how many it has. */
export const chunkLayout = ({ cells, words }: Pick<Chunk, 'cells' | 'words'>) => {
  const blocks = Math.ceil(cells / C.BLOCK_CELLS)
  const starts = 8 * (cells + 1) + 4 * words
  const kinds = starts + 4 * blocks
  return { blocks, values: 0, words: 8 * (cells + 1), starts, kinds, bytes: Math.ceil((kinds + blocks) / 8) * 8 }
}

/** Refuses a chunk whose bytes are not those that were written, or that kernels cannot work on. */
const verify = ({ path, number: lane, limits, chunks }: StoredLane, chunk: number, bytes: Uint8Array): void => {
  const [stored, where] = [chunks[chunk], `chunk ${chunk + 1} of lane ${lane + 1}`]
  if (checksum(bytes) !== stored.checksum) throw new EngineError(`${path} is damaged: the checksum of ${where} differs`)
  const { values, kinds, ...stream } = chunkParts(stored, bytes)
  if (!isUsable(stream, values, kinds, limits))
    throw new EngineError(`${path} is damaged: the cells in ${where} are not as Polyad writes them`)
}

const unchanged = (file: RandomFile, { path, state }: StoredLane): void => {
  if (file.state !== state) throw new EngineError(`${path} was changed while it was in use`)
}

/** Reads chunk after chunk of a lane; the bytes are valid until the next. */
export function* chunksOf(lane: StoredLane): Generator<{ readonly chunk: Chunk; readonly bytes: Uint8Array }> {
  const file = RandomFile.read(lane.path)
  try {
    const room = new Uint8Array(lane.chunkBytes)
    unchanged(file, lane)
    for (const [c, chunk] of lane.chunks.entries()) {
      const bytes = room.subarray(0, chunkLayout(chunk).bytes)
      file.read(chunk.at, bytes)
      verify(lane, c, bytes)
      yield { chunk, bytes }
    }
    unchanged(file, lane)
  } finally {
    file.close()
  }
}

/** The parts of a chunk. */
export const chunkParts = (chunk: Chunk, { buffer, byteOffset }: Uint8Array) => {
  const { blocks, words, starts, kinds } = chunkLayout(chunk)
  return {
    values: new Float64Array(buffer, byteOffset, chunk.cells),
    words: new Uint32Array(buffer, byteOffset + words, chunk.words),
    starts: new Uint32Array(buffer, byteOffset + starts, blocks),
    kinds: new Uint8Array(buffer, byteOffset + kinds, blocks),
  }
}

/** A lane out of its file, whole. */
export const loadLane = (lane: StoredLane): Lane => {
  const size = (length: (chunk: Chunk) => number) => lane.chunks.reduce((sum, chunk) => sum + length(chunk), 0)
  const blocks = size(chunk => chunkLayout(chunk).blocks)
  const whole = {
    values: new Float64Array(size(chunk => chunk.cells)),
    words: new Uint32Array(size(chunk => chunk.words)),
    starts: new Uint32Array(blocks),
    kinds: new Uint8Array(blocks),
  }
  let [cells, words, block] = [0, 0, 0]
  for (const { chunk, bytes } of chunksOf(lane)) {
    const part = chunkParts(chunk, bytes)
    whole.values.set(part.values, cells)
    whole.words.set(part.words, words)
    whole.kinds.set(part.kinds, block)
    for (const start of part.starts) whole.starts[block++] = words + start
    cells += chunk.cells
    words += chunk.words
  }
  return { number: lane.number, labels: lane.labels, ...whole }
}

/**
 * Reads the chunks of lanes in their order into two places of a memory in turn: while the kernels work on one, the next is read to
 * the other. The checksum of a chunk is checked when it is read for the first time.
 */
export class ChunkReader {
  readonly #arena: Arena
  readonly #file: RandomFile
  readonly #places: readonly [number, number]
  readonly #queue: { readonly lane: StoredLane; readonly number: number; readonly chunk: Chunk }[] = []
  readonly #verified = new Set<Chunk>()
  #turn = 0
  #pending: Promise<void> = Promise.resolve()

  /** Takes the two places from the memory. */
  constructor(arena: Arena, first: StoredLane) {
    this.#arena = arena
    this.#file = RandomFile.read(first.path)
    this.#places = [arena.take(first.chunkBytes), arena.take(first.chunkBytes)]
  }

  add(lane: StoredLane): void {
    lane.chunks.forEach((chunk, number) => void this.#queue.push({ lane, number, chunk }))
  }

  /** Begins to read from the first chunk on. */
  *begin(): Generator<Promise<void>, void> {
    unchanged(this.#file, this.#queue[0].lane)
    // What another pass has left under way would be written over what is read now.
    yield this.#pending.catch(() => {})
    this.#turn = 0
    this.#read()
  }

  /** Shows the kernels the next chunk, once it is there; returns how many blocks it has. @param context of its lane */
  *next(context: number): Generator<Promise<void>, number> {
    const { lane, number, chunk } = this.#queue[this.#turn]
    const at = this.#places[this.#turn % 2]
    yield this.#pending
    if (!this.#verified.has(chunk)) {
      verify(lane, number, this.#bytesOf(chunk, at))
      this.#verified.add(chunk)
    }
    this.#turn++
    if (this.#turn < this.#queue.length) this.#read()
    else unchanged(this.#file, lane)
    return this.#show(chunk, at, context)
  }

  close(): void {
    this.#file.close()
  }

  #show(chunk: Chunk, at: number, context: number): number {
    const { blocks, values, words, starts, kinds } = chunkLayout(chunk)
    const fields = [
      [C.VALUES, at + values],
      [C.WORDS, at + words],
      [C.BLOCKS, at + starts],
      [C.KINDS, at + kinds],
      [C.CELLS, chunk.cells],
    ] as const
    for (const [field, value] of fields) this.#arena.u32[(context + field) / 4] = value
    return blocks
  }

  #read(): void {
    const { chunk } = this.#queue[this.#turn]
    this.#pending = this.#file.readAhead(chunk.at, this.#bytesOf(chunk, this.#places[this.#turn % 2]))
    // It is waited for only when its turn comes.
    this.#pending.catch(() => {})
  }

  #bytesOf(chunk: Chunk, at: number): Uint8Array {
    return this.#arena.u8.subarray(at, at + chunkLayout(chunk).bytes)
  }
}
