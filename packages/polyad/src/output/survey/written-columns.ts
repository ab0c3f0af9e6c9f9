import { DataError } from '@polyad/core'
import { isNumber, placeLabels, sortTexts } from '../../table/values/labels.ts'
import type { ColumnMeaning } from '../../table/view/view.ts'

/** Columns of rows as files of SPSS, Stata and spreadsheets have them: numbers, texts, or categories as numbers with value labels. */
export type WrittenColumn = { readonly name: string; readonly title: string } & (
  | {
      readonly kind: 'number'
      readonly values: readonly (number | null)[]
      readonly labels: readonly ValueText[]
      /** Whether its numbers are those of the data, and do not stand for categories. */
      readonly own?: true
    }
  | { readonly kind: 'text'; readonly values: readonly (string | null)[] }
)

export interface ValueText {
  readonly value: number
  readonly text: string
}

/** With more different texts than this a column holds names or sentences, and no categories. */
const MOST_CATEGORIES = 1000
/** Bytes of a value label at most. */
const LONGEST_LABEL = 120

/** A column of cells: texts that are all numbers become numbers, and categories become numbers from 1 with value labels. */
export const writtenColumn = (
  name: string,
  cells: readonly (string | number | null)[],
  { title = '', order = [], texts: called = {} }: ColumnMeaning = {},
): WrittenColumn => {
  const texts = new Set<string>()
  for (const cell of cells) if (typeof cell === 'string') texts.add(cell)
  if (texts.size === 0 || [...texts].every(isNumber))
    return {
      name,
      title,
      kind: 'number',
      own: true,
      labels: numberLabels(called),
      values: cells.map(cell => (cell === null ? null : Number(cell))),
    }
  const given = cells.filter(cell => cell !== null).length
  const isCategory =
    order.length > 0 ||
    (texts.size <= MOST_CATEGORIES && (texts.size <= 2 || texts.size < given) && [...texts].every(isLabel))
  const values = cells.map(cell => (cell === null ? null : String(cell)))
  if (!isCategory || ![...texts].every(isLabel)) return { name, title, kind: 'text', values }
  const labels =
    order.length > 0 ? placeLabels([...new Set([...order, ...texts])], order).labels : sortTexts([...texts])
  const position = new Map(labels.map((text, i) => [String(text), i + 1]))
  return {
    name,
    title,
    kind: 'number',
    labels: labels.map((text, i) => ({ value: i + 1, text: String(text) })),
    values: values.map(text => (text === null ? null : (position.get(text) as number))),
  }
}

/** Labels of numbers. Stata has them of whole numbers only. */
const numberLabels = (texts: Readonly<Record<string, string>>): readonly ValueText[] =>
  Object.entries(texts)
    .filter(([value, text]) => isNumber(value) && Number(value) === (Number(value) | 0) && isLabel(text))
    .map(([value, text]) => ({ value: Number(value), text }))
    .sort((a, b) => a.value - b.value)

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const isLabel = (text: string): boolean => text !== '' && bytesOf(text).length <= LONGEST_LABEL

/** The most bytes of a text in a column, which the file has to hold. */
export const textWidth = (file: string, { name, values }: WrittenColumn, most: number): number => {
  const width = Math.max(1, ...values.map(value => (value === null ? 0 : bytesOf(String(value)).length)))
  if (width <= most) return width
  throw new DataError(
    `${file}: a text in ${name} has ${width} bytes, and at most ${most} can be written: leave the column out, or write .parquet`,
    { column: name },
  )
}

/** Names that the format allows, each different from the others: what it does not allow becomes "_". */
export const allowedNames = (names: readonly string[], allowed: RegExp, start: RegExp, longest: number): string[] => {
  const taken = new Set<string>()
  return names.map(name => {
    const plain = [...name].map(letter => (allowed.test(letter) ? letter : '_')).join('')
    const whole = start.test(plain) ? plain : `v${plain}`
    for (let n = 1; ; n++) {
      const end = n === 1 ? '' : `_${n}`
      let own = whole
      while (bytesOf(own + end).length > longest) own = own.slice(0, -1)
      const key = (own + end).toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return own + end
    }
  })
}

/** Collects bytes, numbers in little-endian order. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 16)
  #view = new DataView(this.#bytes.buffer)
  length = 0

  bytes(given: Uint8Array): void {
    this.#room(given.length)
    this.#bytes.set(given, this.length)
    this.length += given.length
  }

  /** A text in so many bytes, filled up with another. */
  text(text: string, size = bytesOf(text).length, fill = 0x20): void {
    const bytes = bytesOf(text).subarray(0, size)
    this.bytes(bytes)
    this.#room(size - bytes.length)
    this.#bytes.fill(fill, this.length, this.length + size - bytes.length)
    this.length += size - bytes.length
  }

  uint16(value: number): void {
    this.#room(2)
    this.#view.setUint16(this.length, value, true)
    this.length += 2
  }

  int32(...values: readonly number[]): void {
    for (const value of values) {
      this.#room(4)
      this.#view.setInt32(this.length, value, true)
      this.length += 4
    }
  }

  uint64(value: number): void {
    this.int32((value % 2 ** 32) | 0, Math.floor(value / 2 ** 32))
  }

  float64(value: number): void {
    this.#room(8)
    this.#view.setFloat64(this.length, value, true)
    this.length += 8
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  #room(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more))
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
