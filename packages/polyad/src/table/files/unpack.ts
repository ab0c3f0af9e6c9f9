import { DataError } from '@polyad/core'
import { grouped } from '../values/note.ts'

/** What a packed file may come to, in bytes. */
export const MOST_UNPACKED = 2_000_000_000

/** Bytes as they are meant: unpacked where they are gzipped, by their first bytes, since names do not always say. */
export const unpacked = async (path: string, bytes: Uint8Array, most = MOST_UNPACKED): Promise<Uint8Array> => {
  if (/\.zst$/i.test(path)) throw new DataError(`${path} is packed with zstd, which is not read here; unpack it first`)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'))
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      size += value.length
      if (size > most) break
    }
  } catch (error) {
    const { message, code = '', cause } = error as Error & { code?: string; cause?: { code?: string } }
    if (/Z_BUF_ERROR|truncated|unexpected end/i.test(`${message} ${code} ${cause?.code ?? ''}`))
      throw new DataError(`${path} is cut short: the gzip file ends before its end`)
    throw new DataError(`${path} is not a readable gzip file: ${message}`)
  }
  if (size > most)
    throw new DataError(`${path} comes to more than ${grouped(most)} bytes when unpacked: save the data as Parquet`)
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
