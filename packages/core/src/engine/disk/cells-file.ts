import { DataError } from '../../errors.ts'
import { checksum, RandomFile } from '../../file/random-file.ts'
import type { Counts } from '../../tensor/tensor.ts'
import type { Plan } from '../wasm/layout.ts'
import { type Chunk, chunkLayout } from '../wasm/stored-lane.ts'
import { checkDirectory, type Directory, type Section } from './directory.ts'

/** The format is drawn in the README beside this file. */
export const VERSION = 1
/** No text begins like this, and a transfer that changes line ends or strips a bit is noticed. */
const MAGIC = Uint8Array.of(0x89, 0x50, 0x4c, 0x41, 0x44, 0x0d, 0x0a, 0x1a)
export const HEADER_BYTES = 64

/** A lane in the file. */
export interface FileLane {
  readonly labels: readonly (Uint32Array | undefined)[]
  readonly chunks: readonly Chunk[]
}

/** Everything in a file of cells but the cells. */
export interface CellsFile {
  readonly counts: Counts
  readonly plan: Plan
  readonly lanes: readonly FileLane[]
  /** What the writer has put beside the data: how it was read, from where. */
  readonly record: unknown
}

/** Writes sections one after the other, and in the end what they are. */
export class CellsFileWriter {
  readonly #file: RandomFile
  #at = HEADER_BYTES

  constructor(path: string) {
    this.#file = RandomFile.create(path)
  }

  /** Writes bytes at the end. */
  section(part: Uint8Array | Uint32Array | Float64Array): Section {
    const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    const at = this.#at
    this.#file.write(at, bytes)
    this.#at = Math.ceil((at + bytes.length) / 8) * 8
    return [at, bytes.length, checksum(bytes)]
  }

  /** Writes the rest. The header comes last: what was not finished has none. */
  finish({ counts, plan, lanes, record }: CellsFile, path: string): void {
    const { modes, cells, total, missing, constants, marginals } = counts
    const directory: Directory = {
      modes: modes.map(({ name, size, ordered, labels }) => ({ name, size, ordered, ...(labels && { labels }) })),
      cells,
      total,
      missing,
      constants,
      marginals: marginals.map(each => this.section(each)),
      plan: { ...plan, pairs: plan.pairs.map(({ rows, ...pair }) => ({ ...pair, rows: [...rows] })) },
      lanes: lanes.map(({ labels, chunks }) => ({
        labels: labels.map(own => (own === undefined ? null : this.section(own))),
        chunks: chunks.map(({ at, cells, words, checksum }) => [at, cells, words, checksum]),
      })),
      record,
    }
    const [at, bytes, sum] = this.section(new TextEncoder().encode(JSON.stringify(directory)))
    const header = new DataView(new ArrayBuffer(HEADER_BYTES))
    new Uint8Array(header.buffer).set(MAGIC)
    header.setUint32(8, VERSION, true)
    header.setFloat64(16, at + bytes, true)
    header.setFloat64(24, at, true)
    header.setFloat64(32, bytes, true)
    header.setUint32(40, sum, true)
    header.setUint32(12, checksum(new Uint8Array(header.buffer)), true)
    this.#file.write(0, header)
    this.#file.keepAs(path)
  }

  discard(): void {
    this.#file.remove()
  }
}

/** Reads all but the cells; refuses a file that is foreign, cut short or damaged. */
export const readCellsFile = (path: string): CellsFile & { readonly state: string } => {
  const file = RandomFile.read(path)
  try {
    return { ...describe(file, path), state: file.state }
  } finally {
    file.close()
  }
}

const checked = (path: string, text: string) => {
  try {
    return checkDirectory(text)
  } catch (error) {
    throw error instanceof DataError ? new DataError(`${path} is damaged: ${error.message}`) : error
  }
}

const describe = (file: RandomFile, path: string): CellsFile => {
  const refuse = (reason: string): never => {
    throw new DataError(`${path} ${reason}`)
  }
  const section = ([at, length, sum]: Section, what: string): Uint8Array => {
    // Before anything is allocated.
    if (
      !(Number.isSafeInteger(at) && Number.isSafeInteger(length) && at >= 0 && length >= 0 && at + length <= file.size)
    )
      refuse(`is damaged: ${what} would be beyond its end`)
    const bytes = new Uint8Array(length)
    file.read(at, bytes)
    if (checksum(bytes) !== sum) refuse(`is damaged: the checksum of ${what} differs`)
    return bytes
  }
  const { size } = file
  const start = new Uint8Array(Math.min(size, HEADER_BYTES))
  file.read(0, start)
  if (size > 0 && start.every(byte => byte === 0)) refuse('is incomplete: the program that wrote it was stopped')
  if (size < MAGIC.length || MAGIC.some((byte, i) => byte !== start[i])) refuse('is not a file of cells (.polyad)')
  if (size < HEADER_BYTES) refuse('is cut short: its header is incomplete')
  const header = new DataView(start.buffer)
  const version = header.getUint32(8, true)
  if (version !== VERSION)
    refuse(`is of version ${version} of the format, and version ${VERSION} can be read: write it again from the data`)
  const sum = header.getUint32(12, true)
  header.setUint32(12, 0, true)
  if (checksum(start) !== sum) refuse('is damaged: the checksum of its header differs')
  const length = header.getFloat64(16, true)
  if (size < length) refuse(`is cut short: it has ${size} of ${length} bytes`)
  const text = section(
    [header.getFloat64(24, true), header.getFloat64(32, true), header.getUint32(40, true)],
    'its directory',
  )
  const given = checked(path, new TextDecoder().decode(text))
  const modes = given.known
  const shape = modes.map(mode => mode.size)
  const lanes = given.lanes.map(({ labels, chunks }) => ({
    labels: labels.map(own =>
      own === null ? undefined : new Uint32Array(section(own, 'the labels of a lane').buffer),
    ),
    chunks: chunks.map(([at, cells, words, checksum]): Chunk => ({ at, cells, words, checksum })),
  }))
  const { tableRows } = given.plan
  const ascending = (own: Uint32Array, rows: number) =>
    own.length > 0 && own.every((row, i) => row < rows && (i === 0 || own[i - 1] < row))
  if (lanes.some(lane => lane.labels.some((own, n) => own !== undefined && !ascending(own, tableRows[n]))))
    refuse('is damaged: its cells refer to labels that do not exist')
  const cells = lanes.flatMap(lane => lane.chunks)
  if (cells.some(chunk => chunk.at + chunkLayout(chunk).bytes > length))
    refuse('is cut short: it ends before its cells')
  if (cells.reduce((all, chunk) => all + chunk.cells, 0) !== given.cells)
    refuse('is damaged: some of its cells are missing')
  const marginals = given.marginals.map(each => new Float64Array(section(each, 'the marginals').buffer))
  if (!marginals.every(counts => counts.every(count => count >= 0 && count < Number.POSITIVE_INFINITY)))
    refuse('is damaged: a marginal is not a count')
  return {
    counts: Object.freeze({
      modes: Object.freeze(modes),
      shape: Object.freeze(shape),
      cells: given.cells,
      total: given.total,
      missing: Object.freeze(given.missing),
      marginals: Object.freeze(marginals),
      constants: Object.freeze(given.constants),
    }),
    plan: {
      ...given.plan,
      shape,
      pairs: given.plan.pairs.map(({ left, right, rows }) => ({ left, right, rows: Uint32Array.from(rows) })),
    },
    lanes,
    record: given.record,
  }
}
