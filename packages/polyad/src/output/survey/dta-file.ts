import { allowedNames, ByteWriter, bytesOf, textWidth, type WrittenColumn } from './written-columns.ts'

/** Files of Stata (.dta) in format 118, which Stata reads since version 14. */

/** Bytes of a text that lies among the values. */
const LONGEST_TEXT = 2045
/** The type of numbers, and the number that stands for a missing one. */
const DOUBLE = 65526
const MISSING = 2 ** 1023
/** Bytes of names, formats and labels, with the 0 at their end. */
const NAME = 129
const FORMAT = 57
const LABEL = 321

/** @param file its name, for messages */
export const dtaFile = (file: string, columns: readonly WrittenColumn[], rows: number): Uint8Array => {
  const out = new ByteWriter()
  const widths = columns.map(column => (column.kind === 'text' ? textWidth(file, column, LONGEST_TEXT) : 0))
  const names = allowedNames(
    columns.map(({ name }) => name),
    /[\p{L}\p{N}_]/u,
    /^[\p{L}_]/u,
    32,
  )
  const labelled = (i: number) => columns[i].kind === 'number' && columns[i].labels.length > 0
  const starts: number[] = []
  const part = (name: string, write: () => void) => {
    starts.push(out.length)
    out.text(`<${name}>`)
    write()
    out.text(`</${name}>`)
  }
  const padded = (text: string, size: number) => {
    const bytes = clipped(text, size - 1)
    out.bytes(bytes)
    out.text('', size - bytes.length, 0)
  }

  starts.push(0)
  out.text('<stata_dta><header><release>118</release><byteorder>LSF</byteorder><K>')
  out.uint16(columns.length)
  out.text('</K><N>')
  out.uint64(rows)
  out.text('</N><label>')
  out.uint16(0)
  out.text('</label><timestamp>')
  out.bytes(Uint8Array.of(0))
  out.text('</timestamp></header>')
  const map = out.length + '<map>'.length
  part('map', () => out.text('', 14 * 8, 0))
  part('variable_types', () => {
    for (const width of widths) out.uint16(width === 0 ? DOUBLE : width)
  })
  part('varnames', () => {
    for (const name of names) padded(name, NAME)
  })
  part('sortlist', () => out.text('', 2 * (columns.length + 1), 0))
  part('formats', () => {
    for (const width of widths) padded(width === 0 ? '%9.0g' : `%${width}s`, FORMAT)
  })
  part('value_label_names', () => {
    for (const [i, name] of names.entries()) padded(labelled(i) ? name : '', NAME)
  })
  part('variable_labels', () => {
    for (const [i, { title, name }] of columns.entries())
      padded(title === '' && names[i] !== name ? name : title, LABEL)
  })
  part('characteristics', () => {})
  part('data', () => {
    for (let row = 0; row < rows; row++)
      columns.forEach((column, i) => {
        const value = column.values[row]
        if (column.kind === 'number') out.float64((value as number | null) ?? MISSING)
        else out.text((value as string | null) ?? '', widths[i], 0)
      })
  })
  part('strls', () => {})
  part('value_labels', () => {
    for (const [i, column] of columns.entries()) {
      if (column.kind === 'text' || column.labels.length === 0) continue
      const texts = column.labels.map(({ text }) => bytesOf(`${text}\0`))
      const length = texts.reduce((sum, bytes) => sum + bytes.length, 0)
      out.text('<lbl>')
      out.int32(8 + 8 * texts.length + length)
      padded(names[i], NAME)
      out.text('', 3, 0)
      out.int32(texts.length, length)
      let at = 0
      for (const bytes of texts) {
        out.int32(at)
        at += bytes.length
      }
      for (const { value } of column.labels) out.int32(value)
      for (const bytes of texts) out.bytes(bytes)
      out.text('</lbl>')
    }
  })
  starts.push(out.length)
  out.text('</stata_dta>')
  starts.push(out.length)
  // Where each part begins is known at the end.
  const bytes = out.finish()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  starts.forEach((start, i) => void view.setBigUint64(map + 8 * i, BigInt(start), true))
  return bytes
}

/** So many bytes of a text at most, without half a letter at the end. */
const clipped = (text: string, most: number): Uint8Array => {
  let own = text
  while (bytesOf(own).length > most) own = [...own].slice(0, -1).join('')
  return bytesOf(own)
}
