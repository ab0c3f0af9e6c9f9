import { Model, OptionError } from '@polyad/core'
import { checkSingleRows } from '@polyad/core/model'
import { advise, defined, is, mention, type OptionTable, omit, words } from '@polyad/core/options'
import { openTables, type Tables } from '../duckdb/client.ts'
import { loadModel, type StoredModel } from '../output/model-store.ts'
import { checkOutput } from '../output/overwriting.ts'
import { checkTablePath, STANDARD_OUTPUT } from '../output/write-table.ts'
import type { SourceOptions } from '../source/readers.ts'
import { checkReadable, isPattern, readHead } from '../source/relation/files.ts'
import type { RelationOptions } from '../source/relation/relation.ts'
import { openSmallTable } from '../source/small-table.ts'
import { SOURCE_OPTIONS } from '../source/source-options.ts'
import { spoolStandardInput } from '../source/standard-input.ts'
import { readUnlessStopped } from '../source/stoppable-reading.ts'
import { type Format, formatOfBytes } from '../table/formats/formats.ts'
import { choice, grouped, type Note, warning } from '../table/values/note.ts'
import { checkRecipe } from '../table/view/recipe.ts'
import { type ModelTable, openModelTable } from './model-table.ts'
import { hasNumbers, smallWithNewLabels, withNewLabels } from './new-labels.ts'
import { openSmallModelTable, type SmallModelTable } from './small-model-table.ts'

/** A model: a file, what `loadModel` read from it, or a model of this program, whose modes are columns of their names. */
export type ModelSource = string | StoredModel | Model

/** Options for reading a table for an existing model. */
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

/** Most tables are read row by row. */
const readable = (stored: StoredModel, linked: boolean): StoredModel => {
  if (!linked) checkSingleRows(stored.model, 'this command')
  return stored
}

/** A model with how new data is to be read for it. @param linked whether rows that belong together can be read */
export const storedModel = (model: ModelSource, linked = false): StoredModel => {
  if (typeof model === 'string') return readable(loadModel(model), linked)
  if (!(model instanceof Model)) return readable(model, linked)
  if (!linked) checkSingleRows(model, 'scoring')
  const names = model.modes.map(({ name }) => name)
  return {
    model,
    run: {},
    path: 'the model',
    recipe: checkRecipe(undefined, names, model.structure.given),
    count: undefined,
    weights: undefined,
  }
}

/** What is opened for a model, and the file that rows are to be written to: refused at once if they cannot be. */
export interface ModelRequest {
  readonly model: ModelSource
  readonly paths: string | readonly string[]
  readonly output?: string | undefined
  /** Whether rows that belong together can be read. */
  readonly linked?: boolean
}

/** Work on a table seen through a model: in DuckDB, or, if it knows how, on a small file in memory. */
interface ModelWork<T> {
  readonly large: (tables: Tables, table: ModelTable, stored: StoredModel) => Promise<T>
  readonly small?: ((table: SmallModelTable, stored: StoredModel) => Promise<T>) | undefined
}

/** Opens a table for a model, does the work, and closes what was opened. */
export const withModelTable = async <T>(
  { model, paths, output, linked }: ModelRequest,
  { signal, onNote, onProgress, memory, ...reading }: ModelTableReading,
  { large, small }: ModelWork<T>,
): Promise<T> => {
  const stored = storedModel(model, linked)
  const files = typeof paths === 'string' ? [paths] : paths
  const { structure } = stored.model
  // Rows of persons become rows of their waves in SQL.
  const isWide = structure.kind === 'chain' && structure.wide !== undefined
  checkRowsOutput(output, stored, files, reading.sql)
  if (files.length === 0 && reading.sql === undefined)
    throw new OptionError(
      words`no data was given: name a file, a pattern, - for standard input, or ${advise('use', 'sql')}`,
    )
  files.filter(path => path !== '-' && !isPattern(path)).forEach(checkReadable)
  const work = async (named: readonly string[], format: Format | undefined): Promise<T> => {
    const asked = { ...reading, ...defined({ format }) }
    const tell = (table: Opened) => tellNotes(table, stored, reading.where, onNote)
    const inMemory = small && !isWide && (await openSmallTable(named, { ...dialectOf(asked), ...defined({ memory }) }))
    if (small && inMemory) {
      const table = await openSmallModelTable(inMemory, stored, asked)
      tell(table)
      if (!hasNumbers(stored.model)) return small(table, stored)
      const widened = await smallWithNewLabels(table, stored, true)
      return small(widened.table, { ...stored, model: widened.model })
    }
    const started = {
      ...defined({ memory }),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    }
    const tables = await openTables(started)
    try {
      const table = await openModelTable(tables, named, stored, asked)
      tell({ ...table, notes: table.relation.notes })
      if (!hasNumbers(stored.model)) return await large(tables, table, stored)
      const widened = await withNewLabels(tables, table, stored, true)
      return await large(tables, widened.table, { ...stored, model: widened.model })
    } finally {
      await tables.close()
    }
  }
  return readUnlessStopped(signal, async () => {
    if (!files.includes('-')) return work(files, reading.format)
    const { path, remove } = await spoolStandardInput()
    return work([path], reading.format ?? formatOfBytes(readHead(path, 4096))).finally(remove)
  })
}

/** How the file is written, without what is asked of its rows. */
const dialectOf = (reading: ModelTableReading): RelationOptions => omit(reading, 'where', 'count', 'complete')

type Opened = Pick<ModelTable, 'absent' | 'left'> & { readonly notes: readonly Note[] }

const tellNotes = (
  { notes, absent, left }: Opened,
  { where: own }: StoredModel,
  where: string | undefined,
  onNote: ModelTableReading['onNote'] = () => {},
): void => {
  notes.forEach(note => void onNote(note))
  if (own !== undefined && where === undefined)
    onNote(
      choice(
        words`the model was fitted to rows with ${own}, but all rows are used here (for the same rows: ${mention('where', own)})`,
      ),
    )
  if (absent.length > 0)
    onNote(warning('columns-absent', `the data has no column ${absent.join(', ')}: missing in every row`))
  if (left > 0) onNote(choice(words`${grouped(left)} left out because of missing values (${mention('complete')})`))
}

/** Refuses a file for rows that cannot be written, or that is read. */
const checkRowsOutput = (
  output: string | undefined,
  { path }: StoredModel,
  paths: readonly string[],
  sql: string | undefined,
): void => {
  if (output === undefined) return
  checkTablePath(output)
  if (output !== STANDARD_OUTPUT) checkOutput(output, { paths: [path, ...paths], sql })
}
