import { DataError, EngineError } from '../errors.ts'
import { nodeModule } from '../thread/node-module.ts'

/** The part of Node's files that is used here; this package is compiled without Node's types. */
interface NodeFiles {
  openSync(path: string, flags: string, mode?: number): number
  closeSync(file: number): void
  readSync(file: number, into: Uint8Array, offset: number, length: number, position: number): number
  read(
    file: number,
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytes: number) => void,
  ): void
  writeSync(file: number, bytes: Uint8Array, offset: number, length: number, position: number): number
  fstatSync(file: number): { readonly size: number; readonly mtimeMs: number }
  rmSync(path: string, options: { force: true }): void
  renameSync(from: string, to: string): void
}

const nodeFiles = (): NodeFiles => {
  const files = nodeModule<NodeFiles>('node:fs')
  if (files === undefined) throw new EngineError('cells can be kept in a file only in Node: a browser has no files')
  return files
}

/** CRC-32 of bytes. */
export const checksum = (bytes: Uint8Array): number =>
  nodeModule<{ crc32(bytes: Uint8Array): number }>('node:zlib')!.crc32(bytes)

let temporaries = 0

/** A file that is read and written at any place. What goes wrong says which file, and what can be done. */
export class RandomFile {
  readonly path: string
  readonly #files: NodeFiles
  readonly #file: number
  #open = true
  #remove: boolean

  private constructor(path: string, flags: string, remove = false) {
    this.path = path
    this.#files = nodeFiles()
    this.#remove = remove
    try {
      // Others than the owner have no business with the cells.
      this.#file = this.#files.openSync(path, flags, 0o600)
    } catch (cause) {
      throw fault(path, flags === 'r' ? 'read' : 'written', cause)
    }
  }

  static read(path: string): RandomFile {
    return new RandomFile(path, 'r')
  }

  /** A new file; one that is there already is refused. */
  static create(path: string): RandomFile {
    return new RandomFile(path, 'wx+')
  }

  /** A file without a name, as far as the system allows that: whatever becomes of the process, nothing is left. */
  static temporary(folder: string): RandomFile {
    const { process } = globalThis as { process?: { pid: number } }
    const file = new RandomFile(`${folder}/cells-${process?.pid ?? 0}-${++temporaries}`, 'wx+', true)
    try {
      file.#files.rmSync(file.path, { force: true })
      file.#remove = false
    } catch {
      // Where an open file cannot be removed, it is when it is closed.
    }
    return file
  }

  /** Changes whenever the file is written to. */
  get state(): string {
    const { size, mtimeMs } = this.#files.fstatSync(this.#file)
    return `${size} ${mtimeMs}`
  }

  get size(): number {
    return this.#files.fstatSync(this.#file).size
  }

  /** Fills an array with the bytes from a place on. */
  read(at: number, into: ArrayBufferView): void {
    const bytes = bytesOf(into)
    let done = 0
    while (done < bytes.length) {
      const read = this.#try('read', () =>
        this.#files.readSync(this.#file, bytes, done, bytes.length - done, at + done),
      )
      if (read === 0) throw this.#cutShort()
      done += read
    }
  }

  /** The same while this thread does something else; the array must stay where it is until then. */
  async readAhead(at: number, into: Uint8Array): Promise<void> {
    let done = 0
    while (done < into.length) {
      const read = await new Promise<number>((resolve, reject) => {
        this.#files.read(this.#file, into, done, into.length - done, at + done, (error, bytes) =>
          error === null ? resolve(bytes) : reject(fault(this.path, 'read', error)),
        )
      })
      if (read === 0) throw this.#cutShort()
      done += read
    }
  }

  write(at: number, from: ArrayBufferView): void {
    const bytes = bytesOf(from)
    let done = 0
    while (done < bytes.length) {
      done += this.#try('written', () => this.#files.writeSync(this.#file, bytes, done, bytes.length - done, at + done))
    }
  }

  /** Closes it and gives it its name, in place of what has that name. */
  keepAs(path: string): void {
    this.close()
    try {
      this.#files.renameSync(this.path, path)
    } catch (cause) {
      throw fault(path, 'written', cause)
    }
  }

  /** Closes and removes it. */
  remove(): void {
    this.#remove = true
    this.close()
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    this.#files.closeSync(this.#file)
    if (this.#remove) this.#files.rmSync(this.path, { force: true })
  }

  #try(what: 'read' | 'written', work: () => number): number {
    try {
      return work()
    } catch (cause) {
      throw fault(this.path, what, cause)
    }
  }

  #cutShort(): DataError {
    return new DataError(`${this.path} is cut short: it ends before its cells do`)
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOSPC: 'the disk of this folder is full; free some space, or use another folder (TMPDIR for temporary files)',
  EDQUOT: 'the disk quota is used up; free some space, or use another folder (TMPDIR for temporary files)',
  EFBIG: 'files of its size are not allowed here (ulimit -f)',
}

const fault = (path: string, what: string, cause: unknown): DataError => {
  const { code = '', message } = cause as Error & { code?: string }
  return new DataError(`${path} cannot be ${what}: ${REASONS[code] ?? message}`, {}, { cause })
}
