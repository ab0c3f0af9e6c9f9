import { DataError, OptionError } from '@polyad/core'
import { openTables, type TablesOptions } from '../duckdb/client.ts'
import { parseBin } from './bins.ts'
import { checkReadable, type Format, formatOfBytes, formatOfName, isPattern, readHead } from './files.ts'
import { readNpyTensor, readNpzTensor } from './numpy.ts'
import { type ReadResult, readTable, type TableOptions } from './read-table.ts'
import { spoolStandardInput } from './standard-input.ts'
import { readTns } from './tns.ts'

export interface SourceOptions extends TableOptions, TablesOptions {
  /** For .tns: whether indices count from 0 or from 1. */
  readonly base?: 0 | 1
  /** For .npy and .npz: a two-way array is a list of cells. */
  readonly coordinates?: boolean
}

/** Names under which a model file's record keeps what was read from standard input. */
const STANDARD_INPUT = 'standard input'

/**
 * Data as a tensor: from CSV, TSV, Parquet, JSON (also several files, patterns, gzipped, or a SQL query over them),
 * FROSTT .tns, NumPy .npy and .npz; `-` is standard input.
 */
export const readTensor = async (
  paths: string | readonly string[],
  options: SourceOptions = {},
): Promise<ReadResult> => {
  const named = typeof paths === 'string' ? [paths] : paths
  if (!named.includes('-')) return readNamed(named, options)
  if (named.length > 1) throw new OptionError('- (standard input) cannot be combined with files')
  const { path, remove } = await spoolStandardInput()
  try {
    const format = options.format ?? formatOfBytes(readHead(path, 4096))
    const result = await readNamed([path], { ...options, format })
    return { ...result, source: { ...result.source, files: [STANDARD_INPUT] } }
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(path, STANDARD_INPUT)
    throw error
  } finally {
    remove()
  }
}

const readNamed = async (paths: readonly string[], options: SourceOptions): Promise<ReadResult> => {
  const format = arrayFormat(paths, options)
  if (format !== undefined) {
    if (paths.length > 1) throw new DataError(`only one .${format} file can be read at a time (got ${paths.length})`)
    if (options.sql !== undefined) throw new OptionError(`--sql is for tables, and ${paths[0]} is a .${format} file`)
    checkReadable(paths[0])
    return readArray(paths[0], format, options)
  }
  // What can be refused at once is refused before the table engine is started.
  paths.filter(path => !isPattern(path)).forEach(checkReadable)
  options.bins?.forEach(parseBin)
  const tables = await openTables(options)
  try {
    return await readTable(tables, paths, options)
  } finally {
    await tables.close()
  }
}

type ArrayFormat = Extract<Format, 'tns' | 'npy' | 'npz'>

/** The format where it is one of arrays, which need no table engine. */
const arrayFormat = ([path]: readonly string[], { format }: SourceOptions): ArrayFormat | undefined => {
  if (path === undefined) return undefined
  const named = format ?? formatOfName(path)
  return named === 'tns' || named === 'npy' || named === 'npz' ? named : undefined
}

const readArray = async (path: string, format: ArrayFormat, options: SourceOptions): Promise<ReadResult> => {
  for (const [name, value] of Object.entries({ count: options.count, bin: options.bins, top: options.top })) {
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) {
      throw new OptionError(`--${name} is for tables, and ${path} is a .${format} file`)
    }
  }
  const read = format === 'tns' ? await readTns(path, options) : undefined
  const tensor = read?.tensor ?? (format === 'npy' ? readNpyTensor(path, options) : readNpzTensor(path, options))
  return {
    tensor,
    rows: tensor.cells,
    dropped: 0,
    notes:
      read?.base === 0 && options.base === undefined
        ? [{ kind: 'choice', text: 'there is an index 0: indices count from 0' }]
        : [],
    recipe: { modes: tensor.modes.map(({ name }) => ({ column: name })), missing: [] },
    source: { files: [path], format, cells: tensor.cells },
  }
}
