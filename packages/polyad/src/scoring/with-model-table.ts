import { Model, OptionError } from '@polyad/core'
import { advise, is, mention, type OptionTable, words } from '@polyad/core/options'
import { openTables, type Tables } from '../duckdb/client.ts'
import { loadModel, type StoredModel } from '../output/model-store.ts'
import type { SourceOptions } from '../source/readers.ts'
import { checkReadable, isPattern, readHead } from '../source/relation/files.ts'
import { SOURCE_OPTIONS } from '../source/source-options.ts'
import { spoolStandardInput } from '../source/standard-input.ts'
import { readUnlessStopped } from '../source/stoppable-reading.ts'
import { formatOfBytes } from '../table/files/formats.ts'
import { choice, grouped, type Note, warning } from '../table/values/note.ts'
import { checkRecipe } from '../table/view/recipe.ts'
import { type ModelTable, openModelTable } from './model-table.ts'

/** A model: a file, what `loadModel` read from it, or a model of this program, whose modes are columns of their names. */
export type ModelSource = string | StoredModel | Model

/** How a table is read for a model. What to read, the model knows. */
export interface ModelTableReading
  extends Pick<
    SourceOptions,
    | 'where'
    | 'sql'
    | 'format'
    | 'delimiter'
    | 'encoding'
    | 'sheet'
    | 'header'
    | 'skipRows'
    | 'memory'
    | 'signal'
    | 'onProgress'
  > {
  /** The column of frequencies; 'none': every row counts once. Default: as in the data of the model. */
  readonly count?: string
  /** Leave out rows with missing values. */
  readonly complete?: boolean
  /** Called with what was chosen, and with what to be careful of. */
  readonly onNote?: (note: Note) => void
}

/** The options by which a table is read for a model. */
export const MODEL_TABLE_READING = {
  where: SOURCE_OPTIONS.where,
  sql: SOURCE_OPTIONS.sql,
  format: SOURCE_OPTIONS.format,
  delimiter: SOURCE_OPTIONS.delimiter,
  encoding: SOURCE_OPTIONS.encoding,
  sheet: SOURCE_OPTIONS.sheet,
  header: SOURCE_OPTIONS.header,
  skipRows: SOURCE_OPTIONS.skipRows,
  memory: SOURCE_OPTIONS.memory,
  signal: SOURCE_OPTIONS.signal,
  onProgress: SOURCE_OPTIONS.onProgress,
  count: SOURCE_OPTIONS.count,
  complete: { check: is.flag },
  onNote: { check: is.function },
} as const satisfies OptionTable<ModelTableReading>

/** A model with how new data is to be read for it. */
export const storedModel = (model: ModelSource): StoredModel => {
  if (typeof model === 'string') return loadModel(model)
  if (!(model instanceof Model)) return model
  const names = model.modes.map(({ name }) => name)
  return { model, run: {}, path: 'the model', recipe: checkRecipe(undefined, names), count: undefined, weights: undefined } // biome-ignore format: one object
}

/** Opens a table for a model, does the work, and closes what was opened. */
export const withModelTable = <T>(
  stored: StoredModel,
  paths: readonly string[],
  reading: ModelTableReading,
  work: (tables: Tables, table: ModelTable) => Promise<T>,
): Promise<T> => readUnlessStopped(reading.signal, () => workOn(stored, paths, reading, work))

const workOn = async <T>(
  stored: StoredModel,
  paths: readonly string[],
  { onProgress, onNote, signal, memory, ...reading }: ModelTableReading,
  work: (tables: Tables, table: ModelTable) => Promise<T>,
): Promise<T> => {
  if (paths.length === 0 && reading.sql === undefined)
    throw new OptionError(words`no data was given: name a file, a pattern, - for standard input, or ${advise('use', 'sql')}`) // biome-ignore format: one message
  paths.filter(path => path !== '-' && !isPattern(path)).forEach(checkReadable)
  const spooled = paths.includes('-') ? await spoolStandardInput() : undefined
  const format = reading.format ?? (spooled === undefined ? undefined : formatOfBytes(readHead(spooled.path, 4096)))
  const tables = await openTables({
    ...(memory !== undefined && { memory }),
    ...(onProgress !== undefined && { onProgress }),
    ...(signal !== undefined && { signal }),
  })
  try {
    const table = await openModelTable(tables, spooled === undefined ? paths : [spooled.path], stored, {
      ...reading,
      ...(format !== undefined && { format }),
    })
    table.relation.notes.forEach(note => void onNote?.(note))
    if (stored.where !== undefined && reading.where === undefined)
      onNote?.(choice(words`the model was fitted to rows with ${stored.where}, but all rows are used here (for the same rows: ${mention('where', stored.where)})`)) // biome-ignore format: one message
    if (table.absent.length > 0)
      onNote?.(warning(`the data has no column ${table.absent.join(', ')}: missing in every row`))
    if (table.left > 0)
      onNote?.(choice(words`${grouped(table.left)} left out because of missing values (${mention('complete')})`))
    return await work(tables, table)
  } finally {
    await tables.close()
    spooled?.remove()
  }
}
