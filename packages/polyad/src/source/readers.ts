import { DataError, OptionError, type Tensor } from '@polyad/core'
import { loadCells } from '@polyad/core/engine'
import { defined, omit, reader } from '@polyad/core/options'
import type { Tables, TablesOptions } from '../duckdb/client.ts'
import { checkFormatOptions, type Format, formatOfName } from '../table/formats/formats.ts'
import { checkTableOptions, type ReadResult, readView, type TableOptions } from '../table/reading/read-view.ts'
import { choice, type Note } from '../table/values/note.ts'
import { checkRecipe } from '../table/view/recipe.ts'
import { type NumpyOptions, readNpyTensor, readNpzTensor } from './formats/numpy.ts'
import { labelsPath } from './formats/tns-labels.ts'
import { checkReadable, isPattern } from './relation/files.ts'
import type { RelationOptions } from './relation/relation.ts'
import { openSmallTable } from './small-table.ts'

export interface SourceOptions extends TableOptions, Omit<RelationOptions, 'missing' | 'labelled'>, TablesOptions {
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

/** The one file, of those that hold cells already; options for tables are refused. */
const singleFile = (
  format: Format,
  paths: readonly string[],
  options: SourceOptions,
  refused: readonly (keyof SourceOptions)[],
): string => {
  if (paths.length > 1) throw new DataError(`only one .${format} file can be read at a time (got ${paths.length})`)
  const [path] = paths
  for (const name of ['where', 'recode', 'sql', 'count', 'weights', 'bins', 'top', 'timeZone', ...refused] as const) {
    const value = options[name]
    if (value !== undefined && !(Array.isArray(value) && value.length === 0))
      throw new OptionError(name, `is for tables, and ${path} is a .${format} file`)
  }
  checkFormatOptions(path, format, options)
  checkReadable(path)
  return path
}

/** A reader of files that hold cells already, one file at a time. */
const arrayReader = (
  format: Format,
  read: (
    path: string,
    options: SourceOptions,
  ) => Promise<Partial<ReadResult> & { tensor: Tensor; notes: readonly Note[] }>,
  refused: readonly (keyof SourceOptions)[] = [],
): Reader => ({
  accepts: ([path], options) => path !== undefined && (options.format ?? formatOfName(path)) === format,
  read: async (paths, options) => {
    const path = singleFile(format, paths, options, refused)
    const given = await read(path, options)
    const { tensor } = given
    return {
      rows: tensor.cells,
      dropped: 0,
      recipe: { modes: tensor.modes.map(({ name }) => ({ column: name })), missing: [] },
      source: { files: [path], format, cells: tensor.cells },
      ...defined({ design: options.design }),
      ...given,
    }
  },
})

const tns = arrayReader('tns', async (path, options) => {
  const { readTns } = await import('./formats/tns.ts')
  const { tensor, base, labelled } = await readTns(path, options)
  const notes = [
    ...(base === 0 && options.base === undefined ? [choice('there is an index 0: indices count from 0')] : []),
    ...(labelled ? [choice(`names and labels are from ${labelsPath(path)}`)] : []),
  ]
  return { tensor, notes }
})

const numpy = (format: Format, read: (path: string, options: NumpyOptions) => Tensor): Reader =>
  arrayReader(format, async (path, options) => ({ tensor: read(path, options), notes: [] }))

/** What is kept in a file of cells besides these; one that others have written may have nothing. */
export const storedRecord = (
  record: unknown,
  names: readonly string[],
  { path, cells }: { readonly path: string; readonly cells: number },
): Pick<ReadResult, 'rows' | 'dropped' | 'recipe' | 'source'> & { readonly digest: string } => {
  const { recipe, source, rows, dropped, digest } = reader.fieldsOf(record)
  return {
    rows: reader.tried(reader.amount, rows) ?? cells,
    dropped: reader.tried(reader.amount, dropped) ?? 0,
    recipe: checkRecipe(recipe ?? undefined, names),
    source: { files: [path], format: 'polyad', cells, ...defined({ from: source }) },
    digest: reader.tried(reader.text(), digest) ?? '',
  }
}

/** What a file of cells says itself. */
const KNOWN_IN_FILE = [
  'modes',
  'exclude',
  'missing',
  'missingIn',
  'missingOnly',
  'missingAs',
  'categories',
  'order',
] as const

/** Refuses more than one file of cells, one that cannot be read, and options that are for tables. */
export const checkCellsFile = (paths: readonly string[], options: SourceOptions): void =>
  void singleFile('polyad', paths, options, KNOWN_IN_FILE)

/** Files of cells, which hold the recipe too. */
const cells = arrayReader(
  'polyad',
  async path => {
    const { tensor, record } = loadCells(path)
    const names = tensor.modes.map(({ name }) => name)
    const stored = storedRecord(record, names, { path, cells: tensor.cells })
    return { tensor, notes: [], ...omit(stored, 'digest') }
  },
  KNOWN_IN_FILE,
)

/** Whether it is a file of cells that is to be read. */
export const isCellsFile = (paths: readonly string[], options: SourceOptions): boolean => cells.accepts(paths, options)

/** Whether DuckDB is to read it. */
export const isTable = (paths: readonly string[], options: SourceOptions): boolean =>
  !paths.includes('-') && READERS.find(({ accepts }) => accepts(paths, options)) === table

/** Reads a table: a small file in this process, anything else by way of DuckDB. What can be is refused before DuckDB is started. */
export const readTable = async <T>(
  paths: readonly string[],
  options: SourceOptions,
  large: (tables: Tables) => Promise<T>,
): Promise<ReadResult | T> => {
  paths.filter(path => !isPattern(path)).forEach(checkReadable)
  checkTableOptions(options)
  const small = await openSmallTable(paths, options)
  if (small !== undefined) return readView(small, options)
  const { openTables } = await import('../duckdb/client.ts')
  const tables = await openTables(options)
  try {
    return await large(tables)
  } finally {
    await tables.close()
  }
}

/** CSV, Parquet, JSON and queries: whatever DuckDB reads. */
const table: Reader = {
  accepts: () => true,
  read: (paths, options) =>
    readTable(paths, options, async tables => {
      const { openView } = await import('./duck-view.ts')
      return readView(await openView(tables, paths, options), options)
    }),
}

/** Every reader there is; the first that accepts the files reads them. */
export const READERS: readonly Reader[] = [tns, numpy('npy', readNpyTensor), numpy('npz', readNpzTensor), cells, table]
