import { omit } from '@polyad/core/options'
import { batch } from '@preact/signals'
import { worker } from '../../worker/client.ts'
import type { DataFile, OpenOptions, TableSummary } from '../../worker/protocol.ts'
import { endFit, stopFit } from '../fitting/fitting.ts'
import { showError, waitFor, waitLong } from '../page/messages.ts'
import { ask, enqueue, replaceQueued } from '../page/opening-queue.ts'
import type { OpenOption } from '../reading/open-options.ts'
import { obstacle, openTable, readData } from '../reading/reading.ts'
import { unopened } from '../reading/unopened.ts'
import { isOtherText, WESTERN } from '../reading/western-text.ts'
import { stemOf } from '../store/files.ts'
import { file, fits, isRunning, ownName, screen, settings } from '../store/store.ts'
import { ADDRESSED_PROJECT, showAddress } from './address.ts'
import { announce, flush, forget, refreshProjects, saving, store } from './autosave.ts'
import { EMPTY, keptAs, type Origin, put } from './project.ts'
import { isModelFile, isProjectFile, type Project } from './project-file.ts'
import type { ProjectEntry, StoreFault } from './project-store.ts'
import { resumeByItself } from './resuming.ts'
import { tellTabs } from './tabs.ts'

/** From one project to another: files are opened, kept projects are opened, begun, renamed and removed. */

/** Whether what is there may give way: asked if something would be lost. A fit under way is stopped first. */
const makeRoom = async (opening: string, origin: Origin): Promise<boolean> => {
  const losesFits = async () => {
    const isSafe = origin !== 'same' && (await flush())
    return fits.peek() !== null && !isSafe
  }
  const loses = await losesFits()
  if ((loses || isRunning.peek()) && !(await ask(opening, loses))) return false
  await endFit()
  // Tests of a fit that gives way are of no use any more, and the table would wait for them.
  worker.stop('goodness', 'testRank', 'errors')
  // What the fit has found by now may not be saved.
  return loses || !(await losesFits()) || ask(opening, true)
}

/** Shows a project in place of the one of before. A table that was only looked at is not worth a place in the list. */
const replaceBy = (project: Project, found: TableSummary | null, origin: Origin): void => {
  const { id, isNew } = keptAs.peek()
  const isUntouched = fits.peek() === null && ownName.peek() === null && !settings.canUndo.peek()
  const goes = origin !== 'same' && isNew && isUntouched && saving.peek()?.kind === 'saved'
  put(project, found, origin)
  if (goes && id !== null) void forget(id).catch(() => {})
}

/** Opens a table, or the file of a project or a model, as a new project. */
export const openFile = async (opened: DataFile, origin: Origin = 'new'): Promise<TableSummary | undefined> => {
  const { name } = opened
  const [isProject, isModel] = [isProjectFile, isModelFile].map(is => opened.from === 'bytes' && is(opened.bytes))
  if (!isProject && !isModel) return (await makeRoom(name, origin)) ? openAnew(opened, origin) : undefined
  const project = await waitFor(`opening ${name}`, async () => {
    const { openModelFile, openProjectFile } = await import('./open-project.ts')
    const { bytes } = opened as Extract<DataFile, { readonly from: 'bytes' }>
    return isProject ? openProjectFile(bytes) : openModelFile(name, bytes)
  })
  if (project === undefined || !(await makeRoom(name, origin))) return undefined
  return openProject(`opening ${name}`, async () => ({ project, origin }))
}

const openAnew = (opened: DataFile, origin: Origin): Promise<TableSummary | undefined> =>
  waitLong(`reading ${opened.name}`, async signal => {
    unopened.value = null
    let found: TableSummary
    let file = opened
    try {
      found = await openTable(opened, signal).catch(error => {
        if (signal.aborted || !isOtherText(opened)) throw error
        // Most of what is not UTF-8 is this; a note says so.
        file = { ...opened, encoding: WESTERN }
        return openTable(file, signal)
      })
    } catch (error) {
      if (signal.aborted) throw error
      batch(() => {
        unopened.value = { file: opened, reason: (error as Error).message }
        screen.value = 'data'
      })
      return undefined
    }
    replaceBy({ ...EMPTY, file }, found, origin)
    return found
  })

/**
 * Opens the same data again, written in another way, such as with another delimiter; null where that is to be detected. What was chosen for columns
 * that are still there stays.
 */
export const reopen = (changes: OpenChanges): Promise<void> =>
  // One after the other: each begins with what those before it came to.
  enqueue(() => reopenOnce(changes))

/** Options of how a file is written that are set, or (null) detected again. */
export type OpenChanges = { readonly [O in OpenOption]?: OpenOptions[O] | null }

const reopenOnce = async (changes: OpenChanges): Promise<void> => {
  const [now, { columns, ...before }] = [file.peek(), settings.value.peek()]
  if (now === null) return
  const given = Object.entries(changes).filter(([, value]) => value !== null)
  const rest = omit(now as DataFile & OpenOptions, ...(Object.keys(changes) as OpenOption[]))
  const found = await openFile({ ...rest, ...Object.fromEntries(given) } as DataFile, 'same')
  if (found === undefined) return
  const names = new Set(found.columns.map(({ name }) => name))
  const kept = Object.entries(columns).filter(([name]) => names.has(name))
  settings.reset({ ...before, columns: Object.fromEntries(kept), classes: {} })
}

interface Opened {
  readonly project: Project
  readonly origin: Origin
  /** Why its data is not there any more. */
  readonly lost?: string | undefined
}

/** Shows a project as it was left. If its data cannot be read again, what was found is still there. */
const openProject = (what: string, read: () => Promise<Opened>): Promise<TableSummary | undefined> =>
  waitFor(what, async () => {
    const { project, origin, ...rest } = await read()
    let [found, lost]: [TableSummary | null, string | undefined] = [null, rest.lost]
    try {
      if (project.file !== null && lost === undefined) found = await openTable(project.file)
    } catch (error) {
      lost = (error as Error).message
    }
    // Nothing of another table may get beside these models.
    if (found === null) await worker.call('close', [])
    replaceBy(project, found, origin)
    if (lost !== undefined) showError(`The data could not be read again: ${lost}`)
    // The worker needs the data beside the models.
    else if (found !== null && project.fits !== null && obstacle.peek() === undefined) await readData()
    return found ?? undefined
  })

/** Opens a project that a person has chosen from the list. */
export const openListed = (id: string, title: string): Promise<void> => replaceQueued(() => openKept(id, title))

/** Opens a project of the store. */
export const openKept = async (id: string, title: string): Promise<void> => {
  const kept = store.peek()
  if (kept === null || id === keptAs.peek().id || !(await makeRoom(title, 'new'))) return
  await openProject(`opening ${title}`, async () => {
    const [{ projectFromParts }, { revision, name, parts, lost }] = await Promise.all([
      import('./open-project.ts'),
      kept.open(id),
    ])
    return { project: { ...projectFromParts(parts), name }, origin: { id, revision }, lost }
  })
  announce()
}

/** Opens the project that the address names: the page was loaded again. */
export const openAddressed = async (): Promise<void> => {
  const id = ADDRESSED_PROJECT
  if (id === null || store.peek() === null || saving.peek()?.kind === 'off') return
  await openKept(id, 'your project')
  if (keptAs.peek().id === id) void resumeByItself()
  else showAddress(null, false)
}

/** Begins with nothing. The project of before stays in the list. */
export const newProject = (): Promise<void> =>
  replaceQueued(async () => {
    if (!(await makeRoom('a new project', 'new'))) return
    replaceBy(EMPTY, null, 'new')
    void closeTable()
  })

const closeTable = (): Promise<void> => worker.call('close', []).catch(showError)

/** Removes a project for good. */
export const removeProject = async (id: string): Promise<void> => {
  if (id === keptAs.peek().id) await removeThis()
  else await drop(id)
}

/** Removes the project of this tab for good, here and where it is kept. */
export const removeThis = (): Promise<void> =>
  replaceQueued(async () => {
    const as = keptAs.peek()
    stopFit()
    put(EMPTY, null, 'new')
    void closeTable()
    // What was being saved must not bring it back.
    await flush()
    if (as.id !== null) await drop(as.id)
  })

const drop = async (id: string): Promise<void> => {
  try {
    await forget(id)
  } catch (error) {
    if ((error as StoreFault).kind !== 'removed') showError(error)
    await refreshProjects()
  }
}

/** Gives a project of the list a name; an empty one is that of its data. */
export const renameProject = async ({ id, data }: ProjectEntry, typed: string): Promise<void> => {
  const name = typed.trim() || null
  if (id === keptAs.peek().id) {
    ownName.value = name
    return
  }
  try {
    const revision = await store.peek()?.rename(id, name, name ?? (stemOf(data ?? '') || 'Untitled'))
    if (revision !== undefined) tellTabs({ kind: 'renamed', id, revision, name })
    await refreshProjects()
  } catch (error) {
    showError(error)
  }
}
