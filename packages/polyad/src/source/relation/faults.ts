import { createReadStream } from 'node:fs'
import { DataError, EngineError } from '@polyad/core'
import { advise, type Sentence, words } from '@polyad/core/options'
import { TableFault, type Tables } from '../../duckdb/client.ts'
import { ENCODED } from '../../table/files/csv-dialect.ts'
import {
  brokenJson,
  brokenJsonLine,
  fieldsFault,
  isLineOfJson,
  lineFinder,
  surplusFields,
  unevenBlankLine,
} from '../../table/files/text-faults.ts'
import { nearest } from '../../table/values/nearest.ts'
import { reworded } from '../../table/values/note.ts'
import type { Fault } from '../../table/view/view.ts'
import { gunzipped, isGzipped, readHead } from './files.ts'
import { type Part, type Relation, UNEVEN } from './relation.ts'

/** What DuckDB says of a file, in our words: the file, the line, what is wrong and what to do. */
export const explain = (
  error: unknown,
  { name, copies = new Map(), parts = [] }: Pick<Relation, 'name' | 'copies'> & Partial<Pick<Relation, 'parts'>>,
): Error => {
  if (!(error instanceof TableFault)) return error as Error
  return reworded(inOurWords(error, name, parts), text =>
    [...copies].reduce((changed, [copy, path]) => changed.replaceAll(copy, path), text),
  )
}

const inOurWords = (error: TableFault, name: string, parts: readonly Part[]): Error => {
  const { message } = error
  const file = /^\s*file = (.*)$/m.exec(message)?.[1] ?? name
  const line = Number(/CSV Error on Line: (\d+)/.exec(message)?.[1])
  if (line > 0) {
    const part = parts.find(({ path, copy = path }) => copy === file)
    return new DataError(words`${file}, line ${line}: ${csvFault(message, line, part)}`, { line }, { cause: error })
  }
  const uneven = message.split(UNEVEN)[1]?.split('\n')[0]
  if (uneven !== undefined) {
    const skip = parts.find(({ path, copy = path }) => copy === uneven)?.dialect?.skip ?? 0
    return unevenBlankLine(uneven, readHead(uneven, 1 << 24).toString('utf8'), skip, error)
  }
  const json = /Malformed JSON in file "(.*)", at byte (\d+) in (?:line|record\/value) \d+: (.*)/.exec(message)
  if (json !== null) {
    const [, path, , reason] = json
    const at = brokenJsonLine(readHead(path, 1 << 24).toString('utf8'))
    return brokenJson(path, at, reason.trim().replace(/\.$/, ''), error)
  }
  if (message.includes('state machine')) {
    const reason = 'its line ends are mixed, or a quote is in the middle of a field'
    return new DataError(`${name} cannot be split into fields: ${reason}`, {}, { cause: error })
  }
  if (/failed to offload|No space left|[Qq]uota exceeded/.test(message)) {
    const room = 'free some space, or set TMPDIR to a folder on another disk'
    return new EngineError(`the disk is full: DuckDB needs temporary files to sort ${name}; ${room}`, {
      cause: error,
    })
  }
  if (message.startsWith('Out of Memory')) {
    return new EngineError(words`DuckDB needs more memory to read ${name}; ${advise('try', 'memory', '4GB')}`, {
      cause: error,
    })
  }
  const [, required, missing] =
    /required extension '(\w+)'|extensions\/[^"]*?(\w+)\.duckdb_extension/.exec(message) ?? []
  const extension = required ?? missing
  if (extension !== undefined || /extension "?httpfs/i.test(message))
    return lacksExtension(extension ?? 'httpfs', name, error)
  const [, version, most] = /database file with version number (\d+),? but .*? and (\d+)/.exec(message) ?? []
  if (version !== undefined) {
    const what = `${name} was written by a newer DuckDB: its storage version is ${version}, and this one reads up to ${most}`
    return new DataError(
      `${what}. Export the table with that DuckDB (COPY … TO 'table.parquet'), and read the file`,
      {},
      { cause: error },
    )
  }
  if (/parquet|magic bytes|thrift/i.test(message)) {
    const reason = /string encoding/.test(message) ? 'a text in it is not UTF-8' : firstLine(message)
    return new DataError(`${name} is not a readable Parquet file: ${reason}`, {}, { cause: error })
  }
  const [, unknown, known] = /column "(.*?)" not found.*?Candidate bindings: ([^\n]*)/s.exec(message) ?? []
  const names = [...(known ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name)
  const near = nearest(unknown ?? '', names)
  const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
  return new DataError(`${name}: ${firstLine(message).replace(/!$/, '')}${hint}`, {}, { cause: error })
}

const lacksExtension = (extension: string, name: string, cause: TableFault): Error => {
  const remote = extension === 'httpfs'
  const what = remote ? 'web addresses' : 'this'
  const instead = remote ? 'Download the file and use its path' : 'Save the table as CSV or Parquet and use that file'
  const [, version] = /\/v(\d[\d.]*)\//.exec(cause.message) ?? []
  const install = `or run INSTALL ${extension} once in the DuckDB shell${version === undefined ? '' : ` of version ${version}`}, with network access`
  return new EngineError(
    `${name === 'the query' ? '' : `${name}: `}cannot read ${what}, because DuckDB's extension ${extension} is not installed. ${instead} (${install})`,
    { cause },
  )
}

const csvFault = (message: string, line: number, part: Part | undefined): Sentence => {
  const [wanted, found] = (/Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? []).slice(1).map(Number)
  if (wanted !== undefined) {
    if (found <= wanted) return fieldsFault(found, wanted)
    // DuckDB stops at the first field too many.
    const text = part?.dialect && readHead(part.copy ?? part.path, COUNTED_BYTES).toString('utf8')
    const all = text && surplusFields(text, line, part.dialect)
    return all ? fieldsFault(all, wanted) : `it has more fields than the header, which has ${wanted}`
  }
  if (/unterminated quote/i.test(message)) return 'a quote is opened and never closed'
  if (/not utf-8|Invalid unicode/i.test(message)) return words`it is not UTF-8 text; ${ENCODED}`
  if (/quote should be followed/i.test(message)) return 'a quote is in the middle of a field; double it inside quotes'
  if (/Maximum line size/i.test(message)) return 'it is far too long for a line; is a quote left open?'
  return firstLine(message.split('\n').slice(2).join('\n'))
}

/** Fields of a line are counted in this much of a file. */
const COUNTED_BYTES = 1 << 24

/** The heart of a message: without its class, the statement, and the advice about options that are not ours. */
const firstLine = (message: string): string => {
  const line = message.split('\n').find(text => text.trim() !== '') ?? message
  return line.replace(/^(\w+ )+Error: /, '').trim()
}

/** Runs work on a relation; what goes wrong in DuckDB comes out explained. */
export const rewordErrors = async <T>(
  relation: Pick<Relation, 'name' | 'copies'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw explain(error, relation)
  }
}

/** The first row for which a condition holds. It is looked for only once it is known that there is one. */
export const locate = async (
  tables: Tables,
  relation: Relation,
  condition: string,
  column: string,
): Promise<Omit<Fault, 'test'> | undefined> => {
  const parts =
    relation.parts.length > 0 ? relation.parts : [{ path: relation.name, from: relation.from, dialect: undefined }]
  for (const part of parts) {
    const found = await tables.rows(
      `SELECT CAST(row AS DOUBLE), CAST(${column} AS VARCHAR) FROM (SELECT row_number() OVER () AS row, * FROM ${part.from}) ` +
        `WHERE (${condition})${relation.where === undefined || relation.parts.length === 0 ? '' : ` AND ${relation.where}`} ORDER BY row LIMIT 1`,
    )
    if (found.length === 0) continue
    const [row, value] = found[0] as [number, string | null]
    const line = await lineOf(part, row)
    return { where: `${part.path}, ${line === undefined ? `row ${row}` : `line ${line}`}`, line, row, value }
  }
  return undefined
}

/** The line on which a row begins. */
const lineOf = async ({ path, copy = path, dialect }: Part, row: number): Promise<number | undefined> => {
  if (dialect === undefined) return isLineOfJson(path) ? row : undefined
  const bytes = isGzipped(copy) ? gunzipped(copy) : createReadStream(copy, { highWaterMark: 1 << 20 })
  const lineIn = lineFinder(dialect, row)
  // Leaving the loop ends the stream.
  for await (const block of bytes as AsyncIterable<Buffer>) {
    const line = lineIn(block)
    if (line !== undefined) return line
  }
  return undefined
}
