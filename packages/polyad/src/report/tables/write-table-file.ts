import { OptionError } from '@polyad/core'
import { writeBytes } from '../../output/atomic-file.ts'
import type { PaperTable } from './formats/paper-table.ts'
import { TABLE_FORMATS, type TableFormat, tableText } from './table-of.ts'

/** The format that the name of a file asks for; refused if it is none of a table's. */
export const formatOfTable = (path: string): TableFormat => {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase()
  const format = ending === 'htm' ? 'html' : TABLE_FORMATS.find(each => each === ending)
  if (format === undefined)
    throw new OptionError(
      `the name of a table must end in ${TABLE_FORMATS.map(each => `.${each}`).join(', ')} (got ${JSON.stringify(path)}): rename it, or name the format with --format`,
    )
  return format
}

/**
 * Writes a table for a paper: .docx, .xlsx, .tex, .md, .csv or .html, by the name of the file.
 * @example
 * await writeTableFile('profiles.docx', tableOf('profiles', { models: [{ model }] }))
 */
export const writeTableFile = async (
  path: string,
  table: PaperTable,
  format: TableFormat = formatOfTable(path),
): Promise<void> => writeBytes(path, await tableText(table, format))
