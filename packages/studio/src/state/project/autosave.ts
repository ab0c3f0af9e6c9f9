import { effect, signal } from '@preact/signals'
import { ownName, projectName } from '../store/store.ts'
import { addressKeepsNothing, showAddress } from './address.ts'
import { openBrowserStore } from './browser-store.ts'
import { keepStates, settleFit } from './fit-keeping.ts'
import { currentProject, descriptionOf, isEmpty, type KeptAs, keptAs, newKept } from './project.ts'
import { type Project, projectParts } from './project-file.ts'
import type { ProjectChange, ProjectEntry, ProjectStore, StoreFault } from './project-store.ts'
import { openServerStore } from './server-store.ts'
import { hadItFirst, listenToTabs, type TabMessage, tellTabs, WRITER } from './tabs.ts'

/** Keeps the project of this tab: saves it soon after every change, and says whether it is saved. */

export type Saving =
  /** There is nothing to save. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  /** Another tab has saved the project; this one does not any more. */
  | { readonly kind: 'elsewhere' }
  /** The project was removed, in the list of another tab. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing is kept: by choice, or for a reason. */
  | { readonly kind: 'off'; readonly reason: string | null }

/** Null as long as it is not known where projects are kept. */
export const saving = signal<Saving | null>(null)
/** All projects; null as long as they are not known. */
export const projects = signal<readonly ProjectEntry[] | null>(null)
export const store = signal<ProjectStore | null>(null)
/** Whether all that can be known of projects at the start is known: what stands below their list stays in its place from then on. */
export const isListed = signal(false)

/** Between a change and its saving, in milliseconds: more changes may follow. */
const MOMENT = 400

let timer: ReturnType<typeof setTimeout> | undefined
/** One saving at a time. */
let queue: Promise<void> = Promise.resolve()
let sequence = 0
/** When this tab began with its project. */
let since = Date.now()
let isLeaving = false
/** What the tab began with. Until it gives way, the address may name a project that is still being opened. */
const first = keptAs.peek()

/** Finds out where projects are kept: by the server, if there is one, else in this browser. From then on this tab's project is. */
export const startAutosave = (isServed: boolean): Promise<void> =>
  keep(isServed).finally(() => {
    isListed.value = true
  })

const keep = async (isServed: boolean): Promise<void> => {
  forgetFormerStorage(isServed)
  const found = await (isServed ? openServerStore() : openBrowserStore()).catch((error: Error) => error.message)
  if (typeof found === 'string') {
    saving.value = { kind: 'off', reason: found }
    return
  }
  store.value = found
  if (addressKeepsNothing()) saving.value = { kind: 'off', reason: null }
  await refreshProjects()
  listenToTabs(hear)
  keepStates(() => (isPaused() ? null : store.peek()))
  let last: KeptAs | undefined
  effect(() => {
    currentProject()
    const as = keptAs.value
    // Another project has another fate.
    if (last !== undefined && last !== as && saving.peek()?.kind !== 'off') saving.value = null
    if (last !== as) since = Date.now()
    last = as
    settle()
  })
  addEventListener('pagehide', () => {
    isLeaving = true
    saveAtLast()
  })
  addEventListener('pageshow', () => {
    isLeaving = false
  })
  addEventListener('beforeunload', event => {
    if (isTooMuchAtLast()) event.preventDefault()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') saveAtLast()
    else void lookAfter()
  })
}

/** Earlier versions kept a project in the browser, where other pages may come to read it. */
const forgetFormerStorage = (isServed: boolean): void => {
  try {
    localStorage.removeItem('polyad-studio-description')
    indexedDB.deleteDatabase('polyad-studio')
    if (isServed) indexedDB.deleteDatabase('polyad-projects')
  } catch {
    // A browser that stores nothing has nothing to forget.
  }
}

let listings = 0

export const refreshProjects = async (): Promise<void> => {
  const mine = ++listings
  const found = await store
    .peek()
    ?.list()
    .catch(() => undefined)
  // A list that was asked for later is newer, whenever it comes.
  if (found !== undefined && mine === listings) projects.value = found
}

const isUnsaved = (own: Project, as: KeptAs): boolean =>
  own.file !== as.file || own.fits !== as.fits || descriptionOf(own) !== as.description

/** Whether nothing is saved until the person says what is to become of it. */
export const isPaused = (): boolean => ['elsewhere', 'removed', 'off'].includes(saving.peek()?.kind ?? '')

/** Says where the project stands, and has it saved soon if it has changed. */
const settle = (): void => {
  if (isPaused()) return
  const [own, as] = [currentProject(), keptAs.peek()]
  // From the first revision on: a page that is loaded again while later changes are on their way shows the project.
  if (as.revision > 0) showAddress(as.id, false)
  else if (as !== first) showAddress(null, false)
  const isDone = isEmpty(own) || !isUnsaved(own, as)
  if (isDone) {
    clearTimeout(timer)
    timer = undefined
    saving.value = { kind: as.id === null || isEmpty(own) ? 'empty' : 'saved' }
    return
  }
  // What could not be saved is said until it can.
  if (saving.peek()?.kind !== 'failed') saving.value = { kind: 'saving' }
  timer ??= setTimeout(save, MOMENT)
}

const save = (): Promise<void> => {
  clearTimeout(timer)
  timer = undefined
  queue = queue.then(write)
  return queue
}

const changeOf = (own: Project, as: KeptAs): ProjectChange => {
  const { description, fits, models } = projectParts(own)
  // Later than any of an earlier page, whatever order they arrive in.
  sequence = Math.max(sequence + 1, Date.now())
  return {
    revision: as.revision,
    writer: WRITER,
    sequence,
    name: own.name,
    title: projectName.peek() || 'Untitled',
    description,
    ...(own.fits !== as.fits && { results: { fits, models } }),
    ...(own.file !== as.file && { data: own.file }),
  }
}

const write = async (): Promise<void> => {
  const [kept, own, as] = [store.peek(), currentProject(), keptAs.peek()]
  if (kept === null || isPaused() || isEmpty(own) || !isUnsaved(own, as)) return
  try {
    as.id ??= await kept.create()
    as.revision = await kept.save(as.id, changeOf(own, as))
    Object.assign(as, { file: own.file, fits: own.fits, description: descriptionOf(own) })
    tellTabs({ kind: 'saved', id: as.id, revision: as.revision })
    void settleFit(kept, as, own)
    if (keptAs.peek() === as) settle()
    void refreshProjects()
  } catch (error) {
    // A page that is being left breaks off what it writes; what was there before stays.
    if (!isLeaving && keptAs.peek() === as) fail(error as Error)
  }
}

const fail = (error: Error): void => {
  const { kind = 'other' } = error as Partial<StoreFault>
  if (kind === 'conflict') saving.value = { kind: 'elsewhere' }
  else saving.value = kind === 'removed' ? { kind } : { kind: 'failed', reason: error.message }
}

/** Savings in a row before it is given up that nothing changes while one is under way. */
const MOST_SAVINGS = 5

/** Saves what has changed at once; whether all of it is saved. What changes in the meantime is saved too. */
export const flush = async (): Promise<boolean> => {
  await save()
  for (let more = 1; more < MOST_SAVINGS && saving.peek()?.kind === 'saving'; more++) await save()
  return ['saved', 'empty'].includes(saving.peek()?.kind ?? '')
}

/** What has waited so far cannot wait any longer. Data and results are too much for a page that is being left. */
const saveAtLast = (): void => {
  const [kept, own, as] = [store.peek(), currentProject(), keptAs.peek()]
  if (kept === null || isPaused() || isEmpty(own) || !isUnsaved(own, as)) return
  if (as.id !== null && own.file === as.file && own.fits === as.fits) kept.saveAtLast(as.id, changeOf(own, as))
  else void save()
}

/** Whether data or results would be lost if the page were left now: the browser asks first. */
const isTooMuchAtLast = (): boolean => {
  const [own, as] = [currentProject(), keptAs.peek()]
  return !isPaused() && !isEmpty(own) && (own.file !== as.file || own.fits !== as.fits)
}

/** A tab that is looked at again: has another saved its project, perhaps in another browser? */
export const lookAfter = async (): Promise<void> => {
  const [kept, as] = [store.peek(), keptAs.peek()]
  if (kept === null || as.id === null || isPaused()) return
  try {
    const { revision, writer } = await kept.revision(as.id)
    if (keptAs.peek() === as && revision > as.revision && writer !== WRITER) saving.value = { kind: 'elsewhere' }
  } catch (error) {
    if (keptAs.peek() === as && (error as Partial<StoreFault>).kind === 'removed') saving.value = { kind: 'removed' }
  }
}

/** Tells other tabs that this one shows a project of the store; who has it open says so. */
export const announce = (): void => {
  const { id } = keptAs.peek()
  if (id !== null) tellTabs({ kind: 'opened', id, since })
}

const hear = (message: TabMessage): void => {
  if (message.kind !== 'opened' && message.kind !== 'mine') void refreshProjects()
  const as = keptAs.peek()
  if (message.id !== as.id || isPaused()) return
  switch (message.kind) {
    case 'opened':
      if (hadItFirst(since, message)) tellTabs({ kind: 'mine', id: as.id, to: message.writer })
      return
    case 'mine':
      if (message.to === WRITER) saving.value = { kind: 'elsewhere' }
      return
    case 'saved':
      if (message.revision > as.revision) saving.value = { kind: 'elsewhere' }
      return
    case 'removed':
      saving.value = { kind: 'removed' }
      return
    case 'renamed':
      as.revision = message.revision
      ownName.value = message.name
  }
}

/** Saves this tab's work in place of what another has saved; as a new project if it was removed. */
export const takeOver = async (): Promise<void> => {
  const [kept, as] = [store.peek(), keptAs.peek()]
  if (kept === null) return
  try {
    if (as.id !== null) as.revision = (await kept.revision(as.id)).revision
  } catch (error) {
    if ((error as Partial<StoreFault>).kind !== 'removed') return fail(error as Error)
    Object.assign(as, newKept())
  }
  Object.assign(as, { file: undefined, fits: undefined, description: undefined })
  saving.value = null
  settle()
  await save()
}

/** Tries again to save what could not be saved. */
export const tryAgain = (): Promise<void> => save()

/** Keeps nothing of this tab from now on; what is kept of its project goes, if that is asked for. */
export const keepNothing = async (andRemove: boolean): Promise<void> => {
  const as = keptAs.peek()
  // What was being saved for the first time is not kept either.
  const goes = andRemove || as.id === null
  saving.value = { kind: 'off', reason: null }
  clearTimeout(timer)
  timer = undefined
  await queue
  keptAs.value = newKept()
  showAddress(null, true)
  if (goes && as.id !== null) await forget(as.id)
}

/** Keeps this tab's project again. */
export const keepAgain = (): void => {
  saving.value = null
  showAddress(null, false)
  settle()
}

/** Removes a project from the store. */
export const forget = async (id: string): Promise<void> => {
  await store.peek()?.remove(id)
  tellTabs({ kind: 'removed', id })
  await refreshProjects()
}
