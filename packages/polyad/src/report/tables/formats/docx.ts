import { columnsOf as widthOf } from '@polyad/charts/visible-text'
import { writeZip } from '@polyad/core/file'
import { type Html, html, trusted } from '../../html.ts'
import { cellText, groupsOf, isHeading, isSymbol, numberText, type PaperTable, type TablePart } from './paper-table.ts'

/** Word's own format (Office Open XML), as little of it as a table with its title and notes takes. */

const DECLARATION = trusted('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n')
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** More columns than this are printed on a sheet laid across. */
const UPRIGHT = 7
/** Widths of a sheet of A4 and of its margins, in twentieths of a point. */
const SHEET = { short: 11_906, long: 16_838, margin: 1134 }
/** Lines above and below, and between titles and rows, in eighths of a point. */
const THICK = 12
const THIN = 6

type Edge = 'top' | 'bottom'
type Align = 'left' | 'center' | 'right'

interface CellStyle {
  readonly align?: Align
  readonly italic?: boolean
  readonly indented?: boolean
  readonly span?: number
  readonly edges?: Partial<Record<Edge, number>>
}

const run = (text: string, kind: 'plain' | 'bold' | 'italic' = 'plain'): Html =>
  html`<w:r>${kind === 'plain' ? null : html`<w:rPr>${trusted(kind === 'bold' ? '<w:b/>' : '<w:i/>')}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`

const paragraph = (style: string, ...runs: readonly Html[]): Html =>
  html`<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${runs}</w:p>`

const cell = (text: string, { align = 'right', italic = false, indented = false, span = 1, edges = {} }: CellStyle) => {
  const lines = (['top', 'bottom'] as const).flatMap(edge => {
    const size = edges[edge]
    return size === undefined
      ? []
      : [html`<w:${trusted(edge)} w:val="single" w:sz="${size}" w:space="0" w:color="000000"/>`]
  })
  return html`<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${span === 1 ? null : html`<w:gridSpan w:val="${span}"/>`}${lines.length === 0 ? null : html`<w:tcBorders>${lines}</w:tcBorders>`}</w:tcPr><w:p><w:pPr><w:pStyle w:val="TableText"/>${indented ? trusted('<w:ind w:left="200"/>') : null}<w:jc w:val="${align}"/></w:pPr>${text === '' ? null : run(text, italic ? 'italic' : 'plain')}</w:p></w:tc>`
}

const row = (cells: readonly Html[], isTitle = false): Html =>
  html`<w:tr><w:trPr><w:cantSplit/>${isTitle ? trusted('<w:tblHeader/>') : null}</w:trPr>${cells}</w:tr>`

/** As wide as the longest of texts, in twentieths of a point: a character of 10 points takes half of its height, more or less. */
const widest = (texts: readonly string[]): number => 200 + 105 * Math.min(40, Math.max(4, ...texts.map(widthOf)))

const partXml = (part: TablePart): Html => {
  const { stub, columns, rows } = part
  const groups = groupsOf(part)
  const top = { top: THICK }
  const below = groups === null ? { ...top, bottom: THIN } : { bottom: THIN }
  const titles = [
    ...(groups === null
      ? []
      : [
          row(
            [
              cell('', { edges: top }),
              ...groups.map(({ title, span }) =>
                cell(title, { align: 'center', span, edges: title === '' ? top : { ...top, bottom: THIN } }),
              ),
            ],
            true,
          ),
        ]),
    row(
      [
        cell(stub, { align: 'left', edges: below }),
        ...columns.map(({ title }) => cell(title, { italic: isSymbol(title), edges: below })),
      ],
      true,
    ),
  ]
  const body = rows.map((each, i) => {
    const edges = i === rows.length - 1 ? { bottom: THICK } : {}
    const head = cell(String(each.head), {
      align: 'left',
      indented: each.indented === true,
      edges,
      ...(isHeading(each) && { span: columns.length + 1 }),
    })
    return row([head, ...each.cells.map(value => cell(cellText(value), { edges }))])
  })
  const grid = [
    widest([stub, ...rows.filter(each => !isHeading(each)).map(({ head }) => `  ${head}`)]),
    ...columns.map(({ title }, c) => widest([title, ...rows.map(({ cells }) => cellText(cells[c] ?? ''))])),
  ].map(width => html`<w:gridCol w:w="${width}"/>`)
  return html`${part.caption === undefined ? null : paragraph('TableTitle', run(part.caption, 'italic'))}<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblLayout w:type="autofit"/><w:tblCellMar><w:left w:w="80" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${titles}${body}</w:tbl>`
}

const documentXml = (table: PaperTable): Html => {
  const number = numberText(table)
  const across = table.parts.some(({ columns }) => columns.length > UPRIGHT)
  const [width, height] = across ? [SHEET.long, SHEET.short] : [SHEET.short, SHEET.long]
  const { margin } = SHEET
  return html`${DECLARATION}<w:document xmlns:w="${trusted(WORD)}"><w:body>${number === null ? null : paragraph('TableTitle', run(number, 'bold'))}${paragraph('TableTitle', run(table.title, 'italic'))}${table.parts.map(
    (part, i) => html`${i === 0 ? null : paragraph('TableNote')}${partXml(part)}`,
  )}${table.notes.length === 0 ? paragraph('TableNote') : paragraph('TableNote', run('Note. ', 'italic'), run(table.notes.join(' ')))}<w:sectPr><w:pgSz w:w="${width}" w:h="${height}"${trusted(across ? ' w:orient="landscape"' : '')}/><w:pgMar w:top="${margin}" w:right="${margin}" w:bottom="${margin}" w:left="${margin}" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr></w:body></w:document>`
}

const styleXml = (name: string, title: string, paragraphs: string, size: number): string =>
  `<w:style w:type="paragraph" w:customStyle="1" w:styleId="${name}"><w:name w:val="${title}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${paragraphs}</w:pPr><w:rPr><w:sz w:val="${size}"/></w:rPr></w:style>`

const STYLES = html`${DECLARATION}<w:styles xmlns:w="${trusted(WORD)}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="Times New Roman" w:cs="Times New Roman"/><w:sz w:val="22"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${trusted(
  [
    styleXml('TableTitle', 'Table Title', '<w:keepNext/><w:spacing w:before="0" w:after="120"/>', 22),
    styleXml('TableText', 'Table Text', '<w:spacing w:before="30" w:after="30"/>', 20),
    styleXml('TableNote', 'Table Note', '<w:spacing w:before="120" w:after="0"/>', 20),
  ].join(''),
)}</w:styles>`

const CONTENT = html`${DECLARATION}<Types xmlns="${trusted(`${PACKAGE}/content-types`)}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${trusted(`${TYPE}.document.main+xml`)}"/><Override PartName="/word/styles.xml" ContentType="${trusted(`${TYPE}.styles+xml`)}"/></Types>`

const relationship = (type: string, target: string): Html =>
  html`${DECLARATION}<Relationships xmlns="${trusted(`${PACKAGE}/relationships`)}"><Relationship Id="rId1" Type="${trusted(`${RELATIONSHIPS}/${type}`)}" Target="${trusted(target)}"/></Relationships>`

/** A document with the table alone: three lines, titles that are repeated on every sheet, the notes below. */
export const docxTable = (table: PaperTable): Uint8Array => {
  const bytes = (text: Html) => new TextEncoder().encode(String(text))
  return writeZip(
    new Map([
      ['[Content_Types].xml', bytes(CONTENT)],
      ['_rels/.rels', bytes(relationship('officeDocument', 'word/document.xml'))],
      ['word/document.xml', bytes(documentXml(table))],
      ['word/styles.xml', bytes(STYLES)],
      ['word/_rels/document.xml.rels', bytes(relationship('styles', 'styles.xml'))],
    ]),
  )
}
