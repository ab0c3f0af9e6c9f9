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
import { stemOf } from './files.ts'
import { asCommand } from './fitting/same-as-code.ts'
import { createHistory } from './history.ts'
import { complain, message, say, waitFor } from './messages.ts'
import { isModelFile, isProjectFile, type Project } from './project/project-file.ts'
import { columnsOf, lacking, readOptions, sameReading } from './reading/columns.ts'
import { commandWith, delimiterOf } from './reading/delimiter.ts'
import type { Screen } from './screens.ts'
import { DEFAULTS, type Settings } from './settings.ts'

/** The state of the page: signals, and the only functions that change them. */

export type { Screen } from './screens.ts'
export { SCREENS } from './screens.ts'

export const screen = signal<Screen>('data')

/** The data as it was handed over, kept so that it can be opened again. */
export const file = signal<DataFile | null>(null)
export const table = signal<TableSummary | null>(null)
/** The data as it is fitted; null while it has not been read with the present settings. */
export const data = signal<DataSummary | null>(null)

export const settings = createHistory<Settings>(DEFAULTS)

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
export const isRunning = computed(() => running.value !== null)
let stopper: AbortController | undefined
/** Whether a fit was under way when the page was left. */
export const interrupted = signal(false)

/** Whether the project is as it was left in the browser: nothing has been opened since. */
export const restored = signal(false)

export const change = (part: Partial<Settings>, key?: string): void =>
  settings.change({ ...settings.value.peek(), ...part }, key)

/** What is missing before a fit can begin, in words. */
export const obstacle = computed<string | undefined>(() =>
  table.value === null ? 'Open a table first.' : lacking(table.value, settings.value.value),
)

const EMPTY: Project = {
  name: null,
  file: null,
  settings: DEFAULTS,
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
    restored.value = false
    fault.value = null
    reading = undefined
  })

/** A question before what is there gives way to another file; `answer` says whether it does. */
export interface Question {
  readonly opening: string
  readonly answer: (goOn: boolean) => void
}
export const question = signal<Question | null>(null)

/** Whether what is there may give way: asked where there is something that would be lost. A fit under way is stopped first. */
const makeRoom = async (opening: string): Promise<boolean> => {
  if (fits.peek() !== null || isRunning.peek()) {
    const goOn = await new Promise<boolean>(answer => {
      // A second file while the first waits for its answer: the first is not opened.
      question.peek()?.answer(false)
      question.value = { opening, answer }
    })
    if (!goOn) return false
  }
  stopFit()
  await fitting
  return true
}

/** The worker opens a file. */
const openTable = (opened: DataFile): Promise<TableSummary> => {
  const delimiter = delimiterOf(opened)
  return worker.call('open', [opened, delimiter === undefined ? {} : { delimiter }])
}

/** Opens a table, or the file of a project or a model, and forgets what was there before. */
export const openFile = async (opened: DataFile): Promise<TableSummary | undefined> => {
  const { name } = opened
  const [isProject, isModel] = [isProjectFile, isModelFile].map(is => opened.from === 'bytes' && is(opened.bytes))
  if (!isProject && !isModel) return (await makeRoom(name)) ? openAnew(opened) : undefined
  const project = await waitFor(`opening ${name}`, async () => {
    const { openModelFile, openProjectFile } = await import('./project/open-project.ts')
    const { bytes } = opened as Extract<DataFile, { readonly from: 'bytes' }>
    return isProject ? openProjectFile(bytes) : openModelFile(name, bytes)
  })
  if (project === undefined || !(await makeRoom(name))) return undefined
  return openProject(`opening ${name}`, async () => project)
}

const openAnew = (opened: DataFile): Promise<TableSummary | undefined> =>
  waitFor(`reading ${opened.name}`, async () => {
    const found = await openTable(opened)
    put({ ...EMPTY, file: opened }, found)
    return found
  })

/** Opens the same data again, with something else between its values; null where that is to be found out. */
export const reopen = async (delimiter: string | null): Promise<void> => {
  const now = file.peek()
  if (now?.from !== 'bytes') return
  const { delimiter: _, ...rest } = now
  await openFile(delimiter === null ? rest : { ...rest, delimiter })
}

/** Shows a project as it was left. Where its data cannot be read again, what was found is still there. */
export const openProject = (what: string, read: () => Promise<Project>): Promise<TableSummary | undefined> =>
  waitFor(what, async () => {
    const project = await read()
    let [found, lost]: [TableSummary | null, unknown] = [null, undefined]
    try {
      if (project.file !== null) found = await openTable(project.file)
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
  return data.peek() ?? waitFor('counting the combinations', () => readOnce(opened))
}

/** Why the table could not be read with the present settings, where nobody asked for it; null where it could. */
export const fault = signal<string | null>(null)

/** How the table is read by the present settings; null where there is none. */
const present = computed(() =>
  table.value === null ? null : JSON.stringify(readOptions(table.value, settings.value.value)),
)
/** What is being read. */
let reading: { readonly key: string | null; readonly found: Promise<DataSummary> } | undefined

const readOnce = (opened: TableSummary): Promise<DataSummary> => {
  const key = present.peek()
  if (reading?.key === key) return reading.found
  const found = worker.call('read', [readOptions(opened, settings.value.peek())])
  const mine = { key, found }
  reading = mine
  const over = () => {
    if (reading === mine) reading = undefined
  }
  return found.then(
    summary => {
      // It may have become the reading of other settings, or of a table that is closed.
      if (reading === mine && present.peek() === key) data.value = summary
      over()
      return summary
    },
    error => {
      over()
      throw error
    },
  )
}

/** What is asked of a fit by the present settings. */
export const fitRequest = (): FitRequest | undefined => {
  const [opened, now] = [table.peek(), settings.value.peek()]
  if (opened === null) return undefined
  const covariates = columnsOf(opened, now, 'covariate').map(({ name }) => name)
  const request = { ...now.fit, covariates }
  const line = asCommand(opened.name, readOptions(opened, now), request)
  return { ...request, line: commandWith(line, delimiterOf(file.peek())) }
}

/** A new worker knows nothing: the table is opened again, and read when it is needed. */
worker.onLost = async () => {
  reading = undefined
  data.value = null
  const opened = file.peek()
  if (opened !== null) await openTable(opened).catch(complain)
}

/** Losses of ended runs that are kept for the live chart, for each rank. */
const MOST_ENDED = 2000

/** The fit under way, until all of it is over. */
let fitting: Promise<void> | undefined

export const startFit = (): Promise<void> => {
  fitting ??= runFit().finally(() => {
    fitting = undefined
  })
  return fitting
}

const runFit = async (): Promise<void> => {
  const [request, opened] = [fitRequest(), table.peek()]
  if (request === undefined || opened === null) return
  const options = readOptions(opened, settings.value.peek())
  stopper = new AbortController()
  const { signal } = stopper
  const read = await readData()
  if (read === undefined || signal.aborted) return
  interrupted.value = false
  running.value = { request, last: null, ended: {}, stopping: false }
  message.value = null
  try {
    const found = await worker.call('fit', [request], {
      signal,
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
    say(found.warnings?.[0] ?? (found.stopped ? 'Stopped: these are the best so far.' : 'Done.'))
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
  if (now !== null) running.value = { ...now, stopping: true }
  stopper?.abort()
}

/** Settings of reading that change make the data unread; the fits stay, and say what they were made of. */
effect(() => {
  present.value
  data.value = null
  fault.value = null
})

/** More values than this are read when it is asked for. */
const SOON_READ = 2e6
/** Between a change of settings and reading by them, in milliseconds: more changes may follow. */
const MOMENT = 400

/** Whether a table is read by itself soon after its settings change. */
export const isReadSoon = computed(() => {
  const opened = table.value
  if (opened === null || opened.place !== 'page' || opened.length === null) return false
  return opened.length * opened.columns.length < SOON_READ && obstacle.value === undefined
})

effect(() => {
  table.value
  present.value
  if (!isReadSoon.value || data.value !== null || isRunning.value) return
  const timer = setTimeout(() => {
    const opened = table.peek()
    if (opened === null || isRunning.peek()) return
    readOnce(opened).catch((error: Error) => {
      if (table.peek() === opened) fault.value = error.message
    })
  }, MOMENT)
  return () => clearTimeout(timer)
})

/** Whether the settings by which data is read have changed since the classes were found. */
export const isOutdated = computed(() => {
  const [found, opened, read] = [fits.value, table.value, data.value]
  if (found === null || opened === null) return false
  if (read !== null && read.digest !== null) return read.digest !== found.digest
  return found.read !== null && !sameReading(found.read, readOptions(opened, settings.value.value))
})
