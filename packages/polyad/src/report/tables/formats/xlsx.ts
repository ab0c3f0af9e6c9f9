import { columnsOf as widthOf } from '@polyad/charts/visible-text'
import type { Cell, CellStyle, MergeRange } from 'hucre'
import {
  cellText,
  groupsOf,
  isHeading,
  isSymbol,
  type NumberCell,
  numberText,
  type PaperCell,
  type PaperTable,
} from './paper-table.ts'

/** Excel's own format (Office Open XML): one sheet, its numbers with all of their digits, shown as they are printed. */

const FONT = { name: 'Times New Roman', size: 11, family: 1 } as const
const BOLD: CellStyle = { font: { ...FONT, bold: true } }
const ITALIC: CellStyle = { font: { ...FONT, italic: true } }
const THIN = { style: 'thin' } as const
const MEDIUM = { style: 'medium' } as const

/** How a spreadsheet shows a number: p-values next to 0 and 1 as bounds. */
const formatOf = ({ format, digits }: NumberCell): string => {
  const decimals = digits === 0 ? '0' : `0.${'0'.repeat(digits)}`
  if (format === 'percent') return `${decimals}%`
  const least = (10 ** -digits).toFixed(digits)
  const most = (1 - 10 ** -digits).toFixed(digits)
  return format === 'p' ? `[<${least}]"< ${least}";[>${most}]"> ${most}";${decimals}` : `#,##${decimals}`
}

const cellOf = (value: PaperCell | number, style: CellStyle): Partial<Cell> => {
  if (value === '') return { style }
  // The library writes a text such as #N/A as an error, unless it is a formatted text.
  if (typeof value === 'string')
    return value.startsWith('#') ? { richText: [{ text: value }], style } : { value, style }
  return typeof value === 'number'
    ? { value, style }
    : { value: value.value, style: { ...style, numFmt: formatOf(value) } }
}

/** Columns are no wider than this many characters. */
const WIDEST = 48

/** The one sheet, row by row. */
class TableSheet {
  readonly cells = new Map<string, Partial<Cell>>()
  readonly merges: MergeRange[] = []
  readonly rowDefs = new Map<number, { readonly height: number }>()
  readonly #widths: number[] = []
  #rows = 0

  /** A row of cells, from the first column on. */
  add(...cells: readonly (readonly [value: PaperCell | number, style?: CellStyle])[]): void {
    for (const [column, [value, style = {}]] of cells.entries())
      this.cells.set(`${this.#rows},${column}`, cellOf(value, style))
    this.#rows++
  }

  /** Makes the last row's cells from one column to another one cell. */
  merge(startCol: number, endCol: number): void {
    const row = this.#rows - 1
    if (endCol > startCol) this.merges.push({ startRow: row, startCol, endRow: row, endCol })
  }

  /** Makes a column wide enough for a text. */
  widen(column: number, text: string): void {
    this.#widths[column] = Math.max(this.#widths[column] ?? 8, widthOf(text) + 2)
  }

  get columns(): { readonly width: number }[] {
    return Array.from(this.#widths, (width = 8) => ({ width: Math.min(WIDEST, width) }))
  }

  /** A text over all columns, in as many lines as it needs. */
  addNote(text: string, lastColumn: number): void {
    const room = this.columns.reduce((sum, { width }) => sum + width, 0)
    this.rowDefs.set(this.#rows, { height: 15 * Math.ceil((1.15 * widthOf(text)) / room) })
    this.add([text, { alignment: { horizontal: 'left', vertical: 'top', wrapText: true } }])
    this.merge(0, lastColumn)
  }
}

const addPart = (sheet: TableSheet, part: PaperTable['parts'][number]): void => {
  const { stub, columns, rows } = part
  const groups = groupsOf(part)
  if (part.caption !== undefined) sheet.add([part.caption, ITALIC])
  if (groups !== null) {
    const spans = groups.flatMap(({ title, span }) => {
      const border = { top: MEDIUM, ...(title !== '' && { bottom: THIN }) }
      const style: CellStyle = { alignment: { horizontal: 'center' }, border }
      return Array.from({ length: span }, (_, i) => [i === 0 ? title : '', style] as const)
    })
    sheet.add(['', { border: { top: MEDIUM } }], ...spans)
    let from = 1
    for (const { title, span } of groups) {
      sheet.merge(from, from + span - 1)
      for (let c = from; c < from + span; c++) sheet.widen(c, title.slice(0, Math.ceil(title.length / span)))
      from += span
    }
  }
  const border = { ...(groups === null && { top: MEDIUM }), bottom: THIN }
  const titles = columns.map(({ title }) => {
    const style: CellStyle = { alignment: { horizontal: 'right' }, border, ...(isSymbol(title) && ITALIC) }
    return [title, style] as const
  })
  sheet.add([stub, { border }], ...titles)
  columns.forEach(({ title }, c) => void sheet.widen(c + 1, title))
  rows.forEach((row, i) => {
    const line: CellStyle = i === rows.length - 1 ? { border: { bottom: MEDIUM } } : {}
    const head: CellStyle = { ...line, alignment: { horizontal: 'left', ...(row.indented === true && { indent: 1 }) } }
    const cells = isHeading(row) ? columns.map(() => '') : row.cells
    const right: CellStyle = { ...line, alignment: { horizontal: 'right' } }
    sheet.add([row.head, head], ...cells.map(value => [value, right] as const))
    sheet.widen(0, String(row.head))
    row.cells.forEach((value, c) => void sheet.widen(c + 1, cellText(value)))
  })
}

/** The date of the file, so that the same table has the same bytes: the first that zip archives can have. */
const MODIFIED = new Date('1980-01-01T00:00:00Z')

/** A workbook with the table on its one sheet. */
export const xlsxTable = async (table: PaperTable): Promise<Uint8Array> => {
  const sheet = new TableSheet()
  const number = numberText(table)
  if (number !== null) sheet.add([number, BOLD])
  sheet.add([table.title, ITALIC])
  table.parts.forEach((part, i) => {
    if (i > 0) sheet.add()
    addPart(sheet, part)
  })
  const last = Math.max(...table.parts.map(part => part.columns.length))
  table.notes.forEach((note, i) => void sheet.addNote(i === 0 ? `Note. ${note}` : note, last))
  const { cells, merges, rowDefs, columns } = sheet
  // The library is large, and few tables are spreadsheets.
  const { writeXlsx } = await import('hucre/xlsx')
  return writeXlsx({
    defaultFont: FONT,
    properties: { modified: MODIFIED },
    sheets: [
      {
        name: 'Table',
        cells,
        merges,
        rowDefs,
        columns,
        view: { showGridLines: false },
        pageSetup: { orientation: 'landscape' },
      },
    ],
  })
}
