import { DataError } from '@polyad/core'
import { LABELS_SHEET } from '../../table/survey/labels-sheet.ts'
import { grouped } from '../../table/values/note.ts'
import type { WrittenColumn } from './written-columns.ts'

/** The sheet with the labels of variables and values, which is read back. */
const LABELS_HEAD = ['variable', 'value', 'label']
/** Rows of a sheet, with that of the names. */
const MOST_ROWS = 2 ** 20
/** A fixed day: the same rows give the same bytes. */
const MODIFIED = new Date('1980-01-01T00:00:00Z')

/** A workbook: names first, categories as their labels; and a sheet of the variable labels, if there are any. */
export const xlsxFile = async (file: string, columns: readonly WrittenColumn[], rows: number): Promise<Uint8Array> => {
  if (rows >= MOST_ROWS)
    throw new DataError(
      `${file}: a sheet has at most ${grouped(MOST_ROWS)} rows, and there are ${grouped(rows + 1)}: write .parquet or .csv`,
    )
  const texts = columns.map(column =>
    column.kind === 'text' || column.own === true
      ? undefined
      : new Map(column.labels.map(({ value, text }) => [value, text])),
  )
  const cell = (i: number, row: number) => {
    const value = columns[i].values[row]
    return typeof value === 'number' ? (texts[i]?.get(value) ?? value) : value
  }
  const body = Array.from({ length: rows }, (_, row) => columns.map((_column, i) => cell(i, row)))
  const labels = columns.flatMap(column => [
    ...(column.title === '' ? [] : [[column.name, null, column.title]]),
    ...(column.kind === 'number' && column.own === true
      ? column.labels.map(({ value, text }) => [column.name, value, text])
      : []),
  ])
  const { writeXlsx } = await import('hucre/xlsx')
  return writeXlsx({
    properties: { modified: MODIFIED },
    sheets: [
      { name: 'Rows', rows: [columns.map(({ name }) => name), ...body] },
      ...(labels.length === 0 ? [] : [{ name: LABELS_SHEET, rows: [LABELS_HEAD, ...labels] }]),
    ],
  })
}
