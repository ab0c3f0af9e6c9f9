import { DataError } from '@polyad/core'
import { type ByteReader, binaryText } from './byte-reader.ts'

/** Where everything lies in a file of Stata. */
export interface DtaLayout {
  readonly reader: ByteReader
  readonly release: number
  readonly rows: number
  readonly rowBytes: number
  readonly dataAt: number
  readonly variables: readonly DtaVariable[]
  readonly labels: readonly DtaLabels[]
  /** Long texts by the eight bytes that stand for them in the data. */
  readonly longTexts: ReadonlyMap<string, string>
}

export interface DtaVariable {
  readonly kind: 'byte' | 'int' | 'long' | 'float' | 'double' | 'text' | 'strL'
  /** Bytes in a row. */
  readonly bytes: number
  readonly name: Uint8Array
  readonly format: Uint8Array
  /** The name of its value labels. */
  readonly labels: Uint8Array
  readonly title: Uint8Array
}

/** A set of value labels: so many offsets into its texts, as many values, and then the texts. */
export interface DtaLabels {
  readonly reader: ByteReader
  readonly name: Uint8Array
  readonly count: number
  readonly textBytes: number
  readonly at: number
}

type Type = Pick<DtaVariable, 'kind' | 'bytes'>

const NUMBERS: readonly Type[] = [
  { kind: 'byte', bytes: 1 },
  { kind: 'int', bytes: 2 },
  { kind: 'long', bytes: 4 },
  { kind: 'float', bytes: 4 },
  { kind: 'double', bytes: 8 },
]

/** Finds all parts of a file, and checks that they are within it. */
export const readLayout = (reader: ByteReader): DtaLayout =>
  binaryText(reader.bytes, 0, Math.min(11, reader.bytes.length)) === '<stata_dta>'
    ? readTagged(reader)
    : readOld(reader)

const refuse = ({ name }: ByteReader, release: string | number): never => {
  throw new DataError(
    `${name} is a Stata file of format ${release}, and only formats 113 to 115 and 117 to 119 can be read: open it in Stata, and save it again`,
  )
}

/** Widths of names, display formats and variable labels, which grew with the versions. */
const widthsOf = (release: number) => ({
  names: release >= 118 ? 129 : 33,
  formats: release >= 118 ? 57 : release === 113 ? 12 : 49,
  titles: release >= 118 ? 321 : 81,
})

/** The lists that describe the variables, one after the other; `section` reads what stands around each. */
const readVariables = (
  reader: ByteReader,
  release: number,
  count: number,
  section: <T>(name: string, read: () => T) => T,
): readonly DtaVariable[] => {
  const { names, formats, titles } = widthsOf(release)
  const list = (name: string, bytes: number) =>
    section(name, () => Array.from({ length: count }, () => reader.take(bytes, name)))
  const types = section('variable_types', () => Array.from({ length: count }, () => typeOf(reader, release)))
  const named = list('varnames', names)
  section('sortlist', () => reader.skip((count + 1) * (release === 119 ? 4 : 2), 'sortlist'))
  const shown = list('formats', formats)
  const labels = list('value_label_names', names)
  const titled = list('variable_labels', titles)
  return types.map((type, i) => ({ ...type, name: named[i], format: shown[i], labels: labels[i], title: titled[i] }))
}

const typeOf = (reader: ByteReader, release: number): Type => {
  const { at } = reader
  const type = release >= 117 ? reader.uint16('the type of a variable') : reader.uint8('the type of a variable')
  const number = release >= 117 ? NUMBERS[65_530 - type] : NUMBERS[type - 251]
  if (number !== undefined) return number
  if (release >= 117 && type === 32_768) return { kind: 'strL', bytes: 8 }
  if (type >= 1 && type <= (release >= 117 ? 2045 : 244)) return { kind: 'text', bytes: type }
  throw reader.damaged(`there is no variable of type ${type}`, at)
}

const sumOfBytes = (variables: readonly DtaVariable[]): number => variables.reduce((sum, { bytes }) => sum + bytes, 0)

const checkRows = (reader: ByteReader, rows: number, rowBytes: number): void => {
  if (rowBytes === 0) throw new DataError(`${reader.name} has no variables`)
  reader.count(rows, rowBytes, 'rows')
}

const readTagged = (reader: ByteReader): DtaLayout => {
  reader.expect('<stata_dta><header><release>')
  const digits = binaryText(reader.take(3, 'the version'))
  const release = Number(digits)
  if (![117, 118, 119].includes(release)) refuse(reader, digits)
  reader.expect('</release><byteorder>')
  const order = binaryText(reader.take(3, 'the byte order'))
  if (order !== 'LSF' && order !== 'MSF')
    throw reader.damaged(`there is no byte order ${JSON.stringify(order)}`, reader.at - 3)
  reader.littleEndian = order === 'LSF'
  reader.expect('</byteorder><K>')
  const declared = release === 119 ? reader.uint32('the number of variables') : reader.uint16('the number of variables')
  const count = reader.count(declared, 2, 'variables')
  reader.expect('</K><N>')
  const rows = release === 117 ? reader.uint32('the number of rows') : reader.int64('the number of rows')
  reader.expect('</N><label>')
  const labelBytes = release === 117 ? reader.uint8('the label of the data') : reader.uint16('the label of the data')
  reader.skip(labelBytes, 'the label of the data')
  reader.expect('</label><timestamp>')
  reader.skip(reader.uint8('the time'), 'the time')
  reader.expect('</timestamp></header>')
  const section = <T>(name: string, read: () => T): T => {
    reader.expect(`<${name}>`)
    const value = read()
    reader.expect(`</${name}>`)
    return value
  }
  const map = section('map', () => Array.from({ length: 14 }, () => reader.int64('the map of the file')))
  const variables = readVariables(reader, release, count, section)
  const goTo = (part: number, name: string) => {
    const at = map[part]
    if (!(at >= 0 && at < reader.bytes.length))
      throw reader.damaged(`<${name}> should be at byte ${at}, beyond the end`)
    reader.at = at
  }
  goTo(9, 'data')
  reader.expect('<data>')
  const rowBytes = sumOfBytes(variables)
  checkRows(reader, rows, rowBytes)
  const dataAt = reader.skip(rows * rowBytes, 'the data')
  reader.expect('</data>')
  goTo(10, 'strls')
  const longTexts = section('strls', () => readLongTexts(reader, release))
  goTo(11, 'value_labels')
  const labels: DtaLabels[] = []
  reader.expect('<value_labels>')
  while (binaryText(reader.bytes, reader.at, Math.min(reader.at + 5, reader.bytes.length)) === '<lbl>')
    labels.push(section('lbl', () => readLabelSet(reader, release)))
  reader.expect('</value_labels>')
  return { reader, release, rows, rowBytes, dataAt, variables, labels, longTexts }
}

/** A set of value labels, of which the first number says how many bytes it has. */
const readLabelSet = (reader: ByteReader, release: number): DtaLabels => {
  const size = reader.int32('value labels')
  const name = reader.take(widthsOf(release).names, 'the name of value labels')
  reader.skip(3, 'value labels')
  const start = reader.at
  const count = reader.count(reader.int32('value labels'), 8, 'value labels')
  const textBytes = reader.int32('value labels')
  if (8 + 8 * count + textBytes !== size || textBytes < 0)
    throw reader.damaged(
      `value labels of ${size} bytes are said to have ${count} labels and ${textBytes} bytes of texts`,
      start,
    )
  const at = reader.skip(8 * count + textBytes, 'value labels')
  return { reader, name, count, textBytes, at }
}

/** The type of long texts that are no texts. */
const BINARY = 129

/** Long texts: each is called by the variable and the row where it first stands, as the data does. */
const readLongTexts = (reader: ByteReader, release: number): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  while (binaryText(reader.bytes, reader.at, Math.min(reader.at + 3, reader.bytes.length)) === 'GSO') {
    reader.skip(3, 'a long text')
    const at = reader.at
    reader.skip(release === 117 ? 8 : 12, 'a long text')
    const type = reader.uint8('a long text')
    const length = reader.uint32('a long text')
    const text = reader.take(length, 'a long text')
    const key = keyOf(reader.bytes.subarray(at, at + 12), release, reader.littleEndian)
    found.set(key, type === BINARY ? '' : binaryText(text, 0, text.at(-1) === 0 ? length - 1 : length))
  }
  return found
}

/**
 * Eight bytes for a variable and a row, as they stand in the data: four each in format 117; two and six, or three and five, later. In
 * the list of texts they have four and eight.
 */
const keyOf = (bytes: Uint8Array, release: number, littleEndian: boolean): string => {
  if (release === 117) return binaryText(bytes, 0, 8)
  const own = release === 118 ? 2 : 3
  return littleEndian
    ? binaryText(bytes, 0, own) + binaryText(bytes, 4, 12 - own)
    : binaryText(bytes, 4 - own, 4) + binaryText(bytes, 4 + own, 12)
}

/** Files of Stata 8 to 12: no names of parts, one after the other. */
const readOld = (reader: ByteReader): DtaLayout => {
  const release = reader.uint8('the version')
  const order = reader.uint8('the byte order')
  if ((order !== 1 && order !== 2) || release < 102 || release > 115)
    throw new DataError(`${reader.name} is not a Stata file`)
  if (release < 113) refuse(reader, release)
  reader.littleEndian = order === 2
  reader.skip(2, 'the header')
  const count = reader.count(reader.uint16('the number of variables'), 1, 'variables')
  const rows = reader.uint32('the number of rows')
  reader.skip(81 + 18, 'the header')
  const variables = readVariables(reader, release, count, (_, read) => read())
  for (;;) {
    const type = reader.uint8('a characteristic')
    const length = reader.int32('a characteristic')
    if (type === 0 && length === 0) break
    reader.skip(length, 'a characteristic')
  }
  const rowBytes = sumOfBytes(variables)
  checkRows(reader, rows, rowBytes)
  const dataAt = reader.skip(rows * rowBytes, 'the data')
  const labels: DtaLabels[] = []
  while (reader.left > 0) labels.push(readLabelSet(reader, release))
  return { reader, release, rows, rowBytes, dataAt, variables, labels, longTexts: new Map() }
}
