import { randomBytes } from 'node:crypto'
import { rmSync, symlinkSync } from 'node:fs'
import { link, open, rm, statfs, symlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname, join, parse, resolve, sep } from 'node:path'
import { DataError, OptionError } from '@polyad/core'
import { checkReadable, isPattern, readHead } from '../source/relation/files.ts'
import { refuseForeign } from '../table/formats/foreign-formats.ts'
import { type Format, formatOfBytes, formatOfName, isTableFormat } from '../table/formats/formats.ts'
import { grouped, reworded } from '../table/values/note.ts'
import { RequestFault } from './request-fault.ts'
import { blocksOf } from './requests.ts'

/** A file that the page may read. It knows the id and the name; where the file lies is not told. */
export interface DataFile {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly format: Format
  readonly path: string
  /** Whether it came from the page, and goes with the studio. */
  readonly uploaded: boolean
  /** Where it really is, if it is the data of a kept project. */
  readonly lentFrom?: string
}

/** The files of a studio: those named when it was started, and those the page has sent, in a folder of the studio's own. */
export class DataFiles {
  readonly #folder: string
  readonly #limit: number
  readonly #files = new Map<string, DataFile>()

  /** The folder must be there, readable by nobody else; a file that is sent may have so many bytes. */
  constructor(folder: string, limit: number) {
    this.#folder = folder
    this.#limit = limit
  }

  /** Adds a file of the user's. Refuses what cannot be read, in the words of the command line. */
  name(path: string): void {
    if (path === '-')
      throw new OptionError('the studio does not read standard input: name a file, or open it in the page')
    const stats = checkReadable(path)
    if (!stats.isFile()) throw new DataError(`${path} cannot be read more than once: save it as a file`)
    const format = formatOf(path, path)
    this.#add({
      name: nameOf(basename(path)),
      size: stats.size,
      format,
      path: this.#plain(resolve(path), format),
      uploaded: false,
    })
  }

  /** Those named when the studio was started. */
  get named(): readonly DataFile[] {
    return [...this.#files.values()].filter(({ uploaded, lentFrom }) => !uploaded && lentFrom === undefined)
  }

  get(id: string): DataFile {
    const file = this.#files.get(id)
    if (file === undefined)
      throw new RequestFault(404, 'there is no such file: it may have been removed; open it again')
    return file
  }

  /** Takes what the page sends. Nothing of it is left unless it has come to its end. */
  async receive(given: string, incoming: IncomingMessage): Promise<DataFile> {
    const name = nameOf(given)
    const limit = `${name} is too large: at most ${grouped(this.#limit)} bytes can be sent; name it on the command line, where there is no limit`
    await this.#checkRoom(name, Number(incoming.headers['content-length'] ?? 0))
    const path = join(this.#folder, `${randomId()}${endingOf(name)}`)
    const file = await open(path, 'wx', 0o600)
    try {
      let size = 0
      for await (const block of blocksOf(incoming, this.#limit, limit)) {
        if (size === 0) refuseForeign(name, block.subarray(0, 16))
        await file.writeFile(block)
        size += block.length
      }
      if (size === 0) throw new DataError(`${name} is empty`)
      const format = await named({ path, name }, () => formatOf(path, name))
      return this.#add({ name, size, format, path, uploaded: true })
    } catch (error) {
      rmSync(path, { force: true })
      throw isFull(error) ? noRoom(name) : error
    } finally {
      await file.close()
    }
  }

  /** Lets the page read the data of a kept project; its id. Readers judge by the end of a name, so it gets one. */
  async lend(path: string, name: string): Promise<string> {
    for (const { id, lentFrom } of this.#files.values()) if (lentFrom === path) return id
    const { size } = checkReadable(path)
    const place = join(this.#folder, `${randomId()}${endingOf(name)}`)
    // A second name keeps a part alive if its project is removed; another disk allows only a link.
    await link(path, place).catch(() => symlink(path, place))
    const format = formatOf(place, name)
    return this.#add({ name, size, format, path: place, uploaded: false, lentFrom: path }).id
  }

  async remove(id: string): Promise<void> {
    const { path, name, uploaded } = this.get(id)
    if (!uploaded) throw new RequestFault(409, `${name} cannot be removed: it was named on the command line`)
    this.#files.delete(id)
    await rm(path, { force: true })
  }

  #add(file: Omit<DataFile, 'id'>): DataFile {
    const added = { id: randomId(), ...file }
    this.#files.set(added.id, added)
    return added
  }

  /** A path that DuckDB takes for one file: brackets and stars in a name would have it look for others. */
  #plain(path: string, format: Format): string {
    if (!isPattern(path) || !isTableFormat(format)) return path
    const link = join(this.#folder, `${randomId()}.${format}${packedOf(path)}`)
    symlinkSync(path, link)
    return link
  }

  async #checkRoom(name: string, bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bytes > bavail * bsize) throw noRoom(name)
  }
}

/** A text in which the file is called by its name, and its folder, which also holds what lies beside it, is not told. */
export const withName = (text: string, { path, name }: Pick<DataFile, 'path' | 'name'>): string => {
  const folder = join(dirname(path), sep)
  const named = text.replaceAll(path, name)
  return folder === parse(path).root ? named : named.replaceAll(folder, '')
}

/** Does some work on a file; what goes wrong calls it by its name. */
export const named = async <T>(file: Pick<DataFile, 'path' | 'name'>, work: () => Promise<T> | T): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw reworded(error, text => withName(text, file))
  }
}

const randomId = (): string => randomBytes(16).toString('base64url')

/** Only a name: without the folders before it, on one line, and not too long to be shown. */
const nameOf = (given: string): string => {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  return (
    last
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
      .trim()
      .slice(0, 255) || 'data'
  )
}

const packedOf = (name: string): string => /\.(gz|zst)$/i.exec(name)?.[0].toLowerCase() ?? ''

/** What the end of a name says of the bytes, and nothing else of it: readers judge by it. */
const endingOf = (name: string): string => /(?:\.[a-z0-9]{1,12}){1,2}$/i.exec(name)?.[0].toLowerCase() ?? ''

const formatOf = (path: string, name: string): Format => formatOfName(name) ?? formatOfBytes(readHead(path, 4096))

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as NodeJS.ErrnoException).code))

const noRoom = (name: string): RequestFault =>
  new RequestFault(
    507,
    `the folder of temporary files has too little space for ${name}: free some, or set TMPDIR to another folder`,
  )
