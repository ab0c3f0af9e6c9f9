import { type ImputationScore, OptionError } from '@polyad/core'
import { filledNumbers, isLinked } from '@polyad/core/model'
import {
  checkedOptions,
  IMPUTATION_SCORE_OPTIONS,
  IMPUTE_OPTIONS,
  is,
  mention,
  type OptionTable,
  words,
} from '@polyad/core/options'
import type { StoredModel } from '../output/model-store.ts'
import { isPlainText, writeRows } from '../output/write-rows.ts'
import { choice, many, warning } from '../table/values/note.ts'
import { type FillableRows, fillableTable } from './impute-table.ts'
import { fillableSmallTable } from './small-impute.ts'
import {
  MODEL_TABLE_READING,
  type ModelSource,
  type ModelTableReading,
  storedModel,
  withModelTable,
} from './with-model-table.ts'

export interface ImputeTableOptions extends Omit<ModelTableReading, 'complete'> {
  /** The file to write the rows to, with missing values filled; '-': standard output. */
  readonly output?: string
  /** Draw every missing value so many times, instead of filling in the most probable label. */
  readonly draws?: number
  readonly seed?: number
  /** Write the probability of every label of each missing value instead. */
  readonly distribution?: boolean
  /** Hide this part of the observed values, and measure how well the model predicts them. */
  readonly score?: number
}

/** The options of `imputeTable`. */
export const IMPUTE_TABLE_OPTIONS = {
  ...MODEL_TABLE_READING,
  output: { check: is.text },
  draws: { check: IMPUTE_OPTIONS.draws.check },
  seed: { check: IMPUTE_OPTIONS.seed.check },
  distribution: { check: is.flag, default: false },
  score: { check: IMPUTATION_SCORE_OPTIONS.part.check },
} as const satisfies OptionTable<ImputeTableOptions>

/** What was missing in a table, and how well it was filled. */
export interface Imputation {
  readonly rows: number
  /** By mode, how many values were missing. */
  readonly missing: Readonly<Record<string, number>>
  readonly draws?: number
  readonly seed?: number
  readonly score?: ImputationScore
}

/**
 * Fills the missing values of a table from a model, as `polyad impute` does: the rows of all but small files stream through DuckDB.
 * @example
 * const { rows, missing } = await imputeTable(model, 'survey.csv', { output: 'filled.csv' })
 * missing // { age: 0, vote: 0, trust: 0 }
 */
export const imputeTable = async (
  model: ModelSource,
  paths: string | readonly string[],
  options: ImputeTableOptions = {},
): Promise<Imputation> => {
  const asked = checkedOptions('imputeTable', IMPUTE_TABLE_OPTIONS, options)
  const { output, draws, seed, distribution, score, ...reading } = asked
  checkImputation(asked)
  const source = storedModel(model, true)
  if (distribution === true) checkCategories(source)
  checkLinked(source, asked)
  return withModelTable({ model: source, paths, output, linked: true }, reading, {
    large: (tables, table, stored) => imputed(fillableTable(tables, table, stored), stored, asked),
    ...((output === undefined || distribution || isPlainText(output)) && {
      small: (table, stored) => imputed(fillableSmallTable(table, stored), stored, asked),
    }),
  })
}

/** Refuses what takes rows one by one. */
const checkLinked = ({ model: { structure } }: StoredModel, { score }: ImputeTableOptions): void => {
  if (score !== undefined && isLinked(structure))
    throw new OptionError(
      words`${mention('score')} hides values in rows one by one, and the rows of this model belong together`,
    )
}

/** Refuses lists of the probabilities of numbers, which may have any value. */
const checkCategories = ({ model }: StoredModel): void => {
  const n = filledNumbers(model).findIndex(number => number !== undefined)
  if (n >= 0)
    throw new OptionError(
      words`${mention('distribution')} lists the probabilities of categories, and ${model.modes[n].name} is a number: use ${mention('draws')}`,
    )
}

/** Refuses what cannot be combined, or has no use. */
export const checkImputation = ({ output, draws, seed, distribution, score, count }: ImputeTableOptions): void => {
  const needs = (what: 'distribution' | 'draws') => {
    if (output === undefined)
      throw new OptionError(
        words`${mention(what)} needs ${mention('output')}, the file to write to (-: standard output)`,
      )
  }
  if (distribution === true) needs('distribution')
  if (draws !== undefined) needs('draws')
  if (draws !== undefined && distribution === true)
    throw new OptionError(
      words`${mention('draws')} cannot be combined with ${mention('distribution')}, from which they are drawn`,
    )
  if (seed !== undefined && draws === undefined && score === undefined)
    throw new OptionError(
      words`${mention('seed')} needs ${mention('draws')} or ${mention('score')}: nothing else is random`,
    )
  if (count !== undefined && score === undefined)
    throw new OptionError(
      words`${mention('count')} needs ${mention('score')}: a row is filled once, however often it was seen`,
    )
}

const imputed = async (
  table: FillableRows,
  stored: StoredModel,
  { output, draws, seed = IMPUTE_OPTIONS.seed.default, distribution, score, count, onNote }: ImputeTableOptions,
): Promise<Imputation> => {
  refuseParts(stored)
  const { rows, missing, unseen } = await table.countMissing()
  stored.model.modes.forEach(({ name }, n) => {
    if (unseen[n] > 0)
      onNote?.(
        warning(
          'categories-unknown',
          `${name}: ${many(unseen[n], 'row')} with a category that the model does not know, left as it is`,
        ),
      )
  })
  if (output !== undefined && distribution === true) {
    await writeRows(['row', 'mode', 'label', 'probability'], await table.distributions(), output)
  } else if (output !== undefined) {
    await table.write(output, draws === undefined ? undefined : { draws, seed })
  }
  if (score !== undefined && count === undefined && table.count !== undefined)
    onNote?.(
      choice(
        words`counting by column ${table.count}, as for the model's own data (${mention('count', 'none')}: every row counts once)`,
      ),
    )
  return {
    ...(draws !== undefined && { draws, seed }),
    ...(score !== undefined && { score: await table.scoreHidden({ seed, part: score }) }),
    rows,
    missing: Object.fromEntries(stored.model.modes.map(({ name }, n) => [name, missing[n]])),
  }
}

/** Refuses models whose modes are not columns of the table. */
const refuseParts = ({ recipe }: StoredModel): void => {
  const split = recipe.modes.find(({ when }) => when !== undefined)
  if (split !== undefined)
    throw new OptionError(
      `the probabilities of ${split.column} depend on ${split.when?.[0].column}, so its values cannot be filled: fit the model without --free and --direct`,
    )
  const joined = recipe.modes.find(({ parts }) => parts !== undefined)
  if (joined !== undefined)
    throw new OptionError(
      `${joined.column} was joined from several columns, which cannot be filled: fit them without --join`,
    )
}
