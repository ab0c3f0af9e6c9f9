import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { DataError } from '@polyad/core'
import { isFull } from './data-files.ts'
import { digestOf, headOf, headText, ID, isPart, type KeptData, type ProjectHead, partsOf } from './project-head.ts'
import { CHECKPOINT, isOld, isWhole, partBytes, sweepProject, writeCheckpoint, writePart } from './project-parts.ts'
import { shownFolder } from './project-place.ts'
import { dropBefore, readRevision, syncFolder, writeRevision } from './project-revisions.ts'
import { RequestFault } from './request-fault.ts'

/** A project in the list. */
export type ListedProject =
  | ({
      readonly id: string
      readonly revision: number
      /** The name and the bytes of its data. */
      readonly data: string | null
      readonly dataBytes: number
      /** SHA-256 of its data, if a copy is kept. */
      readonly digest: string | null
    } & Pick<ProjectHead, 'name' | 'title' | 'saved' | 'fitted' | 'bytes'>)
  | { readonly id: string; readonly damaged: string; readonly saved: string }

/** What a page has changed. What it does not name stays as it was in the revision that it knows. */
export interface Change {
  /** The revision that it knows; 0 for a new project. */
  readonly revision: number
  readonly writer: string
  readonly sequence: number
  readonly name: string | null
  readonly title: string
  readonly description: string
  readonly results?: { readonly fits: string | null; readonly models: readonly string[]; readonly count: number }
  readonly data?: KeptData | null
}

/** More projects than this are not kept. */
const MOST_PROJECTS = 10_000

/**
 * The projects of a user, each in a folder of its own: parts, and revisions that say which parts it has. Several studios, and several
 * tabs of each, may use the same folder at once.
 */
export class ProjectFolder {
  readonly root: string
  readonly #room: (folder: string) => Promise<number>
  /** The last saving of each project: readers wait for it. */
  readonly #savings = new Map<string, Promise<unknown>>()

  /** @param room bytes that are free where the folder is */
  constructor(root: string, room: (folder: string) => Promise<number> = freeBytes) {
    this.root = root
    this.#room = room
  }

  /** All projects, the last saved first. One that cannot be read is listed as damaged. */
  async list(): Promise<readonly ListedProject[]> {
    const names = await readdir(this.root).catch((): string[] => [])
    const found = await Promise.all(names.filter(name => ID.test(name)).map(id => this.#listed(id)))
    return found.flat().toSorted((a, b) => (a.saved < b.saved ? 1 : a.saved > b.saved ? -1 : 0))
  }

  async #listed(id: string): Promise<readonly ListedProject[]> {
    const folder = join(this.root, id)
    try {
      const { head, revision } = await this.#read(id)
      if (head === null) return (await this.#isBeingMade(folder)) ? [] : [await damaged(id, folder, 'it is incomplete')]
      const { name, title, saved, fitted, bytes, data } = head
      const digest = data !== null && 'part' in data ? digestOf(data.part) : null
      const known = { data: data?.name ?? null, dataBytes: data?.bytes ?? 0, digest }
      return [{ id, revision, name, title, saved, fitted, bytes, ...known }]
    } catch (error) {
      return [await damaged(id, folder, error instanceof DataError ? error.message : 'it cannot be read')]
    }
  }

  /** A folder without a revision: a page has just asked for it, or was closed before it saved anything. */
  async #isBeingMade(folder: string): Promise<boolean> {
    if (!(await isOld(folder))) return true
    if ((await readdir(folder)).length > 0) return false
    await rm(folder, { recursive: true, force: true })
    return true
  }

  /** Makes room for a new project; its id. */
  async create(): Promise<string> {
    return this.#writing(async () => {
      await mkdir(this.root, { recursive: true, mode: 0o700 })
      if ((await readdir(this.root)).length > MOST_PROJECTS)
        throw new RequestFault(507, `there are more than ${MOST_PROJECTS} projects: remove some`)
      const id = randomBytes(16).toString('hex')
      await mkdir(join(this.root, id), { mode: 0o700 })
      return id
    })
  }

  /** The present revision of a project; its head is null if nothing has been saved yet. */
  async read(id: string): Promise<{ readonly revision: number; readonly head: ProjectHead | null }> {
    // A page that is loaded again asks for what it has just sent.
    await this.#savings.get(id)
    return this.#present(id)
  }

  async #present(id: string): Promise<{ readonly revision: number; readonly head: ProjectHead | null }> {
    const folder = await this.folderOf(id)
    try {
      return await this.#read(id)
    } catch (error) {
      if (await isMissing(folder)) throw removed()
      throw error instanceof DataError ? new DataError(`this project is damaged: ${error.message}`) : broken()
    }
  }

  async #read(id: string) {
    const found = await readRevision(join(this.root, id))
    if (found === null) return { revision: 0, head: null }
    return { revision: found.revision, head: headOf(found.text) }
  }

  /** Takes a part that a page sends, or a file of the studio. */
  addPart(id: string, blocks: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
    return this.#taking(id, bytes, folder => writePart(folder, blocks))
  }

  /** Takes the state of a fit that is running, in place of the one before. It is no change of the project: there is no new revision. */
  keepCheckpoint(id: string, blocks: AsyncIterable<Uint8Array>, bytes: number): Promise<void> {
    return this.#taking(id, bytes, folder => writeCheckpoint(folder, blocks))
  }

  /** The state of the fit that was running, if one is kept. */
  async checkpoint(id: string): Promise<{ readonly path: string; readonly bytes: number } | undefined> {
    const folder = await this.folderOf(id)
    const bytes = await partBytes(folder, CHECKPOINT)
    return bytes === undefined ? undefined : { path: join(folder, CHECKPOINT), bytes }
  }

  async dropCheckpoint(id: string): Promise<void> {
    const folder = await this.folderOf(id)
    await this.#writing(() => rm(join(folder, CHECKPOINT), { force: true }))
  }

  async #taking<T>(id: string, bytes: number, take: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.folderOf(id)
    return this.#writing(async () => {
      if (bytes > (await this.#room(folder))) throw noRoom(this.root)
      return take(folder)
    })
  }

  /** Whether a path is that of a part of some project. */
  holds(path: string): boolean {
    return path.startsWith(join(this.root, sep))
  }

  /** The part of a project that a path is of; undefined if it is of none. */
  partAt(id: string, path: string): string | undefined {
    return dirname(path) === join(this.root, id) && isPart(basename(path)) ? basename(path) : undefined
  }

  /** Bytes of a part. */
  async partSize(id: string, part: string): Promise<number> {
    const folder = await this.folderOf(id)
    const bytes = isPart(part) ? await partBytes(folder, part) : undefined
    if (bytes === undefined) throw new RequestFault(404, 'a part of this project is missing')
    return bytes
  }

  /** The path of a part that is whole. */
  async partPath(id: string, part: string): Promise<{ readonly path: string; readonly bytes: number }> {
    const [folder, bytes] = [await this.folderOf(id), await this.partSize(id, part)]
    if (!(await isWhole(folder, part))) throw broken()
    return { path: join(folder, part), bytes }
  }

  /** The description of a project, as text. */
  async description(id: string, { description }: ProjectHead): Promise<string> {
    return readFile((await this.partPath(id, description)).path, 'utf8')
  }

  /** Saves a change; the new revision. Refused with status 409 if another has saved the project since. */
  save(id: string, change: Change): Promise<number> {
    const saved = (this.#savings.get(id) ?? Promise.resolve()).then(() => this.#save(id, change))
    const over = saved
      .catch(() => {})
      .finally(() => {
        if (this.#savings.get(id) === over) this.#savings.delete(id)
      })
    this.#savings.set(id, over)
    return saved
  }

  async #save(id: string, change: Change): Promise<number> {
    const folder = await this.folderOf(id)
    const { revision, head } = await this.#present(id)
    if (!mayFollow(change, revision, head)) throw conflict()
    const { results, data = head?.data ?? null } = change
    const before = head ?? { fits: null, models: [], fitted: 0 }
    const { fits, models, count } = results ?? { ...before, count: before.fitted }
    return this.#writing(async () => {
      const text = Buffer.from(change.description)
      if (text.length > (await this.#room(folder))) throw noRoom(this.root)
      const description = await writePart(folder, [text])
      const { name, title, writer, sequence } = change
      const next = {
        name,
        title,
        writer,
        sequence,
        description,
        fits,
        models,
        data,
        saved: new Date().toISOString(),
        fitted: count,
        bytes: 0,
      }
      const sizes = await Promise.all(partsOf(next).map(part => partBytes(folder, part)))
      if (sizes.includes(undefined)) throw new RequestFault(422, 'a part of the project is missing: send it again')
      const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0)
      return this.#commit(folder, revision, head, { ...next, bytes })
    })
  }

  /** Renames a project, also if it is open elsewhere. */
  async rename(id: string, name: string | null, title: string): Promise<number> {
    const folder = await this.folderOf(id)
    const { revision, head } = await this.read(id)
    if (head === null) throw removed()
    return this.#writing(() => this.#commit(folder, revision, head, { ...head, name, title }))
  }

  async #commit(folder: string, revision: number, before: ProjectHead | null, head: ProjectHead): Promise<number> {
    const [next, old] = [revision + 1, before === null ? [] : partsOf(before)]
    if (!(await writeRevision(folder, next, headText(head)))) {
      await sweepProject(folder, old, partsOf(head).slice(0, 1)).catch(() => {})
      throw conflict()
    }
    // It is saved; what cannot be tidied up now is tidied up the next time.
    await dropBefore(folder, next).catch(() => {})
    await sweepProject(folder, partsOf(head), old).catch(() => {})
    return next
  }

  /** Removes a project and all its parts. */
  async remove(id: string): Promise<void> {
    const folder = await this.folderOf(id)
    // Out of the list at once, whatever happens on the way.
    const gone = join(this.root, `.removed-${randomBytes(8).toString('hex')}`)
    await this.#writing(async () => {
      await rename(folder, gone)
      await rm(gone, { recursive: true, force: true, maxRetries: 3 })
      await syncFolder(this.root)
    })
  }

  /** Removes what is left of projects that were being removed when their studio was killed. */
  async sweep(): Promise<void> {
    const names = await readdir(this.root).catch((): string[] => [])
    for (const name of names.filter(each => each.startsWith('.removed-')))
      await rm(join(this.root, name), { recursive: true, force: true }).catch(() => {})
  }

  /** The folder of a project. An id is nothing but 32 digits, so no request leads out of the folder of projects. */
  async folderOf(id: string): Promise<string> {
    const folder = join(this.root, ID.test(id) ? id : '')
    if (!ID.test(id) || (await isMissing(folder))) throw removed()
    return folder
  }

  async #writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isFull(error)) throw noRoom(this.root)
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' && !(await isMissing(this.root))) throw removed()
      if (['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(code))
        throw new RequestFault(507, `the folder of projects, ${shownFolder(this.root)}, cannot be written to`)
      throw error
    }
  }
}

/** A change follows the revision that it knows, or an earlier change of the same tab, whose answer may not have arrived. */
const mayFollow = ({ revision, writer, sequence }: Change, now: number, head: ProjectHead | null): boolean =>
  head?.writer === writer ? sequence > head.sequence : revision === now

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const isMissing = async (folder: string): Promise<boolean> =>
  !(await stat(folder).then(
    stats => stats.isDirectory(),
    () => false,
  ))

const damaged = async (id: string, folder: string, reason: string): Promise<ListedProject> => ({
  id,
  damaged: reason,
  saved: await stat(folder).then(
    ({ mtime }) => mtime.toISOString(),
    () => '',
  ),
})

const removed = () => new RequestFault(404, 'there is no such project: it was removed')
const broken = () => new DataError('this project is damaged: a part of it is not as it was written')
const conflict = () => new RequestFault(409, 'this project was saved in another tab')
const noRoom = (root: string) =>
  new RequestFault(507, `the disk with the folder of projects, ${shownFolder(root)}, is full: free some space`)
