import { positiveNumber } from '../options.ts'

/** A timer takes no more than this, which is 24 days. */
const LONGEST = 2 ** 31 - 1

/**
 * Does work under a signal that comes with the caller's own, or when the seconds are over. The timer is held for as long as the
 * work lasts: a signal that only a timer of the platform's refers to may be collected, and then never comes.
 */
export const withDeadline = async <T>(
  { maxSeconds, signal }: { readonly maxSeconds?: number | undefined; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted()
  if (maxSeconds === undefined) return work(signal)
  const milliseconds = Math.ceil(positiveNumber('maxSeconds', maxSeconds) * 1000)
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = milliseconds <= LONGEST ? setTimeout(stop, milliseconds) : undefined
  signal?.addEventListener('abort', stop)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
