import { throwIfStopped, unlessStopped } from '@polyad/core/engine'

const UNREAD = 'stopped before the data was read'

/** How long, in milliseconds, a reading that was stopped is waited for: it removes its process and its files in less. */
const CLEARING = 700

/**
 * The result of reading, or an `AbortError` soon after the signal asks for an end: once what was begun is cleared away, unless that takes
 * long. What comes in spite of that is handed to `late`.
 */
export const readUnlessStopped = async <T>(
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
  late: (result: T) => void | Promise<void> = () => {},
): Promise<T> => {
  throwIfStopped(signal, UNREAD)
  const reading = read()
  try {
    return await unlessStopped(reading, signal)
  } catch (error) {
    if (signal?.aborted)
      await within(
        CLEARING,
        reading.then(late, () => {}),
      )
    // A process that was ended for it fails in its own words.
    throwIfStopped(signal, UNREAD)
    throw error
  }
}

/** Waits for some work, but no longer than this. */
const within = async (milliseconds: number, work: Promise<void>): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const enough = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, enough])
  clearTimeout(timer)
}
