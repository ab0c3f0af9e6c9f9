import { DataError } from '@polyad/core'
import { advise, defined, words } from '@polyad/core/options'
import type { CellValue, MergeRange, Workbook } from 'hucre'
import { type FileHead, HEAD_ROWS } from '../files/file-head.ts'
import { choice, many, type Note, warning } from '../values/note.ts'
import { isLabelsSheet, labelsOfSheet } from './labels-sheet.ts'
import { checkUnpacked } from './packed-size.ts'
import { chooseTable, tableNotes } from './several-tables.ts'
import { type Header, headerOf } from './sheet-header.ts'
import { cellText } from './sheet-texts.ts'
import { checkSize, type SurveyFile, ValueCollector } from './survey-file.ts'

export interface SheetOptions {
  /** The sheet to read, by its name or its number from 1. Default: the first that is not hidden and holds a table. */
  readonly sheet?: string
  /** Whether the first row holds the names of the columns. */
  readonly header?: boolean
  /** Rows to skip before it. */
  readonly skipRows?: number
}

/** Reads one sheet of a spreadsheet (.xlsx, .xlsm, .ods): every cell is the text that the program shows, errors are missing. */
export const readSpreadsheet = async (
  name: string,
  bytes: Uint8Array,
  format: 'xlsx' | 'ods',
  options: SheetOptions = {},
): Promise<SurveyFile> => {
  checkUnpacked(name, bytes)
  const { book, sheets, chosen, labels } = await readBook(name, bytes, format, options.sheet)
  const [sheet] = book.sheets
  const { merges = [] } = sheet
  const rows = filled(sheet.rows, merges)
  const header = headerOf(name, rows, merges, options)
  const { body, total } = withoutTotal(
    rows.slice(header.rows).filter(row => row.some(cell => cellText(cell) !== undefined)),
  )
  const used = header.columns.filter(({ at, given }) => given || body.some(row => cellText(row[at]) !== undefined))
  if (used.length === 0 || body.length === 0) throw nothingIn(name, sheet.name, sheets)
  checkSize(name, body.length, used.length)
  const variables = used.map(({ name: column, at }) => {
    const collector = new ValueCollector<string>(body.length)
    for (const row of body) collector.add(cellText(row[at]))
    const { title = '', values: texts } = Object.hasOwn(labels, column) ? labels[column] : {}
    return { name: column, title, ordinal: false, labels: [], ...defined({ texts }), values: collector.finish() }
  })
  const notes = [
    ...tableNotes(name, sheets, chosen, options.sheet, 'sheet'),
    ...header.notes,
    ...(total === undefined
      ? []
      : [choice(`${name}: the last row, ${JSON.stringify(total)}, sums up the others and is left out`)]),
    ...mergedNotes(name, merges, header),
    ...formulaNotes(sheet, header),
  ]
  const head: FileHead = {
    rows: rows.slice(0, HEAD_ROWS).map(row => header.columns.map(({ at }) => cellText(row[at]) ?? null)),
    names: [header.rows - header.names, header.rows],
    before: 0,
    sheet: sheet.name,
  }
  return { name, variables, rows: body.length, notes, sheets, head }
}

type Sheet = Workbook['sheets'][number]

/** A workbook with the one sheet that is wanted, and the names of all. */
const readBook = async (name: string, bytes: Uint8Array, format: 'xlsx' | 'ods', asked: string | undefined) => {
  const sheets: string[] = []
  let visible: number | undefined
  // All sheets are named before the first is read; unless one is asked for, the first that can be seen is taken.
  const first = await parsed(name, bytes, format, ({ name: sheet, hidden, veryHidden }, index) => {
    sheets[index] = sheet
    if (asked !== undefined || visible !== undefined || hidden === true || veryHidden === true) return false
    visible = index
    return true
  })
  if (sheets.length === 0) throw new DataError(`${name} has no sheet`)
  const chosen =
    asked !== undefined
      ? chooseTable(name, sheets, asked).chosen
      : visible !== undefined && sheets.length > 1 && !isTable(first.sheets[0])
        ? await firstTable(name, bytes, format, visible)
        : (visible ?? 0)
  const book = chosen === visible ? first : await parsed(name, bytes, format, (_, index) => index === chosen)
  if (book.sheets.length !== 1) throw damaged(name, format)
  const labelled = sheets.findIndex((sheet, index) => index !== chosen && isLabelsSheet(sheet))
  const beside = labelled < 0 ? undefined : await parsed(name, bytes, format, (_, index) => index === labelled)
  const labels = beside?.sheets.length === 1 ? labelsOfSheet(name, beside.sheets[0]) : {}
  return { book, sheets, chosen, labels }
}

/** Rows of several cells that a table has at least: the names of its columns, and two rows. */
const LEAST_ROWS = 3

/** Whether a sheet holds a table, and not a cover page, a title or remarks. */
const isTable = ({ rows }: Sheet): boolean => {
  const cells = (row: Sheet['rows'][number]) => row.filter(cell => cellText(cell) !== undefined).length
  return rows.filter(row => cells(row) > 1).length >= LEAST_ROWS
}

/** The first sheet that can be seen and holds a table, if the first of all does not; else that one. */
const firstTable = async (name: string, bytes: Uint8Array, format: 'xlsx' | 'ods', usual: number): Promise<number> => {
  const places: number[] = []
  const { sheets } = await parsed(name, bytes, format, ({ hidden, veryHidden }, index) => {
    if (hidden === true || veryHidden === true) return false
    places.push(index)
    return true
  })
  const found = sheets.findIndex(isTable)
  return found < 0 ? usual : places[found]
}

type SheetFilter = Exclude<NonNullable<import('hucre').ReadOptions['sheets']>, readonly unknown[]>

const parsed = async (
  name: string,
  bytes: Uint8Array,
  format: 'xlsx' | 'ods',
  sheets: SheetFilter,
): Promise<Workbook> => {
  // The library is large, and few files are spreadsheets.
  const read = format === 'xlsx' ? (await import('hucre/xlsx')).readXlsx : (await import('hucre/ods')).readOds
  try {
    return await read(bytes, { sheets })
  } catch (error) {
    throw damaged(name, format, error)
  }
}

/** What the library says of a broken file is about its parts: it is kept as the cause. */
const damaged = (name: string, format: string, cause?: unknown): DataError => {
  if ((cause as Error | undefined)?.name === 'EncryptedFileError')
    return new DataError(`${name} is protected by a password: save it without one`, {}, { cause })
  return new DataError(
    `${name} is not a readable .${format} file: it may be cut off or damaged, or be of another kind. Open it in Excel or LibreOffice and save it again.`,
    {},
    { cause },
  )
}

/** How a row of totals begins, in eight languages. */
const TOTAL =
  /^(grand )?(total|totals|sum|mean|average|summe|gesamt|insgesamt|mittelwert|durchschnitt|somme|moyenne|total general|suma|media|promedio|totale|somma|soma|média|totaal|gemiddelde|razem|średnia)\b:?$/i

/** Rows without a last one of totals: it begins with a word for them that no other row has, and all its other cells are numbers. */
const withoutTotal = (rows: Sheet['rows']): { readonly body: Sheet['rows']; readonly total?: string } => {
  const last = rows.at(-1)?.map(cellText) ?? []
  const at = last.findIndex(text => text !== undefined)
  const [first, ...others] = last.slice(Math.max(0, at)).filter(text => text !== undefined)
  const isTotal =
    rows.length > LEAST_ROWS &&
    first !== undefined &&
    TOTAL.test(first.trim()) &&
    others.length > 0 &&
    others.every(text => text.trim() !== '' && Number.isFinite(Number(text))) &&
    rows.slice(0, -1).every(row => cellText(row[at]) !== first)
  return isTotal ? { body: rows.slice(0, -1), total: first } : { body: rows }
}

/** The error for a sheet without rows; others of the file may have some. */
const nothingIn = (name: string, sheet: string, sheets: readonly string[]): DataError => {
  const [other] = sheets.filter(each => each !== sheet)
  const more = other === undefined ? '' : words`; ${advise('for another sheet, use', 'sheet', other)}`
  return new DataError(words`${name} has no rows in its sheet ${JSON.stringify(sheet)}${more}`)
}

/** Rows in which every cell of those that are merged has their value: only the first of them holds it. */
const filled = (rows: Sheet['rows'], merges: readonly MergeRange[]): Sheet['rows'] => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  // Merged cells do not overlap, so there is an end to them even if a file says otherwise.
  let left = rows.length * width
  for (const { startRow, startCol, endRow, endCol } of merges) {
    const value: CellValue | undefined = rows[startRow]?.[startCol]
    if (value === null || value === undefined) continue
    for (let row = startRow; row <= Math.min(endRow, rows.length - 1); row++)
      for (let column = startCol; column <= Math.min(endCol, width - 1); column++) {
        if (left-- < 0) return rows
        rows[row][column] ??= value
      }
  }
  return rows
}

const mergedNotes = (name: string, merges: readonly MergeRange[], header: Header): Note[] =>
  merges.some(({ startRow }) => startRow >= header.rows)
    ? [choice(`${name}: cells are merged; each of the rows and columns that they cover has their value`)]
    : []

/** Programs that write spreadsheets without computing them leave formulas without values. */
const formulaNotes = ({ cells }: Sheet, header: Header): Note[] => {
  let [formulas, empty] = [0, 0]
  for (const [at, { type, value }] of cells ?? []) {
    if (type !== 'formula' || Number(at.split(',')[0]) < header.rows) continue
    formulas++
    if (value === null || value === undefined) empty++
  }
  if (empty === 0) return []
  return [
    warning(
      'file-doubtful',
      `${many(empty, 'formula')} of ${formulas} ${empty === 1 ? 'has' : 'have'} no stored value and ${empty === 1 ? 'is' : 'are'} read as missing: open the file in Excel or LibreOffice and save it`,
    ),
  ]
}
