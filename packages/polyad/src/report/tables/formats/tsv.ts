import { csvField } from '../../../table/files/csv-field.ts'
import { rowsOf } from './csv.ts'
import type { PaperTable } from './paper-table.ts'

/**
 * A table to paste into a spreadsheet: its cells with tabs between them, numbers with all of their digits.
 * @example
 * const text = tsvTable(tableOf('profiles', { models: [{ model }] }))
 * text.split('\n')[0].split('\t').length // 4
 */
export const tsvTable = ({ parts }: PaperTable): string =>
  parts
    .map(part =>
      rowsOf(part)
        .map(row => row.map(cell => csvField(typeof cell === 'string' ? cell.replace(/\s+/g, ' ') : cell)).join('\t'))
        .join('\n'),
    )
    .join('\n\n')
