import { throwIfStopped } from '../errors.ts'
import { checked, is } from '../options.ts'

/** The longest delay that a timer takes, in milliseconds: 24 days. */
const LONGEST = 2 ** 31 - 1

/**
 * Does work under a signal that fires with the caller's own, or when the seconds are over. The timer is held for as long as the
 * work lasts: a signal that only the platform's own timer refers to may be garbage-collected, and then never fires.
 */
export const withDeadline = async <T>(
  { maxSeconds, signal }: { readonly maxSeconds?: number | undefined; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> => {
  throwIfStopped(signal)
  if (maxSeconds === undefined) return work(signal)
  const milliseconds = Math.ceil(checked('maxSeconds', is.positive, maxSeconds) * 1000)
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  const late = () => controller.abort(new Error(`the time limit of ${maxSeconds} s has passed`))
  const timer = milliseconds <= LONGEST ? setTimeout(late, milliseconds) : undefined
  signal?.addEventListener('abort', stop)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
