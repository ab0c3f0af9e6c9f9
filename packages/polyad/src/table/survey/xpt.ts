import { DataError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { ByteReader, binaryText, bytesOfBinary } from './byte-reader.ts'
import { type Decoder, decoderOf, guessedDecoder } from './encodings.ts'
import { chooseTable, tableNotes } from './several-tables.ts'
import { sasDates } from './survey-dates.ts'
import { checkSize, recoded, type SurveyFile, type SurveyVariable, ValueCollector } from './survey-file.ts'

/** Records have 80 bytes. */
const RECORD = 80

/** A variable as the file describes it. Texts are bytes until it is known how they are written. */
interface Described {
  readonly numeric: boolean
  readonly bytes: number
  readonly at: number
  readonly name: Uint8Array
  title: Uint8Array
  readonly format: string
}

interface Member {
  readonly name: string
  readonly variables: readonly Described[]
  readonly rowBytes: number
  readonly dataAt: number
  readonly rows: number
}

/** Reads a transport file of SAS (.xpt) of version 5 or 8; of several tables in it the first, or the one that is named. */
export const readXpt = async (
  name: string,
  bytes: Uint8Array,
  { encoding, sheet }: { readonly encoding?: string; readonly sheet?: string } = {},
): Promise<SurveyFile> => {
  const reader = new ByteReader(name, bytes, false)
  const members = readMembers(reader)
  const { chosen, names } = chooseTable(
    name,
    members.map(each => each.name),
    sheet,
  )
  const { variables, rows, rowBytes, dataAt } = members[chosen]
  checkSize(name, rows, variables.length)
  const raw = variables.map(variable => valuesOf(reader, variable, rows, rowBytes, dataAt))
  const samples = raw.flatMap(({ values }) =>
    values.slice(0, 1000).map(value => (typeof value === 'string' ? bytesOfBinary(value) : new Uint8Array())),
  )
  const titles = variables.flatMap(variable => [variable.name, variable.title])
  const decoder = encoding === undefined ? guessedDecoder(name, [...titles, ...samples]) : decoderOf(name, encoding)
  return {
    name,
    variables: variables.map((variable, i) => surveyVariable(variable, raw[i], decoder)),
    rows,
    notes: [...decoder.notes, ...tableNotes(name, names, chosen, sheet)],
    sheets: names,
  }
}

const surveyVariable = (
  { numeric, name, title, format }: Described,
  values: SurveyVariable['values'],
  { decode }: Decoder,
): SurveyVariable => {
  const text = (own: Uint8Array) => decode(own).replace(/[ \0]+$/, '')
  const shown = numeric ? sasDates(format) : undefined
  return {
    name: text(name),
    title: text(title),
    ordinal: false,
    labels: [],
    ...defined({ shown }),
    values: numeric ? values : recoded(values, own => text(bytesOfBinary(String(own)))),
  }
}

/** What a header record is about, and the number that it states: `HEADER RECORD*******NAMESTR HEADER RECORD!!!!!!!000000000200…`. */
const headerAt = ({ bytes }: ByteReader, at: number): { readonly kind: string; readonly rest: string } | undefined => {
  if (at + RECORD > bytes.length) return undefined
  const text = binaryText(bytes, at, at + RECORD)
  const [, kind, rest] = /^HEADER RECORD\*{7}(.{8})HEADER RECORD!{7}(.{30})/s.exec(text) ?? []
  return kind === undefined ? undefined : { kind: kind.trim(), rest }
}

const expectHeader = (reader: ByteReader, kinds: readonly string[]): { kind: string; rest: string } => {
  const { at } = reader
  reader.skip(RECORD, `the ${kinds[0]} record`)
  const found = headerAt(reader, at)
  if (found === undefined || !kinds.includes(found.kind))
    throw reader.damaged(`a record that begins with HEADER RECORD*******${kinds[0]} is expected here`, at)
  return found
}

const readMembers = (reader: ByteReader): readonly Member[] => {
  expectHeader(reader, ['LIBRARY', 'LIBV8'])
  reader.skip(2 * RECORD, 'the description of the file')
  const members: Member[] = []
  while (reader.left >= RECORD && (members.length === 0 || headerAt(reader, reader.at) !== undefined))
    members.push(readMember(reader))
  if (members.length === 0) throw new DataError(`${reader.name} has no table`)
  return members
}

/** A variable is described by so many bytes. */
const DESCRIPTION = [136, 140]

const readMember = (reader: ByteReader): Member => {
  const header = expectHeader(reader, ['MEMBER', 'MEMBV8'])
  const length = Number(header.rest.slice(-4))
  const each = DESCRIPTION.includes(length) ? length : 140
  expectHeader(reader, ['DSCRPTR', 'DSCPTV8'])
  const described = reader.take(RECORD, 'the description of a table')
  const long = header.kind === 'MEMBV8'
  const name = binaryText(described, 8, long ? 40 : 16).trim()
  reader.skip(RECORD, 'the description of a table')
  const names = expectHeader(reader, ['NAMESTR', 'NAMSTV8'])
  const stated = names.rest.slice(6, 10)
  if (!/^\d{4}$/.test(stated)) throw reader.damaged('the number of variables is not a number', reader.at - RECORD)
  const count = reader.count(Number(stated), each, 'variables')
  const variables = Array.from({ length: count }, () => readVariable(reader, each, long))
  align(reader)
  if (/^LABELV[89]$/.test(headerAt(reader, reader.at)?.kind ?? '')) readLongLabels(reader, variables)
  expectHeader(reader, ['OBS', 'OBSV8'])
  const rowBytes = variables.reduce((most, { at, bytes }) => Math.max(most, at + bytes), 0)
  const dataAt = reader.at
  const end = endOfData(reader)
  return { name, variables, rowBytes, dataAt, rows: rowsIn(reader, dataAt, end, rowBytes) }
}

/** What follows begins with a record of its own. */
const align = (reader: ByteReader): void => {
  const over = reader.at % RECORD
  if (over > 0) reader.skip(Math.min(RECORD - over, reader.left), 'the rest of a record')
}

const readVariable = (reader: ByteReader, each: number, long: boolean): Described => {
  const start = reader.at
  const own = reader.take(each, 'the description of a variable')
  const view = new DataView(own.buffer, own.byteOffset, own.byteLength)
  const [type, bytes, at] = [view.getInt16(0), view.getInt16(4), view.getInt32(84)]
  const numeric = type === 1
  if (type !== 1 && type !== 2) throw reader.damaged(`a variable is of type ${type}, and there are 1 and 2`, start)
  if (bytes < 1 || (numeric && bytes > 8)) throw reader.damaged(`a variable has ${bytes} bytes`, start)
  if (at < 0) throw reader.damaged('a variable begins before its row', start)
  const longName = long ? own.subarray(88, 120) : undefined
  const name = longName !== undefined && binaryText(longName).trim() !== '' ? longName : own.subarray(8, 16)
  return { numeric, bytes, at, name, title: own.subarray(16, 56), format: binaryText(own, 56, 64).trim() }
}

/** Labels of more than 40 bytes stand by themselves. */
const readLongLabels = (reader: ByteReader, variables: Described[]): void => {
  const { kind, rest } = expectHeader(reader, ['LABELV8', 'LABELV9'])
  const lengths = kind === 'LABELV9' ? 4 : 2
  const count = reader.count(Number(rest.trim().slice(0, 10)) || 0, 2 + 2 * lengths, 'labels')
  for (let i = 0; i < count; i++) {
    const { at } = reader
    const number = reader.uint16('the number of a variable')
    const [name, title, ...formats] = Array.from({ length: lengths }, () => reader.uint16('the length of a label'))
    reader.skip(name, 'the name of a variable')
    const text = reader.take(title, 'a label')
    for (const length of formats) reader.skip(length, 'a format')
    const variable = variables[number - 1]
    if (variable === undefined) throw reader.damaged(`there is no variable ${number}`, at)
    variable.title = text
  }
  align(reader)
}

/** Where the rows of a table end: at the header of the next one, or with the file. */
const endOfData = (reader: ByteReader): number => {
  const { bytes } = reader
  while (reader.at + RECORD <= bytes.length) {
    // Only the first byte is looked at, where it is not the beginning of a header.
    if (bytes[reader.at] === 72 && /^MEMB(ER|V8)$/.test(headerAt(reader, reader.at)?.kind ?? '')) return reader.at
    reader.at += RECORD
  }
  reader.at = bytes.length
  return reader.at
}

const BLANK = 32

/** Rows are filled up with blanks to whole records: at the end, rows of blanks alone are none. */
const rowsIn = ({ bytes }: ByteReader, from: number, to: number, rowBytes: number): number => {
  if (rowBytes === 0) return 0
  let rows = Math.floor((to - from) / rowBytes)
  const isBlank = (row: number) => {
    for (let at = from + row * rowBytes; at < from + (row + 1) * rowBytes; at++) if (bytes[at] !== BLANK) return false
    return true
  }
  while (rows > 0 && to - (from + (rows - 1) * rowBytes) < RECORD + rowBytes && isBlank(rows - 1)) rows--
  return rows
}

const valuesOf = (
  { bytes }: ByteReader,
  { numeric, bytes: width, at }: Described,
  rows: number,
  rowBytes: number,
  dataAt: number,
): SurveyVariable['values'] => {
  const place = (row: number) => dataAt + row * rowBytes + at
  if (!numeric) {
    const texts = new ValueCollector<string>(rows)
    for (let row = 0; row < rows; row++) {
      const text = binaryText(bytes, place(row), place(row) + width).replace(/[ \0]+$/, '')
      texts.add(text === '' ? undefined : text)
    }
    return texts.finish()
  }
  const numbers = new ValueCollector<number>(rows)
  for (let row = 0; row < rows; row++) numbers.add(ibmNumber(bytes, place(row), width))
  return numbers.finish()
}

/** A number of IBM's mainframes: a sign, a power of 16 and up to 14 hexadecimal digits. Missing values are a letter and zeros. */
export const ibmNumber = (bytes: Uint8Array, at: number, width: number): number | undefined => {
  let [high, low] = [0, 0]
  for (let i = 1; i < 8; i++) {
    const byte = i < width ? bytes[at + i] : 0
    if (i < 4) high = high * 256 + byte
    else low = low * 256 + byte
  }
  const first = bytes[at]
  // . _ and A to Z
  if (high === 0 && low === 0) return first === 46 || first === 95 || (first >= 65 && first <= 90) ? undefined : 0
  const value = (high * 2 ** 32 + low) * 16 ** ((first & 0x7f) - 64 - 14)
  return first >= 128 ? -value : value
}
