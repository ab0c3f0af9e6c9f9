import { firstRecords } from './csv-records.ts'

/** Lines above a table, and what separates its fields. */
export interface TitleLines {
  readonly lines: number
  readonly delimiter: string
}

/** So many lines may be titles; so many records below are looked at, in so much text. */
const MOST_LINES = 20
const LOOKED_AT = 200
const LONGEST = 1 << 16

/**
 * The titles above the names of the columns, as people and programs write them: lines of one field, blank lines, or lines of far fewer fields than the
 * table below. The line after them must look like names: none of them is a value of its own column.
 */
export const titleLines = (whole: string, delimiters: readonly string[]): TitleLines | undefined => {
  const text = whole.slice(0, LONGEST)
  const starts = lineStarts(text, MOST_LINES + 1)
  const isTable = (at: number, delimiter: string) => tableWidth(text.slice(at), delimiter) !== undefined
  if (delimiters.some(delimiter => isTable(0, delimiter))) return undefined
  for (const [lines, start] of starts.entries())
    for (const delimiter of lines === 0 ? [] : delimiters) {
      const width = tableWidth(text.slice(start), delimiter)
      const before = starts.slice(0, lines).map((from, i) => text.slice(from, starts[i + 1]))
      if (width !== undefined && areTitles(before, delimiter, width) && hasNames(text.slice(start), delimiter))
        return { lines, delimiter }
    }
  return undefined
}

const lineStarts = (text: string, most: number): readonly number[] => {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
    if (starts.length === most || index + end.length === text.length) break
    starts.push(index + end.length)
  }
  return starts
}

const filled = (record: readonly string[] = []): number => record.filter(field => field !== '').length

/** The number of fields of all records, if it is one, and the first has names for most of them. The last record may be cut short. */
const tableWidth = (text: string, delimiter: string): number | undefined => {
  if (/^[ \t]*[\r\n]/.test(text)) return undefined
  const records = firstRecords(text, delimiter, LOOKED_AT)
  const [first, ...others] = records.length > 2 ? records.slice(0, -1) : records
  const width = first?.length ?? 0
  const isEven = others.length > 0 && others.every(({ length }) => length === width)
  return width > 1 && isEven && filled(records[0]) > 1 && filled(records[0]) >= width - 1 ? width : undefined
}

const areTitles = (lines: readonly string[], delimiter: string, width: number): boolean => {
  const records = lines.map(line => firstRecords(line, delimiter, 1)[0])
  const isWhole = lines.every(line => (line.split('"').length - 1) % 2 === 0)
  const isTitle = (record: readonly string[] | undefined) =>
    filled(record) <= 1 || (record !== undefined && record.length * 2 <= width)
  return isWhole && filled(records[0]) > 0 && records.every(isTitle)
}

/** Whether the first record has names: no value of its column, and not numbers alone. */
const hasNames = (text: string, delimiter: string): boolean => {
  const [first, ...rest] = firstRecords(text, delimiter, LOOKED_AT)
  const isNumber = (field: string) => field !== '' && Number.isFinite(Number(field))
  const numbers = first.filter(isNumber).length
  const again = first.some((field, i) => field !== '' && rest.some(record => record[i] === field))
  return !again && (first.length > 3 ? numbers < first.length : numbers === 0)
}
