import { type ImputationScore, OptionError } from '@polyad/core'
import { checkedOptions, IMPUTATION_SCORE_OPTIONS, IMPUTE_OPTIONS, is, mention, type OptionTable, words } from '@polyad/core/options' // biome-ignore format: one import
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { writeRows } from '../output/write-rows.ts'
import { choice, many, warning } from '../table/values/note.ts'
import { checkRowsOutput } from './classify-table.ts'
import { countMissing, distributions, scoreHidden, writeFilled } from './impute-table.ts'
import type { ModelTable } from './model-table.ts'
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
 * Fills the missing values of a table from a model, as `polyad impute` does: rows stream through DuckDB.
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
  const stored = storedModel(model)
  const files = typeof paths === 'string' ? [paths] : paths
  checkRowsOutput(output, stored, files, reading.sql)
  return withModelTable(stored, files, reading, (tables, table) => imputed(tables, table, stored, asked))
}

/** Refuses what cannot be combined, or has no use. */
export const checkImputation = ({ output, draws, seed, distribution, score, count }: ImputeTableOptions): void => {
  const needs = (what: 'distribution' | 'draws') => {
    if (output === undefined)
      throw new OptionError(words`${mention(what)} needs ${mention('output')}, the file to write to (-: standard output)`) // biome-ignore format: one message
  }
  if (distribution === true) needs('distribution')
  if (draws !== undefined) needs('draws')
  if (draws !== undefined && distribution === true)
    throw new OptionError(words`${mention('draws')} cannot be combined with ${mention('distribution')}, from which they are drawn`) // biome-ignore format: one message
  if (seed !== undefined && draws === undefined && score === undefined)
    throw new OptionError(words`${mention('seed')} needs ${mention('draws')} or ${mention('score')}: nothing else is random`) // biome-ignore format: one message
  if (count !== undefined && score === undefined)
    throw new OptionError(words`${mention('count')} needs ${mention('score')}: a row is filled once, however often it was seen`) // biome-ignore format: one message
}

const imputed = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  { output, draws, seed = IMPUTE_OPTIONS.seed.default, distribution, score, count, onNote }: ImputeTableOptions,
): Promise<Imputation> => {
  refuseParts(stored)
  const { rows, missing, unseen } = await countMissing(tables, table)
  stored.model.modes.forEach(({ name }, n) => {
    if (unseen[n] > 0)
      onNote?.(warning(`${name}: ${many(unseen[n], 'row')} with a category that the model does not know, left as it is`)) // biome-ignore format: one message
  })
  if (output !== undefined && distribution === true) {
    await writeRows(['row', 'mode', 'label', 'probability'], await distributions(tables, table, stored), output)
  } else if (output !== undefined) {
    const { parameters } = stored.model
    await tables.ask(draws === undefined ? { kind: 'fill', parameters } : { kind: 'draw', parameters, seed })
    await writeFilled(tables, table, stored, output, draws)
  }
  if (score !== undefined && count === undefined && table.count !== undefined)
    onNote?.(choice(words`counting by column ${table.count}, as for the model's own data (${mention('count', 'none')}: every row counts once)`)) // biome-ignore format: one message
  return {
    ...(draws !== undefined && { draws, seed }),
    ...(score !== undefined && { score: await scoreHidden(tables, table, stored, { seed, part: score }) }),
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
