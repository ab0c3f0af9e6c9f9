import { readTensor } from '../source/read-tensor.ts'
import type { ReadResult } from '../table/reading/read-view.ts'
import { type DataFile, named, withName } from './data-files.ts'
import type { ReadOptions } from './requests.ts'

/** How the server lets tables be read. */
export interface Reading {
  /** Ends the reading, and the process that reads. */
  readonly signal: AbortSignal
  /** Memory for DuckDB, as in `4GB`. */
  readonly memory?: string
}

/** A file of the studio as a tensor. What is said of it calls it by its name. */
export const readFile = async (file: DataFile, options: ReadOptions, reading: Reading): Promise<ReadResult> => {
  const { path, name, format } = file
  const result = await named(file, () => readTensor(path, { ...options, ...reading, format }))
  const notes = result.notes.map(note => ({ ...note, text: withName(note.text, file) }))
  return { ...result, notes, source: { ...result.source, files: [name] } }
}
