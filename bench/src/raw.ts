import { writeFileSync } from 'node:fs'

/** Writes arrays one after the other as they are in memory, for another process to read. */
export const writeRaw = (path: string, arrays: readonly (Int32Array | Float64Array)[]): void =>
  writeFileSync(
    path,
    Buffer.concat(arrays.map(array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength))),
  )
