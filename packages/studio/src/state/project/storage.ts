import { effect, signal } from '@preact/signals'
import { complain } from '../messages.ts'
import { fits, restored, table } from '../store.ts'
import { clearProject, currentProject, openProject } from './project.ts'
import { type Project, type ProjectParts, projectParts } from './project-file.ts'

/** The project in the browser's own storage: one for all tabs, written by one of them. */

/**
 * Where this tab's work is kept: in the browser; nowhere, since another tab keeps its own; nowhere, since the browser does not let it.
 * Null as long as that is not known.
 */
export const keeping = signal<'here' | 'elsewhere' | 'nowhere' | null>(null)
/** Why it is kept nowhere, for a person. */
export const obstacleToKeeping = signal('')

const DATABASE = 'polyad-studio'
const STORE = 'project'
const LOCK = 'polyad-studio-project'
/** A page that is loaded again waits so long for what it was before to go, in milliseconds. */
const PATIENCE = 700
/** Between a change and its saving: more changes may follow. */
const MOMENT = 400

/** Brings the project back, if this tab may keep it, and keeps it from then on. */
export const startStorage = async (): Promise<void> => {
  if (navigator.locks === undefined || globalThis.indexedDB === undefined) {
    giveUp('the page is not served securely, or the browser forbids it')
    return
  }
  if (!(await hold({ signal: AbortSignal.timeout(PATIENCE) }))) {
    keeping.value = 'elsewhere'
    return
  }
  await restore()
  keep()
}

/** Keeps this tab's work in place of the other's; where this tab has none, the other's is opened here. */
export const takeOver = async (): Promise<void> => {
  if (!(await hold({ steal: true }))) return
  kept = NOTHING
  if (table.peek() === null && fits.peek() === null) await restore()
  keep()
}

/** Forgets everything, in the browser too. */
export const clearEverything = async (): Promise<void> => {
  clearProject()
  if (keeping.peek() === 'elsewhere') return
  try {
    await erase()
  } catch (error) {
    complain(error)
  }
}

/** Whether this tab has the lock: another may take it at any moment, also while a project is being brought back. */
let holding = false

/** Holds the lock until the page is closed, or another tab takes it. Whether it was given. */
const hold = (options: LockOptions): Promise<boolean> =>
  new Promise(resolve => {
    navigator.locks
      .request(LOCK, options, () => {
        holding = true
        resolve(true)
        return new Promise<never>(() => {})
      })
      .catch(() => {
        holding = false
        resolve(false)
        if (keeping.peek() === 'here') keeping.value = 'elsewhere'
      })
  })

const giveUp = (reason: string): void => {
  obstacleToKeeping.value = reason
  keeping.value = 'nowhere'
}

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1)
    asked.onupgradeneeded = () => void asked.result.createObjectStore(STORE)
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
    asked.onblocked = () => reject(new Error('another tab holds its storage'))
  })

/** Does something with the stored parts, all of it or nothing. */
const within = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => T): Promise<T> => {
  const database = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const result = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(result)
      transaction.onabort = () => reject(transaction.error ?? new Error('it was not written'))
    })
  } finally {
    database.close()
  }
}

/**
 * What was chosen, as a page writes it that is being left: there is no time for more. It is there only until the storage has it
 * too, and so newer than that where it is.
 */
const HASTE = 'polyad-studio-description'

const writeInHaste = (): void => {
  const own = currentProject()
  // It must not get beside the data or the fits of another project.
  if (keeping.peek() !== 'here' || kept === NOTHING || own.file !== kept.file || own.fits !== kept.fits) return
  try {
    localStorage.setItem(HASTE, JSON.stringify(projectParts(own).description))
  } catch {
    // No room, or no permission: the storage may still be in time.
  }
}

const inHaste = (): string | null => {
  try {
    return localStorage.getItem(HASTE)
  } catch {
    return null
  }
}

const forgetHaste = (): void => {
  try {
    localStorage.removeItem(HASTE)
  } catch {
    // Nothing was written either.
  }
}

const erase = (): Promise<unknown> => {
  kept = NOTHING
  forgetHaste()
  return within('readwrite', store => store.clear())
}

const restore = async (): Promise<void> => {
  try {
    const found = await within('readonly', store => ({
      description: store.get('description'),
      fits: store.get('fits'),
      models: store.get('models'),
      data: store.get('data'),
    }))
    if (found.description.result === undefined) return
    const parts: ProjectParts = {
      description: JSON.parse(inHaste() ?? found.description.result),
      fits: JSON.parse(found.fits.result),
      models: found.models.result,
      data: found.data.result,
    }
    const opened = await openProject('restoring your project', async () => {
      const { projectFromParts } = await import('./open-project.ts')
      return projectFromParts(parts)
    })
    // What came back need not be written again.
    if (opened !== undefined) kept = partsOf(currentProject())
    restored.value = opened !== undefined || fits.peek() !== null
  } catch (error) {
    giveUp((error as Error).message)
  }
}

/** What has been written: only what is another value is written again. */
type Kept = Pick<Project, 'file' | 'fits'>
const NOTHING: Kept = { file: null, fits: null }
let kept: Kept = NOTHING
const partsOf = ({ file, fits }: Project): Kept => ({ file, fits })

/** One saving at a time. */
let saving: Promise<void> = Promise.resolve()
let timer: ReturnType<typeof setTimeout> | undefined
let [watching, leaving] = [false, false]

const keep = (): void => {
  if (keeping.peek() === 'nowhere') return
  keeping.value = holding ? 'here' : 'elsewhere'
  if (watching) {
    saveSoon()
    return
  }
  watching = true
  effect(() => {
    currentProject()
    saveSoon()
  })
  // What has waited so far cannot wait any longer.
  const saveNow = () => {
    if (timer === undefined) return
    writeInHaste()
    save()
  }
  addEventListener('pagehide', () => {
    leaving = true
    saveNow()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') saveNow()
  })
  addEventListener('pageshow', () => {
    leaving = false
  })
}

const saveSoon = (): void => {
  if (keeping.peek() === 'here') timer ??= setTimeout(save, MOMENT)
}

const save = (): void => {
  clearTimeout(timer)
  timer = undefined
  saving = saving.then(write)
}

const write = async (): Promise<void> => {
  if (keeping.peek() !== 'here') return
  const own = currentProject()
  const [parts, hasty] = [projectParts(own), inHaste()]
  try {
    if (own.file === null && own.fits === null) {
      await erase()
      return
    }
    await within('readwrite', store => {
      store.put(JSON.stringify(parts.description), 'description')
      if (own.file !== kept.file || kept === NOTHING) store.put(parts.data, 'data')
      if (own.fits === kept.fits && kept !== NOTHING) return
      store.put(JSON.stringify(parts.fits), 'fits')
      store.put(parts.models, 'models')
    })
    kept = partsOf(own)
    // What was written in haste meanwhile is newer.
    if (inHaste() === hasty) forgetHaste()
  } catch (error) {
    // A page that is being left breaks off what it writes; what was there before stays.
    if (leaving) return
    const full = (error as Error).name === 'QuotaExceededError'
    // The project of before is not what a person would look for when they come back.
    if (full) await erase().catch(() => {})
    giveUp(full ? 'there is no room for it' : (error as Error).message)
  }
}
