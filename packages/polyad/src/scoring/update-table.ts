import { OptionError, type Tensor, type UpdatedModel, type UpdateOptions, updateModel } from '@polyad/core'
import { withTotal } from '@polyad/core/model'
import { checkedOptions, type OptionTable, UPDATE_OPTIONS } from '@polyad/core/options'
import type { StoredModel } from '../output/model-store.ts'
import { readTensor } from '../source/read-tensor.ts'
import { SOURCE_OPTIONS } from '../source/source-options.ts'
import { choice, many, type Note, warning } from '../table/values/note.ts'
import { isArrayFile, modelTensor } from './model-tensor.ts'
import { withNewLabels } from './new-labels.ts'
import { ownDesignNotes, sampleTable } from './table-sample.ts'
import {
  MODEL_TABLE_READING,
  type ModelSource,
  type ModelTableReading,
  storedModel,
  withModelTable,
} from './with-model-table.ts'

export interface UpdateTableOptions extends ModelTableReading, Pick<UpdateOptions, 'decay' | 'passes' | 'threads'> {
  /** A category that the new data lacks is dropped once fewer observations than this remain of it. Default 0.5; 0: never. Bins stay. */
  readonly dropBelow?: number
  /** The column of sampling weights; 'none': no weights. Default: as in the data of the model. */
  readonly weights?: string
}

/** The options of `updateTable`. */
export const UPDATE_TABLE_OPTIONS = {
  ...MODEL_TABLE_READING,
  decay: UPDATE_OPTIONS.decay,
  passes: UPDATE_OPTIONS.passes,
  dropBelow: { check: UPDATE_OPTIONS.dropBelow.check, default: UPDATE_OPTIONS.dropBelow.default },
  threads: UPDATE_OPTIONS.threads,
  weights: SOURCE_OPTIONS.weights,
} as const satisfies OptionTable<UpdateTableOptions>

/** A model after the rows of a table. */
export interface TableUpdate extends UpdatedModel {
  /** The model as it was, in counts of observations. */
  readonly before: UpdatedModel['model']
  /** By mode: how much of the data has a value that cannot be a label, as a text among numbers; it counts as missing. */
  readonly unseen: Readonly<Record<string, number>>
  /** What is kept with the model: `saveModel(path, model, run)`. */
  readonly run: Readonly<Record<string, unknown>>
}

/**
 * A model brought up to date with the rows of a table, as `polyad update` does: they are read as the model's own data was, and categories
 * that are new become labels.
 * @example
 * const { model: next, run } = await updateTable(model, 'survey.csv', { decay: 0.9, count: 'n' })
 * await saveModel('next.npz', next, run)
 */
export const updateTable = async (
  model: ModelSource,
  paths: string | readonly string[],
  options: UpdateTableOptions = {},
): Promise<TableUpdate> => {
  const asked = checkedOptions('updateTable', UPDATE_TABLE_OPTIONS, options)
  const { decay, passes, dropBelow, threads, weights, ...reading } = asked
  const stored = storedModel(model)
  refuseStructure(stored)
  const files = typeof paths === 'string' ? [paths] : paths
  const before = observed(stored)
  const read = isArrayFile(files, reading)
    ? await readArray(files, reading.onNote)
    : await readTable(stored, files, { ...reading, ...(weights !== undefined && { weights }) })
  const { options: made = {}, missing = [] } = stored.run as Run
  const answered = answeredOf(stored)
  if (answered === undefined && missing.length > 0)
    reading.onNote?.(
      warning(
        `the model does not record how many of its observations answered ${missing.join(', ')}: all are assumed to have answered`,
      ),
    )
  const { pseudoCounts } = made as UpdateOptions
  const found = await updateModel(before, read.tensor, {
    ...{ decay, passes, dropBelow: dropping(stored, read.tensor, dropBelow) },
    ...(threads !== undefined && { threads }),
    ...(reading.signal !== undefined && { signal: reading.signal }),
    ...(answered !== undefined && { answered }),
    ...(pseudoCounts !== undefined && { pseudoCounts }),
  })
  for (const note of notesOf(found, read.unseen)) reading.onNote?.(note)
  return { ...found, before, unseen: read.unseen, run: recordOf(stored, found, read, { decay, dropBelow }) }
}

/** Bins of a width follow each other: one that is dropped would leave a gap. */
const dropping = ({ model, recipe }: StoredModel, { modes }: Tensor, dropBelow: number) =>
  Object.fromEntries(
    modes.map(({ name }) => {
      const { binning } = recipe.modes[model.modes.findIndex(mode => mode.name === name)] ?? {}
      return [name, binning?.kind === 'width' || binning?.kind === 'int' ? 0 : dropBelow]
    }),
  )

/** The parts of a model's record that matter here. */
interface Run {
  readonly command?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly missing?: readonly string[]
  readonly result?: Readonly<Record<string, unknown>>
  readonly recipe?: unknown
  readonly updates?: readonly unknown[]
}

/** What a model may have that its classes and probabilities do not tell. */
const STRUCTURES = ['covariates', 'groups', 'free', 'direct', 'known', 'constraints', 'smoothing'] as const

const refuseStructure = ({ run, recipe }: StoredModel): void => {
  const { options = {}, command } = run as Run
  const found = STRUCTURES.find(name => options[name] !== undefined) ?? (recipe.covariates && 'covariates')
  if (found !== undefined)
    throw new OptionError(`a model with ${found} cannot be updated: fit it again, to the old and the new data`) // biome-ignore format: one message
  if (command === 'train')
    throw new OptionError('a model with known classes (polyad train) cannot be updated: train it again on all rows')
}

/** The model in counts of observations: with `weightsAsTotals` its sizes are those of the population. */
const observed = ({ model, run }: StoredModel): StoredModel['model'] => {
  const { options = {}, result = {} } = run as Run
  const { total } = result
  return options.weightsAsTotals === true && typeof total === 'number' && total > 0 ? withTotal(model, total) : model
}

const answeredOf = ({ model, run }: StoredModel): readonly (readonly number[])[] | undefined => {
  const { answered } = (run as Run).result ?? {}
  const isTable = Array.isArray(answered) && answered.length === model.modes.length && answered.every(Array.isArray)
  return isTable ? (answered as number[][]) : undefined
}

interface Read {
  readonly tensor: Tensor
  readonly source: Readonly<Record<string, unknown>>
  readonly unseen: Readonly<Record<string, number>>
}

const readArray = async (paths: readonly string[], onNote: UpdateTableOptions['onNote']): Promise<Read> => {
  const { tensor, source, notes } = await readTensor(paths)
  notes.forEach(note => void onNote?.(note))
  return { tensor, source, unseen: {} }
}

const readTable = (
  stored: StoredModel,
  paths: readonly string[],
  { weights, ...reading }: ModelTableReading & { readonly weights?: string },
): Promise<Read> => {
  const complete = reading.complete ?? stored.complete ?? false
  return withModelTable(stored, paths, { ...reading, complete }, async (tables, opened) => {
    // Clusters say how far to trust a model, not what it is.
    const asked = { weights, cluster: 'none' }
    const sample = await sampleTable(tables, opened, stored, asked)
    for (const note of ownDesignNotes(sample, asked)) reading.onNote?.(choice(note))
    if (stored.weights !== undefined && sample.weights.column === undefined && weights === undefined)
      reading.onNote?.(
        warning(
          `the data has no column ${stored.weights}, the sampling weights of the model's own data: results are unweighted`,
        ),
      )
    const { table, stored: wide } = await withNewLabels(tables, opened, stored)
    const { tensor, unseen } = await modelTensor(tables, table, wide.model, sample)
    const names = stored.model.modes.map(({ name }) => name)
    return {
      tensor,
      unseen: Object.fromEntries(names.map((name, n) => [name, unseen[n]]).filter(([, total]) => total !== 0)),
      source: {
        files: paths.map(path => (path === '-' ? 'standard input' : path)),
        ...(reading.sql !== undefined && { sql: reading.sql }),
        ...(table.count !== undefined && { count: table.count }),
        ...(sample.weights.column !== undefined && { weights: sample.weights.column }),
      },
    }
  })
}

const notesOf = ({ mixed }: UpdatedModel, unseen: Read['unseen']): Note[] => [
  ...Object.entries(unseen).map(([mode, total]) =>
    warning(`${mode}: ${many(total, 'observation')} with a value of the wrong kind, treated as missing`),
  ),
  ...(mixed
    ? [warning('some of the new data was impossible under the model: the update began from its probabilities mixed with the frequencies of the new data')] // biome-ignore format: one message
    : []),
]

/** How the model came about: the record that it had, without figures that are no longer true, and every update. */
const recordOf = (
  { run, model }: StoredModel,
  { model: next, answered, added, passes, dropped, changes }: UpdatedModel,
  { tensor, source }: Read,
  settings: { readonly decay: number; readonly dropBelow: number },
): Record<string, unknown> => {
  const { options = {}, missing = [], recipe, updates = [] } = run as Run
  const { weightsAsTotals: _, ...kept } = options
  const gaps = new Set([...missing, ...dropped.map(({ mode }) => mode)])
  tensor.modes.forEach(({ name }, n) => {
    if (tensor.missing[n]) gaps.add(name)
  })
  const count = (of: 'onlyA' | 'onlyB') => changes.reduce((sum, each) => sum + each[of].length, 0)
  return {
    options: kept,
    source,
    missing: model.modes.flatMap(({ name }) => (gaps.has(name) ? [name] : [])),
    ...(recipe !== undefined && { recipe }),
    result: { rank: next.rank, total: next.total, answered },
    updates: [
      ...updates,
      {
        ...{ ...settings, passes, added, total: next.total, newLabels: count('onlyB'), goneLabels: count('onlyA') },
        droppedLabels: dropped.reduce((sum, { labels }) => sum + labels.length, 0),
      },
    ],
  }
}
