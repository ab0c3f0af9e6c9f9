import { DataError } from '@polyad/core'
import type { Dialect } from './csv-dialect.ts'
import { firstBlankRecords, firstRecords } from './csv-records.ts'

/** The error for the first line that does not have as many fields as the first, in text separated by blanks. */
export const unevenBlankLine = (path: string, text: string, skip: number, cause?: Error): DataError => {
  const fields = text.split(/\r\n?|\n/).map((line, i) => (i < skip ? 0 : (firstBlankRecords(line, 1)[0]?.length ?? 0)))
  const wanted = fields.find(n => n > 0) ?? 0
  const at = fields.findIndex(n => n > 0 && n !== wanted)
  if (at < 0) return new DataError(`${path}: a line does not have as many fields as the first`, {}, { cause })
  return new DataError(
    `${path}, line ${at + 1}: it has ${fields[at]} ${fields[at] === 1 ? 'field' : 'fields'} where the first line has ${wanted}`,
    { line: at + 1 },
    { cause },
  )
}

/** What is said of a line with more or fewer fields than the header. */
export const fieldsFault = (fields: number, header: number): string =>
  `it has ${fields} ${fields === 1 ? 'field' : 'fields'} where the header has ${header}`

/** The fields of a line, which may have some too many. Undefined if it is not in this part of the file, or is not such a line. */
export const surplusFields = (text: string, line: number, { delimiter, columns }: Dialect): number | undefined => {
  const start = [...text.matchAll(/\r\n?|\n/g)][line - 2]
  const [record] = start === undefined ? [] : firstRecords(text.slice(start.index + start[0].length), delimiter, 1)
  return record !== undefined && record.length > columns.length ? record.length : undefined
}

/** Whether a file has a value of JSON in every line, by its name. */
export const isLineOfJson = (path: string): boolean => /\.(ndjson|jsonl)$/i.test(path)

/**
 * Given a file block by block, finds the line on which a row begins: a quoted field may hold line breaks, and blank lines
 * are not rows.
 */
export const lineFinder = (
  { skip, header, newline }: Dialect,
  row: number,
): ((block: Uint8Array) => number | undefined) => {
  const [end, other] = newline === '\\r' ? [13, 10] : [10, 13]
  const target = row + (header ? 1 : 0)
  let [line, record, quoted, blank] = [1, 0, false, true]
  return block => {
    for (const byte of block) {
      if (line <= skip) {
        if (byte === end) line++
        continue
      }
      if (byte === end && !quoted) blank = true
      else if (byte !== other && blank) {
        blank = false
        if (++record === target) return line
      }
      if (byte === 34) quoted = !quoted
      if (byte === end) line++
    }
    return undefined
  }
}

/** The first line of lines of JSON that is not JSON; undefined where the text is one value. */
export const brokenJsonLine = (text: string): number | undefined => {
  const lines = text.split('\n')
  if (lines[0].trim().startsWith('[') || lines.length < 2) return undefined
  const at = lines.findIndex(line => {
    try {
      return line.trim() !== '' && JSON.parse(line) === undefined
    } catch {
      return true
    }
  })
  return at < 0 ? undefined : at + 1
}

export const brokenJson = (path: string, line: number | undefined, reason: string, cause?: unknown): DataError =>
  new DataError(
    `${path}${line === undefined ? '' : `, line ${line}`}: the JSON is broken: ${reason}`,
    line === undefined ? {} : { line },
    { cause },
  )
