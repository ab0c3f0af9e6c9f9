import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DataError } from '@polyad/core'

/**
 * Writes a file so that it is there whole or not at all: beside its place under another name, then renamed. `write` gets
 * the name to write to. Whatever goes wrong, nothing half-written is left, and what was there before is still there.
 */
export const writeAtomically = async (
  path: string,
  write: (temporary: string) => Promise<void> | void,
): Promise<void> => {
  checkWritable(path)
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`)
  const discard = () => rmSync(temporary, { force: true })
  process.once('exit', discard)
  try {
    await write(temporary)
    renameSync(temporary, path)
  } catch (error) {
    discard()
    const { code, message } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new DataError(`${path} cannot be written: ${message}`, {}, { cause: error })
  } finally {
    process.off('exit', discard)
  }
}

export const writeBytes = (path: string, bytes: Uint8Array | string): Promise<void> =>
  writeAtomically(path, temporary => writeFileSync(temporary, bytes))

/** Refuses a place that cannot be written to: better before the work than after it. */
export const checkWritable = (path: string): void => {
  const folder = dirname(path)
  if (!existsSync(folder)) throw new DataError(`${path} cannot be written: there is no folder ${folder}`)
  if (existsSync(path) && statSync(path).isDirectory())
    throw new DataError(`${path} is a directory, not a file to write`)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new DataError(`${path} cannot be written: permission denied in ${folder}`)
  }
}
