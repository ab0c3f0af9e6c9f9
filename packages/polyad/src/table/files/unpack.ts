import { DataError } from '@polyad/core'

/** Bytes as they are meant: unpacked where they are gzipped, by their first bytes, since names do not always say. */
export const unpacked = async (path: string, bytes: Uint8Array): Promise<Uint8Array> => {
  if (/\.zst$/i.test(path)) throw new DataError(`${path} is packed with zstd, which is not read here; unpack it first`)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  } catch (error) {
    const { message, code = '', cause } = error as Error & { code?: string; cause?: { code?: string } }
    if (/Z_BUF_ERROR|truncated|unexpected end/i.test(`${message} ${code} ${cause?.code ?? ''}`))
      throw new DataError(`${path} is cut short: the gzip file ends before its end`)
    throw new DataError(`${path} is not a readable gzip file: ${message}`)
  }
}
