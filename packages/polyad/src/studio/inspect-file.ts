import { DataError } from '@polyad/core'
import { openTables, type Tables } from '../duckdb/client.ts'
import { identifier } from '../duckdb/sql-text.ts'
import { parseBin } from '../source/bins.ts'
import { reasonAgainst } from '../source/choose-modes.ts'
import { type Column, columnNamed, inspect } from '../source/columns.ts'
import { type CountChoice, chooseCount } from '../source/count-column.ts'
import { explained } from '../source/faults.ts'
import { checkReadable } from '../source/files.ts'
import { type Note, warning } from '../source/note.ts'
import { openRelation } from '../source/relation.ts'
import { readingOf } from '../source/values.ts'
import { type DataFile, named, withName } from './data-files.ts'
import type { Reading } from './read-file.ts'
import type { ReadOptions } from './requests.ts'

/** What a page shows of a table, so that somebody can say what its columns are. */
export interface TableView {
  /** Rows that were looked at, and whether these were all. */
  readonly rows: number
  readonly all: boolean
  readonly columns: readonly ColumnView[]
  readonly notes: readonly Note[]
  /** The first rows, as text; null where there is nothing. */
  readonly preview: readonly (readonly (string | null)[])[]
}

export interface ColumnView extends Pick<Column, 'name' | 'kind' | 'distinct'> {
  readonly guess: 'mode' | 'count' | 'ignore'
  /** Why it is left out. */
  readonly reason?: string
}

/** Rows that are shown: a screen full. */
const SHOWN = 20

/** What a table looks like, and what its columns are taken for unless the page says otherwise. */
export const inspectFile = (file: DataFile, options: ReadOptions, reading: Reading): Promise<TableView> =>
  named(file, async () => {
    checkReadable(file.path)
    const tables = await openTables(reading)
    try {
      return await inspectTable(tables, file, options)
    } finally {
      await tables.close()
    }
  })

const inspectTable = async (tables: Tables, file: DataFile, options: ReadOptions): Promise<TableView> => {
  const { path, format } = file
  const reading = readingOf(options)
  const relation = await openRelation(tables, [path], { ...options, format, missing: reading.missing })
  return explained(relation, async () => {
    const seen = await inspect(tables, relation, reading.missing, reading)
    const { count, weights, modes = [], include = [], bins = [] } = options
    const claimed = [...modes, ...include, ...bins.map(bin => parseBin(bin).column)]
    const choice = await chooseCount(tables, relation, seen, reading, {
      ...(count === undefined ? {} : { count }),
      ...(weights === undefined ? {} : { weights }),
      claimed: claimed.map(each => columnNamed(seen, each, '', relation)),
    }).catch(unusable)
    const preview = await tables.rows(
      `SELECT ${seen.columns.map(({ sql }) => `CAST(${identifier(sql)} AS VARCHAR)`).join(', ')} FROM ${relation.from} LIMIT ${SHOWN}`,
    )
    const notes = [...relation.notes, ...choice.notes]
    return {
      rows: seen.rows,
      all: seen.all,
      columns: seen.columns.map(column => viewOf(column, choice, reasonAgainst(column, seen))),
      notes: notes.map(note => ({ ...note, text: withName(note.text, file) })),
      preview: preview as (string | null)[][],
    }
  })
}

type Choice = Pick<CountChoice, 'column' | 'leftOut' | 'notes'>

/** Counts that cannot be used are spoken of: what to do about it is for the person before the page to say. */
const unusable = (error: unknown): Choice => {
  if (!(error instanceof DataError)) throw error
  return { column: undefined, leftOut: [], notes: [warning(error.message)] }
}

const viewOf = (column: Column, { column: count, leftOut }: Choice, against: string | undefined): ColumnView => {
  const { name, kind, distinct } = column
  const view = { name, kind, distinct }
  if (column === count) return { ...view, guess: 'count' }
  const reason = against ?? (leftOut.includes(column) ? 'it may hold counts' : undefined)
  return reason === undefined ? { ...view, guess: 'mode' } : { ...view, guess: 'ignore', reason }
}
