import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Tables } from '../../duckdb/client.ts'
import { textReader } from '../../table/files/text-encoding.ts'
import { checkGzip, gunzipped, isGzipped } from './files.ts'

/** Copies a file of another encoding as UTF-8, for DuckDB; the copy goes when DuckDB is closed. */
export const encodedFile = async (
  { scratch }: Tables,
  path: string,
  encoding: string,
  number: number,
): Promise<string> => {
  const copy = join(scratch, `encoded-${number}.csv`)
  await checkGzip(path)
  const take = textReader(path, encoding)
  await pipeline(
    isGzipped(path) ? gunzipped(path) : createReadStream(path, { highWaterMark: 1 << 20 }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) yield take(piece)
      yield take()
    },
    createWriteStream(copy),
  )
  return copy
}
