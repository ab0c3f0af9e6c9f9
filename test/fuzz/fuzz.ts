import { getHeapStatistics } from 'node:v8'
import { DataError, EngineError, OptionError } from '@polyad/core'
import { expect } from 'vitest'
import { RequestFault } from '../../packages/polyad/src/studio/request-fault.ts'
import { below, type Change, joined, mutate, oneOf, type Random, randomNumbers } from '../mutations.ts'

/** A reader of files, with files that it reads, for trying damaged ones. */
export interface FuzzedReader {
  readonly name: string
  /** Files that are read, made or found: the first is the quickest to read. */
  readonly samples: (path: (name: string) => string) => Promise<readonly Uint8Array[]> | readonly Uint8Array[]
  readonly read: (bytes: Uint8Array, scratch: string) => unknown
  /** A change that knows how such a file is made, besides those of any bytes. */
  readonly change?: Change
  /** Whether pieces of text are put in, too. */
  readonly text?: boolean
  /** Ends what reading has begun. */
  readonly end?: () => Promise<void>
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Pieces that have misled readers of text. */
const PIECES = [
  ...['__proto__', '"constructor":{"prototype":{"polluted":1}}', '\0', '\u{feff}', '"', '""', "'", '\\', '\r', '\n\n', '\t', '\\u0000', '\\ud800'],
  ...['1e999', '-1e-999', 'NaN', '0x10', '99999999999999999999', '4294967297', '-1', '1.5.2', '٣', '\u202e', '\ud800'],
  ...['[[[[[[[[[[[[[[[[', '{"a":', ',,,,,,,,,,,,', ';;;;', '../../../etc/passwd', '<script>', "'; DROP TABLE x; --", '=1+1', '/*', '--', '(', ')', '%', '*?'],
].map(encode) // biome-ignore format: a list

const withPiece = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = below(bytes.length + 1, random)
  const one = oneOf(PIECES, random)
  const piece = random() < 0.05 ? joined(...Array<Uint8Array>(500).fill(one)) : one
  return joined(bytes.subarray(0, at), piece, bytes.subarray(at + (random() < 0.5 ? 0 : piece.length)))
}

/** Words that only the author of a program understands. */
const INTERNAL =
  /\b(\w*(Type|Range|Syntax|Reference|Internal)Error|Error:|undefined|zod|node:|E(NOENT|ISDIR|INVAL|MFILE|ACCES)|Cannot (read|convert|mix|destructure|set|access)|is not (a function|iterable|a constructor|defined)|Invalid (typed )?(array|string|code|time|date|count)|Array buffer|offset is out|out of bounds|call stack|heap|SELECT|FROM|CAST|VARCHAR|read_(csv|json|parquet)\w*|BigInt|DataView|Uint8Array|native code)\b|\[object|\n\s+at /

/** A file takes longer than this only where reading it does not end, in milliseconds. */
const LONGEST = 20_000
/** No small file may take more memory than this, in bytes. */
const MOST_MEMORY = 2 ** 28

const memoryInUse = (): number => {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

/** The names that everything inherits. */
const inherited = (): string =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype, Uint8Array.prototype]
    .map(prototype => Reflect.ownKeys(prototype).map(String).join())
    .join('\n')

/** A damaged file: the same for the same seed and number. */
export const damaged = (
  { change, text }: Pick<FuzzedReader, 'change' | 'text'>,
  samples: readonly Uint8Array[],
  seed: number,
  n: number,
): Uint8Array => {
  const random = randomNumbers(Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b))
  let bytes = samples[n % samples.length]
  // What the format knows comes first: it needs a whole file.
  const known = change !== undefined && random() < 0.7
  if (known) bytes = change(bytes, random, '')
  if (known && random() < 0.85) return bytes
  for (let more = 0; more <= below(3, random); more++)
    bytes = text && random() < 0.6 ? withPiece(bytes, random) : mutate(bytes, random)
  return bytes
}

/** What reading throws; undefined if nothing. */
const refusalOf = async (reader: FuzzedReader, bytes: Uint8Array, scratch: string): Promise<unknown> => {
  try {
    const reading = reader.read(bytes, scratch)
    if (reading instanceof Promise) await reading
    return undefined
  } catch (error) {
    return error ?? new Error('nothing was thrown')
  }
}

/** What is wrong with an error that a person reads; undefined if nothing is. */
const faultOf = (error: unknown): string | undefined => {
  if (![DataError, OptionError, EngineError, RequestFault].some(kind => error instanceof kind))
    return `not an error for a person: ${(error as Error).stack}`
  const { message } = error as Error
  if (INTERNAL.test(message)) return `internal words: ${message}`
  return message.length > 3000 ? `a message of ${message.length} characters: ${message.slice(0, 300)}…` : undefined
}

/** A file that was not treated as it should be. */
type OnFault = (fault: string, bytes: Uint8Array, n: number) => void

/** Reads so many damaged files: each is read, or refused by an error for a person, in bounded time and memory. How many were refused. */
export const fuzz = async (
  reader: FuzzedReader,
  count: number,
  seed: number,
  path: (name: string) => string,
  onFault: OnFault = (fault, bytes, n) => {
    throw new Error(`${reader.name}, seed ${seed}, file ${n}: ${fault}\n${contentOf(bytes)}`)
  },
): Promise<number> => {
  const samples = await reader.samples(path)
  expect(samples.length).toBeGreaterThan(0)
  const scratch = path(`fuzzed-${reader.name.replaceAll(/\W/g, '')}`)
  for (const sample of new Set(samples)) await reader.read(sample, scratch)
  const before = inherited()
  let refused = 0
  // Most files are refused, and finding out where costs as much as reading a small one.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    for (let n = 0; n < count; n++) {
      const bytes = damaged(reader, samples, seed, n)
      const [memory, start] = [memoryInUse(), performance.now()]
      const error = await refusalOf(reader, bytes, scratch)
      const [took, taken] = [performance.now() - start, memoryInUse() - memory]
      let fault = error === undefined ? undefined : faultOf(error)
      if (error !== undefined) refused++
      if (fault !== undefined) {
        Error.stackTraceLimit = stackTraceLimit
        // A reader that takes turns may read it this time.
        const again = await refusalOf(reader, bytes, scratch)
        fault = (again === undefined ? undefined : faultOf(again)) ?? fault
        Error.stackTraceLimit = 0
      }
      fault ??= took > LONGEST ? `it took ${Math.round(took)} ms` : undefined
      fault ??= taken > MOST_MEMORY ? `it took ${Math.round(taken / 2 ** 20)} MB` : undefined
      if (fault !== undefined) onFault(fault, bytes, n)
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    await reader.end?.()
  }
  expect(inherited()).toBe(before)
  return refused
}

const contentOf = (bytes: Uint8Array): string =>
  bytes.length > 3000 ? `${bytes.length} bytes` : `base64: ${Buffer.from(bytes).toString('base64')}`
