import { batch, computed, effect, signal } from '@preact/signals'
import { worker } from '../worker/client.ts'
import type {
  DataFile,
  DataSummary,
  FitOutcome,
  FitProgress,
  FitRecord,
  FitRequest,
  ReadOptions,
  TableSummary,
} from '../worker/protocol.ts'
import { columnsOf, lacking, readOptions } from './columns.ts'
import { stemOf } from './file-names.ts'
import { createHistory } from './history.ts'
import { isModelFile, isProjectFile, type Project } from './project-file.ts'
import { asCommand } from './same-as-code.ts'
import type { Screen } from './screens.ts'
import { type Settings, USUAL } from './settings.ts'

/** The state of the page: signals, and the only functions that change them. */

export type { Screen } from './screens.ts'
export { SCREENS } from './screens.ts'

export const screen = signal<Screen>('data')

/** The data as it was handed over, kept so that it can be opened again. */
export const file = signal<DataFile | null>(null)
export const table = signal<TableSummary | null>(null)
/** The data as it is fitted; null while it has not been read with the present settings. */
export const data = signal<DataSummary | null>(null)

export const settings = createHistory<Settings>(USUAL)

/** What the person calls the project; null where it has the name of its data. */
export const ownName = signal<string | null>(null)
export const projectName = computed(() => ownName.value ?? stemOf(file.value?.name ?? ''))

/** What was fitted, and to what: fits to other data are shown as such. */
export interface Fits extends FitOutcome {
  readonly request: FitRequest
  /** How the data was read; null where a model was opened, and it was read elsewhere. */
  readonly read: ReadOptions | null
  readonly digest: string | null
  readonly data: DataSummary
}
export const fits = signal<Fits | null>(null)
/** The rank that is looked at. */
export const rank = signal<number | null>(null)
export const chosenFit = computed<FitRecord | null>(
  () => fits.value?.fits.find(fit => fit.rank === rank.value) ?? fits.value?.fits[0] ?? null,
)

/** The fit under way: what it has said so far. */
export interface RunningFit {
  readonly request: FitRequest
  readonly last: FitProgress | null
  /** Losses of the runs that have ended, by rank, in order; of very many only the last ones. */
  readonly ended: Readonly<Record<number, readonly number[]>>
  readonly stopping: boolean
}
export const running = signal<RunningFit | null>(null)
/** Whether there is one: of its progress most need to know nothing. */
const isRunning = computed(() => running.value !== null)
let stopper: AbortController | undefined
/** Whether a fit was under way when the page was left. */
export const interrupted = signal(false)

/** What the page is busy with, in words; null where it is not. */
export const busy = signal<string | null>(null)

export interface Message {
  readonly kind: 'error' | 'done'
  readonly text: string
}
export const message = signal<Message | null>(null)

/** How long good news stays, in milliseconds; bad news stays until it is closed. */
const GOOD_NEWS = 6000

export const say = (text: string): void => {
  const now: Message = { kind: 'done', text }
  message.value = now
  setTimeout(() => {
    if (message.peek() === now) message.value = null
  }, GOOD_NEWS)
}

export const complain = (error: unknown): void => {
  message.value = { kind: 'error', text: error instanceof Error ? error.message : String(error) }
}

/** Work that a person waits for: says what goes on, and what went wrong. */
export const waitFor = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
  busy.value = what
  message.value = null
  try {
    return await work()
  } catch (error) {
    complain(error)
    return undefined
  } finally {
    busy.value = null
  }
}

export const change = (part: Partial<Settings>, key?: string): void =>
  settings.change({ ...settings.value.peek(), ...part }, key)

/** What is missing before a fit can begin, in words. */
export const obstacle = computed<string | undefined>(() =>
  table.value === null ? 'Open a table first.' : lacking(table.value, settings.value.value),
)

const EMPTY: Project = {
  name: null,
  file: null,
  settings: USUAL,
  fits: null,
  rank: null,
  screen: 'data',
  fitting: false,
}

/** All that there is, as one value. */
export const currentProject = (): Project => ({
  name: ownName.value,
  file: file.value,
  settings: settings.value.value,
  fits: fits.value,
  rank: rank.value,
  screen: screen.value,
  fitting: isRunning.value || interrupted.value,
})

const put = (project: Project, found: TableSummary | null): void =>
  batch(() => {
    ownName.value = project.name
    file.value = project.file
    table.value = found
    data.value = null
    fits.value = project.fits
    rank.value = project.rank
    settings.reset(project.settings)
    const shown = project.screen === 'data' || (project.screen === 'fit' ? found !== null : project.fits !== null)
    screen.value = shown ? project.screen : 'data'
    interrupted.value = project.fitting
  })

/** Opens a table, or the file of a project or a model, and forgets what was there before. */
export const openFile = (opened: DataFile): Promise<TableSummary | undefined> => {
  const [project, model] = [isProjectFile, isModelFile].map(is => opened.from === 'bytes' && is(opened.bytes))
  return project || model
    ? openProject(`opening ${opened.name}`, async () => {
        const { openModelFile, openProjectFile } = await import('./open-project.ts')
        const { name, bytes } = opened as Extract<DataFile, { readonly from: 'bytes' }>
        return project ? openProjectFile(bytes) : openModelFile(name, bytes)
      })
    : waitFor(`reading ${opened.name}`, async () => {
        const found = await worker.call('open', [opened, {}])
        put({ ...EMPTY, file: opened }, found)
        return found
      })
}

/** Shows a project as it was left. Where its data cannot be read again, what was found is still there. */
export const openProject = (what: string, read: () => Promise<Project>): Promise<TableSummary | undefined> =>
  waitFor(what, async () => {
    const project = await read()
    let [found, lost]: [TableSummary | null, unknown] = [null, undefined]
    try {
      if (project.file !== null) found = await worker.call('open', [project.file, {}])
    } catch (error) {
      lost = error
    }
    // Nothing of another table may get beside these models.
    if (found === null) await worker.call('close', [])
    put(project, found)
    if (lost !== undefined) complain(`The data could not be read again: ${(lost as Error).message}`)
    // The worker needs the data beside the models.
    else if (found !== null && project.fits !== null && obstacle.peek() === undefined) await readData()
    return found ?? undefined
  })

/** Forgets everything. */
export const clearProject = (): void => {
  stopFit()
  put(EMPTY, null)
  worker.call('close', []).catch(complain)
}

/** Reads the table with the present settings. */
export const readData = async (): Promise<DataSummary | undefined> => {
  const opened = table.peek()
  if (opened === null) return undefined
  const options = readOptions(opened, settings.value.peek())
  const key = JSON.stringify(options)
  if (data.peek() !== null && key === readKey) return data.peek() ?? undefined
  return waitFor('counting the combinations', async () => {
    const found = await worker.call('read', [options])
    readKey = key
    data.value = found
    return found
  })
}
let readKey = ''

/** What is asked of a fit by the present settings. */
export const fitRequest = (): FitRequest | undefined => {
  const [opened, now] = [table.peek(), settings.value.peek()]
  if (opened === null) return undefined
  const covariates = columnsOf(opened, now, 'covariate').map(({ name }) => name)
  const request = { ...now.fit, covariates }
  return { ...request, line: asCommand(opened.name, readOptions(opened, now), request) }
}

/** A new worker knows nothing: the table is opened again, and read when it is needed. */
worker.onLost = async () => {
  readKey = ''
  data.value = null
  const opened = file.peek()
  if (opened !== null) await worker.call('open', [opened, {}]).catch(complain)
}

/** Losses of ended runs that are kept for the live chart, for each rank. */
const MOST_ENDED = 2000

export const startFit = async (): Promise<void> => {
  const [request, opened] = [fitRequest(), table.peek()]
  if (request === undefined || opened === null || running.peek() !== null) return
  const options = readOptions(opened, settings.value.peek())
  const read = await readData()
  if (read === undefined) return
  interrupted.value = false
  stopper = new AbortController()
  running.value = { request, last: null, ended: {}, stopping: false }
  message.value = null
  try {
    const found = await worker.call('fit', [request], {
      signal: stopper.signal,
      onProgress: last => {
        const now = running.peek()
        if (now === null) return
        const losses = [...(now.ended[last.rank] ?? []), ...last.ended].slice(-MOST_ENDED)
        running.value = { ...now, last, ended: { ...now.ended, [last.rank]: losses } }
      },
    })
    // Everything may have been cleared meanwhile.
    if (table.peek() !== opened) return
    fits.value = { ...found, request, read: options, digest: read.digest, data: read }
    rank.value = found.recommended ?? found.fits[found.fits.length - 1]?.rank ?? null
    say(found.stopped ? 'Stopped: these are the best so far.' : 'Done.')
  } catch (error) {
    complain(error)
  } finally {
    running.value = null
    stopper = undefined
  }
}

/** Stops the fit; what it has found by then is kept. */
export const stopFit = (): void => {
  const now = running.peek()
  if (now === null || stopper === undefined) return
  running.value = { ...now, stopping: true }
  stopper.abort()
}

/** Settings of reading that change make the data unread; the fits stay, and say what they were made of. */
effect(() => {
  const [opened, now] = [table.value, settings.value.value]
  if (opened === null) return
  if (JSON.stringify(readOptions(opened, now)) !== readKey) data.value = null
})
