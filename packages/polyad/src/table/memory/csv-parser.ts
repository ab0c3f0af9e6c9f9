import { DataError } from '@polyad/core'
import { type Sentence, words } from '@polyad/core/options'
import { BLANKS, type Dialect, ENCODED } from '../files/csv-dialect.ts'
import { fieldsFault, unevenBlankLine } from '../files/text-faults.ts'
import { type TextColumn, TextDictionary } from './text-dictionary.ts'

const [TAB, NEWLINE, RETURN, BLANK, QUOTE] = [9, 10, 13, 32, 34]

/** A factor that spreads the bits of a hash. */
const SPREAD = 0x01000193

/** Who waits for a long file to be read. */
export interface Watching {
  /** Told now and then how much has been read, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  /** Ends it. */
  readonly signal?: AbortSignal
}

/** Bytes that are split before anybody is told, or can say that it is enough: about a tenth of a second. */
const BLOCK = 1 << 22

/** Splits a file block by block: `split` goes on to the first record at or after a place, and gives where that is. */
const watched = async (
  split: (until: number) => number,
  start: number,
  size: number,
  { onProgress, signal }: Watching,
): Promise<void> => {
  const block = onProgress === undefined && signal === undefined ? size : BLOCK
  for (let at = start; at < size; ) {
    at = split(at + block)
    if (at >= size) return
    onProgress?.(at / size)
    // Messages are heard between tasks.
    await new Promise(resolve => setTimeout(resolve))
    signal?.throwIfAborted()
  }
}

/** The columns of separated text, split as DuckDB splits it: what it refuses is refused here in the same words. */
export const parseCsv = async (
  path: string,
  bytes: Uint8Array,
  dialect: Dialect,
  watching: Watching = {},
): Promise<readonly TextColumn[]> => {
  const columns = dialect.columns.map(() => new TextDictionary(bytes))
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const end = dialect.newline === '\\r' ? RETURN : NEWLINE
  for (let line = 0; line < dialect.skip; line++) start = bytes.indexOf(end, start) + 1 || bytes.length
  const textOf = decoder(path, bytes, dialect)
  if (dialect.delimiter === BLANKS) splitBlanks(path, bytes, start, dialect, columns)
  else await watched(splitRecords(path, bytes, start, dialect, columns), start, bytes.length, watching)
  return columns.map(column => column.finish(textOf))
}

/** Strings of ranges of the bytes. Where all are plain ASCII, the whole is decoded once and cut. */
const decoder = (path: string, bytes: Uint8Array, dialect: Dialect): ((start: number, end: number) => string) => {
  if (bytes.length < 1 << 28 && bytes.every(byte => byte < 128)) {
    const text = new TextDecoder('latin1').decode(bytes)
    return (start, end) => text.slice(start, end)
  }
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return (start, end) => {
    try {
      return utf8.decode(bytes.subarray(start, end))
    } catch {
      throw fault(path, lineAt(bytes, start, dialect), words`it is not UTF-8 text; ${ENCODED}`)
    }
  }
}

const fault = (path: string, line: number, what: Sentence): DataError =>
  new DataError(words`${path}, line ${line}: ${what}`, { line })

/** The line of a place in the file. Lines are counted as they are split: those within quotes are none. */
const lineAt = (bytes: Uint8Array, at: number, { newline, skip }: Dialect): number => {
  const end = newline === '\\r' ? RETURN : NEWLINE
  let [line, quoted] = [1, false]
  for (let i = 0; i < at; i++) {
    if (bytes[i] === QUOTE && line > skip) quoted = !quoted
    if (bytes[i] === end && !quoted) line++
  }
  return line
}

/** Splits records of fields between delimiters, up to where it is told. A field in quotes may hold anything; blank lines are no records. */
const splitRecords = (
  path: string,
  bytes: Uint8Array,
  from: number,
  dialect: Dialect,
  columns: readonly TextDictionary[],
): ((until: number) => number) => {
  const [delimiter, ...more] = new TextEncoder().encode(dialect.delimiter)
  const isDelimiter = (place: number) =>
    bytes[place] === delimiter && more.every((byte, i) => bytes[place + 1 + i] === byte)
  const [size, width] = [bytes.length, columns.length]
  const ends = { '\\n': NEWLINE, '\\r\\n': RETURN, '\\r': RETURN }[dialect.newline]
  const isEnd = (byte: number) => byte === NEWLINE || byte === RETURN
  const torn = () =>
    new DataError(
      `${path} cannot be split into fields: its line ends are mixed, or a quote is in the middle of a field`,
    )
  let at = from
  let line = 1 + dialect.skip
  let isHeader = dialect.header
  const split = (until: number): number => {
    for (; at < size && at < until; line++) {
      let fields = 0
      let surplus = false
      // Where there is one column, a blank line is a row without a value.
      const blank = isEnd(bytes[at]) && (width > 1 || isHeader)
      while (!blank) {
        let [start, end, hash, escaped] = [at, at, 0, false]
        // One blank before a quote is let pass.
        const quote = bytes[at] === BLANK && delimiter !== BLANK ? at + 1 : at
        if (bytes[quote] === QUOTE) {
          at = start = quote + 1
          for (;;) {
            for (; at < size && bytes[at] !== QUOTE; at++) hash = Math.imul(hash ^ bytes[at], SPREAD)
            if (at >= size) throw fault(path, line, 'a quote is opened and never closed')
            end = at++
            let next = at
            if (delimiter !== BLANK) while (bytes[next] === BLANK) next++
            at = next
            if (bytes[next] !== QUOTE) break
            escaped = true
            at++
          }
          if (at < size && !isDelimiter(at) && !isEnd(bytes[at]))
            throw fault(path, line, 'a quote is opened and never closed')
          if (escaped) hash = hashOf(bytes, start, end)
        } else {
          for (; at < size; at++) {
            const byte = bytes[at]
            if (byte === NEWLINE || byte === RETURN || (byte === delimiter && isDelimiter(at))) break
            hash = Math.imul(hash ^ byte, SPREAD)
          }
          end = at
        }
        if (!isHeader && fields < width) columns[fields].add(start, end, hash, escaped)
        else if (end > start) surplus = true
        fields++
        if (!isDelimiter(at)) break
        at += 1 + more.length
      }
      if (at < size && bytes[at] !== ends) throw torn()
      if (!blank && !isHeader && (fields < width || surplus)) {
        throw fault(path, line, fieldsFault(fields, width))
      }
      if (!blank) isHeader = false
      if (at++ >= size) break
      if (dialect.newline === '\\r\\n' && bytes[at++] !== NEWLINE) throw torn()
    }
    return at
  }
  return split
}

const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], SPREAD)
  return hash
}

/** Lines of fields between any number of blanks and tabs. */
const splitBlanks = (
  path: string,
  bytes: Uint8Array,
  from: number,
  dialect: Dialect,
  columns: readonly TextDictionary[],
): void => {
  const ends = dialect.newline === '\\r' ? RETURN : NEWLINE
  const isBlank = (byte: number) => byte === BLANK || byte === TAB
  let isHeader = dialect.header
  for (let at = from; at < bytes.length; ) {
    const next = bytes.indexOf(ends, at) < 0 ? bytes.length : bytes.indexOf(ends, at)
    let [start, end] = [at, next]
    while (start < end && (isBlank(bytes[start]) || bytes[start] === RETURN)) start++
    while (end > start && (isBlank(bytes[end - 1]) || bytes[end - 1] === RETURN)) end--
    at = next + 1
    if (start === end && !isHeader) continue
    let fields = 0
    for (let field = start; field < end && !isHeader; fields++) {
      let stop = field
      while (stop < end && !isBlank(bytes[stop])) stop++
      if (fields < columns.length) columns[fields].add(field, stop, hashOf(bytes, field, stop), false)
      for (field = stop; field < end && isBlank(bytes[field]); ) field++
    }
    if (!isHeader && fields !== columns.length)
      throw unevenBlankLine(path, new TextDecoder().decode(bytes), dialect.skip)
    isHeader = false
  }
}
