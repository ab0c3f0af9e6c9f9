import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createGunzip, gunzipSync, constants as zlib } from 'node:zlib'
import { DataError } from '@polyad/core'
import { checkUnpackedSize, UNPACK_LIMITS, type UnpackLimit } from '../../table/files/unpack-limits.ts'
import { refuseForeign } from '../../table/formats/foreign-formats.ts'
import { nearest } from '../../table/values/nearest.ts'
import { isRemote } from './remote.ts'

/** Whether a name stands for several files. */
export const isPattern = (path: string): boolean => /[*?[]/.test(path)

/** A file in the same folder with nearly the same name. */
const besides = (path: string): string => {
  try {
    const near = nearest(basename(path), readdirSync(dirname(path)))
    return near === undefined ? '' : `; did you mean ${join(dirname(path), near)}?`
  } catch {
    return existsSync(dirname(path)) ? '' : `: there is no folder ${dirname(path)}`
  }
}

/** Refuses what cannot be read as a file, and says why: here, before any work is done. */
export const checkReadable = (path: string): Stats => {
  if (isRemote(path)) throw new DataError(`${path} is on another machine. Download it and use the copy`)
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new DataError(`there is no file ${path}${besides(path)}`)
    if (code === 'EACCES') throw new DataError(`${path} cannot be read: permission denied`)
    throw new DataError(`${path} cannot be read: ${message}`)
  }
  if (stats.isDirectory()) {
    throw new DataError(`${path} is a folder; name a file, or a pattern such as '${path.replace(/\/$/, '')}/*.csv'`)
  }
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new DataError(`${path} cannot be read: permission denied`)
  }
  if (stats.isFile() && stats.size === 0) throw new DataError(`${path} is empty`)
  if (stats.isFile()) refuseForeign(path, firstBytes(path, 16))
  return stats
}

const firstBytes = (path: string, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  const file = openSync(path, 'r')
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, 0))
  } finally {
    closeSync(file)
  }
}

/** Whether a file is gzipped, by its first bytes: names do not always say. */
export const isGzipped = (path: string): boolean => {
  const [first, second] = firstBytes(path, 2)
  return first === 0x1f && second === 0x8b
}

/** Packed bytes that are unpacked at a time for the head of a file: they come to 68 MB at most, whatever is in them. */
const STEP = 1 << 16

/** All bytes of a file. */
export const readBytes = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new DataError(`${path} cannot be read: ${(error as Error).message}`, {}, { cause: error })
  }
}

/** The first bytes of a file, unpacked if it is gzipped. */
export const readHead = (path: string, bytes = 1 << 20): Buffer => {
  const head = firstBytes(path, bytes)
  if (!isGzipped(path)) return head
  try {
    let text = Buffer.alloc(0)
    for (let taken = STEP; text.length < bytes; taken += STEP) {
      text = gunzipSync(head.subarray(0, taken), { finishFlush: zlib.Z_SYNC_FLUSH })
      if (taken >= head.length) break
    }
    if (text.length > 0) return text.subarray(0, bytes)
  } catch (error) {
    throw new DataError(`${path} is not a readable gzip file: ${(error as Error).message}`)
  }
  throw new DataError(`${path} is not a readable gzip file: there is nothing in it`)
}

/** The blocks of a gzipped file, unpacked; no more of them than the limit. */
export async function* gunzipped(path: string, limit: UnpackLimit = UNPACK_LIMITS.stream): AsyncGenerator<Buffer> {
  const packed = statSync(path).size
  const bytes = createReadStream(path, { highWaterMark: 1 << 20 })
  const blocks = createGunzip({ chunkSize: 1 << 20 })
  bytes.on('error', error => blocks.destroy(error))
  let size = 0
  try {
    for await (const block of bytes.pipe(blocks)) {
      size += block.length
      checkUnpackedSize(path, packed, size, limit)
      yield block
    }
  } finally {
    bytes.destroy()
  }
}

/** Refuses a gzipped file that is cut short, damaged, or unpacks to too much. DuckDB would take what can be unpacked for all of it. */
export const checkGzip = async (path: string): Promise<void> => {
  if (!isGzipped(path)) return
  try {
    for await (const _ of gunzipped(path));
  } catch (error) {
    if (error instanceof DataError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new DataError(`${path} is cut short: the gzip file is incomplete`)
    throw new DataError(`${path} is not a readable gzip file: ${message}`)
  }
}
