import { columnsOf as width } from '@polyad/charts/visible-text'
import {
  cellText,
  fullTitle,
  isHeading,
  isSymbol,
  numberText,
  type PaperColumn,
  type PaperTable,
  type TablePart,
} from './paper-table.ts'

/** Wider than a space, and not cut off at the begin of a cell. */
const INDENT = '\u2003'

/** A text that Markdown takes as it is. */
const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]|#~]|<(?=[a-z/!?])/gi, '\\$&')

const titleOf = (column: PaperColumn): string =>
  isSymbol(column.title) && column.group === undefined ? `*${column.title}*` : escaped(fullTitle(column))

const partLines = ({ caption, stub, columns, rows }: TablePart): string[] => {
  const lines = [
    [escaped(stub), ...columns.map(titleOf)],
    ...rows.map(row =>
      isHeading(row)
        ? [`**${escaped(String(row.head))}**`, ...columns.map(() => '')]
        : [
            `${row.indented === true ? INDENT : ''}${escaped(String(row.head))}`,
            ...row.cells.map(cell => escaped(cellText(cell))),
          ],
    ),
  ]
  const widths = lines[0].map((_, c) => Math.max(3, ...lines.map(line => width(line[c]))))
  const padded = (text: string, c: number) => {
    const room = ' '.repeat(widths[c] - width(text))
    return c === 0 ? text + room : room + text
  }
  const [head, ...body] = lines.map(line => `| ${line.map(padded).join(' | ')} |`)
  const rule = widths.map((size, c) => (c === 0 ? '-'.repeat(size) : `${'-'.repeat(size - 1)}:`))
  return [...(caption === undefined ? [] : [`*${escaped(caption)}*`, '']), head, `| ${rule.join(' | ')} |`, ...body, '']
}

/** A table in GitHub's Markdown, which reads as text too. */
export const markdownTable = (table: PaperTable): string => {
  const number = numberText(table)
  return [
    ...(number === null ? [] : [`**${number}**`, '']),
    `*${escaped(table.title)}*`,
    '',
    ...table.parts.flatMap(partLines),
    ...(table.notes.length === 0 ? [] : [`*Note.* ${table.notes.map(escaped).join(' ')}`, '']),
  ].join('\n')
}
