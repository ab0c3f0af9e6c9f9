import { DataError } from '@polyad/core'
import { grouped } from '../../table/values/note.ts'
import type { WrittenColumn } from './written-columns.ts'

/** Rows of a sheet, with that of the names. */
const MOST_ROWS = 2 ** 20
/** A fixed day: the same rows give the same bytes. */
const MODIFIED = new Date('1980-01-01T00:00:00Z')

/** A workbook with one sheet: names first, categories as their labels. */
export const xlsxFile = async (file: string, columns: readonly WrittenColumn[], rows: number): Promise<Uint8Array> => {
  if (rows >= MOST_ROWS)
    throw new DataError(
      `${file}: a sheet has at most ${grouped(MOST_ROWS)} rows, and there are ${grouped(rows + 1)}: write .parquet or .csv`,
    )
  const texts = columns.map(column =>
    column.kind === 'text' ? undefined : new Map(column.labels.map(({ value, text }) => [value, text])),
  )
  const cell = (i: number, row: number) => {
    const value = columns[i].values[row]
    return typeof value === 'number' ? (texts[i]?.get(value) ?? value) : value
  }
  const body = Array.from({ length: rows }, (_, row) => columns.map((_column, i) => cell(i, row)))
  const { writeXlsx } = await import('hucre/xlsx')
  return writeXlsx({
    properties: { modified: MODIFIED },
    sheets: [{ name: 'Rows', rows: [columns.map(({ name }) => name), ...body] }],
  })
}
