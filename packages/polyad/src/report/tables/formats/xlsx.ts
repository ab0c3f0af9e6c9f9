import { columnsOf as widthOf } from '@polyad/charts/label-text'
import { writeZip } from '@polyad/core/file'
import { type Html, html, trusted } from '../../html.ts'
import {
  cellText,
  groupsOf,
  isHeading,
  isSymbol,
  type NumberCell,
  numberText,
  type PaperCell,
  type PaperTable,
} from '../../paper-table.ts'

/** Excel's own format (Office Open XML): one sheet, its numbers with all of their digits, shown as they are printed. */

const DECLARATION = trusted('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n')
const SHEETS = trusted('http://schemas.openxmlformats.org/spreadsheetml/2006/main')
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** How a cell looks; a workbook lists each that occurs once. */
interface Look {
  readonly font?: 'plain' | 'bold' | 'italic'
  readonly align?: 'left' | 'center' | 'right'
  readonly indent?: boolean
  readonly wrap?: boolean
  readonly format?: string
  readonly top?: 'medium'
  readonly bottom?: 'thin' | 'medium'
}

const FONTS = ['plain', 'bold', 'italic'] as const

/** How a spreadsheet shows a number: p-values next to 0 and 1 as bounds. */
const formatOf = ({ format, digits }: NumberCell): string => {
  const decimals = digits === 0 ? '0' : `0.${'0'.repeat(digits)}`
  if (format === 'percent') return `${decimals}%`
  const least = (10 ** -digits).toFixed(digits)
  const most = (1 - 10 ** -digits).toFixed(digits)
  return format === 'p' ? `[<${least}]"< ${least}";[>${most}]"> ${most}";${decimals}` : `#,##${decimals}`
}

/** A, B, …, Z, AA. */
const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)

/** The rows of a sheet as they are written, with the looks that they use. */
const sheetWriter = () => {
  const looks = new Map<string, { readonly id: number; readonly look: Look }>()
  const lookOf = (look: Look): number => {
    const key = JSON.stringify(Object.entries(look).sort())
    const known = looks.get(key) ?? { id: looks.size, look }
    looks.set(key, known)
    return known.id
  }
  lookOf({})
  const rows: Html[] = []
  const merged: string[] = []
  const widths: number[] = []
  const cellXml = (value: PaperCell | number, column: number, look: Look): Html => {
    const place = `${letters(column)}${rows.length + 1}`
    const isText = typeof value === 'string'
    const format = isText || typeof value === 'number' ? look : { ...look, format: formatOf(value) }
    const style = lookOf(format)
    if (value === '') return html`<c r="${place}" s="${style}"/>`
    return isText
      ? html`<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
      : html`<c r="${place}" s="${style}"><v>${typeof value === 'number' ? value : value.value}</v></c>`
  }
  return {
    looks,
    rows,
    merged,
    widths,
    /** Cells from the first column on, with how wide they are. */
    add: (cells: readonly { readonly value: PaperCell | number; readonly look: Look }[], height?: number) => {
      const line = cells.map(({ value, look }, c) => cellXml(value, c, look))
      rows.push(
        html`<row r="${rows.length + 1}"${height === undefined ? null : html` ht="${height}" customHeight="1"`}>${line}</row>`,
      )
    },
    /** The last row's cells from one column to another as one. */
    merge: (from: number, to: number) => {
      if (to > from) merged.push(`${letters(from)}${rows.length}:${letters(to)}${rows.length}`)
    },
    wide: (column: number, text: string) => {
      widths[column] = Math.max(widths[column] ?? 8, widthOf(text) + 2)
    },
  }
}

type Sheet = ReturnType<typeof sheetWriter>

/** Columns are no wider than this many characters. */
const WIDEST = 48

const addPart = (sheet: Sheet, part: PaperTable['parts'][number]): void => {
  const { stub, columns, rows } = part
  const groups = groupsOf(part)
  if (part.caption !== undefined) sheet.add([{ value: part.caption, look: { font: 'italic' } }])
  if (groups !== null) {
    const spans = groups.flatMap(({ title, span }) =>
      Array.from({ length: span }, (_, i) => ({
        value: i === 0 ? title : '',
        look: { align: 'center', top: 'medium', ...(title !== '' && { bottom: 'thin' as const }) } as const,
      })),
    )
    sheet.add([{ value: '', look: { top: 'medium' } }, ...spans])
    let from = 1
    for (const { title, span } of groups) {
      sheet.merge(from, from + span - 1)
      for (let c = from; c < from + span; c++) sheet.wide(c, title.slice(0, Math.ceil(title.length / span)))
      from += span
    }
  }
  const top = groups === null ? ({ top: 'medium' } as const) : {}
  sheet.add([
    { value: stub, look: { ...top, bottom: 'thin' } },
    ...columns.map(({ title }) => ({
      value: title,
      look: { ...top, bottom: 'thin', align: 'right', ...(isSymbol(title) && { font: 'italic' as const }) } as const,
    })),
  ])
  columns.forEach(({ title }, c) => void sheet.wide(c + 1, title))
  rows.forEach((row, i) => {
    const bottom = i === rows.length - 1 ? ({ bottom: 'medium' } as const) : {}
    const cells = isHeading(row) ? columns.map(() => '') : row.cells
    sheet.add([
      { value: row.head, look: { ...bottom, align: 'left', ...(row.indented === true && { indent: true }) } },
      ...cells.map(value => ({ value, look: { ...bottom, align: 'right' } as const })),
    ])
    sheet.wide(0, String(row.head))
    row.cells.forEach((value, c) => void sheet.wide(c + 1, cellText(value)))
  })
}

const stylesXml = (looks: readonly Look[]): Html => {
  const formats = [...new Set(looks.flatMap(({ format }) => (format === undefined ? [] : [format])))]
  const borderOf = ({ top, bottom }: Look) => `${top ?? ''} ${bottom ?? ''}`
  const borders = [...new Set([' ', ...looks.map(borderOf)])]
  const line = (edge: string, style: string) =>
    trusted(style === '' ? `<${edge}/>` : `<${edge} style="${style}"><color auto="1"/></${edge}>`)
  const fonts = FONTS.map(kind =>
    trusted(
      `<font>${{ plain: '', bold: '<b/>', italic: '<i/>' }[kind]}<sz val="11"/><name val="Times New Roman"/><family val="1"/></font>`,
    ),
  )
  // Formats up to 163 are Excel's own.
  const cell = (look: Look) => {
    const { font = 'plain', align, indent = false, wrap = false, format } = look
    const aligned =
      align === undefined && !wrap
        ? null
        : html`<alignment${align === undefined ? null : html` horizontal="${align}"`}${trusted(wrap ? ' vertical="top" wrapText="1"' : '')}${trusted(indent ? ' indent="1"' : '')}/>`
    return html`<xf numFmtId="${format === undefined ? 0 : 164 + formats.indexOf(format)}" fontId="${FONTS.indexOf(font)}" fillId="0" borderId="${borders.indexOf(borderOf(look))}" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1" applyAlignment="1">${aligned}</xf>`
  }
  return html`${DECLARATION}<styleSheet xmlns="${SHEETS}">${formats.length === 0 ? null : html`<numFmts count="${formats.length}">${formats.map((code, i) => html`<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`)}</numFmts>`}<fonts count="${fonts.length}">${fonts}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="${borders.length}">${borders.map(
    key => {
      const [top, bottom] = key.split(' ')
      return html`<border><left/><right/>${line('top', top)}${line('bottom', bottom)}<diagonal/></border>`
    },
  )}</borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${looks.length}">${looks.map(cell)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

const sheetXml = ({ rows, merged, widths }: Sheet): Html =>
  html`${DECLARATION}<worksheet xmlns="${SHEETS}"><sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews><cols>${widths.map((width, c) => html`<col min="${c + 1}" max="${c + 1}" width="${Math.min(WIDEST, width)}" customWidth="1"/>`)}</cols><sheetData>${rows}</sheetData>${merged.length === 0 ? null : html`<mergeCells count="${merged.length}">${merged.map(ref => html`<mergeCell ref="${ref}"/>`)}</mergeCells>`}<pageSetup orientation="landscape"/></worksheet>`

const relationships = (...targets: readonly (readonly [type: string, target: string])[]): Html =>
  html`${DECLARATION}<Relationships xmlns="${trusted(`${PACKAGE}/relationships`)}">${targets.map(([type, target], i) => html`<Relationship Id="rId${i + 1}" Type="${trusted(`${RELATIONSHIPS}/${type}`)}" Target="${trusted(target)}"/>`)}</Relationships>`

const CONTENT = html`${DECLARATION}<Types xmlns="${trusted(`${PACKAGE}/content-types`)}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${trusted(`${TYPE}.sheet.main+xml`)}"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${trusted(`${TYPE}.worksheet+xml`)}"/><Override PartName="/xl/styles.xml" ContentType="${trusted(`${TYPE}.styles+xml`)}"/></Types>`

/** A workbook with the table on its one sheet. */
export const xlsxTable = (table: PaperTable): Uint8Array => {
  const sheet = sheetWriter()
  const number = numberText(table)
  if (number !== null) sheet.add([{ value: number, look: { font: 'bold' } }])
  sheet.add([{ value: table.title, look: { font: 'italic' } }])
  table.parts.forEach((part, i) => {
    if (i > 0) sheet.add([])
    addPart(sheet, part)
  })
  const columns = Math.max(...table.parts.map(part => part.columns.length))
  const room = sheet.widths.reduce((sum, width) => sum + Math.min(WIDEST, width), 0)
  for (const [i, note] of table.notes.entries()) {
    const text = i === 0 ? `Note. ${note}` : note
    sheet.add([{ value: text, look: { wrap: true, align: 'left' } }], 15 * Math.ceil((1.15 * widthOf(text)) / room))
    sheet.merge(0, columns)
  }
  const bytes = (text: Html) => new TextEncoder().encode(String(text))
  return writeZip(
    new Map([
      ['[Content_Types].xml', bytes(CONTENT)],
      ['_rels/.rels', bytes(relationships(['officeDocument', 'xl/workbook.xml']))],
      [
        'xl/workbook.xml',
        bytes(
          html`${DECLARATION}<workbook xmlns="${SHEETS}" xmlns:r="${trusted(RELATIONSHIPS)}"><sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        ),
      ],
      [
        'xl/_rels/workbook.xml.rels',
        bytes(relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml'])),
      ],
      ['xl/worksheets/sheet1.xml', bytes(sheetXml(sheet))],
      ['xl/styles.xml', bytes(stylesXml([...sheet.looks.values()].map(({ look }) => look)))],
    ]),
  )
}
