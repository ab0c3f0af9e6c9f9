import type { DateFormat } from './dates.ts'
import type { Note } from './note.ts'
import type { TableOptions } from './read-view.ts'
import type { Frequency, TableView } from './view.ts'

/** What a table looks like, and what would be made of it: for a person who is to choose. */
export interface Inspected {
  readonly name: string
  /** How many rows were looked at, and whether these are all. */
  readonly rows: number
  readonly all: boolean
  readonly columns: readonly InspectedColumn[]
  /** What reading with the same options says of the table and of the choices, as far as it can be said before counting. */
  readonly notes: readonly Note[]
  /** Why the table cannot be read with these options, where it cannot; what is said of the columns holds all the same. */
  readonly problem?: string
}

export interface InspectedColumn {
  readonly name: string
  /** As DuckDB names it; VARCHAR for all columns of CSV. */
  readonly type: string
  readonly kind: 'text' | 'number' | 'date' | 'nested' | 'empty'
  /** Different values, and rows without one, among the rows that were looked at. */
  readonly distinct: number
  readonly missing: number
  /** The most frequent values, the most frequent first. */
  readonly values: readonly Frequency[]
  /** The smallest and the largest number, where all values are numbers. */
  readonly smallest?: number
  readonly largest?: number
  /** What reading with the same options makes of it, and why, in words. */
  readonly guess: 'mode' | 'count' | 'ignore'
  readonly reason: string
  /** The cut that is proposed: `q5` for numbers, `month` for dates. Absent where cutting makes no sense. */
  readonly bins?: string
  /** Values that may mean missing. */
  readonly missingCodes: readonly string[]
  /** How its dates are written where not as in 2024-05-31, and whether they would read with day and month exchanged. */
  readonly dates?: DateFormat
  readonly ambiguousDates: boolean
}

export declare const inspectTable: (view: TableView, options?: TableOptions) => Promise<Inspected>
