import { batch, computed, signal } from '@preact/signals'
import { checkServer, isNetworkFault } from './server-gone.ts'

/** What the page says of what goes on, and of what went wrong. */

export interface Message {
  readonly kind: 'error' | 'done'
  readonly text: string
  /** Where it leads. */
  readonly action?: { readonly text: string; readonly run: () => void }
}
export const message = signal<Message | null>(null)

/** How long good news stays, in milliseconds; bad news stays until it is closed. */
const GOOD_NEWS = 6000

export const showMessage = (text: string, action?: Message['action']): void => {
  const now: Message = { kind: 'done', text, ...(action && { action }) }
  message.value = now
  setTimeout(() => {
    if (message.peek() === now) message.value = null
  }, GOOD_NEWS)
}

export const showError = (error: unknown): void => {
  const now: Message = { kind: 'error', text: error instanceof Error ? error.message : String(error) }
  message.value = now
  if (!isNetworkFault(now.text)) return
  // If the server is gone, the page says that instead of what a browser says of it.
  void checkServer().then(gone => {
    if (gone && message.peek() === now) message.value = null
  })
}

/** How far the work is that a person waits for, from 0 to 1; null where that is not known. */
export const share = signal<number | null>(null)

/** Work that a person waits for, the latest at the end. */
interface Work {
  readonly what: string
  /** Ends it; null where it cannot be ended. */
  readonly stop: (() => void) | null
}
const underWay = signal<readonly Work[]>([])

/** What the page is busy with, in words; null where it is not. */
export const busy = computed(() => underWay.value.at(-1)?.what ?? null)
/** Ends the work that a person waits for; null where it cannot be ended. */
export const cancel = computed(() => underWay.value.at(-1)?.stop ?? null)

/** Says what goes on, and what went wrong. */
const during = async <T>(own: Work, work: () => Promise<T>): Promise<T | undefined> => {
  batch(() => {
    underWay.value = [...underWay.peek(), own]
    message.value = null
  })
  try {
    return await work()
  } catch (error) {
    showError(error)
    return undefined
  } finally {
    underWay.value = underWay.peek().filter(each => each !== own)
  }
}

/** Work that a person waits for: says what goes on, and what went wrong. */
export const waitFor = <T>(what: string, work: () => Promise<T>): Promise<T | undefined> =>
  during({ what, stop: null }, work)

/** The same for work that may be long: it says how far it is, and a person can cancel it. */
export const waitLong = <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
  const controller = new AbortController()
  const { signal } = controller
  share.value = null
  return during({ what, stop: () => controller.abort(new Error('Cancelled')) }, async () => {
    try {
      return await work(signal)
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    } finally {
      share.value = null
    }
  })
}
