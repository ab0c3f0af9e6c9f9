import { DataError, OptionError } from '@polyad/core'
import { advise, mention, words } from '@polyad/core/options'
import { choice, type Note, warning } from '../values/note.ts'
import { firstBlankRecords, firstLineEnd, firstRecord, firstRecords, oddLineEnd } from './csv-records.ts'
import { type FileHead, HEAD_ROWS } from './file-head.ts'
import { titleLines } from './title-lines.ts'

/** How a file of separated values is written. It is settled here, from its first lines, so that no row is ever guessed away. */
export interface Dialect {
  /** One character; `BLANKS` where any number of blanks or tabs separates. */
  readonly delimiter: string
  /** The names in the header, blank ones filled in. They may repeat. */
  readonly columns: readonly string[]
  readonly header: boolean
  /** Lines before the header: those that are skipped, and one that says the delimiter, which Excel writes. */
  readonly skip: number
  readonly newline: '\\n' | '\\r\\n' | '\\r'
  readonly notes: readonly Note[]
}

export interface DialectOptions {
  /** What separates the fields. Default: found from the first lines. */
  readonly delimiter?: string
  /** Whether the first line holds the names of the columns. Default: unless it is data like the others. */
  readonly header?: boolean
  /** Rows to skip before the names of the columns, or the first row of data: titles and notes. */
  readonly skipRows?: number
  /** How text is written that is not UTF-8: windows-1252, latin1, … Of SPSS and Stata files, in place of what they declare. */
  readonly encoding?: string
  /** The sheet of a spreadsheet, by its name or its number from 1. Default: the first that is not hidden. */
  readonly sheet?: string
}

/** What to do about a file that is not UTF-8. */
export const ENCODED = advise('name its encoding, as in', 'encoding', 'windows-1252')

export const BLANKS = 'blanks'

const SEPARATED = advise('name the separator, as in', 'delimiter', ';')

const CANDIDATES = [',', '\t', ';', '|']

/** Records that are looked at to find the delimiter, and to tell a header from data. */
const LOOKED_AT = 200

/** How a file is written, from its first bytes; with `tabs` its name says that tabs separate. */
export const dialectOf = (path: string, head: Uint8Array, tabs: boolean, options: DialectOptions): Dialect => {
  if (head[0] === 0xff && head[1] === 0xfe)
    throw new DataError(words`${path} is in UTF-16; ${advise('read it with', 'encoding', 'utf-16')}`)
  const nul = head.indexOf(0)
  if (nul >= 0) throw new DataError(`${path} is not a text file: it has a zero byte at position ${nul}`)
  const whole = new TextDecoder().decode(head)
  const [separator, stated] = /^sep=(.)\r?\n/i.exec(whole) ?? ['']
  const known = checkDelimiter(options.delimiter) ?? stated ?? (tabs ? '\t' : undefined)
  const before = separator === '' ? 0 : 1
  const delimiters = known === undefined ? CANDIDATES : known === BLANKS ? [] : [known]
  const isAsked = options.skipRows !== undefined || options.header === false
  const titles = isAsked ? undefined : titleLines(withoutLines(path, whole, before), delimiters)
  const skip = before + (options.skipRows ?? titles?.lines ?? 0)
  const text = withoutLines(path, whole, skip)
  const delimiter = known ?? titles?.delimiter ?? guessDelimiter(text)
  checkNames(path, text, delimiter, skip + 1, head)
  const records = recordsOf(text, delimiter)
  const [first] = records
  if (/^[ \t]*[\r\n]/.test(text) || first === undefined || first.every(field => field === ''))
    throw new DataError(
      words`${path}: line ${skip + 1} is blank where the names of the columns should be; ${advise('to begin further down, use', 'skipRows', skip + 1)}`,
    )
  const header = options.header ?? !isData(records, delimiter)
  const fields = header && hasRowNames(records) ? ['row', ...first] : first
  const newline = lineEnd(path, whole, delimiter)
  const columns = fields.map((name, i) => (header && name !== '' ? name : `column${i + 1}`))
  const notes: Note[] = []
  if (titles !== undefined) notes.push(titleNote(path, before, skip))
  if (!header && options.header === undefined)
    notes.push(choice(`${path}: its first line is data like the others, so the columns are column1, column2, …`))
  if (columns.length === 1)
    notes.push(warning('file-doubtful', words`${path} has a single column: if its fields are separated, ${SEPARATED}`))
  return { delimiter, columns, header, skip, newline, notes }
}

/** The first lines of separated text, and which of them names the columns. */
export const headOfText = (text: string, { delimiter, header, skip }: Dialect): FileHead => {
  const lines = text.split(/\r\n?|\n/, HEAD_ROWS + 1).slice(0, HEAD_ROWS)
  const fields = (line: string) =>
    (delimiter === BLANKS ? firstBlankRecords(line, 1) : firstRecords(line, delimiter, 1))[0] ?? []
  return {
    rows: lines.map(line => fields(line).map(field => (field === '' ? null : field))),
    names: [skip, skip + Number(header)],
    before: /^sep=.$/i.test(lines[0] ?? '') ? 1 : 0,
  }
}

const titleNote = (path: string, before: number, skip: number): Note => {
  const [lines, are] =
    skip - before === 1 ? [`line ${skip} is a title`, 'is'] : [`lines ${before + 1} to ${skip} are titles`, 'are']
  return choice(
    words`${path}: ${lines} and ${are} left out; line ${skip + 1} names the columns (${advise('to begin with the first line, use', 'skipRows', 0)})`,
  )
}

/** What decoding puts in the place of bytes that are no text, and its own bytes. */
const NO_TEXT = '\ufffd'
const NO_TEXT_BYTES = [0xef, 0xbf, 0xbd]

/** Refuses names of columns that are not UTF-8, as values are refused. */
const checkNames = (path: string, text: string, delimiter: string, line: number, head: Uint8Array): void => {
  const [names] = delimiter === BLANKS ? firstBlankRecords(text, 1) : firstRecords(text, delimiter, 1)
  const isWritten = () =>
    head.some((byte, i) => byte === NO_TEXT_BYTES[0] && NO_TEXT_BYTES.every((own, n) => head[i + n] === own))
  if (names?.some(name => name.includes(NO_TEXT)) && !isWritten())
    throw new DataError(words`${path}, line ${line}: it is not UTF-8 text; ${ENCODED}`, { line })
}

/** Text without its first lines, however they end. */
const withoutLines = (path: string, text: string, skip: number): string => {
  let at = 0
  for (let line = 0; line < skip; line++) {
    const end = /\r\n?|\n/g
    end.lastIndex = at
    if (end.exec(text) === null)
      throw new DataError(words`${path} has nothing after the ${skip} lines that ${mention('skipRows')} leaves out`)
    at = end.lastIndex
  }
  return text.slice(at)
}

/** How lines end: all alike, or rows would be lost. Where blanks separate, a carriage return is one. */
const lineEnd = (path: string, text: string, delimiter: string): Dialect['newline'] => {
  if (firstLineEnd(text) === '\r') return '\\r'
  if (delimiter === BLANKS || !text.includes('\r\n')) return '\\n'
  const line = oddLineEnd(text)
  if (line === undefined) return '\\r\\n'
  throw new DataError(
    `${path}, line ${line}: it ends differently from the first (Windows and Unix line ends are mixed); make them alike, for instance with dos2unix`,
    { line },
  )
}

const checkDelimiter = (delimiter: string | undefined): string | undefined => {
  if (delimiter === undefined) return undefined
  const meant = delimiter === '\\t' || delimiter === 'tab' ? '\t' : delimiter
  if (meant.length === 1 || meant === BLANKS) return meant
  throw new OptionError('delimiter', 'must be one character, tab or blanks', delimiter)
}

const recordsOf = (text: string, delimiter: string): string[][] =>
  delimiter === BLANKS ? firstBlankRecords(text, LOOKED_AT) : firstRecords(text, delimiter, LOOKED_AT)

/**
 * The candidate that splits every record into as many fields, and the first line into the most. Where both semicolons
 * and commas do and every comma stands between digits, those are decimal commas. A file without any may be separated by blanks.
 */
const guessDelimiter = (text: string): string => {
  const found = CANDIDATES.map(delimiter => ({ delimiter, fields: firstRecord(text, delimiter).length }))
    .filter(({ fields }) => fields > 1)
    .sort((a, b) => b.fields - a.fields)
  if (found.length === 0) return guessBlanks(text)
  const even = found.filter(({ delimiter, fields }) => isEven(text, delimiter, fields))
  const decimal = !/(?<!\d),|,(?!\d)/.test(text.slice(0, 1 << 16))
  const semicolons = even.find(({ delimiter }) => delimiter === ';')
  return (decimal ? semicolons : undefined)?.delimiter ?? (even[0] ?? found[0]).delimiter
}

/** Whether all records have the same number of fields; the last that was read may be cut short. */
const isEven = (text: string, delimiter: string, fields: number): boolean => {
  const records = firstRecords(text, delimiter, 21)
  return records.slice(0, records.length === 21 ? 20 : undefined).every(({ length }) => length === fields)
}

const guessBlanks = (text: string): string => {
  const quotes = text.includes('"')
  const records = quotes ? firstRecords(text, ' ', 20) : firstBlankRecords(text, 20)
  const [first, second = first] = records.map(({ length }) => length)
  const even = records.slice(1).every(({ length }) => length === second) && second - first <= 1 && first <= second
  // Several numbers on a line are not one value, whatever the other lines are like.
  if (second > 1 && (even || (first > 1 && records[0].every(isNumeric)))) return quotes ? ' ' : BLANKS
  return ','
}

/** Whether every row begins with a name of its own, for which the header has none: so R writes tables. */
const hasRowNames = ([first, ...rest]: readonly string[][]): boolean =>
  rest.length > 1 &&
  rest.every(({ length }) => length === first.length + 1) &&
  new Set(rest.map(([name]) => name)).size === rest.length &&
  rest.some(record => record.at(-1) !== '')

const isNumeric = (field: string): boolean => field !== '' && Number.isFinite(Number(field))

/**
 * Whether the first line is data: numbers only, and most of them seen again further down in their columns, as years
 * and other names are not; and not the numbers of the columns. Files separated by blanks are written by programs that have no header.
 */
const isData = ([first, ...rest]: readonly string[][], delimiter: string): boolean => {
  if (delimiter === BLANKS) return first.every(field => isNumeric(field) || field === '.' || field === '*')
  const numbered = first.length > 2 && first.every((field, i) => Number(field) === Number(first[0]) + i)
  if (numbered || !first.every(isNumeric)) return false
  const again = first.filter((field, i) => rest.some(record => record[i] === field))
  return again.length * 2 >= first.length && again.length > 0
}

/** The same of a table that is not text, such as a sheet. */
export const looksLikeData = (records: readonly string[][]): boolean => records.length > 0 && isData(records, ',')
