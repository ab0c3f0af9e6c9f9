import { type StopSignal, throwIfStopped } from '../errors.ts'
import { atOnce, type Interruptible } from '../numeric/interruptible.ts'
import { eventLoopTurn } from './event-loop.ts'

/** How long steps may run before the event loop gets its turn, so that timers, signals and input are heard. */
const TURN = 20_000_000

/** Does all steps; with a signal it lets the event loop have its turn now and then, and gives up with an `AbortError` once that says so. */
export const runCooperatively = async <T>(steps: Interruptible<T>, signal: StopSignal | undefined): Promise<T> => {
  if (signal === undefined) return atOnce(steps)
  let work = 0
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    work += value
    if (work < TURN) continue
    work = 0
    await pause(signal)
  }
}

/** With a signal: a turn of the event loop, and an `AbortError` if that says so. */
export const pause = async (signal: StopSignal | undefined): Promise<void> => {
  if (signal === undefined) return
  await eventLoopTurn()
  throwIfStopped(signal)
}

/**
 * The result of work that cannot be stopped, or an `AbortError` as soon as the signal asks for an end: the work then goes on unheard.
 * @example
 * const { signal } = new AbortController()
 * await unlessStopped(session.pass(model.parameters), signal)
 */
export const unlessStopped = async <T>(work: Promise<T>, signal: StopSignal | undefined): Promise<T> => {
  if (signal?.addEventListener === undefined) return work
  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = () => resolve()
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  // Nobody hears of its failure if it was given up.
  work.catch(() => {})
  try {
    const first = await Promise.race([work.then(value => ({ value })), stopped])
    if (first !== undefined) return first.value
    throwIfStopped(signal)
    return await work
  } finally {
    signal.removeEventListener?.('abort', stop)
  }
}
