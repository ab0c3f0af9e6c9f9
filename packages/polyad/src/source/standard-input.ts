import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DataError } from '@polyad/core'
import { makeScratch } from '../duckdb/scratch.ts'

/**
 * What comes in on standard input, as a file: it is looked at more than once (its header, its first rows, all of it),
 * which a pipe does not allow.
 */
export const spoolStandardInput = async (): Promise<{ path: string; remove: () => void }> => {
  if (process.stdin.isTTY) throw new DataError('- reads standard input, but nothing is piped into it')
  const folder = makeScratch()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const path = join(folder, 'stdin')
  try {
    await pipeline(process.stdin, createWriteStream(path))
  } catch (error) {
    remove()
    throw new DataError(`standard input cannot be read: ${(error as Error).message}`)
  }
  return { path, remove }
}
