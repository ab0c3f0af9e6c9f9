import { crc32 } from 'node:zlib'
import { chunkLayout } from '../../packages/core/src/engine/wasm/stored-lane.ts'
import { exactBytes, exactValue } from '../../packages/core/src/file/exact-values.ts'
import { digestOf } from '../../packages/core/src/numeric/digest.ts'
import { below, joined, mutate, oneOf, type Random } from '../mutations.ts'
import { changedJson, changedValue } from './odd-values.ts'

/** Files with checksums, changed and sealed again: what a reader believes once the checksum is right. */

const encode = (text: string) => new TextEncoder().encode(text)

const CHECKPOINT_HEAD = 12
const DIGEST = 32

/** What checkpoints hold has no null. */
const withoutNull = (value: unknown, depth = 0): unknown => {
  if (value === null || depth > 700) return undefined
  if (Array.isArray(value)) return value.map(each => withoutNull(each, depth + 1))
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutNull(each, depth + 1)]))
}

/** Typed arrays are changed as such. */
const changedNumbers = (value: unknown, random: Random): unknown => {
  const found: { holder: Record<string, unknown>; key: string }[] = []
  const copy = (each: unknown): unknown => {
    if (Array.isArray(each) || (typeof each === 'object' && each !== null && !ArrayBuffer.isView(each))) {
      const holder = (Array.isArray(each) ? [] : {}) as Record<string, unknown>
      for (const [key, inner] of Object.entries(each)) {
        holder[key] = copy(inner)
        if (inner instanceof Float64Array || inner instanceof Int32Array) found.push({ holder, key })
      }
      return holder
    }
    return each
  }
  const changed = copy(value)
  if (found.length === 0) return changed
  const { holder, key } = oneOf(found, random)
  const numbers = (holder[key] as Float64Array).slice()
  const kind = below(4, random)
  if (kind === 0) holder[key] = numbers.subarray(1)
  else if (kind === 1) holder[key] = Int32Array.from(numbers)
  else
    numbers[below(numbers.length, random)] = oneOf(
      [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e308, 5e-324, 2],
      random,
    )
  if (kind > 1) holder[key] = numbers
  return changed
}

const changedExact = (bytes: Uint8Array, random: Random): Uint8Array => {
  if (random() < 0.25) return mutate(bytes, random)
  const value = exactValue(bytes)
  return exactBytes(random() < 0.4 ? changedNumbers(value, random) : withoutNull(changedValue(value, random)))
}

const sealedCheckpoint = (head: Uint8Array, body: Uint8Array): Uint8Array => joined(head, encode(digestOf(body)), body)

/** A checkpoint with another body: as a whole, or of one unit of work. */
export const changedCheckpoint = (bytes: Uint8Array, random: Random): Uint8Array => {
  const head = bytes.slice(0, CHECKPOINT_HEAD)
  const body = bytes.subarray(CHECKPOINT_HEAD + DIGEST)
  if (random() < 0.3) return sealedCheckpoint(head, changedExact(body, random))
  const { units, ...rest } = exactValue(body) as { readonly units: readonly { readonly bytes: Uint8Array }[] }
  if (units.length === 0) return sealedCheckpoint(head, changedExact(body, random))
  const at = below(units.length, random)
  const changed = units.map((unit, i) => (i === at ? { ...unit, bytes: changedExact(unit.bytes, random) } : unit))
  return sealedCheckpoint(head, exactBytes({ ...rest, units: changed }))
}

const CELLS_HEAD = 64

type Place = [at: number, bytes: number, checksum: number]
interface Directory {
  readonly marginals: Place[]
  readonly lanes: { readonly labels: (Place | null)[]; readonly chunks: [number, number, number, number][] }[]
}

/** A file of cells with these sections and this directory, and checksums of the directory and the header that are right. */
export const sealedCells = (bytes: Uint8Array, sections: Uint8Array, directory: string): Uint8Array<ArrayBuffer> => {
  const end = encode(directory)
  const changed = joined(bytes.subarray(0, CELLS_HEAD), sections, end)
  const head = new DataView(changed.buffer)
  head.setFloat64(16, changed.length, true)
  head.setFloat64(32, end.length, true)
  head.setUint32(40, crc32(end), true)
  head.setUint32(12, 0, true)
  head.setUint32(12, crc32(changed.subarray(0, CELLS_HEAD)), true)
  return changed
}

/** The directory of a file of cells, and its sections. */
export const openedCells = (bytes: Uint8Array): { readonly directory: Directory; readonly sections: Uint8Array } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [at, length] = [view.getFloat64(24, true), view.getFloat64(32, true)]
  const directory = JSON.parse(new TextDecoder().decode(bytes.subarray(at, at + length))) as Directory
  return { directory, sections: bytes.slice(CELLS_HEAD, at) }
}

/** A file of cells with another directory, header or section, and checksums that are right. */
export const changedCells = (bytes: Uint8Array, random: Random): Uint8Array => {
  const { directory, sections } = openedCells(bytes)
  const kind = random()
  let text = changedJson(directory, random)
  if (kind < 0.4) {
    sections.set(mutate(sections, random).subarray(0, sections.length))
    const sum = (from: number, size: number) => crc32(sections.subarray(from - CELLS_HEAD, from - CELLS_HEAD + size))
    for (const each of [...directory.marginals, ...directory.lanes.flatMap(lane => lane.labels)])
      if (each !== null) each[2] = sum(each[0], each[1])
    for (const chunk of directory.lanes.flatMap(lane => lane.chunks))
      chunk[3] = sum(chunk[0], chunkLayout({ cells: chunk[1], words: chunk[2] }).bytes)
    text = kind < 0.3 ? JSON.stringify(directory) : changedJson(directory, random)
  }
  const changed = sealedCells(bytes, sections, text)
  const head = new DataView(changed.buffer)
  if (kind > 0.9) head.setFloat64(oneOf([16, 24, 32], random), oneOf([0, -1, 0.5, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, 65], random), true) // biome-ignore format: one call
  head.setUint32(12, 0, true)
  head.setUint32(12, crc32(changed.subarray(0, CELLS_HEAD)), true)
  return changed
}
