import { createReadStream, createWriteStream, fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { DataError } from '@polyad/core'
import { removedAtExit, removeLeftover } from '../duckdb/leftovers.ts'
import { makeScratch } from '../duckdb/scratch.ts'

/**
 * What comes in on standard input, as a file: it is looked at more than once (its header, its first rows, all of it),
 * which a pipe does not allow.
 */
export const spoolStandardInput = async (): Promise<{ path: string; remove: () => void }> => {
  if (isatty(0)) throw new DataError('- reads standard input, but nothing is piped into it')
  const folder = makeScratch()
  const release = removedAtExit({ path: folder })
  const remove = () => {
    release()
    removeLeftover({ path: folder })
  }
  const path = join(folder, 'stdin')
  try {
    await pipeline(standardInput(), createWriteStream(path))
  } catch (error) {
    remove()
    throw new DataError(`standard input cannot be read: ${(error as Error).message}`)
  }
  return { path, remove }
}

/** Standard input in any thread: `process.stdin` is that of the process in its first thread alone. A pipe is waited for without holding up the end of the process. */
const standardInput = (): Readable => {
  const stats = fstatSync(0)
  return stats.isFIFO() || stats.isSocket()
    ? new Socket({ fd: 0, readable: true, writable: false })
    : createReadStream('', { fd: 0 })
}
