import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PART } from './project-head.ts'

/** The parts of projects: files that are written once and never changed. A name ends in the SHA-256 of what is in it. */

type Blocks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Writes a part; its name. Nothing of it is left unless it came to its end. */
export const writePart = (folder: string, blocks: Blocks): Promise<string> =>
  writeWhole(folder, blocks, (id, digest) => `${id}.${digest}`)

/** The state of a fit that is running: one file, beside the parts and the revisions, which replaces the one before. */
export const CHECKPOINT = 'checkpoint'

export const writeCheckpoint = async (folder: string, blocks: Blocks): Promise<void> =>
  void (await writeWhole(folder, blocks, () => CHECKPOINT))

const writeWhole = async (
  folder: string,
  blocks: Blocks,
  nameOf: (id: string, digest: string) => string,
): Promise<string> => {
  const id = randomBytes(16).toString('hex')
  const temporary = join(folder, `.part-${id}`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    const name = nameOf(id, await writeHashed(file, blocks))
    await rename(temporary, join(folder, name))
    return name
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const writeHashed = async (file: FileHandle, blocks: Blocks): Promise<string> => {
  const hash = createHash('sha256')
  try {
    for await (const block of blocks) {
      hash.update(block)
      await file.writeFile(block)
    }
    await file.sync()
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

/** Bytes of a part; undefined if it is not there. */
export const partBytes = (folder: string, part: string): Promise<number | undefined> =>
  stat(join(folder, part)).then(
    ({ size }) => size,
    () => undefined,
  )

/** Whether a part is as it was written. */
export const isWhole = async (folder: string, part: string): Promise<boolean> => {
  const hash = createHash('sha256')
  for await (const block of createReadStream(join(folder, part))) hash.update(block)
  return part.endsWith(`.${hash.digest('hex')}`)
}

/** What a process left that was killed is removed after so long, in milliseconds: another may still be writing it before. */
const LEFT = 24 * 3600 * 1000

/** Removes parts of an earlier revision, and what was never finished. */
export const sweepProject = async (
  folder: string,
  inUse: readonly string[],
  before: readonly string[],
): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (inUse.includes(name)) continue
    const path = join(folder, name)
    const unfinished = name.startsWith('.') || PART.test(name)
    if (before.includes(name) || (unfinished && (await isOld(path))))
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

export const isOld = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > LEFT,
    () => false,
  )
