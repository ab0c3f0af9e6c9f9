import { DataError } from '@polyad/core'
import { type Note, warning } from '../values/note.ts'
import { ByteReader, binaryText, bytesOfBinary } from './byte-reader.ts'
import { type Decoder, decoderOf, guessedDecoder } from './encodings.ts'
import type { Code, ValueLabel } from './survey-file.ts'

/** A variable as the dictionary of a system file describes it. */
export interface SavVariable {
  readonly name: string
  readonly title: string
  /** Bytes of a text; 0 for a number. */
  readonly width: number
  /** Where its bytes lie in a case: very long texts are in several pieces. */
  readonly pieces: readonly { readonly from: number; readonly bytes: number }[]
  readonly format: number
  readonly ordinal: boolean
  readonly labels: readonly ValueLabel[]
  readonly missing: { readonly codes: readonly Code[]; readonly range?: readonly [number, number] }
}

export interface SavDictionary {
  readonly variables: readonly SavVariable[]
  readonly weight: string | undefined
  /** Bytes of a case that is not compressed. */
  readonly caseBytes: number
  /** Undefined if the file does not say. */
  readonly cases: number | undefined
  readonly compression: number
  readonly bias: number
  readonly systemMissing: number
  readonly decoder: Decoder
  readonly notes: readonly Note[]
}

/** A variable record. Every eight bytes of a text have one: after the first they continue it. */
interface VariableRecord {
  readonly at: number
  readonly width: number
  readonly shortName: Uint8Array
  readonly title: Uint8Array
  readonly format: number
  readonly missingKind: number
  readonly missing: readonly Uint8Array[]
}

/** Value labels and the records that they belong to. */
interface LabelRecord {
  readonly labels: readonly { readonly value: Uint8Array; readonly text: Uint8Array }[]
  readonly records: readonly number[]
}

/** Reads all before the data. The reader is then at its beginning. */
export const readSavDictionary = (reader: ByteReader, encoding?: string): SavDictionary => {
  const header = readHeader(reader)
  const records: VariableRecord[] = []
  const labelRecords: LabelRecord[] = []
  const extensions = new Map<number, ByteReader>()
  for (let type = reader.int32('a record'); type !== 999; type = reader.int32('a record')) {
    if (type === 2) records.push(readVariable(reader))
    else if (type === 3) labelRecords.push(readLabels(reader, records.length))
    else if (type === 6) reader.skip(80 * reader.int32('the length of a document'), 'a document')
    else if (type === 7) {
      const subtype = reader.int32('the kind of a record')
      const size = reader.uint32('the size of a record')
      const bytes = reader.take(size * reader.uint32('the count of a record'), `the record 7/${subtype}`)
      extensions.set(subtype, new ByteReader(reader.name, bytes, reader.littleEndian, reader.at - bytes.length))
    } else throw reader.damaged(`there is no record of type ${type}`, reader.at - 4)
  }
  reader.skip(4, 'the end of the dictionary')
  if (records.length === 0) throw new DataError(`${reader.name} has no variables`)
  const decoder =
    encoding === undefined
      ? decoderFor(reader.name, extensions, records, labelRecords)
      : decoderOf(reader.name, encoding)
  const float = extensions.get(4)
  const counted = extensions.get(16)
  const cases =
    counted !== undefined && counted.left >= 16
      ? Number(counted.view.getBigInt64(8, counted.littleEndian))
      : header.cases
  const { variables, notes } = assemble(reader, records, labelRecords, extensions, decoder)
  return {
    ...header,
    variables,
    decoder,
    notes: [...decoder.notes, ...notes],
    weight: variables.find(({ pieces }) => pieces[0].from === 8 * (header.weightRecord - 1))?.name,
    caseBytes: 8 * records.length,
    cases: cases >= 0 ? cases : undefined,
    systemMissing: float !== undefined && float.left >= 8 ? float.float64('') : -Number.MAX_VALUE,
  }
}

const readHeader = (reader: ByteReader) => {
  if (!/^\$FL[23]$/.test(binaryText(reader.take(4, 'the header'))))
    throw new DataError(`${reader.name} is not an SPSS file`)
  reader.skip(60, 'the header')
  const layout = reader.int32('the header')
  if (layout !== 2 && layout !== 3) {
    reader.littleEndian = false
    reader.at -= 4
    const swapped = reader.int32('the header')
    if (swapped !== 2 && swapped !== 3) throw reader.damaged(`its layout is ${layout}, and should be 2 or 3`, 64)
  }
  reader.skip(4, 'the header')
  const compression = reader.int32('the header')
  if (![0, 1, 2].includes(compression)) throw reader.damaged(`compression ${compression} is not known`, reader.at - 4)
  const weightRecord = reader.int32('the header')
  const cases = reader.int32('the header')
  const bias = reader.float64('the header')
  if (!Number.isFinite(bias) || Math.abs(bias) > 1e6)
    throw reader.damaged('its numbers are not in the IEEE 754 form', reader.at - 8)
  reader.skip(84, 'the header')
  return { compression, weightRecord, cases, bias }
}

const readVariable = (reader: ByteReader): VariableRecord => {
  const at = reader.at
  const width = reader.int32('a variable')
  if (width < -1 || width > 255) throw reader.damaged(`a variable of type ${width}`, at)
  const titled = reader.int32('a variable')
  const missingKind = reader.int32('a variable')
  if (missingKind < -3 || missingKind > 3 || missingKind === -1)
    throw reader.damaged(`a variable with ${missingKind} missing values`, at)
  const format = (reader.int32('a variable') >> 16) & 0xff
  reader.skip(4, 'a variable')
  const shortName = reader.take(8, 'a variable')
  let title = new Uint8Array(0)
  if (titled !== 0) {
    const length = reader.int32('the length of a variable label')
    title = reader.take(length, 'a variable label') as Uint8Array<ArrayBuffer>
    reader.skip((4 - (length % 4)) % 4, 'a variable label')
  }
  const missing = Array.from({ length: Math.abs(missingKind) }, () => reader.take(8, 'a missing value'))
  return { at, width, shortName, title, format, missingKind, missing }
}

const readLabels = (reader: ByteReader, known: number): LabelRecord => {
  const count = reader.count(reader.int32('value labels'), 9, 'value labels')
  const labels = Array.from({ length: count }, () => {
    const value = reader.take(8, 'a value label')
    const length = reader.uint8('a value label')
    const text = reader.take(length, 'a value label')
    reader.skip((8 - ((length + 1) % 8)) % 8, 'a value label')
    return { value, text }
  })
  if (reader.int32('a record') !== 4)
    throw reader.damaged('value labels must be followed by the variables they belong to', reader.at - 4)
  const variables = reader.count(reader.int32('variables of value labels'), 4, 'variables')
  const records = Array.from({ length: variables }, () => {
    const record = reader.int32('a variable of value labels')
    if (record < 1 || record > known)
      throw reader.damaged(`value labels of variable ${record}, of ${known}`, reader.at - 4)
    return record - 1
  })
  return { labels, records }
}

/** The encoding is declared by name (7/20) or by the number of its code page (7/3), often twice. */
const decoderFor = (
  name: string,
  extensions: ReadonlyMap<number, ByteReader>,
  records: readonly VariableRecord[],
  labels: readonly LabelRecord[],
): Decoder => {
  const declared = extensions.get(20)
  if (declared !== undefined) return decoderOf(name, binaryText(declared.bytes))
  const machine = extensions.get(3)
  const page = machine !== undefined && machine.left >= 32 ? machine.view.getInt32(28, machine.littleEndian) : 0
  if (page > 3) return decoderOf(name, page)
  const texts = labels.flatMap(each => each.labels.map(({ text }) => text))
  return guessedDecoder(name, [...records.flatMap(({ shortName, title }) => [shortName, title]), ...texts])
}

const LEVELS = { ordinal: 2 }

/** Puts together what several records say of the variables. */
const assemble = (
  reader: ByteReader,
  records: readonly VariableRecord[],
  labelRecords: readonly LabelRecord[],
  extensions: ReadonlyMap<number, ByteReader>,
  { decode }: Decoder,
): { variables: readonly SavVariable[]; notes: readonly Note[] } => {
  const text = (bytes: Uint8Array) => decode(bytes).replace(/[ \0]+$/, '')
  const firsts = [...records.keys()].filter(i => records[i].width >= 0)
  if (firsts[0] !== 0) throw reader.damaged('a text begins with its second part', records[0].at)
  const pieceOf = (n: number) => {
    const from = firsts[n]
    const bytes = 8 * ((firsts[n + 1] ?? records.length) - from)
    const { width, at } = records[from]
    if (Math.max(width, 1) > bytes) throw reader.damaged(`a text of ${width} bytes in ${bytes}`, at)
    return { from: 8 * from, bytes: Math.min(width === 0 ? 8 : width, bytes) }
  }
  const longNames = pairsOf(extensions.get(13), decode)
  const longWidths = pairsOf(extensions.get(14), decode)
  const levels = levelsOf(extensions.get(11), firsts.length)
  const labelsOf = new Map(
    labelRecords.flatMap(({ labels, records: own }) => own.map(record => [record, labels] as const)),
  )
  const longLabels = longLabelsOf(extensions.get(21), text)
  const longMissing = longMissingOf(extensions.get(22), text)
  const number = (bytes: Uint8Array) => new ByteReader(reader.name, bytes, reader.littleEndian).float64('a value')
  const variables: SavVariable[] = []
  const odd: string[] = []
  for (let n = 0; n < firsts.length; ) {
    const record = records[firsts[n]]
    const short = text(record.shortName)
    const key = binaryText(record.shortName)
      .replace(/[ \0]+$/, '')
      .toUpperCase()
    const name = longNames.get(key) ?? short
    const long = Number(longWidths.get(key))
    const isLong = long > 255 && record.width > 0
    const segments = isLong ? Math.ceil(long / 252) : 1
    if (n + segments > firsts.length || (isLong && long > 32_767))
      throw reader.damaged(
        `${JSON.stringify(name)} is declared as a text of ${long} bytes, and there are fewer`,
        record.at,
      )
    const width = isLong ? long : record.width
    const pieces = Array.from({ length: segments }, (_, i) => pieceOf(n + i))
    const code = (bytes: Uint8Array): Code => (width === 0 ? number(bytes) : text(bytes))
    const own = labelsOf.get(firsts[n])?.map(each => ({ code: code(each.value), text: text(each.text) }))
    const far = [...(longLabels.get(name) ?? longLabels.get(short) ?? [])]
    const { missingKind, missing } = record
    const codes = missing.map(code)
    const long22 = (longMissing.get(name) ?? longMissing.get(short) ?? []).map(text)
    if (name === '') odd.push(`variable ${variables.length + 1}`)
    variables.push({
      name: name === '' ? `variable${variables.length + 1}` : name,
      title: text(record.title),
      width,
      pieces,
      format: record.format,
      ordinal: levels[n] === LEVELS.ordinal,
      labels: own ?? far.map(([value, label]) => ({ code: text(value), text: text(label) })),
      missing:
        missingKind < 0 && width === 0
          ? { range: [codes[0] as number, codes[1] as number], codes: codes.slice(2) }
          : { codes: [...codes, ...long22] },
    })
    n += segments
  }
  return {
    variables,
    notes: odd.length === 0 ? [] : [warning('file-doubtful', `${reader.name}: ${odd.join(', ')} without a name`)],
  }
}

/** `SHORT=value` separated by tabs, or by zero bytes: values by short names. These are compared by bytes, for a letter may be cut in them. */
const pairsOf = (record: ByteReader | undefined, decode: Decoder['decode']): ReadonlyMap<string, string> => {
  const parts = record === undefined ? [] : binaryText(record.bytes).split(/[\t\0]+/)
  return new Map(
    parts.flatMap(part => {
      const at = part.indexOf('=')
      return at > 0 ? [[part.slice(0, at).toUpperCase(), decode(bytesOfBinary(part.slice(at + 1)))] as const] : []
    }),
  )
}

/** Measurement levels; there are two or three numbers for each variable, of which the level is the first. */
const levelsOf = (record: ByteReader | undefined, variables: number): readonly number[] => {
  const each = record === undefined ? 0 : record.bytes.length / 4 / variables
  if (record === undefined || (each !== 2 && each !== 3)) return []
  return Array.from({ length: variables }, (_, n) => record.view.getInt32(n * each * 4, record.littleEndian))
}

/** Value labels of texts of more than eight bytes. */
const longLabelsOf = (
  record: ByteReader | undefined,
  text: Decoder['decode'],
): ReadonlyMap<string, readonly (readonly [Uint8Array, Uint8Array])[]> => {
  const found = new Map<string, (readonly [Uint8Array, Uint8Array])[]>()
  while (record !== undefined && record.left > 0) {
    const sized = (what: string) => record.take(record.int32(what), what)
    const name = text(sized('the name of a variable'))
    record.skip(4, 'value labels of a text')
    const count = record.count(record.int32('value labels of a text'), 8, 'value labels')
    found.set(
      name,
      Array.from({ length: count }, () => [sized('a value'), sized('a value label')] as const),
    )
  }
  return found
}

/** Missing values of such texts. Old files of PSPP repeat the length before every value. */
const longMissingOf = (
  record: ByteReader | undefined,
  text: Decoder['decode'],
): ReadonlyMap<string, readonly Uint8Array[]> => {
  const found = new Map<string, Uint8Array[]>()
  while (record !== undefined && record.left > 0) {
    const name = text(record.take(record.int32('the name of a variable'), 'the name of a variable'))
    const count = record.uint8('missing values of a text')
    const length = record.int32('missing values of a text')
    const values: Uint8Array[] = []
    for (let i = 0; i < count; i++) {
      if (i > 0 && record.left >= 4 && record.view.getInt32(record.at, record.littleEndian) === length)
        record.skip(4, '')
      values.push(record.take(length, 'a missing value'))
    }
    found.set(name, values)
  }
  return found
}
