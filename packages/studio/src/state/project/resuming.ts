import { computed, signal } from '@preact/signals'
import { resumeFit } from '../fitting/fitting.ts'
import { readOptions, sameReading } from '../reading/columns.ts'
import { readData } from '../reading/reading.ts'
import { type BegunFit, interrupted, isRunning, settings, table } from '../store/store.ts'
import { isPaused, lookAfter, saving, store } from './autosave.ts'
import { holdFit, releaseFit } from './fit-lock.ts'
import { keptAs } from './project.ts'

/** A fit that was under way when its page was left goes on: by itself if the page is loaded again, else by one click. */

/** A fit that was interrupted so often, and saved nothing in between, does not go on by itself: it may be what ends the page. */
const MOST_TRIES = 2

/** Whether the page is about to go on with a fit. */
const isResuming = signal(false)

/** The fit that was interrupted, if the data is read as it was; else it can only be run again. */
const resumable = (): BegunFit | null => {
  const [begun, opened] = [interrupted.value, table.value]
  if (begun === null || begun === 'unknown' || opened === null || keptAs.value.id === null) return null
  return sameReading(begun.read, readOptions(opened, settings.value.value)) ? begun : null
}

/** What a person is asked about a fit that was interrupted; null if there is none, or if it goes on anyway. */
export const offer = computed<'resume' | 'again' | null>(() => {
  if (interrupted.value === null || table.value === null) return null
  if (isResuming.value || isRunning.value || ['elsewhere', 'removed'].includes(saving.value?.kind ?? '')) return null
  return resumable() === null ? 'again' : 'resume'
})

/** Goes on with the fit that was interrupted, once no other tab works on it. */
export const resume = async (): Promise<void> => {
  const [kept, as, begun] = [store.peek(), keptAs.peek(), resumable()]
  if (kept === null || as.id === null || begun === null || isResuming.peek()) return
  const isStill = () => keptAs.peek() === as && interrupted.peek() === begun && !isRunning.peek() && !isPaused()
  isResuming.value = true
  try {
    await holdFit(as.id).catch(() => {})
    // Another tab may have ended it meanwhile.
    await lookAfter()
    const state = isStill() ? await kept.checkpoint(as.id).catch(() => null) : null
    // Read before the fit begins: until then it can be dismissed.
    const isRead = isStill() && (await readData()) !== undefined
    if (isRead && isStill()) void resumeFit(begun, state)
    else if (keptAs.peek() === as && !isRunning.peek()) releaseFit()
  } finally {
    isResuming.value = false
  }
}

/** The same without being asked, if this tab was loaded again. */
export const resumeByItself = async (): Promise<void> => {
  const [loading] = performance.getEntriesByType('navigation') as readonly unknown[] as readonly {
    readonly type?: string
  }[]
  const begun = resumable()
  if (loading?.type !== 'navigate' && begun !== null && begun.resumed < MOST_TRIES) await resume()
}
