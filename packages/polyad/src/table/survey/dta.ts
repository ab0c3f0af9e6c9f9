import { defined } from '@polyad/core/options'
import { grouped } from '../values/note.ts'
import { ByteReader, binaryText, bytesOfBinary } from './byte-reader.ts'
import { type DtaLayout, readLayout } from './dta-layout.ts'
import { decoderOf } from './encodings.ts'
import { stataDates } from './survey-dates.ts'
import {
  checkSize,
  recoded,
  type SurveyFile,
  type SurveyVariable,
  ValueCollector,
  type ValueLabel,
} from './survey-file.ts'

/** Reads a file of Stata (.dta) of versions 8 to 18. */
export const readDta = async (name: string, bytes: Uint8Array, encoding?: string): Promise<SurveyFile> => {
  const reader = new ByteReader(name, bytes)
  const layout = readLayout(reader)
  const { variables, rows, dataAt, release } = layout
  checkSize(name, rows, variables.length)
  const decoder = decoderOf(name, encoding ?? (release >= 118 ? 'utf-8' : undefined))
  const text = (own: Uint8Array) => {
    const end = own.indexOf(0)
    return decoder.decode(end < 0 ? own : own.subarray(0, end))
  }
  const labels = new Map(layout.labels.map(set => [text(set.name), labelsOf(set, text)]))
  const longTexts = layout.longTexts
  let offset = 0
  const columns = variables.map((variable): SurveyVariable => {
    const from = dataAt + offset
    offset += variable.bytes
    const format = text(variable.format)
    const shown = variable.kind === 'text' || variable.kind === 'strL' ? undefined : stataDates(format)
    const values = valuesOf(layout, variable.kind, variable.bytes, from, longTexts)
    return {
      name: text(variable.name),
      title: text(variable.title),
      ordinal: false,
      labels: labels.get(text(variable.labels)) ?? [],
      ...defined({ shown }),
      values: typeof values.values[0] === 'string' ? recoded(values, own => text(bytesOfBinary(String(own)))) : values,
    }
  })
  return { name, variables: columns, rows, notes: decoder.notes }
}

type Kind = DtaLayout['variables'][number]['kind']

/** The last numbers of every type stand for . and .a to .z: these are the first of them. */
const FIRST_MISSING = { byte: 101, int: 32_741, long: 2_147_483_621, float: 2 ** 127, double: 2 ** 1023 }

/** The values of the variable whose first begins at a byte. */
const valuesOf = (
  { reader, rows, rowBytes }: DtaLayout,
  kind: Kind,
  bytes: number,
  from: number,
  longTexts: LongTexts,
) => {
  const { view, littleEndian: little } = reader
  const at = (row: number) => from + row * rowBytes
  const collect = <T extends number | string>(read: (at: number) => T | undefined) => {
    const collector = new ValueCollector<T>(rows)
    for (let row = 0; row < rows; row++) collector.add(read(at(row)))
    return collector.finish()
  }
  const below = (type: keyof typeof FIRST_MISSING, value: number) => (value < FIRST_MISSING[type] ? value : undefined)
  switch (kind) {
    case 'byte':
      return collect(own => below('byte', view.getInt8(own)))
    case 'int':
      return collect(own => below('int', view.getInt16(own, little)))
    case 'long':
      return collect(own => below('long', view.getInt32(own, little)))
    case 'float':
      return collect(own => floatOf(below('float', view.getFloat32(own, little))))
    case 'double':
      return collect(own => below('double', view.getFloat64(own, little)))
    case 'text':
      return collect(own => {
        let end = own
        while (end < own + bytes && reader.bytes[end] !== 0) end++
        return binaryText(reader.bytes, own, end)
      })
    case 'strL':
      return collect(own => {
        const key = binaryText(reader.bytes, own, own + 8)
        if (/^\0*$/.test(key)) return ''
        const found = longTexts.get(key)
        if (found === undefined) throw reader.damaged('a long text is not in the file', own)
        return found
      })
  }
}

type LongTexts = DtaLayout['longTexts']

/** A number of single precision by its shortest digits: 0.1, where its bits are nearer to 0.10000000149. */
const floatOf = (x: number | undefined): number | undefined => {
  if (x === undefined || Number.isInteger(x)) return x
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(x.toPrecision(digits))
    if (Math.fround(short) === x) return short
  }
  return x
}

const labelsOf = (
  { reader, count, textBytes, at }: DtaLayout['labels'][number],
  text: (bytes: Uint8Array) => string,
): readonly ValueLabel[] => {
  const number = (i: number) => reader.view.getInt32(at + 4 * i, reader.littleEndian)
  const texts = at + 8 * count
  const labels = Array.from({ length: count }, (_, i) => {
    const offset = number(i)
    if (offset < 0 || offset >= textBytes)
      throw reader.damaged(`a value label at ${grouped(offset)} of ${grouped(textBytes)} bytes`, at + 4 * i)
    return { code: number(count + i), text: text(reader.bytes.subarray(texts + offset, texts + textBytes)) }
  })
  // Kinds of missing values may have labels too.
  return labels.filter(({ code }) => code < FIRST_MISSING.long)
}
