import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Copies a stream to standard output. A reader that has had enough (`| head`) is not an error. */
export const printed = async (text: Readable): Promise<void> => {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
