import { DataError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { choice, firstOf, listed, type Note } from '../values/note.ts'
import { binaryText } from './byte-reader.ts'
import { decoderOf, guessedDecoder } from './encodings.ts'
import { NA, RReader, type RText, type RValue } from './r-values.ts'
import { chooseTable, tableNotes } from './several-tables.ts'
import { clockText, dayText, instantText } from './survey-dates.ts'
import {
  type Code,
  checkSize,
  type DeclaredMissing,
  type SurveyFile,
  type SurveyVariable,
  ValueCollector,
  type ValueLabel,
} from './survey-file.ts'

type Vector = Extract<RValue, { kind: 'numbers' | 'texts' }>
type Text = (text: RText) => string | undefined

/** Reads a data frame of R (.rds, .rda, .RData); of several in a file the first, or the one that is named. */
export const readR = async (
  name: string,
  bytes: Uint8Array,
  { encoding, sheet }: { readonly encoding?: string; readonly sheet?: string } = {},
): Promise<SurveyFile> => {
  const { found, names } = framesOf(name, bytes)
  const { chosen } = chooseTable(name, names, sheet)
  const frame = found[chosen]
  const { text, notes } = textsOf(name, frame, encoding)
  const columns = namesOf(frame.attributes, text)
  const rows = frame.values.reduce((most, column) => Math.max(most, lengthOf(column)), 0)
  checkSize(name, rows, frame.values.length)
  const variables: SurveyVariable[] = []
  const unused: string[] = []
  frame.values.forEach((column, i) => {
    const own = columns[i] ?? `column${i + 1}`
    if ((column.kind === 'numbers' || column.kind === 'texts') && column.values.length === rows)
      variables.push(variableOf(own, column, text))
    else unused.push(own)
  })
  if (variables.length === 0) throw new DataError(`${name}: the data frame has no columns of numbers, texts or factors`)
  return {
    name,
    variables,
    rows,
    notes: [...notes, ...tableNotes(name, names, chosen, sheet, 'data frame'), ...unusedNote(name, unused)],
    ...(names.length > 1 && { sheets: names }),
  }
}

const unusedNote = (name: string, unused: readonly string[]): readonly Note[] =>
  unused.length === 0
    ? []
    : [choice(`${name}: columns of lists or of other values are left out: ${firstOf(unused.map(listed), 6)}`)]

type Frame = Extract<RValue, { kind: 'list' }>

const SAVE = 'saveRDS(as.data.frame(x), "x.rds")'

/** The data frames of a file, with the names that they have in it. */
const framesOf = (name: string, bytes: Uint8Array): { found: readonly Frame[]; names: readonly string[] } => {
  const start = binaryText(bytes, 0, Math.min(bytes.length, 7))
  const packed = /^BZh/.test(start) ? 'bzip2' : /^\xfd7zXZ/.test(start) ? 'xz' : undefined
  if (packed !== undefined)
    throw new DataError(
      `${name} is packed with ${packed}, which cannot be read here: in R, save it again with saveRDS(x, "x.rds") or save(x, file = "x.rda", compress = "gzip")`,
    )
  const several = /^RD[XAB]\d\n/.test(start)
  const form = several ? start.slice(5, 7) : start.slice(0, 2)
  if (form === 'A\n' || form === 'B\n')
    throw new DataError(`${name} is in an old format of R (ascii or native): in R, save it again with ${SAVE}`)
  if (form !== 'X\n')
    throw new DataError(`${name} is not a file of R, or it is damaged: in R, save it again with ${SAVE}`)
  const value = new RReader(name, bytes, several ? 7 : 2).value()
  const latin = (text: RText) => (text === undefined ? '' : binaryText(text.bytes))
  const classes = (each: RValue) => {
    const own = each.kind === 'symbol' ? undefined : attribute(each.attributes, 'class')
    return own?.kind === 'texts' ? own.values.map(latin) : []
  }
  const isFrame = (each: RValue): each is Frame => each.kind === 'list' && classes(each).includes('data.frame')
  if (isFrame(value)) return { found: [value], names: ['x'] }
  const pairs = several && value.kind === 'pairs' ? value.values : []
  const found = pairs.flatMap(({ tag, value: own }) => (isFrame(own) ? [{ tag, own }] : []))
  if (found.length === 0) {
    const what = several ? 'no data frame' : `${describe(value, classes(value))}, not a data frame`
    throw new DataError(`${name} holds ${what}: in R, save one with ${SAVE}`)
  }
  return { found: found.map(({ own }) => own), names: found.map(({ tag }) => new TextDecoder().decode(tag?.bytes)) }
}

const describe = (value: RValue, [first]: readonly string[]): string => {
  if (first !== undefined) return `an object of class ${JSON.stringify(first)}`
  if (value.kind === 'other') return value.what
  return value.kind === 'list' ? 'a list' : 'a vector'
}

/** Texts decoded as the file says of each; those of which it says nothing, as is asked, or as all of them read. */
const textsOf = (name: string, frame: Frame, encoding: string | undefined): { text: Text; notes: readonly Note[] } => {
  const unknown: Uint8Array[] = []
  const visit = (value: RValue, deep: number): void => {
    if (value.kind === 'symbol' || deep > 4) return
    if (value.kind === 'texts')
      for (const text of value.values) if (text !== undefined && text.encoding === undefined) unknown.push(text.bytes)
    if (value.kind === 'list') for (const own of value.values) visit(own, deep + 1)
    for (const { value: own } of value.attributes) visit(own, deep + 1)
  }
  visit(frame, 0)
  const decoder = encoding === undefined ? guessedDecoder(name, unknown) : decoderOf(name, encoding)
  const known = { 'utf-8': new TextDecoder('utf-8'), 'windows-1252': new TextDecoder('windows-1252') }
  return {
    text: text => {
      if (text === undefined) return undefined
      return text.encoding === undefined ? decoder.decode(text.bytes) : known[text.encoding].decode(text.bytes)
    },
    notes: decoder.notes,
  }
}

const attribute = (attributes: readonly { readonly tag: RText; readonly value: RValue }[], name: string) =>
  attributes.find(({ tag }) => tag !== undefined && binaryText(tag.bytes) === name)?.value

const lengthOf = (value: RValue): number => ('values' in value ? value.values.length : 0)

const namesOf = (attributes: Vector['attributes'], text: Text): readonly (string | undefined)[] => {
  const names = attribute(attributes, 'names')
  return names?.kind === 'texts' ? names.values.map(text) : []
}

const variableOf = (name: string, column: Vector, text: Text): SurveyVariable => {
  const { attributes } = column
  const texts = (attributeName: string) => {
    const own = attribute(attributes, attributeName)
    return own?.kind === 'texts' ? own.values.map(text) : []
  }
  const classes = texts('class')
  const levels = column.kind === 'numbers' && classes.includes('factor') ? texts('levels') : undefined
  const shown = column.kind === 'numbers' ? shownBy(classes) : undefined
  const missing = declaredMissing(attributes, text)
  return {
    name,
    title: texts('label')[0] ?? '',
    ordinal: classes.includes('ordered'),
    labels: levels?.map((level, i) => ({ code: i + 1, text: level ?? 'NA' })) ?? valueLabels(attributes, text),
    ...defined({ missing, shown }),
    values: valuesOf(column, classes, text),
  }
}

const shownBy = (classes: readonly (string | undefined)[]): SurveyVariable['shown'] => {
  if (classes.includes('Date')) return dayText
  if (classes.includes('POSIXct')) return instantText
  return classes.includes('hms') ? clockText : undefined
}

const valuesOf = (column: Vector, classes: readonly (string | undefined)[], text: Text): SurveyVariable['values'] => {
  const { length } = column.values
  if (column.kind === 'texts') {
    const collector = new ValueCollector<string>(length)
    for (const each of column.values) collector.add(text(each))
    return collector.finish()
  }
  const { values, of } = column
  if (of === 'logical') {
    const collector = new ValueCollector<string>(length)
    for (const value of values) collector.add(value === NA ? undefined : value === 0 ? 'FALSE' : 'TRUE')
    return collector.finish()
  }
  const collector = new ValueCollector<number>(length)
  const long =
    of === 'double' && classes.includes('integer64') ? new BigInt64Array(values.buffer as ArrayBuffer) : undefined
  for (let i = 0; i < length; i++) collector.add(numberOf(values[i], of, long?.[i]))
  return collector.finish()
}

/** The smallest whole number of 64 bits is NA. */
const LONG_NA = -(2n ** 63n)

const numberOf = (value: number, of: 'integer' | 'double', long: bigint | undefined): number | undefined => {
  if (long !== undefined) return long === LONG_NA ? undefined : Number(long)
  // NA is a NaN of its own, and so are those of several kinds that haven has.
  return of === 'integer' ? (value === NA ? undefined : value) : Number.isNaN(value) ? undefined : value + 0
}

/** Codes as R keeps them in a vector. */
const codesOf = (value: RValue | undefined, text: Text): readonly (Code | undefined)[] => {
  if (value?.kind === 'texts') return value.values.map(text)
  if (value?.kind !== 'numbers') return []
  return Array.from(value.values, each => numberOf(each, value.of === 'double' ? 'double' : 'integer', undefined))
}

/** Labels of values, as haven and labelled keep them: a vector of codes with names. */
const valueLabels = (attributes: Vector['attributes'], text: Text): ValueLabel[] => {
  const labels = attribute(attributes, 'labels')
  const names = labels === undefined || labels.kind === 'symbol' ? [] : namesOf(labels.attributes, text)
  return codesOf(labels, text).flatMap((code, i) => {
    const own = names[i]
    return code === undefined || own === undefined ? [] : [{ code, text: own }]
  })
}

/** Values and a range that are declared as missing, as haven keeps those of SPSS. */
const declaredMissing = (attributes: Vector['attributes'], text: Text): DeclaredMissing | undefined => {
  const values = codesOf(attribute(attributes, 'na_values'), text).filter(code => code !== undefined)
  const [low, high] = codesOf(attribute(attributes, 'na_range'), text)
  const hasRange = typeof low === 'number' && typeof high === 'number'
  if (values.length === 0 && !hasRange) return undefined
  const end = (value: Code) =>
    value === Number.NEGATIVE_INFINITY ? 'lowest' : value === Number.POSITIVE_INFINITY ? 'highest' : value
  const range = hasRange ? [`${end(low)} to ${end(high)}`] : []
  return {
    isMissing: code => values.includes(code) || (hasRange && typeof code === 'number' && code >= low && code <= high),
    text: [...range, ...values].join(', '),
  }
}
