import { allowedNames, ByteWriter, bytesOf, textWidth, type WrittenColumn } from './written-columns.ts'

/** Files of SPSS (.sav), uncompressed and in UTF-8, which every version since 16 reads. */

/** Bytes of a text without further records. */
const LONGEST_TEXT = 255
/** What stands for a number that is missing, and the bounds of what does not. */
const MISSING = -Number.MAX_VALUE
const LOWEST = -Number.MAX_VALUE * (1 - 2 ** -53)
/** Formats of numbers and of texts: F and A. */
const NUMBER = 5
const TEXT = 1
/** The code page of UTF-8. */
const UTF8 = 65001
/** Scales of measurement. */
const SCALE = { nominal: 1, ratio: 3 } as const
/** A fixed day: the same rows give the same bytes. */
const MADE = ['01 Jan 80', '00:00:00'] as const

/** @param file its name, for messages */
export const savFile = (file: string, columns: readonly WrittenColumn[], rows: number): Uint8Array => {
  const out = new ByteWriter()
  const widths = columns.map(column => (column.kind === 'text' ? textWidth(file, column, LONGEST_TEXT) : 0))
  const names = allowedNames(
    columns.map(({ name }) => name),
    /[\p{L}\p{N}_.$#@]/u,
    /^[\p{L}@]/u,
    64,
  ).map(name => name.replace(/\.+$/, '_'))
  const units = widths.map(width => (width === 0 ? 1 : Math.ceil(width / 8)))
  const total = units.reduce((sum, each) => sum + each, 0)

  out.text('$FL2')
  out.text('@(#) SPSS DATA FILE written by Polyad', 60)
  out.int32(2, total, 0, 0, rows)
  out.float64(100)
  out.text(MADE[0])
  out.text(MADE[1])
  out.text('', 64)
  out.text('', 3, 0)

  columns.forEach(({ title, name }, i) => {
    const label = title === '' && names[i] !== name ? name : title
    const format =
      widths[i] === 0 ? (NUMBER << 16) | (8 << 8) | decimalsOf(columns[i]) : (TEXT << 16) | (widths[i] << 8)
    out.int32(2, widths[i], label === '' ? 0 : 1, 0, format, format)
    out.text(shortName(i), 8)
    if (label !== '') {
      const bytes = clipped(label, 255)
      out.int32(bytes.length)
      out.bytes(bytes)
      out.text('', -bytes.length & 3)
    }
    for (let unit = 1; unit < units[i]; unit++) {
      out.int32(2, -1, 0, 0, 0, 0)
      out.text('', 8)
    }
  })

  let unit = 1
  columns.forEach((column, i) => {
    const place = unit
    unit += units[i]
    if (column.kind === 'text' || column.labels.length === 0) return
    out.int32(3, column.labels.length)
    for (const { value, text } of column.labels) {
      const bytes = bytesOf(text)
      out.float64(value)
      out.bytes(Uint8Array.of(bytes.length))
      out.bytes(bytes)
      out.text('', -(bytes.length + 1) & 7)
    }
    out.int32(4, 1, place)
  })

  out.int32(7, 3, 4, 8, 1, 0, 0, -1, 1, 1, 2, UTF8)
  out.int32(7, 4, 8, 3)
  for (const bound of [MISSING, Number.MAX_VALUE, LOWEST]) out.float64(bound)
  out.int32(7, 11, 4, 3 * columns.length)
  columns.forEach((column, i) => {
    const nominal = column.kind === 'text' || column.labels.length > 0
    out.int32(nominal ? SCALE.nominal : SCALE.ratio, Math.min(40, Math.max(8, widths[i])), nominal ? 0 : 1)
  })
  const long = bytesOf(names.map((name, i) => `${shortName(i)}=${name}`).join('\t'))
  out.int32(7, 13, 1, long.length)
  out.bytes(long)
  out.int32(7, 20, 1, 5)
  out.text('UTF-8')
  out.int32(999, 0)

  for (let row = 0; row < rows; row++)
    columns.forEach((column, i) => {
      const value = column.values[row]
      if (column.kind === 'number') out.float64((value as number | null) ?? MISSING)
      else out.text((value as string | null) ?? '', units[i] * 8)
    })
  return out.finish()
}

/** Names of 8 bytes, which the file has beside the long ones. */
const shortName = (i: number): string => `V${i + 1}`

const decimalsOf = ({ values }: WrittenColumn): number =>
  values.every(value => value === null || Number.isInteger(value)) ? 0 : 4

/** So many bytes of a text at most, without half a letter at the end. */
const clipped = (text: string, most: number): Uint8Array => {
  let own = text
  while (bytesOf(own).length > most) own = [...own].slice(0, -1).join('')
  return bytesOf(own)
}
