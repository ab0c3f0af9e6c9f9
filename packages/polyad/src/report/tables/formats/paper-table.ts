import {
  DASH,
  fixed,
  type NumberFormat,
  P_DIGITS,
  PROPORTION_DIGITS,
  percent,
  pValue,
  type Simulated,
  simulatedValue,
  whole,
} from '../../numbers.ts'

/** A table for a paper, as plain values: every format is written from it. */
export interface PaperTable {
  readonly title: string
  /** Of the table in the paper; none if it is undefined. */
  readonly number?: number
  /** One below the other, each with columns of its own. */
  readonly parts: readonly TablePart[]
  /** What the figures are, and what they were computed from: whole sentences, printed under the table. */
  readonly notes: readonly string[]
}

export interface TablePart {
  /** What is in it, if there are several. */
  readonly caption?: string
  /** The title of the first column. */
  readonly stub: string
  readonly columns: readonly PaperColumn[]
  readonly rows: readonly PaperRow[]
}

export interface PaperColumn {
  readonly title: string
  /** Neighbouring columns of the same group stand under one title. */
  readonly group?: string
}

export interface PaperRow {
  readonly head: string | number
  /** One for each column; none for a heading over the rows that follow. */
  readonly cells: readonly PaperCell[]
  /** Whether it belongs under the heading before it. */
  readonly indented?: boolean
}

/** A number as it is printed, with its value for spreadsheets; or a text. */
export type PaperCell = NumberCell | string

export interface NumberCell {
  readonly value: number
  readonly text: string
  /** How a spreadsheet shows it. */
  readonly format: 'fixed' | 'percent' | 'p'
  readonly digits: number
}

const cellOf = (
  value: number | null | undefined,
  text: (value: number) => string,
  format: NumberCell['format'],
  digits: number,
): PaperCell =>
  typeof value === 'number' && Number.isFinite(value) ? { value, text: text(value), format, digits } : DASH

/** With so many digits after the point; a dash if it is not known. */
export const fixedCell = (value: number | null | undefined, digits: number): PaperCell =>
  cellOf(value, known => fixed(known, digits), 'fixed', digits)

export const wholeCell = (value: number | null | undefined): PaperCell => cellOf(value, whole, 'fixed', 0)

export const percentCell = (value: number | null | undefined, digits: number): PaperCell =>
  cellOf(value, known => percent(known, digits), 'percent', digits)

/** As statistics are shown. */
export const numberCell = (value: number | null | undefined, format: NumberFormat = 0): PaperCell => {
  if (format === 'percent') return percentCell(value, 1)
  if (format === 'p') return pCell(value)
  if (format === 'whole') return wholeCell(value)
  return fixedCell(value, format === 'proportion' ? PROPORTION_DIGITS : format)
}

/** A p-value by simulation. */
export const simulatedCell = (test: Simulated | undefined): PaperCell =>
  cellOf(test?.pValue, () => simulatedValue(test as Simulated), 'p', P_DIGITS)

export const pCell = (value: number | null | undefined): PaperCell => cellOf(value, pValue, 'p', P_DIGITS)

export const cellText = (cell: PaperCell): string => (typeof cell === 'string' ? cell : cell.text)

/** Whether a row is a heading over those that follow. */
export const isHeading = ({ cells }: PaperRow): boolean => cells.length === 0

/** The groups above the columns, with how many each spans; null if there is none. */
export const groupsOf = ({ columns }: TablePart): { readonly title: string; readonly span: number }[] | null => {
  if (columns.every(({ group }) => group === undefined)) return null
  const groups: { title: string; span: number; of: string | undefined }[] = []
  for (const { group } of columns) {
    const last = groups.at(-1)
    if (last !== undefined && group !== undefined && last.of === group) last.span++
    else groups.push({ title: group ?? '', span: 1, of: group })
  }
  return groups.map(({ title, span }) => ({ title, span }))
}

/** The title of a column where there is no second row of titles. */
export const fullTitle = ({ title, group }: PaperColumn): string =>
  [group, title].filter(each => each !== undefined && each !== '').join(': ')

/** Letters that stand for statistics: they are set in italics. */
const SYMBOLS = ['p', 'SE', 'df', 'M', 'SD', 'z', 'B', 'n', 'N']

export const isSymbol = (title: string): boolean => SYMBOLS.includes(title)

/** What stands over the table: its number on a line of its own, then the title. */
export const numberText = ({ number }: PaperTable): string | null => (number === undefined ? null : `Table ${number}`)
