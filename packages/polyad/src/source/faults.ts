import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { DataError, EngineError } from '@polyad/core'
import { TableFault, type Tables } from '../duckdb/client.ts'
import { firstBlankRecords } from './csv-records.ts'
import { isGzipped, readHead } from './files.ts'
import { nearest } from './nearest.ts'
import { type Part, type Relation, UNEVEN } from './relation.ts'

/** What DuckDB says of a file, in our words: the file, the line, what is wrong and what to do. */
export const explain = (error: unknown, { name }: Pick<Relation, 'name'>): Error => {
  if (!(error instanceof TableFault)) return error as Error
  const { message } = error
  const file = /^\s*file = (.*)$/m.exec(message)?.[1] ?? name
  const line = Number(/CSV Error on Line: (\d+)/.exec(message)?.[1])
  if (line > 0) return new DataError(`${file}, line ${line}: ${csvFault(message)}`, { line }, { cause: error })
  const uneven = message.split(UNEVEN)[1]?.split('\n')[0]
  if (uneven !== undefined) return unevenLine(uneven, error)
  const json = /Malformed JSON in file "(.*)", at byte (\d+) in (?:line|record\/value) \d+: (.*)/.exec(message)
  if (json !== null) {
    const [, path, , reason] = json
    const at = brokenLine(path)
    const where = at === undefined ? path : `${path}, line ${at}`
    return new DataError(
      `${where}: the JSON is broken: ${reason.trim().replace(/\.$/, '')}`,
      at === undefined ? {} : { line: at },
      { cause: error },
    )
  }
  if (message.includes('state machine')) {
    const reason = 'its lines do not all end alike, or a quote stands in the middle of a field'
    return new DataError(`${name} cannot be split into fields: ${reason}`, {}, { cause: error })
  }
  if (/failed to offload|No space left|[Qq]uota exceeded/.test(message)) {
    const room = 'free some space, or choose another folder for temporary files by TMPDIR'
    return new EngineError(`the disk is full: DuckDB cannot sort ${name} by way of temporary files; ${room}`, {
      cause: error,
    })
  }
  if (message.startsWith('Out of Memory')) {
    return new EngineError(`DuckDB needs more memory to read ${name}; try memory '4GB'`, { cause: error })
  }
  if (/parquet|magic bytes|thrift/i.test(message)) {
    return new DataError(`${name} is not a readable Parquet file: ${firstLine(message)}`, {}, { cause: error })
  }
  const [, unknown, known] = /column "(.*?)" not found.*?Candidate bindings: ([^\n]*)/s.exec(message) ?? []
  const names = [...(known ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name)
  const near = nearest(unknown ?? '', names)
  const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
  return new DataError(`${name}: ${firstLine(message).replace(/!$/, '')}${hint}`, {}, { cause: error })
}

/** The error for the first line that does not have as many fields as line 1, in a file separated by blanks. */
const unevenLine = (path: string, cause: Error): DataError => {
  const lines = readHead(path, 1 << 24)
    .toString('utf8')
    .split(/\r\n?|\n/)
  const fields = lines.map(line => firstBlankRecords(line, 1)[0]?.length ?? 0)
  const wanted = fields.find(n => n > 0) ?? 0
  const at = fields.findIndex(n => n > 0 && n !== wanted)
  if (at < 0) return new DataError(`${path}: a line does not have as many fields as the first`, {}, { cause })
  return new DataError(
    `${path}, line ${at + 1}: it has ${fields[at]} ${fields[at] === 1 ? 'field' : 'fields'} where the first line has ${wanted}`,
    { line: at + 1 },
    { cause },
  )
}

/** The first line of a file of JSON lines that is not JSON; undefined where the file is one JSON text. */
const brokenLine = (path: string): number | undefined => {
  const lines = readHead(path, 1 << 24)
    .toString('utf8')
    .split('\n')
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

const csvFault = (message: string): string => {
  const [, wanted, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? []
  if (wanted !== undefined)
    return `it has ${found} ${found === '1' ? 'field' : 'fields'} where the header has ${wanted}`
  if (/unterminated quote/i.test(message)) return 'a quote is opened and never closed'
  if (/not utf-8|Invalid unicode/i.test(message)) return 'it is not UTF-8 text; save the file as UTF-8'
  if (/quote should be followed/i.test(message))
    return 'a quote stands in the middle of a field; double it inside quotes'
  if (/Maximum line size/i.test(message)) return 'it is far too long for a line; is a quote left open?'
  return firstLine(message.split('\n').slice(2).join('\n'))
}

/** The heart of a message: without its class, the statement, and the advice about options that are not ours. */
const firstLine = (message: string): string => {
  const line = message.split('\n').find(text => text.trim() !== '') ?? message
  return line.replace(/^(\w+ )+Error: /, '').trim()
}

/** Runs work on a relation; what goes wrong in DuckDB comes out explained. */
export const explained = async <T>(relation: Pick<Relation, 'name'>, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw explain(error, relation)
  }
}

export interface Fault {
  /** "data.csv, line 7" or "the query, row 3". */
  readonly where: string
  readonly line: number | undefined
  readonly row: number
  /** The values of the columns asked for, as text. */
  readonly values: readonly (string | null)[]
}

/** The first row for which a condition holds. It is looked for only once it is known that there is one. */
export const locate = async (
  tables: Tables,
  relation: Relation,
  condition: string,
  columns: readonly string[],
): Promise<Fault | undefined> => {
  const parts =
    relation.parts.length > 0 ? relation.parts : [{ path: relation.name, from: relation.from, dialect: undefined }]
  const shown = columns.map(column => `CAST(${column} AS VARCHAR)`).join(', ')
  for (const part of parts) {
    const found = await tables.rows(
      `SELECT CAST(row AS DOUBLE), ${shown} FROM (SELECT row_number() OVER () AS row, * FROM ${part.from}) ` +
        `WHERE ${condition} ORDER BY row LIMIT 1`,
    )
    if (found.length === 0) continue
    const [row, ...values] = found[0] as [number, ...(string | null)[]]
    const line = await lineOf(part, row)
    return { where: `${part.path}, ${line === undefined ? `row ${row}` : `line ${line}`}`, line, row, values }
  }
  return undefined
}

/** The line on which a row begins: a quoted field may hold line breaks, and blank lines are not rows. */
const lineOf = async ({ path, dialect }: Part, row: number): Promise<number | undefined> => {
  if (dialect === undefined) return /\.(ndjson|jsonl)$/i.test(path) ? row : undefined
  const stream = createReadStream(path, { highWaterMark: 1 << 20 })
  const bytes = isGzipped(path) ? stream.pipe(createGunzip()) : stream
  const target = row + dialect.skip + (dialect.header ? 1 : 0)
  let [line, record, quoted, blank] = [1, 0, false, true]
  for await (const block of bytes as AsyncIterable<Buffer>) {
    for (const byte of block) {
      if (byte === 10 && !quoted) blank = true
      else if (byte !== 13 && blank) {
        blank = false
        if (++record === target) {
          stream.destroy()
          return line
        }
      }
      if (byte === 34) quoted = !quoted
      if (byte === 10) line++
    }
  }
  return undefined
}
