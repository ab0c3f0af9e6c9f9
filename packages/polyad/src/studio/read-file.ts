import { defined } from '@polyad/core/options'
import { openTables, type Tables } from '../duckdb/client.ts'
import { identifier } from '../duckdb/sql-text.ts'
import { duckView } from '../source/duck-view.ts'
import { readTensor } from '../source/read-tensor.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { checkReadable } from '../source/relation/files.ts'
import { openRelation } from '../source/relation/relation.ts'
import { type Inspected, inspectTable } from '../table/reading/inspect-table.ts'
import type { ReadResult } from '../table/reading/read-view.ts'
import { changedNote } from '../table/values/note.ts'
import { readingOf } from '../table/view/reading.ts'
import { type DataFile, named, withName } from './data-files.ts'
import type { ReadOptions } from './requests.ts'

/** How the server lets tables be read. */
export interface Reading {
  /** Ends the reading, and the process that reads. */
  readonly signal: AbortSignal
  /** Memory for DuckDB, as in `4GB`. */
  readonly memory?: string
  /** Is told how far the reading is, in percent. */
  readonly onProgress?: (percent: number) => void
}

/** A file of the studio as a tensor. What is said of it calls it by its name. */
export const readFile = async (file: DataFile, options: ReadOptions, reading: Reading): Promise<ReadResult> => {
  const { path, name, format } = file
  const result = await named(file, () => readTensor(path, { ...options, ...reading, format }))
  const notes = result.notes.map(note => changedNote(note, text => withName(text, file)))
  return { ...result, notes, source: { ...result.source, files: [name] } }
}

/** What a page shows of a table, so that somebody can say what its columns are. */
export interface InspectedFile extends Inspected {
  /** The first rows, as text; null where there is nothing. */
  readonly preview: readonly (readonly (string | null)[])[]
}

/** Rows that are shown: a screen full. */
const SHOWN = 20

/** What a table looks like, and how its columns are used unless the page says otherwise. */
export const inspectFile = (file: DataFile, options: ReadOptions, reading: Reading): Promise<InspectedFile> =>
  named(file, async () => {
    checkReadable(file.path)
    const tables = await openTables(reading)
    try {
      return await inspectOpened(tables, file, options)
    } finally {
      await tables.close()
    }
  })

const inspectOpened = async (tables: Tables, file: DataFile, options: ReadOptions): Promise<InspectedFile> => {
  const { delimiter, header, skipRows, encoding, sheet, ...asked } = options
  const relation = await openRelation(tables, [file.path], {
    format: file.format,
    missing: readingOf(asked).missing,
    ...defined({ delimiter, header, skipRows, encoding, sheet }),
  })
  const view = await duckView(tables, relation)
  const found = await inspectTable(view, asked)
  const columns = view.columns.map(({ key }) => `CAST(${identifier(key)} AS VARCHAR)`)
  const preview = await rewordErrors(relation, () =>
    tables.rows(`SELECT ${columns.join(', ')} FROM ${relation.from} LIMIT ${SHOWN}`),
  )
  return {
    ...found,
    name: file.name,
    notes: found.notes.map(note => changedNote(note, text => withName(text, file))),
    preview: preview as (string | null)[][],
  }
}
