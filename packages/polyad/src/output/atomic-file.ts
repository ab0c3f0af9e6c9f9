import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DataError } from '@polyad/core'
import { removedAtExit } from '../duckdb/leftovers.ts'
import { partName, sweepParts } from '../duckdb/scratch.ts'

/**
 * Writes a file so that it is there whole or not at all: beside its place under another name, then renamed. `write` gets
 * the name to write to. Whatever goes wrong, nothing half-written is left, and what was there before is still there. What a process that
 * was killed has left in the folder is removed.
 */
export const writeAtomically = async (
  path: string,
  write: (temporary: string) => Promise<void> | void,
): Promise<void> => {
  checkWritable(path)
  sweepParts(dirname(path))
  const temporary = besideOf(path)
  const release = removedAtExit({ path: temporary })
  try {
    await write(temporary)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new DataError(`${path} cannot be written: ${writingFault(error)}`, {}, { cause: error })
  } finally {
    release()
  }
}

export const DISK_FULL = 'the disk is full; free some space'

/** Why something could not be written, and what to do. */
export const writingFault = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? DISK_FULL : message
}

export const writeBytes = (path: string, bytes: Uint8Array | string): Promise<void> =>
  writeAtomically(path, temporary => writeFileSync(temporary, bytes))

/** A name beside a file, for as long as it is being written. */
const besideOf = (path: string): string => join(dirname(path), partName(basename(path)))

/** Refuses a place that cannot be written to: better before the work than after it. */
export const checkWritable = (path: string): void => {
  const folder = dirname(path)
  if (!existsSync(folder)) throw new DataError(`${path} cannot be written: there is no folder ${folder}`)
  if (!statSync(folder).isDirectory()) throw new DataError(`${path} cannot be written: ${folder} is not a folder`)
  if (existsSync(path) && statSync(path).isDirectory()) throw new DataError(`${path} is a folder, not a file`)
  // Permissions do not tell all: some folders take no files, some disks are read-only or full.
  const temporary = besideOf(path)
  try {
    writeFileSync(temporary, '', { flag: 'wx' })
    rmSync(temporary)
  } catch (error) {
    throw new DataError(`${path} cannot be written: ${reasonOf(error)} ${folder}`, {}, { cause: error })
  }
}

const reasonOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied in'
  return `no file can be created (${code}) in`
}
