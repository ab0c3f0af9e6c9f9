import { signal } from '@preact/signals'
import { checkServer, isNetworkFault } from './server-gone.ts'

/** What the page says of what goes on, and of what went wrong. */

/** What the page is busy with, in words; null where it is not. */
export const busy = signal<string | null>(null)

export interface Message {
  readonly kind: 'error' | 'done'
  readonly text: string
  /** Where it leads. */
  readonly action?: { readonly text: string; readonly run: () => void }
}
export const message = signal<Message | null>(null)

/** How long good news stays, in milliseconds; bad news stays until it is closed. */
const GOOD_NEWS = 6000

export const say = (text: string, action?: Message['action']): void => {
  const now: Message = { kind: 'done', text, ...(action && { action }) }
  message.value = now
  setTimeout(() => {
    if (message.peek() === now) message.value = null
  }, GOOD_NEWS)
}

export const complain = (error: unknown): void => {
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
/** Ends the work that a person waits for; null where it cannot be ended. */
export const cancel = signal<(() => void) | null>(null)

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

/** The same for work that may be long: it says how far it is, and a person can cancel it. */
export const waitLong = <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> =>
  waitFor(what, async () => {
    const controller = new AbortController()
    const { signal } = controller
    share.value = null
    const stop = () => controller.abort(new Error('Cancelled'))
    cancel.value = stop
    try {
      return await work(signal)
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    } finally {
      if (cancel.peek() === stop) [cancel.value, share.value] = [null, null]
    }
  })
