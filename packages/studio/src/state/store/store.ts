import { computed, signal } from '@preact/signals'
import type {
  DataFile,
  DataSummary,
  FitOutcome,
  FitProgress,
  FitRecord,
  FitRequest,
  ReadOptions,
  TableSummary,
} from '../../worker/protocol.ts'
import { stemOf } from './files.ts'
import { createHistory } from './history.ts'
import { DEFAULTS, type Settings } from './settings.ts'

/** The state of the page: signals that all of it is drawn from. */

/** The steps of the page, in their order. */
export const SCREENS = ['data', 'fit', 'results', 'classify', 'export'] as const
export type Screen = (typeof SCREENS)[number]

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
/** Whether the data is at hand, read as it was for the fits. */
export const hasOwnData = computed(() => data.value !== null && data.value.digest === fits.value?.digest)
/** The rank that is looked at. */
export const rank = signal<number | null>(null)
export const chosenFit = computed<FitRecord | null>(
  () => fits.value?.fits.find(fit => fit.rank === rank.value) ?? fits.value?.fits[0] ?? null,
)

/** A fit as it was begun: all that it takes to go on with it after the page was left. */
export interface BegunFit {
  readonly request: FitRequest
  /** How the data was read. */
  readonly read: ReadOptions
  /** Whether it adds to the fits that are there, whose numbers of classes are not fitted again. */
  readonly adds: boolean
  /** How often it was resumed since its progress was saved last: if that is of no use, the person is asked. */
  readonly resumed: number
}

/** The fit under way: what it has said so far. */
export interface RunningFit {
  readonly begun: BegunFit
  /** Whether it goes on from where it was interrupted. */
  readonly isResumed: boolean
  /** What has become of its progress: it is saved now and then, or could not be, with the reason; null until then. */
  readonly kept: { readonly reason?: string } | null
  /** Why it could not go on from where it was interrupted; null if it could, or if it was not interrupted. */
  readonly dropped: string | null
  readonly last: FitProgress | null
  /** Losses of the runs that have ended, by rank, in order; of very many only the last ones. */
  readonly ended: Readonly<Record<number, readonly number[]>>
  readonly stopping: boolean
  /** The number of classes that the page chose to show last, 0 once a person chose one; null as long as the fits that are shown are not of this one. */
  readonly shown: number | null
}
export const running = signal<RunningFit | null>(null)
/** Shows a number of classes that a person chose: it stays, whatever a fit under way finds. */
export const lookAt = (classes: number): void => {
  rank.value = classes
  const now = running.peek()
  if (now !== null && now.shown !== null) running.value = { ...now, shown: 0 }
}
/** Whether there is one: of its progress most need to know nothing. */
export const isRunning = computed(() => running.value !== null)
/** The numbers of classes that are still to come; empty if no fit is running. */
export const pendingRanks = computed<readonly number[]>(() =>
  pending.value === '' ? [] : pending.value.split(',').map(Number),
)
/** As a text: while a fit runs it is made anew many times a second. */
const pending = computed(() => {
  const now = running.value
  if (now === null) return ''
  const { from, to } = now.begun.request
  const known = now.shown === null && !now.begun.adds ? [] : (fits.value?.fits ?? []).map(each => each.rank)
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
    .filter(each => !known.includes(each))
    .join()
})
/** The fit that was under way when the page was left; null if there was none, or if it was dismissed. */
export const interrupted = signal<BegunFit | 'unknown' | null>(null)
/** The fit that goes on after the page is loaded again. */
export const begunFit = computed<BegunFit | 'unknown' | null>(() => running.value?.begun ?? interrupted.value)

export const change = (part: Partial<Settings>, key?: string): void =>
  settings.change({ ...settings.value.peek(), ...part }, key)
