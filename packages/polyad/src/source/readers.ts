import { DataError, OptionError, type Tensor } from '@polyad/core'
import { openTables, type TablesOptions } from '../duckdb/client.ts'
import { type Format, formatOfName } from '../table/rules/formats.ts'
import { choice, type Note } from '../table/rules/note.ts'
import { checkTableOptions, type ReadResult, readView, type TableOptions } from '../table/rules/read-view.ts'
import { openView } from './duck-view.ts'
import { checkReadable, isPattern } from './files.ts'
import { type NumpyOptions, readNpyTensor, readNpzTensor } from './numpy.ts'
import type { RelationOptions } from './relation.ts'
import { readTns } from './tns.ts'
import { labelsPath } from './tns-labels.ts'

export interface SourceOptions extends TableOptions, Omit<RelationOptions, 'missing'>, TablesOptions {
  /** For .tns: whether indices count from 0 or from 1. */
  readonly base?: 0 | 1
  /** For .npy and .npz: a two-way array is a list of cells. */
  readonly coordinates?: boolean
}

/** One way to get a tensor out of files. */
export interface Reader {
  /** Whether it reads these files: by the format asked for, else by the name of the first. */
  accepts(paths: readonly string[], options: SourceOptions): boolean
  read(paths: readonly string[], options: SourceOptions): Promise<ReadResult>
}

/** A reader of files that hold cells already, one file at a time. */
const arrayReader = (
  format: Format,
  read: (path: string, options: SourceOptions) => Promise<{ tensor: Tensor; notes: readonly Note[] }>,
): Reader => ({
  accepts: ([path], options) => path !== undefined && (options.format ?? formatOfName(path)) === format,
  read: async (paths, options) => {
    if (paths.length > 1) throw new DataError(`only one .${format} file can be read at a time (got ${paths.length})`)
    const [path] = paths
    const { sql, count, weights, bins, top } = options
    for (const [name, value] of Object.entries({ sql, count, weights, bins: bins?.[0], top })) {
      if (value !== undefined) throw new OptionError(`${name} is for tables, and ${path} is a .${format} file`)
    }
    checkReadable(path)
    const { tensor, notes } = await read(path, options)
    return {
      tensor,
      rows: tensor.cells,
      dropped: 0,
      notes,
      recipe: { modes: tensor.modes.map(({ name }) => ({ column: name })), missing: [] },
      source: { files: [path], format, cells: tensor.cells },
    }
  },
})

const tns = arrayReader('tns', async (path, options) => {
  const { tensor, base, labelled } = await readTns(path, options)
  const notes = [
    ...(base === 0 && options.base === undefined ? [choice('there is an index 0: indices count from 0')] : []),
    ...(labelled ? [choice(`names and labels are from ${labelsPath(path)}`)] : []),
  ]
  return { tensor, notes }
})

const numpy = (format: Format, read: (path: string, options: NumpyOptions) => Tensor): Reader =>
  arrayReader(format, async (path, options) => ({ tensor: read(path, options), notes: [] }))

/** CSV, Parquet, JSON and queries: whatever DuckDB reads. */
const table: Reader = {
  accepts: () => true,
  read: async (paths, options) => {
    // What can be refused at once is refused before DuckDB is started.
    paths.filter(path => !isPattern(path)).forEach(checkReadable)
    checkTableOptions(options)
    const tables = await openTables(options)
    try {
      return await readView(await openView(tables, paths, options), options)
    } finally {
      await tables.close()
    }
  },
}

/** Every reader there is; the first that accepts the files reads them. */
export const READERS: readonly Reader[] = [tns, numpy('npy', readNpyTensor), numpy('npz', readNpzTensor), table]
