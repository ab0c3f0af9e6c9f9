import { OptionError, type Tensor, type UpdatedModel, type UpdateOptions, updateModel } from '@polyad/core'
import { isLinked, LINKED_UNITS, type LinkedRows, linkCovariates, withTotal } from '@polyad/core/model'
import {
  checkedOptions,
  defined,
  excludedBy,
  type OptionTable,
  omit,
  STRUCTURES,
  UPDATE_OPTIONS,
} from '@polyad/core/options'
import { isLinkedData, type ModelData, placeUpdate } from '@polyad/core/stats'
import type { StoredModel } from '../output/model-store.ts'
import { readTensor } from '../source/read-tensor.ts'
import { SOURCE_OPTIONS } from '../source/source-options.ts'
import { choice, many, type Note, warning } from '../table/values/note.ts'
import { byMode } from '../table/values/score-summary.ts'
import { recordedFit } from '../table/view/recorded-fit.ts'
import { isArrayFile } from './model-tensor.ts'
import { readModelData } from './read-model-data.ts'
import { MODEL_TABLE_READING, type ModelSource, type ModelTableReading, storedModel } from './with-model-table.ts'

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
  const stored = storedModel(model, true)
  refuseStructure(stored)
  const files = typeof paths === 'string' ? [paths] : paths
  const before = observed(stored)
  const read = isArrayFile(files, reading)
    ? await readArray(files, reading.onNote)
    : await readTable(stored, files, { ...reading, ...defined({ weights }) })
  const { options: made, missing } = recordedFit(stored.run)
  const answered = answeredOf(stored)
  const { counts } = recordedFit(stored.run)
  if (isLinked(stored.model.structure) && counts === undefined)
    throw new OptionError(
      'the model does not record how many persons or groups are in each of its classes: fit it again, to the old and the new data',
    )
  if (answered === undefined && missing.length > 0)
    reading.onNote?.(
      warning(
        'missing-unknown',
        `the model does not record how many of its observations answered ${missing.join(', ')}: all are assumed to have answered`,
      ),
    )
  const { pseudoCounts } = made as UpdateOptions
  const found = await updateModel(before, read.placed ?? read.tensor, {
    decay,
    passes,
    dropBelow: dropping(stored, read.tensor, dropBelow),
    ...defined({ threads, signal: reading.signal, answered, counts, pseudoCounts }),
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

const refuseStructure = ({ run, model }: StoredModel): void => {
  const { options, command } = recordedFit(run)
  const found = excludedBy('update', options)
  // Up to version 1.0 a group was a variable of the model, and covariates were not in the model.
  const former = (['covariates', 'groups'] as const).find(name => options[name] !== undefined)
  const name = found?.name ?? (model.structure.kind === 'shares' ? former : undefined)
  if (name !== undefined)
    throw new OptionError(
      `a model with ${STRUCTURES[name].name} cannot be updated (${found?.reason ?? 'an earlier version saved it'}): fit it again, to the old and the new data`,
    )
  if (options.smoothing !== undefined)
    throw new OptionError('a smoothed model cannot be updated: fit it again, to the old and the new data')
  if (command === 'train')
    throw new OptionError('a model with known classes (polyad train) cannot be updated: train it again on all rows')
}

/** The model in counts of observations: with `weightsAsTotals` its sizes are those of the population. */
const observed = ({ model, run }: StoredModel): StoredModel['model'] => {
  const { options, total } = recordedFit(run)
  return options.weightsAsTotals === true && total !== undefined ? withTotal(model, total) : model
}

const answeredOf = ({ model, run }: StoredModel): readonly (readonly number[])[] | undefined => {
  const { answered } = recordedFit(run)
  return answered?.length === model.modes.length ? answered : undefined
}

interface Read {
  readonly tensor: Tensor
  /** The same rows with their covariates. */
  readonly placed?: ModelData | LinkedRows | undefined
  readonly source: Readonly<Record<string, unknown>>
  readonly unseen: Readonly<Record<string, number>>
}

const readArray = async (paths: readonly string[], onNote: UpdateTableOptions['onNote']): Promise<Read> => {
  const { tensor, source, notes } = await readTensor(paths)
  notes.forEach(note => void onNote?.(note))
  return { tensor, source, unseen: {} }
}

const readTable = async (
  stored: StoredModel,
  paths: readonly string[],
  { weights: asked, ...reading }: ModelTableReading & { readonly weights?: string },
): Promise<Read> => {
  const complete = reading.complete ?? stored.complete ?? false
  const { tensor, placed, unseen, count, weights } = await readModelData(
    { model: stored, paths, linked: true },
    { ...reading, complete },
    {
      // Clusters say how far to trust a model, not what it is.
      weights: asked,
      cluster: 'none',
      newLabels: true,
    },
  )
  return {
    tensor,
    ...(placed !== undefined && { placed: isLinkedData(placed) ? placeUpdate(placed, stored.model) : placed }),
    unseen: byMode(stored.model.modes, unseen),
    source: {
      files: paths.map(path => (path === '-' ? 'standard input' : path)),
      ...defined({ sql: reading.sql, count, weights }),
    },
  }
}

/** Whether covariates decide the classes of rows. */
const hasCoefficients = ({ structure }: UpdatedModel['model']): boolean =>
  isLinked(structure) ? linkCovariates(structure).length > 0 : structure.kind !== 'shares'

const notesOf = ({ mixed, model }: UpdatedModel, unseen: Read['unseen']): Note[] => [
  ...(hasCoefficients(model)
    ? [choice('the coefficients of class membership are kept: only class sizes and probabilities are updated')]
    : []),
  ...(isLinked(model.structure)
    ? [
        choice(
          `all ${LINKED_UNITS[model.structure.kind]} are taken for new ones: more rows of earlier ones are not joined to these`,
        ),
      ]
    : []),
  ...Object.entries(unseen).map(([mode, total]) =>
    warning(
      'values-unusable',
      `${mode}: ${many(total, 'observation')} with a value of the wrong kind, treated as missing`,
    ),
  ),
  ...(mixed
    ? [
        warning(
          'impossible-data',
          'some of the new data was impossible under the model: the update began from its probabilities mixed with the frequencies of the new data',
        ),
      ]
    : []),
]

/** How the model came about: the record that it had, without figures that are no longer true, and every update. */
const recordOf = (
  { run, model }: StoredModel,
  { model: next, answered, counts, added, passes, dropped, changes }: UpdatedModel,
  { tensor, source }: Read,
  settings: { readonly decay: number; readonly dropBelow: number },
): Record<string, unknown> => {
  const { recipe } = run
  const { options, missing, updates } = recordedFit(run)
  const gaps = new Set([...missing, ...dropped.map(({ mode }) => mode)])
  tensor.modes.forEach(({ name }, n) => {
    if (tensor.missing[n]) gaps.add(name)
  })
  const count = (of: 'onlyA' | 'onlyB') => changes.reduce((sum, each) => sum + each[of].length, 0)
  return {
    options: omit(options, 'weightsAsTotals'),
    source,
    missing: model.modes.flatMap(({ name }) => (gaps.has(name) ? [name] : [])),
    ...defined({ recipe }),
    result: { rank: next.rank, total: next.total, answered, ...defined({ counts }) },
    updates: [
      ...updates,
      {
        ...settings,
        passes,
        added,
        total: next.total,
        newLabels: count('onlyB'),
        goneLabels: count('onlyA'),
        droppedLabels: dropped.reduce((sum, { labels }) => sum + labels.length, 0),
      },
    ],
  }
}
