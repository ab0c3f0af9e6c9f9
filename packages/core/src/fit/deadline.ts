import { AbortError, throwIfStopped } from '../errors.ts'
import { checked, is } from '../options.ts'
import type { PlatformSignal } from '../platform-types.ts'

/** The longest delay that a timer takes, in milliseconds: 24 days. */
const LONGEST = 2 ** 31 - 1

const timeIsOver = (maxSeconds: number | undefined): Error => new Error(`the time limit of ${maxSeconds} s has passed`)

/** What work fails with that was stopped by a signal, or else by the time limit, before there was anything to return. */
export const stoppedBy = ({ signal, maxSeconds }: Limits, message?: string): AbortError =>
  new AbortError(signal?.aborted ? signal : { aborted: true, reason: timeIsOver(maxSeconds) }, message)

interface Limits {
  readonly maxSeconds?: number | undefined
  readonly signal?: PlatformSignal | undefined
}

/**
 * Does work under a signal that fires with the caller's own, or when the seconds are over. The timer is held for as long as the
 * work lasts: a signal that only the platform's own timer refers to may be garbage-collected, and then never fires.
 */
export const withDeadline = async <T>(
  { maxSeconds, signal }: Limits,
  work: (signal: PlatformSignal | undefined) => Promise<T>,
): Promise<T> => {
  throwIfStopped(signal)
  if (maxSeconds === undefined) return work(signal)
  const milliseconds = Math.ceil(checked('maxSeconds', is.positive, maxSeconds) * 1000)
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  const late = () => controller.abort(timeIsOver(maxSeconds))
  const timer = milliseconds <= LONGEST ? setTimeout(late, milliseconds) : undefined
  signal?.addEventListener('abort', stop)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
