import type { LabelList } from '@polyad/core/model'
import type { Binning } from '../values/bins.ts'
import type { Condition } from '../values/condition.ts'
import type { DateFormat } from '../values/dates.ts'
import type { Note } from '../values/note.ts'
import type { NumberStyle } from '../values/number-style.ts'
import type { Recode } from '../values/recode.ts'
import type { Reading } from './reading.ts'

/**
 * A table that can be asked: the one interface between the rules by which tables are understood and whatever holds their
 * rows. DuckDB answers in SQL (source/duck-view.ts), a page from texts in memory (memory/). The answers decide, so they
 * must be the same.
 */
export interface TableView {
  /** What to call it in messages. */
  readonly name: string
  /** The files it is made of, and the query, for the record. */
  readonly files: readonly string[]
  readonly sql?: string
  /** What is to be said of how it was opened. */
  readonly notes: readonly Note[]
  readonly columns: readonly ViewColumn[]
  /** The column by which the file says that its rows are to be weighted. */
  readonly weight?: string | undefined
  /** What separates the fields of separated text. */
  readonly delimiter?: string | undefined
  /** The condition that its rows meet, if it has some of the rows of a table. */
  readonly filter?: Filter
  /** The same table with the rows that meet a condition. */
  filtered?(condition: Condition<ReadColumn>, reading: Reading): Promise<FilteredRows>
  /** Figures of every column, from the first `SAMPLE` rows, in the order of the columns; of nested ones all zero. */
  measure(reading: Reading): Promise<{ readonly rows: number; readonly columns: readonly Measured[] }>
  /** For each question, whether every value among the first rows is missing or a date written so. */
  readAsDates(asked: readonly DateQuestion[], reading: Reading): Promise<readonly boolean[]>
  /** For each column its different values among the first rows, in no particular order. */
  firstValues(columns: readonly ReadColumn[], reading: Reading): Promise<readonly (readonly string[])[]>
  /** For each column the codes of its values in the first rows, at most `most`: whole numbers from 0, −1 if a value is missing. */
  firstCodes(columns: readonly ReadColumn[], reading: Reading, most: number): Promise<readonly Int32Array[]>
  /** For each column its most frequent values among the first rows, the most frequent first. */
  frequent(columns: readonly ReadColumn[], reading: Reading, most: number): Promise<readonly (readonly Frequency[])[]>
  /** What the rows have in common, missing being a value like others; of the first rows, or of all. */
  repetition(columns: readonly ReadColumn[], reading: Reading, all: boolean): Promise<Repetition>
  /** Reads a column of counts to its end. */
  countFigures(column: ReadColumn, reading: Reading): Promise<CountFigures>
  /** For each code whether a value of the columns means missing by it, among the first rows, or all. */
  codesFound(
    codes: readonly string[],
    columns: readonly ReadColumn[],
    reading: Reading,
    all: boolean,
  ): Promise<readonly boolean[]>
  /** For each column the values below which these shares of its numbers lie, each a value that occurs. */
  quantiles(asked: readonly QuantileQuestion[], reading: Reading): Promise<readonly (readonly number[])[]>
  /** The first row that one of the tests finds, and which of them. It is looked for only once it is known that there is one. */
  firstFault(tests: readonly ValueTest[], reading: Reading): Promise<Fault | undefined>
  /** Counts the distinct combinations of labels; a value that does not fit its bins is an error with its place. */
  countCells(modes: readonly ModePlan[], count: CountPlan, reading: Reading): Promise<Counted>
  /** Gives back what answering needed, once all has been asked. */
  release?(): Promise<void>
}

/** Some of the rows of a table. */
export interface Filter {
  readonly where: string
  /** How many rows there are, and how many of them meet the condition. */
  readonly rows: number
  readonly kept: number
}

export interface FilteredRows extends Omit<Filter, 'where'> {
  readonly view: TableView
}

/** So many rows are looked at to learn what the columns are like: enough to tell a category from an identifier. */
export const SAMPLE = 20_000

/** With more values than this they are looked for when they are needed. */
export const MANY_VALUES = 1000

/** What a file says of a column, beside its values. */
export interface ColumnMeaning {
  /** Its values in the order in which they are to stand, if that is not the order of the alphabet: value labels by their codes. */
  readonly order?: readonly string[]
  /** Whether the order is one that was asked for, in which every value has a place. */
  readonly orderGiven?: boolean
  /** How its categories were recoded, if that says where they stand. */
  readonly recode?: readonly Recode[]
  /** Whether the file calls it ordinal, or it was given an order: neighbouring values are alike. */
  readonly ordered?: boolean
  /** Whether its numbers are names of categories, in no order. */
  readonly nominal?: boolean
  /** What it is about: a variable label. */
  readonly title?: string
  /** Values that the file declares as missing, for a person: "8, 9". They are missing already. */
  readonly declaredMissing?: string
  /** Labels of some of its values, if it keeps its codes, for a person: "98 = refused". */
  readonly someLabels?: string
  /** The same as they are, by code. */
  readonly texts?: Readonly<Record<string, string>>
}

export interface ViewColumn extends ColumnMeaning {
  /** Its name in the file. */
  readonly name: string
  /** What the table itself calls it. */
  readonly key: string
  /** Its type as DuckDB names it; VARCHAR throughout where columns are texts whose meaning is for us to say. */
  readonly type: string
}

/** A column, and how its numbers are written if not as programs do: with decimal commas, thousands or signs of currencies. */
export interface ReadColumn extends ViewColumn {
  readonly style?: NumberStyle
}

/** What is measured of a column. All but `distinct`, `word` and `values` are numbers of rows, or numbers in them. */
export interface Measured {
  readonly present: number
  readonly distinct: number
  readonly numbers: number
  /** Numbers, and what looks like mistyped ones (1,880). */
  readonly mistyped: number
  readonly times: number
  /** Times that say how far they are from UTC. */
  readonly offsets: number
  readonly least: number
  readonly most: number
  /** Numbers with a decimal point, and those with a decimal comma, with signs and thousands; which may be both: 1,234. */
  readonly points: number
  readonly commas: number
  /** Of those that may be both, the ones with a point or a comma, and the ones with four digits in a row. */
  readonly ambiguous: number
  readonly unseparated: number
  /** The first in order of those values that are no numbers. */
  readonly word: string | null
  /** All values, unless they are more than `MANY_VALUES`. */
  readonly values: readonly string[] | null
}

export interface DateQuestion {
  readonly column: ReadColumn
  readonly format: DateFormat
}

export interface QuantileQuestion {
  readonly column: ReadColumn
  readonly steps: readonly number[]
}

export interface Frequency {
  readonly text: string
  readonly count: number
}

/** How many rows there are, how many differ, and what of that chance would make. */
export interface Repetition {
  readonly rows: number
  /** Rows that differ, and rows that differ where the file is one more column. */
  readonly distinct: number
  readonly apart: number
  /** For each column, and then for the file: its different values, and the ordered pairs of rows that share one. */
  readonly sizes: readonly number[]
  readonly pairs: readonly number[]
}

export interface CountFigures {
  readonly rows: number
  /** Rows whose count is missing, no number, or below zero. */
  readonly bad: number
  readonly fractions: number
  /** Fractions that are written as some write thousands: 1.880. */
  readonly grouping: number
  readonly zeros: number
}

/** A way in which the value of a column can be unusable. */
export type ValueTest =
  | { readonly column: ReadColumn; readonly is: 'missing' | 'no number' | 'no count' | 'a fraction' }
  | { readonly column: ReadColumn; readonly is: 'outside bins'; readonly binning: Binning }

/** Where a fault was found. */
export interface Fault {
  /** Which of the tests found it. */
  readonly test: number
  /** "data.csv, line 7" or "the query, row 3". */
  readonly where: string
  readonly line: number | undefined
  /** Undefined where rows have no order. */
  readonly row: number | undefined
  /** The value as it stands there. */
  readonly value: string | null
}

/** One mode as it is to be read. */
export interface ModePlan {
  readonly column: ReadColumn & { readonly values?: readonly string[] }
  readonly binning: Binning | undefined
  /** What missing values are called where they are to be a label. */
  readonly missingAs: string | undefined
  /** Keep this many of the most frequent labels, and merge the rest. */
  readonly top: number | undefined
}

/** How rows are counted. */
export interface CountPlan {
  /** The column that says how often a row was seen, or how much it weighs; undefined where every row counts once. */
  readonly column: ReadColumn | undefined
  /** Whether they are sampling weights: a row is then one observation, however much it weighs. */
  readonly sampling: boolean
  /** Whether some counts are not whole. */
  readonly fractions: boolean
}

export interface Counted {
  readonly rows: number
  /** Rows in which every mode was missing. */
  readonly dropped: number
  /** For each mode, the labels in their order and the position of every cell's among them. */
  readonly labels: readonly LabelList[]
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
  /** Of sampling weights, the weight that every row of a cell has, since those of other weights are apart. */
  readonly weights: Float64Array | undefined
  /** Whether the cells are distinct, above zero and in the order of a tensor. */
  readonly ordered?: boolean
}
