import type { ChartTable } from '@polyad/charts'
import { visibleText } from '@polyad/charts/visible-text'
import { type Html, html, prose, trusted } from '../html.ts'
import { fixed, whole } from '../numbers.ts'
import { csvLines } from '../tables/formats/csv.ts'
import { tableOfPart } from '../tables/formats/html.ts'
import type { PaperTable } from '../tables/formats/paper-table.ts'

/** Tables of numbers: what a chart shows, for those who would rather read it, and as CSV for those who would compute with it. */

/** Rows that are shown and given as CSV; a page is no place for a hundred thousand. */
const SHOWN = 200
const IN_CSV = 2000

/** As many digits as are worth reading; the CSV has them all. */
const readable = (value: string | number | null): string => {
  if (value === null) return '–'
  if (typeof value === 'string') return value
  if (!Number.isFinite(value)) return '–'
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? whole(value) : value.toExponential(3)
  const size = Math.abs(value)
  const digits = size >= 1000 ? 1 : size >= 10 ? 2 : 4
  return fixed(value, digits)
}

export interface NamedTable extends ChartTable {
  readonly caption: string
}

/** A table, its first columns of text as headers of the rows. */
export const tableHtml = ({ columns, rows, caption }: NamedTable): Html => {
  const numeric = columns.map((_, i) => rows.some(row => typeof row[i] === 'number'))
  // A year is no quantity, but there are no years here: whole numbers are counts.
  const cell = (value: string | number | null, i: number) =>
    numeric[i]
      ? html`<td class="n">${readable(value)}</td>`
      : html`<td><bdi>${typeof value === 'string' ? visibleText(value) : (value ?? '–')}</bdi></td>`
  const shown = rows.slice(0, SHOWN)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${columns.map((name, i) => html`<th scope="col"${trusted(numeric[i] ? ' class="n"' : '')}><bdi>${visibleText(name)}</bdi></th>`)}</tr></thead>
<tbody>${shown.map(
    row => html`<tr>${row.map(cell)}</tr>
`,
  )}</tbody></table></div>${rows.length > shown.length ? html`<p class="aside">The first ${whole(shown.length)} of ${whole(rows.length)} rows.</p>` : null}`
}

const csvText = ({ columns, rows }: ChartTable): string => csvLines([columns, ...rows])

/** A table as papers print it, with its notes. */
export const paperHtml = ({ title, parts, notes }: PaperTable): Html =>
  html`${parts.map(
    part => html`<div class="scroll" tabindex="0" role="region" aria-label="${part.caption ?? title}">${tableOfPart(part, 'paper', part.caption ?? title)}</div>
`,
  )}${notes.length === 0 ? null : html`<p class="aside note"><i>Note.</i> ${prose(notes.join(' '))}</p>`}`

/** The table as an address that holds it: nothing is fetched. Only what an address cannot hold is escaped, to be short. */
export const csvAddress = (table: ChartTable): string => {
  const body = csvText(table).replace(/[^\w.,;:!~*()'/?@=+$-]/gu, character => {
    try {
      return encodeURIComponent(character)
    } catch {
      // Half a character.
      return '%EF%BF%BD'
    }
  })
  return `data:text/csv;charset=utf-8,${body}`
}

/** A name for a file: letters and digits of what it is called. */
const fileName = (caption: string): string =>
  `${
    caption
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
      .toLowerCase() || 'table'
  }.csv`

/** The table behind a chart, folded away, with a link to its CSV. */
export const tableBehind = (table: NamedTable): Html => {
  const kept = { ...table, rows: table.rows.slice(0, IN_CSV) }
  const cut = table.rows.length > kept.rows.length ? ` (the first ${whole(IN_CSV)} rows)` : ''
  return html`<details><summary>Show table<span class="hidden"> of: ${table.caption}</span></summary>
<p><a href="${csvAddress(kept)}" download="${fileName(table.caption)}">${table.caption}, as CSV${cut}</a></p>
${tableHtml(table)}</details>`
}
