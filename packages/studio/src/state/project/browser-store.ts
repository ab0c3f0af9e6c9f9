import { omit } from '@polyad/core/options'
import { hexOf } from '../../worker/hex.ts'
import { CONFLICT, type ProjectChange, type ProjectStore, REMOVED, StoreFault } from './project-store.ts'

/**
 * Projects in the browser's own storage, for a page without a server. Every change is one transaction, so that nothing is half-written and
 * nobody writes in between. Data and models are blobs, which browsers keep as files: they may be of any size.
 */

const DATABASE = 'polyad-projects'
const [HEADS, PARTS, LAST] = ['heads', 'parts', 'last-words']

interface Head {
  readonly id: string
  readonly revision: number
  readonly writer: string
  readonly sequence: number
  readonly name: string | null
  readonly title: string
  readonly saved: string
  readonly fitted: number
  readonly sizes: { readonly description: number; readonly data: number; readonly results: number }
  readonly data: string | null
}

/** Each under a key of its own: what does not change is not written again. */
interface Parts {
  readonly description: string
  readonly fits: string
  readonly models: readonly Blob[]
  readonly data: Blob | null
}
const KINDS = ['description', 'fits', 'models', 'data'] as const
/** The state of a fit that is running: beside the parts, and no part of a revision. */
const CHECKPOINT = 'checkpoint'

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1)
    asked.onupgradeneeded = () => {
      for (const name of [HEADS, PARTS, LAST]) asked.result.createObjectStore(name)
    }
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(inWords(asked.error))
    asked.onblocked = () => reject(new StoreFault('other', 'another tab with an older page is open: close it'))
  })

/** What went wrong, not in a browser's words. */
const inWords = (error: unknown): Error => {
  if (error instanceof StoreFault) return error
  const { name = '' } = (error ?? {}) as { readonly name?: string }
  if (name === 'QuotaExceededError')
    return new StoreFault('other', 'this browser has no space left for it: remove other projects')
  if (name === 'SecurityError' || name === 'InvalidStateError')
    return new StoreFault('other', 'this browser does not let the page store anything')
  return new StoreFault('other', 'this browser could not store it')
}

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

type Stores = (name: string) => IDBObjectStore

class BrowserStore implements ProjectStore {
  readonly place = 'in this browser'
  readonly #database: IDBDatabase

  constructor(database: IDBDatabase) {
    this.#database = database
    // A later page may want to change it.
    database.onversionchange = () => database.close()
  }

  /** Does something with what is stored, all of it or nothing. */
  async #within<T>(mode: IDBTransactionMode, work: (stores: Stores) => Promise<T>): Promise<T> {
    try {
      const transaction = this.#database.transaction([HEADS, PARTS, LAST], mode)
      const done = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new Error('it was not written'))
      })
      done.catch(() => {})
      let result: T
      try {
        result = await work(name => transaction.objectStore(name))
      } catch (error) {
        try {
          transaction.abort()
        } catch {
          // It has ended by itself.
        }
        throw error
      }
      await done
      return result
    } catch (error) {
      throw inWords(error)
    }
  }

  async list() {
    const heads = await this.#within('readonly', stores => answerOf<Head[]>(stores(HEADS).getAll()))
    return heads
      .toSorted((a, b) => (a.saved < b.saved ? 1 : -1))
      .map(({ id, title, saved, fitted, data, sizes }) => {
        const bytes = sizes.description + sizes.data + sizes.results
        return { id, title, saved, fitted, data, bytes, dataBytes: sizes.data }
      })
  }

  async create() {
    return hexOf(crypto.getRandomValues(new Uint8Array(16)))
  }

  async open(id: string) {
    const { head, parts } = await this.#within('readwrite', async stores => {
      const head = await presentHead(stores, id)
      const found = await Promise.all(KINDS.map(kind => answerOf(stores(PARTS).get([id, kind]))))
      return { head, parts: Object.fromEntries(KINDS.map((kind, i) => [kind, found[i]])) as unknown as Parts }
    })
    if (head === undefined) throw new StoreFault('removed', REMOVED)
    const bytes = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())
    try {
      return {
        revision: head.revision,
        name: head.name,
        parts: {
          description: JSON.parse(parts.description),
          fits: JSON.parse(parts.fits),
          models: await Promise.all(parts.models.map(bytes)),
          data: parts.data === null ? null : await bytes(parts.data),
        },
      }
    } catch {
      throw new StoreFault('other', 'this project is damaged: a part of it cannot be read')
    }
  }

  async save(id: string, change: ProjectChange) {
    const { data, results } = change
    // Made before the transaction, which does not wait for anything else.
    const parts: Partial<Parts> = {
      description: JSON.stringify(change.description),
      ...(data !== undefined && { data: data?.from === 'bytes' ? new Blob([data.bytes as BlobPart]) : null }),
      ...(results !== undefined && {
        fits: JSON.stringify(results.fits),
        models: results.models.map(model => new Blob([model as BlobPart])),
      }),
    }
    return this.#within('readwrite', async stores => {
      const head = await presentHead(stores, id)
      if (head === undefined && change.revision > 0) throw new StoreFault('removed', REMOVED)
      if (!mayFollow(change, head)) throw new StoreFault('conflict', CONFLICT)
      const whole = head === undefined ? { fits: 'null', models: [], data: null, ...parts } : parts
      const next = nextHead(id, change, head, whole)
      stores(HEADS).put(data === undefined ? next : { ...next, data: data?.name ?? null }, id)
      putParts(stores, id, whole)
      return next.revision
    })
  }

  saveAtLast(id: string, change: ProjectChange) {
    try {
      const transaction = this.#database.transaction([LAST], 'readwrite')
      transaction
        .objectStore(LAST)
        .put({ ...omit(change, 'data', 'results'), description: JSON.stringify(change.description) }, id)
      // The page is gone before an answer comes: what follows from it is seen to when the project is opened.
      transaction.commit()
    } catch {
      // What was there before stays.
    }
  }

  async revision(id: string) {
    const head = await this.#within('readonly', stores => answerOf<Head | undefined>(stores(HEADS).get(id)))
    if (head === undefined) throw new StoreFault('removed', REMOVED)
    return { revision: head.revision, writer: head.writer }
  }

  async rename(id: string, name: string | null, title: string) {
    return this.#within('readwrite', async stores => {
      const head = await presentHead(stores, id)
      if (head === undefined) throw new StoreFault('removed', REMOVED)
      const revision = head.revision + 1
      stores(HEADS).put({ ...head, name, title, revision }, id)
      return revision
    })
  }

  async keepCheckpoint(id: string, bytes: Uint8Array | null) {
    const blob = bytes === null ? null : new Blob([bytes as BlobPart])
    await this.#within('readwrite', async stores => {
      if ((await answerOf(stores(HEADS).getKey(id))) === undefined) throw new StoreFault('removed', REMOVED)
      if (blob === null) stores(PARTS).delete([id, CHECKPOINT])
      else stores(PARTS).put(blob, [id, CHECKPOINT])
    })
  }

  async checkpoint(id: string) {
    const { key, blob } = await this.#within('readonly', async stores => ({
      key: await answerOf(stores(HEADS).getKey(id)),
      blob: await answerOf<Blob | undefined>(stores(PARTS).get([id, CHECKPOINT])),
    }))
    if (key === undefined) throw new StoreFault('removed', REMOVED)
    return blob === undefined ? null : new Uint8Array(await blob.arrayBuffer())
  }

  async remove(id: string) {
    await this.#within('readwrite', async stores => {
      for (const name of [HEADS, LAST]) stores(name).delete(id)
      for (const kind of [...KINDS, CHECKPOINT]) stores(PARTS).delete([id, kind])
    })
  }
}

/** A change follows the revision that it knows, or an earlier change of the same tab. */
const mayFollow = ({ revision, writer, sequence }: ProjectChange, head: Head | undefined): boolean =>
  head?.writer === writer ? sequence > head.sequence : revision === (head?.revision ?? 0)

const putParts = (stores: Stores, id: string, parts: Partial<Parts>): void => {
  for (const kind of KINDS) if (parts[kind] !== undefined) stores(PARTS).put(parts[kind], [id, kind])
}

/** The head of the next revision. Parts that are not named stay as they are. */
const nextHead = (
  id: string,
  { name, title, writer, sequence }: ProjectChange,
  before: Head | undefined,
  { description = '', fits = '', models, data }: Partial<Parts>,
): Head => {
  const sizes = before?.sizes ?? { description: 0, data: 0, results: 0 }
  return {
    id,
    name,
    title,
    writer,
    sequence,
    data: before?.data ?? null,
    revision: (before?.revision ?? 0) + 1,
    saved: new Date().toISOString(),
    fitted: models?.length ?? before?.fitted ?? 0,
    sizes: {
      description: description.length,
      data: data === undefined ? sizes.data : (data?.size ?? 0),
      results: models?.reduce((sum, { size }) => sum + size, fits.length) ?? sizes.results,
    },
  }
}

/** The head of a project, after what a page wrote in its last moment, if nobody has saved the project since. */
const presentHead = async (stores: Stores, id: string): Promise<Head | undefined> => {
  const [head, last] = await Promise.all([
    answerOf<Head | undefined>(stores(HEADS).get(id)),
    answerOf<(ProjectChange & { readonly description: string }) | undefined>(stores(LAST).get(id)),
  ])
  if (last === undefined) return head
  stores(LAST).delete(id)
  if (head === undefined || !mayFollow(last, head)) return head
  const next = nextHead(id, last, head, { description: last.description })
  stores(HEADS).put(next, id)
  putParts(stores, id, { description: last.description })
  return next
}

/** The store of this browser; a text, the reason, if it has none. */
export const openBrowserStore = async (): Promise<ProjectStore | string> => {
  if (globalThis.indexedDB === undefined) return 'this browser does not let the page store anything'
  try {
    return new BrowserStore(await opened())
  } catch (error) {
    return inWords(error).message
  }
}
