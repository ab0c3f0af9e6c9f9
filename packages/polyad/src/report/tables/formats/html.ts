import { type Html, html, trusted } from '../../html.ts'
import { policedStyle } from '../../page-policy.ts'
import { cellText, groupsOf, isHeading, isSymbol, numberText, type PaperTable, type TablePart } from './paper-table.ts'

/** Three lines, as journals print tables; black on white, on any screen. */
const STYLE = `
body { font: 11pt/1.4 "Times New Roman", Times, serif; color: #000; background: #fff; margin: 2em }
h1 { font-size: 1em; font-weight: normal; font-style: italic; margin: 0.5em 0 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; border-top: 1.5pt solid; border-bottom: 1.5pt solid; margin: 0.5em 0 }
caption { text-align: left; font-style: italic; padding: 0.3em 0 }
th, td { font-weight: normal; text-align: right; padding: 0.15em 0.6em; white-space: nowrap }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
thead tr:last-child th { border-bottom: 0.75pt solid }
thead th[colspan] { text-align: center; border-bottom: 0.75pt solid }
.in th { padding-left: 1.2em }
.note { max-width: 46em }
`

const titleOf = (title: string): Html => (isSymbol(title) ? html`<i>${title}</i>` : html`${title}`)

/** A part as a table of its own. */
export const tableOfPart = (part: TablePart, kind?: string, caption = part.caption): Html => {
  const { stub, columns, rows } = part
  const groups = groupsOf(part)
  return html`<table${kind === undefined ? null : html` class="${kind}"`}>${caption === undefined ? null : html`<caption>${caption}</caption>`}
<thead>
${
  groups === null
    ? null
    : html`<tr><td></td>${groups.map(({ title, span }) => (title === '' ? html`${trusted('<td></td>'.repeat(span))}` : html`<th scope="colgroup" colspan="${span}">${title}</th>`))}</tr>
`
}<tr>${stub === '' ? html`<td></td>` : html`<th scope="col">${stub}</th>`}${columns.map(({ title }) => html`<th scope="col">${titleOf(title)}</th>`)}</tr>
</thead>
<tbody>
${rows.map(row =>
  isHeading(row)
    ? html`<tr><th scope="rowgroup" colspan="${columns.length + 1}">${row.head}</th></tr>
`
    : html`<tr${trusted(row.indented === true ? ' class="in"' : '')}><th scope="row">${row.head}</th>${row.cells.map(cell => html`<td>${cellText(cell)}</td>`)}</tr>
`,
)}</tbody></table>`
}

/** A page with the table alone. */
export const htmlTable = (table: PaperTable): string => {
  const number = numberText(table)
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${table.title}</title>
${policedStyle(STYLE)}
</head>
<body>
<main>
${number === null ? null : html`<p><b>${number}</b></p>`}
<h1>${table.title}</h1>
${table.parts.map(
  part => html`<div class="scroll">${tableOfPart(part)}</div>
`,
)}${table.notes.length === 0 ? null : html`<p class="note"><i>Note.</i> ${table.notes.join(' ')}</p>`}
</main>
</body>
</html>
`)
}
