import { counted } from 'polyad/numbers'
import { worker } from '../../worker/client.ts'
import type { FitRecord, FitRequest } from '../../worker/protocol.ts'
import { complain, message, say } from '../messages.ts'
import { columnsOf, readOptions } from '../reading/columns.ts'
import { openOptions } from '../reading/open-options.ts'
import { readData } from '../reading/reading.ts'
import { change, file, fits, interrupted, rank, running, screen, settings, table } from '../store.ts'
import type { Beyond } from './edge.ts'
import { hasGraphics } from './graphics.ts'
import { asCommand } from './same-as-code.ts'

/** What is asked of a fit by the present settings. */
export const fitRequest = (): FitRequest | undefined => {
  const [opened, now] = [table.peek(), settings.value.peek()]
  if (opened === null) return undefined
  const covariates = columnsOf(opened, now, 'covariate').map(({ name }) => name)
  const { graphics, ...fit } = now.fit
  // A project may come from a machine that has a device, and covariates need every step in double precision.
  const onDevice = graphics === true && hasGraphics.peek() && covariates.length === 0
  const request = { ...fit, ...(onDevice && { graphics }), covariates }
  const read = { ...readOptions(opened, now), ...openOptions(file.peek()) }
  return { ...request, line: asCommand(opened.name, read, request) }
}

/** Losses of ended runs that are kept for the live chart, for each rank. */
const MOST_ENDED = 2000

/** The fit under way, until all of it is over. */
let fitting: Promise<void> | undefined
let stopper: AbortController | undefined

const begin = (request: FitRequest | undefined, earlier: readonly FitRecord[] = []): Promise<void> => {
  fitting ??= runFit(request, earlier).finally(() => {
    fitting = undefined
  })
  return fitting
}

export const startFit = (): Promise<void> => begin(fitRequest())

/** Fits the numbers of classes that are missing, with the settings of those that are there. */
export const tryBeyond = ({ from, to }: Beyond): Promise<void> => {
  const [found, opened] = [fits.peek(), table.peek()]
  if (found === null || opened === null) return Promise.resolve()
  const fit = { ...found.request, from, to }
  const read = { ...readOptions(opened, settings.value.peek()), ...openOptions(file.peek()) }
  change({ fit: { ...settings.value.peek().fit, from, to } })
  return begin({ ...fit, line: asCommand(opened.name, read, fit) }, found.fits)
}

const runFit = async (request: FitRequest | undefined, earlier: readonly FitRecord[]): Promise<void> => {
  const opened = table.peek()
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
    const found = await worker.call('fit', [request, earlier], {
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
    say(
      found.warnings?.[0] ?? (found.stopped ? 'Stopped. The best solutions so far are kept.' : foundText(rank.value)),
      {
        text: 'Show the classes',
        run: () => {
          screen.value = 'results'
        },
      },
    )
  } catch (error) {
    complain(error)
  } finally {
    running.value = null
    stopper = undefined
  }
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
