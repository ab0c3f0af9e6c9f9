import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * One document with revisions in a folder, written by compare-and-swap. Every revision is a folder of its own (`r7/project.json`), made
 * beside its place and renamed: a folder cannot be renamed to the name of another that holds something, so of two processes that write
 * revision 7 one is refused, without any lock that could be left behind. The highest number is the present revision. The one
 * before is removed only when the new one is there.
 */

const FILE = 'project.json'
const REVISION = /^r([1-9]\d{0,14})$/
/** More bytes than this no document has. */
const MOST = 1 << 20

export interface Revision {
  readonly revision: number
  readonly text: string
}

/** The present revision; null if there is none yet. */
export const readRevision = async (folder: string): Promise<Revision | null> => {
  for (let tries = 0; ; tries++) {
    const revision = await highest(folder)
    if (revision === 0) return null
    try {
      const path = join(folder, `r${revision}`, FILE)
      if ((await stat(path)).size > MOST) throw new Error(`${FILE} is too large`)
      return { revision, text: await readFile(path, 'utf8') }
    } catch (error) {
      // A later one may have come, and this one gone.
      if (tries >= 5 || (await highest(folder)) === revision) throw error
    }
  }
}

/** Writes the revision with this number. False if there is one already, or a later one. */
export const writeRevision = async (folder: string, revision: number, text: string): Promise<boolean> => {
  const [fresh, place] = [join(folder, `.new-${randomBytes(8).toString('hex')}`), join(folder, `r${revision}`)]
  await mkdir(fresh, { mode: 0o700 })
  try {
    await writeDurably(join(fresh, FILE), text)
    if (!(await renamed(fresh, place))) return false
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  // The name may have been free because a later revision has come, and this one was removed already.
  if ((await highest(folder)) !== revision) {
    await rm(place, { recursive: true, force: true })
    return false
  }
  await syncFolder(folder)
  return true
}

/** Removes the revisions before this one, and what was left half-written. */
export const dropBefore = async (folder: string, revision: number): Promise<void> => {
  for (const name of await readdir(folder))
    if (numberOf(name) < revision) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
}

const numberOf = (name: string): number => Number(REVISION.exec(name)?.[1] ?? Number.NaN)

const highest = async (folder: string): Promise<number> =>
  (await readdir(folder)).reduce((most, name) => Math.max(most, numberOf(name) || 0), 0)

const renamed = async (from: string, to: string): Promise<boolean> => {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    // Systems have several words for a name that is taken.
    const { code = '' } = error as NodeJS.ErrnoException
    if (['EEXIST', 'ENOTEMPTY'].includes(code)) return false
    if (['EPERM', 'EACCES', 'EBUSY'].includes(code) && (await isThere(to))) return false
    throw error
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes a new file that only its owner may read, and waits until it is on the disk. */
export const writeDurably = async (path: string, content: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Waits until the names in a folder are on the disk, where a system can do that. */
export const syncFolder = async (folder: string): Promise<void> => {
  const opened = await open(folder, 'r').catch(() => undefined)
  await opened?.sync().catch(() => {})
  await opened?.close()
}
