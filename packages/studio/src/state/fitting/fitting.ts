import { defined, omit } from '@polyad/core/options'
import { batch } from '@preact/signals'
import { counted } from 'polyad/numbers'
import { worker } from '../../worker/client.ts'
import type { FitNews, FitRecord, FitRequest, TableSummary } from '../../worker/protocol.ts'
import { message, showError, showMessage } from '../page/messages.ts'
import { untilOpened } from '../page/opening-queue.ts'
import { columnsOf, itemsOf, linksOf, readOptions } from '../reading/columns.ts'
import { openOptions } from '../reading/open-options.ts'
import { readData } from '../reading/reading.ts'
import {
  type BegunFit,
  change,
  data,
  type Fits,
  file,
  fits,
  interrupted,
  rank,
  running,
  screen,
  settings,
  table,
} from '../store/store.ts'
import type { SuggestedRange } from './extend-range.ts'
import { hasGraphics } from './graphics.ts'
import { asCommand } from './same-as-code.ts'

/** What is asked of a fit by the present settings. */
export const fitRequest = (): FitRequest | undefined => {
  const [opened, now] = [table.peek(), settings.value.peek()]
  if (opened === null) return undefined
  const covariates = columnsOf(opened, now, 'covariate').map(({ name }) => name)
  const items = itemsOf(opened, now)
  const links = linksOf(opened, now)
  const { graphics, ...fit } = omit(
    now.fit,
    'variances',
    'sameTransitions',
    'movingCovariates',
    'stayers',
    'groupClasses',
  )
  // A project may come from a machine that has a device, and covariates need every step in double precision.
  const onDevice = graphics === true && hasGraphics.peek() && covariates.length === 0 && links === undefined
  const request = {
    ...fit,
    ...(onDevice && { graphics }),
    covariates,
    ...(items.length > 0 && { items }),
    ...defined({ links }),
  }
  const read = { ...readOptions(opened, now), ...openOptions(file.peek()) }
  return { ...request, line: asCommand(opened.name, read, request) }
}

/** Losses of ended runs that are kept for the live chart, for each rank. */
const MOST_ENDED = 2000

/** The fit under way, until all of it is over. */
let fitting: Promise<void> | undefined
let stopper: AbortController | undefined

/** Stores the state of the fit under way; a text, the reason, if it could not. Whoever keeps the project sets it; null: nothing is kept. */
export const checkpoints: { store: (bytes: Uint8Array) => Promise<null | { readonly reason?: string }> } = {
  store: async () => null,
}

const begin = (begun: BegunFit | undefined, resume: Uint8Array | null = null): Promise<void> => {
  fitting ??= runFit(begun, resume).finally(() => {
    fitting = undefined
  })
  return fitting
}

/** A fit by the present settings of reading. */
const begunWith = (request: FitRequest | undefined, adds: boolean): BegunFit | undefined => {
  const opened = table.peek()
  if (request === undefined || opened === null) return undefined
  return { request, adds, read: readOptions(opened, settings.value.peek()), resumed: 0 }
}

export const startFit = (): Promise<void> => whenOpened(() => begin(begunWith(fitRequest(), false)))

/** Begins once nothing is being opened, unless another table is there by then. */
const whenOpened = async (start: () => Promise<void>): Promise<void> => {
  const opened = table.peek()
  await untilOpened()
  if (table.peek() === opened) await start()
}

/** Goes on with a fit that was interrupted. @param state what was kept of it; null: it begins anew */
export const resumeFit = (begun: BegunFit, state: Uint8Array | null): Promise<void> =>
  begin({ ...begun, resumed: begun.resumed + 1 }, state)

/** Fits the numbers of classes that are missing, with the settings of those that are there. */
export const trySuggestedRange = ({ from, to }: SuggestedRange): Promise<void> => {
  const [found, opened] = [fits.peek(), table.peek()]
  if (found === null || opened === null) return Promise.resolve()
  return whenOpened(() => addTo(found, opened, from, to))
}

const addTo = (found: Fits, opened: TableSummary, from: number, to: number): Promise<void> => {
  const fit = { ...found.request, from, to }
  const read = { ...readOptions(opened, settings.value.peek()), ...openOptions(file.peek()) }
  change({ fit: { ...settings.value.peek().fit, from, to } })
  return begin(begunWith({ ...fit, line: asCommand(opened.name, read, fit) }, true))
}

const runFit = async (begun: BegunFit | undefined, resume: Uint8Array | null): Promise<void> => {
  const opened = table.peek()
  if (begun === undefined || opened === null) return
  const { request, read: options, adds } = begun
  const earlier: readonly FitRecord[] = adds ? (fits.peek()?.fits ?? []) : []
  stopper = new AbortController()
  const { signal } = stopper
  const read = await readData()
  if (read === undefined || signal.aborted || table.peek() !== opened) return
  if (data.peek() !== read) return showError('The settings of the data changed while it was being read. Fit again.')
  batch(() => {
    const isResumed = resume !== null
    running.value = { begun, isResumed, last: null, ended: {}, stopping: false, kept: null, dropped: null, shown: null }
    interrupted.value = null
    message.value = null
  })
  try {
    const found = await worker.call('fit', [request, earlier, resume], {
      signal,
      onProgress: news => {
        if (!('found' in news)) hear(news)
        else if (table.peek() === opened) show(news, { request, read: options, digest: read.digest, data: read }, adds)
      },
      onCheckpoint: keep,
    })
    // Everything may have been cleared meanwhile.
    if (table.peek() !== opened) return
    batch(() => {
      const shown = running.peek()?.shown ?? null
      fits.value = { ...found, request, read: options, digest: read.digest, data: read }
      // Whoever looks at another number of classes goes on looking at it.
      if (shown === null || rank.peek() === shown)
        rank.value = found.recommended ?? found.fits[found.fits.length - 1]?.rank ?? null
      // With the results at once: no page that is loaded now goes on with a fit that has ended.
      running.value = null
    })
    // On the page of the fit all of it is said, beside the button that leads on.
    if (screen.peek() === 'fit') return
    showMessage(
      found.warnings?.[0] ?? (found.stopped ? 'Stopped. The best solutions so far are kept.' : foundText(rank.value)),
      screen.peek() === 'results'
        ? undefined
        : {
            text: 'See the results',
            run: () => {
              screen.value = 'results'
            },
          },
    )
  } catch (error) {
    showError(error)
  } finally {
    running.value = null
    stopper = undefined
  }
}

/** Shows a number of classes while others are still to come. */
const show = (
  { found, recommended, reason }: Extract<FitNews, { readonly found: unknown }>,
  of: Pick<Fits, 'request' | 'read' | 'digest' | 'data'>,
  adds: boolean,
): void => {
  const now = running.peek()
  if (now === null) return
  const before = now.shown !== null || adds ? (fits.peek()?.fits ?? []) : []
  const all = [...before.filter(each => each.rank !== found.rank), found].sort((a, b) => a.rank - b.rank)
  batch(() => {
    fits.value = { ...of, fits: all, recommended, reason, stopped: false }
    const follows = now.shown === null || rank.peek() === now.shown
    const best = recommended ?? found.rank
    if (follows) rank.value = best
    running.value = { ...now, shown: follows ? best : now.shown }
  })
}

const hear = (news: Exclude<FitNews, { readonly found: unknown }>): void => {
  const now = running.peek()
  if (now === null) return
  if ('dropped' in news) {
    running.value = { ...now, isResumed: false, dropped: news.dropped }
    return
  }
  const losses = [...(now.ended[news.rank] ?? []), ...news.ended].slice(-MOST_ENDED)
  running.value = { ...now, last: news, ended: { ...now.ended, [news.rank]: losses } }
}

/** Has the state of the fit kept; whether it could be. */
const keep = async (bytes: Uint8Array): Promise<boolean> => {
  const kept = await checkpoints.store(bytes)
  const now = running.peek()
  if (now === null) return false
  const begun =
    kept !== null && kept.reason === undefined && now.begun.resumed > 0 ? { ...now.begun, resumed: 0 } : now.begun
  running.value = { ...now, kept, begun }
  return kept !== null && kept.reason === undefined
}

/** What was found, in a few words. */
const foundText = (classes: number | null): string =>
  classes === null ? 'Nothing was found.' : `${counted(classes, 'class', 'classes')} found.`

/** Stops the fit; what it has found by then is kept. */
export const stopFit = (): void => {
  const now = running.peek()
  if (now !== null) running.value = { ...now, stopping: true }
  stopper?.abort()
}

/** Stops the fit, and waits until it is over. */
export const endFit = async (): Promise<void> => {
  stopFit()
  await fitting
}
