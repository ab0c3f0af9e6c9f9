import { fullTitle, isHeading, type PaperCell, type PaperTable, type TablePart } from '../../paper-table.ts'

/** What a spreadsheet would take for a formula, although it is a text. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/** A field of CSV: a text that begins like a formula gets an apostrophe, so that no program computes it. */
export const csvField = (value: string | number | null): string => {
  const given = value === null ? '' : String(value)
  const text = typeof value === 'string' && FORMULA.test(given) && !NUMBER.test(given) ? `'${given}` : given
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLines = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map(row => `${row.map(csvField).join(',')}\r\n`).join('')

const plainValue = (cell: PaperCell): string | number => (typeof cell === 'string' ? cell : cell.value)

/** A part with its headings as a column, so that every row says what it is of. */
const rowsOf = ({ stub, columns, rows }: TablePart): (string | number)[][] => {
  const headed = rows.some(isHeading)
  let heading: string | number = ''
  const body = rows.flatMap(row => {
    if (isHeading(row)) {
      heading = row.head
      return []
    }
    if (row.indented !== true) heading = ''
    return [[...(headed ? [heading] : []), row.head, ...row.cells.map(plainValue)]]
  })
  return [[...(headed ? [''] : []), stub, ...columns.map(fullTitle)], ...body]
}

/** The numbers with all of their digits; without title and notes, which no program could read. */
export const csvTable = ({ parts }: PaperTable): string => parts.map(part => csvLines(rowsOf(part))).join('\r\n')
