import { defined } from '@polyad/core/options'
import { computed, effect, signal } from '@preact/signals'
import { worker } from '../../worker/client.ts'
import type { DataFile, DataSummary, TableSummary } from '../../worker/protocol.ts'
import { share, showError, waitFor, waitLong } from '../page/messages.ts'
import { data, file, fits, isRunning, settings, table } from '../store/store.ts'
import { itemsOf, lacking, readOptions, sameItems, sameReading } from './columns.ts'
import { openOptions } from './open-options.ts'

/** The table that is open, read by the present settings. */

/** What is missing before a fit can begin, in words. */
export const obstacle = computed<string | undefined>(() =>
  table.value === null ? 'Open a table first.' : lacking(table.value, settings.value.value),
)

/** The worker opens a file. */
export const openTable = (opened: DataFile, signal?: AbortSignal): Promise<TableSummary> =>
  worker.call('open', [opened, openOptions(opened)], {
    ...defined({ signal }),
    onProgress: done => {
      share.value = done
    },
  })

/** Reads the table with the present settings. */
export const readData = async (): Promise<DataSummary | undefined> => {
  const opened = table.peek()
  if (opened === null) return undefined
  const known = data.peek()
  if (known !== null) return known
  const what = 'reading the data'
  const isHere = () => table.peek() === opened
  const read = (signal?: AbortSignal) => {
    const reading = readOnce(opened)
    signal?.addEventListener('abort', reading.stop)
    return reading.found.catch(error => {
      // Whoever stopped it, or opened another table, does not wait for it.
      if (reading.isStopped() || !isHere()) return undefined
      throw error
    })
  }
  // What the page itself reads is soon read, and cannot be ended on the way.
  const found = await (opened.place === 'page' ? waitFor(what, () => read()) : waitLong(what, read))
  return isHere() ? found : undefined
}

/** Why the table could not be read with the present settings, where nobody asked for it; null where it could. */
export const fault = signal<string | null>(null)

/** How the table is read by the present settings; null where there is none. */
const present = computed(() =>
  table.value === null ? null : JSON.stringify(readOptions(table.value, settings.value.value)),
)
/** What is being read. */
let reading: Reading | undefined

interface Reading {
  readonly key: string | null
  readonly found: Promise<DataSummary>
  /** Ends it, for all who wait for it. */
  readonly stop: () => void
  readonly isStopped: () => boolean
}

const readOnce = (opened: TableSummary): Reading => {
  const key = present.peek()
  if (reading?.key === key) return reading
  const controller = new AbortController()
  const asked = worker.call('read', [readOptions(opened, settings.value.peek())], {
    signal: controller.signal,
    onProgress: done => {
      if (reading === mine) share.value = done
    },
  })
  const over = () => {
    if (reading === mine) reading = undefined
  }
  const found = asked.then(
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
  const mine: Reading = { key, found, stop: () => controller.abort(), isStopped: () => controller.signal.aborted }
  reading = mine
  return mine
}

/** Forgets why the table could not be read, and what is being read: another table takes its place. */
export const forgetReading = (): void => {
  fault.value = null
  reading = undefined
}

/** A new worker knows nothing: the table is opened again, and read when it is needed. */
worker.onLost = async () => {
  reading = undefined
  data.value = null
  const opened = file.peek()
  if (opened !== null) await openTable(opened).catch(showError)
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
    const key = present.peek()
    readOnce(opened).found.catch((error: Error) => {
      if (table.peek() === opened && present.peek() === key) fault.value = error.message
    })
  }, MOMENT)
  return () => clearTimeout(timer)
})

/** Whether the settings by which data is read have changed since the classes were found. */
export const isOutdated = computed(() => {
  const [found, opened, read] = [fits.value, table.value, data.value]
  if (found === null || opened === null) return false
  // Of another kind of variable the data is the same.
  if (found.read !== null && !sameItems(found.request.items, itemsOf(opened, settings.value.value))) return true
  if (read !== null && read.digest !== null) return read.digest !== found.digest
  return found.read !== null && !sameReading(found.read, readOptions(opened, settings.value.value))
})
