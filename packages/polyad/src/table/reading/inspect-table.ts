import { DataError, OptionError } from '@polyad/core'
import type { Sentence } from '@polyad/core/options'
import { defined, inWords } from '@polyad/core/options'
import { chooseModes, findUnsuited, judgeColumns, type Verdict } from '../columns/choose-modes.ts'
import { type Column, proposedCut } from '../columns/columns.ts'
import { type CountChoice, chooseCount, NO_COUNT } from '../columns/count-column.ts'
import { suspects } from '../columns/missing-codes.ts'
import type { DateFormat } from '../values/dates.ts'
import { sortTexts } from '../values/labels.ts'
import type { Note } from '../values/note.ts'
import { plainNumber } from '../values/number-style.ts'
import type { Filter, Frequency, TableView } from '../view/view.ts'
import { dateNotes, type FirstRows, readFirstRows, type TableOptions, usedRows } from './read-view.ts'

/** The columns of a table, and how they would be used. */
export interface Inspected {
  readonly name: string
  /** How many rows were looked at, and whether these are all. */
  readonly rows: number
  readonly all: boolean
  /** Which rows they are, if a condition was given. */
  readonly filter?: Filter
  readonly columns: readonly InspectedColumn[]
  /** What reading with the same options says of the table and of the choices, as far as it can be said before counting. */
  readonly notes: readonly Note[]
  /** Why the table cannot be read with these options, where it cannot; what is said of the columns holds all the same. */
  readonly problem?: string
  /** The same in parts, for programs that name options in their own words. */
  readonly problemWording?: Sentence
}

export interface InspectedColumn {
  readonly name: string
  /** What it is about, if the file says: a variable label. */
  readonly title?: string
  /** As DuckDB names it; VARCHAR for all columns of CSV. */
  readonly type: string
  readonly kind: Column['kind']
  /** Different values, and rows without one, among the rows that were looked at. */
  readonly distinct: number
  readonly missing: number
  /** The most frequent values, the most frequent first. */
  readonly values: readonly Frequency[]
  /** The smallest and the largest number, where all values are numbers. */
  readonly smallest?: number
  readonly largest?: number
  /** What reading with the same options makes of it, and why, in words. */
  readonly guess: Verdict['use']
  readonly reason: string
  readonly reasonWording: Sentence
  /** What is proposed for it: the same, unless it looks like the design of a sample (weights, clusters, strata), or is a number of many values, which is better cut. */
  readonly proposal: ColumnProposal
  /** The cut that is proposed: `q5` for numbers, `month` for dates. Absent where cutting makes no sense. */
  readonly bins?: string
  /** Its categories in the order that the file states. */
  readonly order?: readonly string[]
  /** Labels of its values, if it keeps its codes. */
  readonly texts?: Readonly<Record<string, string>>
  /** Values that may mean missing. */
  readonly missingCodes: readonly string[]
  /** How its dates are written where not as in 2024-05-31, and whether they would read with day and month exchanged. */
  readonly dates?: DateFormat
  readonly ambiguousDates: boolean
}

/** A use, and for a number of many values the cut with it. */
export interface ColumnProposal {
  readonly use: Verdict['use'] | 'weight' | 'cluster' | 'strata'
  readonly bins?: string
}

/** So many values are shown of a column. */
const SHOWN = 12

/**
 * Inspects a table without counting it: its columns, and how the same options would read them.
 * @example
 * const table = await openTable({ name: 'survey.csv', text: 'age,vote\nold,yes\nold,no\nyoung,yes\nyoung,\n' })
 * const { columns } = await inspectTable(table)
 * columns.map(column => column.guess) // ['mode', 'mode']
 * columns[1].missing // 1
 */
export const inspectTable = async (table: TableView, options: TableOptions = {}): Promise<Inspected> => {
  const view = await usedRows(table, options)
  const firstRows = await readFirstRows(view, options)
  const { seen, reading, cut } = firstRows
  const { verdicts, notes, problem } = await judgement(view, firstRows, options)
  const flat = seen.columns.filter(({ kind }) => kind !== 'nested' && kind !== 'empty')
  const frequent = await view.frequent(flat, reading, SHOWN)
  const many = flat.filter(({ values }) => values === undefined)
  const found = many.length === 0 ? [] : await view.firstValues(many, reading)
  const valuesOf = (column: Column) => column.values ?? found[many.indexOf(column)] ?? []
  const suspected = suspects(
    seen.columns.map(column => ({
      name: column.name,
      values: column.kind === 'date' ? [] : sortTexts(valuesOf(column)),
    })),
  )
  const columns = seen.columns.map((column, i): InspectedColumn => {
    const { use, reason, proposal = { use } } = verdicts[i]
    const bins = proposedCut(column)
    const values = valuesOf(column)
    return {
      name: column.name,
      ...defined({ title: column.title }),
      type: column.type,
      kind: column.kind,
      distinct: column.distinct,
      missing: column.missing,
      values: frequent[flat.indexOf(column)] ?? [],
      ...(column.kind === 'number' && rangeOf(column, values)),
      guess: use,
      reason: inWords(reason),
      reasonWording: reason,
      proposal,
      ...defined({ bins, order: column.order, texts: column.texts }),
      missingCodes: suspected[i].codes,
      ...defined({ dates: column.dates }),
      ambiguousDates: column.ambiguousDates === true,
    }
  })
  const dated = dateNotes([...cut], reading)
  return {
    name: view.name,
    rows: seen.rows,
    all: seen.all,
    ...defined({ filter: view.filter }),
    columns,
    notes: [...view.notes, ...notes, ...dated],
    ...(problem !== undefined && { problem: inWords(problem), problemWording: problem }),
  }
}

/** The smallest and the largest number. Those that are not written as programs do were no numbers when they were measured. */
const rangeOf = ({ style, range }: Column, values: readonly string[]) => {
  const numbers =
    style === undefined ? range : values.map(text => Number(plainNumber(text, style))).filter(Number.isFinite)
  return {
    smallest: numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    largest: numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  }
}

/** The choices of reading; where it would refuse, what it would say, and the choices as far as they can be made. */
const judgement = async (
  view: TableView,
  firstRows: FirstRows,
  options: TableOptions,
): Promise<{ verdicts: readonly Verdict[]; notes: readonly Note[]; problem?: Sentence }> => {
  const { seen, reading, cut, count: asked } = firstRows
  let [count, problem]: [CountChoice, Sentence | undefined] = [NO_COUNT, undefined]
  try {
    count = await chooseCount(view, seen, reading, asked)
  } catch (error) {
    problem = refusal(error)
  }
  const unsuited = await findUnsuited(view, firstRows, options, count)
  const verdicts = judgeColumns(seen, view, options, count, cut, unsuited)
  if (problem !== undefined) return { verdicts, notes: [], problem }
  try {
    return { verdicts, notes: [...count.notes, ...chooseModes(seen, view, options, count, cut, unsuited).notes] }
  } catch (error) {
    return { verdicts, notes: count.notes, problem: refusal(error) }
  }
}

/** The words of a refusal; anything else is a fault of ours. */
const refusal = (error: unknown): Sentence => {
  if (error instanceof DataError || error instanceof OptionError) return error.wording ?? error.message
  throw error
}
