import { DataError } from '@polyad/core'
import { checkUnpackedSize, UNPACK_LIMITS, type UnpackLimit } from './unpack-limits.ts'

/**
 * Bytes as they are meant: unpacked if they are gzipped, by their first bytes, since names do not always say. No more than the limit
 * is ever unpacked.
 */
export const unpacked = async (
  path: string,
  bytes: Uint8Array,
  limit: UnpackLimit = UNPACK_LIMITS.memory,
): Promise<Uint8Array> => {
  if (/\.zst$/i.test(path))
    throw new DataError(`${path} is packed with zstd, which cannot be read here; unpack it first`)
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
      checkUnpackedSize(path, bytes.length, size, limit)
    }
  } catch (error) {
    if (error instanceof DataError) throw error
    const { message, code = '', cause } = error as Error & { code?: string; cause?: { code?: string } }
    if (/Z_BUF_ERROR|truncated|unexpected end/i.test(`${message} ${code} ${cause?.code ?? ''}`))
      throw new DataError(`${path} is cut short: the gzip file is incomplete`)
    throw new DataError(`${path} is not a readable gzip file: ${message}`)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
