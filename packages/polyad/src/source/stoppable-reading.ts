import { throwIfStopped, unlessStopped } from '@polyad/core/engine'

const UNREAD = 'stopped before the data was read'

/**
 * The result of reading, or an `AbortError` as soon as the signal asks for an end. What comes in spite of that is handed to `late`.
 */
export const readUnlessStopped = async <T>(
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
  late: (result: T) => void = () => {},
): Promise<T> => {
  throwIfStopped(signal, UNREAD)
  const reading = read()
  try {
    return await unlessStopped(reading, signal)
  } catch (error) {
    if (signal?.aborted) reading.then(late, () => {})
    // A process that was ended for it fails in its own words.
    throwIfStopped(signal, UNREAD)
    throw error
  }
}
