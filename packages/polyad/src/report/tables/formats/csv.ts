import { csvField } from '../../../table/files/csv-field.ts'
import { fullTitle, isHeading, type PaperCell, type PaperTable, type TablePart } from './paper-table.ts'

export const csvLines = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map(row => `${row.map(csvField).join(',')}\r\n`).join('')

const plainValue = (cell: PaperCell): string | number => (typeof cell === 'string' ? cell : cell.value)

/** A part with its headings as a column, so that every row says what it is of. */
export const rowsOf = ({ stub, columns, rows }: TablePart): (string | number)[][] => {
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
