import { accessSync, closeSync, constants, createReadStream, openSync, readSync, type Stats, statSync } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gunzipSync, constants as zlib } from 'node:zlib'
import { DataError } from '@polyad/core'
import { refuseForeign } from '../../table/files/foreign-formats.ts'
import { isRemote } from './remote.ts'

/** Whether a name stands for several files. */
export const isPattern = (path: string): boolean => /[*?[]/.test(path)

/** Refuses what cannot be read as a file, and says why: here, before any work is done. */
export const checkReadable = (path: string): Stats => {
  if (isRemote(path))
    throw new DataError(
      `${path} is on another machine, and this reads files of this one: download it, and name the copy`,
    )
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new DataError(`there is no file ${path}`)
    if (code === 'EACCES') throw new DataError(`${path} may not be read: permission denied`)
    throw new DataError(`${path} cannot be read: ${message}`)
  }
  if (stats.isDirectory()) {
    throw new DataError(`${path} is a directory; name a file, or a pattern such as '${path.replace(/\/$/, '')}/*.csv'`)
  }
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new DataError(`${path} may not be read: permission denied`)
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

/** The first bytes of a file, unpacked where it is gzipped. */
export const readHead = (path: string, bytes = 1 << 20): Buffer => {
  const head = firstBytes(path, bytes)
  if (!isGzipped(path)) return head
  try {
    const text = gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH })
    if (text.length > 0) return text
  } catch (error) {
    throw new DataError(`${path} is not a readable gzip file: ${(error as Error).message}`)
  }
  throw new DataError(`${path} is not a readable gzip file: there is nothing in it`)
}

/** Refuses a gzipped file that is cut short or damaged. DuckDB would take what can be unpacked for all of it. */
export const checkGzip = async (path: string): Promise<void> => {
  if (!isGzipped(path)) return
  const nowhere = new Writable({ write: (_block, _encoding, done) => done() })
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), createGunzip({ chunkSize: 1 << 20 }), nowhere)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new DataError(`${path} is cut short: the gzip file ends before its end`)
    throw new DataError(`${path} is not a readable gzip file: ${message}`)
  }
}
