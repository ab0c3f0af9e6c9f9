import {
  type DistalMethod,
  type DistalResult,
  distalOutcome,
  OptionError,
  type OutcomeRegression,
  regressOutcome,
} from '@polyad/core'
import { DISTAL_OPTIONS, REGRESS_OPTIONS } from '@polyad/core/options'
import type { Tables } from '../../duckdb/client.ts'
import type { StoredModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { copyOptions, STANDARD_OUTPUT } from '../../output/write-table.ts'
import { distalText, normalityWarning } from '../../report/distal-text.ts'
import { measurementNotes } from '../../report/measurement-text.ts'
import { withNulls } from '../../report/with-nulls.ts'
import { readDistal } from '../../scoring/distal-table.ts'
import type { ColumnKind } from '../../scoring/model-rows.ts'
import type { ModelTable } from '../../scoring/model-table.ts'
import { columnNames, readRegress } from '../../scoring/regress-table.ts'
import { writeScores } from '../../scoring/score-table.ts'
import { ownDesignNotes, type TableSample } from '../../scoring/table-sample.ts'
import { CATEGORIES, DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import { OUTPUT_FIELD, ROWS_OUTPUT, TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { CONFIDENCE, MEASUREMENT, MEASUREMENT_FIELDS } from '../options/statistics-options.ts'
import { REFERENCE_CATEGORY } from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { defineCommand } from '../running/define-command.ts'
import { withModelTable } from '../running/model-table.ts'
import { answerAside, refuseJson } from '../running/rows-output.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends ModelDataOptions, Omit<SampleOptions, 'weightsAsTotals'>, OutputOptions {
  readonly outcome?: string
  readonly as?: ColumnKind
  readonly categories?: readonly string[]
  readonly method?: DistalMethod
  readonly covariates?: readonly string[]
  readonly referenceCategory?: Readonly<Record<string, string | number>>
  readonly confidence?: number
  readonly measurement?: 'estimated' | 'known'
  readonly output?: string
}

export const distal = defineCommand({
  name: 'distal',
  summary: SUMMARIES.distal,
  examples: [
    [
      'polyad distal model.npz survey.csv --outcome income',
      'compare the mean outcome between classes, and test whether they differ',
    ],
    [
      'polyad distal model.npz survey.csv --outcome income --covariates age,party',
      'the same, adjusted for age and party',
    ],
    ['polyad distal model.npz survey.csv --outcome income -o rows.csv', 'also write the rows with their posteriors'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '--outcome <name>', text: 'column of the outcome (required)' },
        {
          flags: '--as <kind>',
          text: 'kind of outcome (default: number if all values are numbers, else category)',
          choices: ['number', 'category'],
        },
        CATEGORIES,
        optionsOf(DISTAL_OPTIONS)(
          'method',
          'correction for wrongly assigned rows: bch (weights), ml (likelihood) or none (default: bch for numbers, ml for categories)',
        ),
        optionsOf(REGRESS_OPTIONS)(
          'covariates',
          'adjust for these columns by regression (comma-separated; with --method bch): age,party, or "age*party" for the interaction too',
          { value: 'names' },
        ),
        REFERENCE_CATEGORY,
        CONFIDENCE,
        MEASUREMENT,
        { ...ROWS_OUTPUT, text: `${ROWS_OUTPUT.text}; with the assigned class and every posterior` },
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, outcome, kind, method, confidence', 'as requested; kind is number or category'],
    ['count, weights', 'the columns of counts and of sampling weights; null if there is none'],
    ...MEASUREMENT_FIELDS,
    ['design', 'with clusters: clusters, strata, degreesOfFreedom (of intervals and tests)'],
    ['rows, missing', 'rows with an outcome and an answer, and those without, which are left out'],
    [
      'classes',
      'for each class: class (its name, or its number from 1), share; for a number mean (estimate, standardError, interval, deviation), for a category probabilities (the same with label, without deviation)',
    ],
    ['overall', 'Wald test that no class differs: statistic, degreesOfFreedom, pValue'],
    [
      'pairs',
      'for each pair of classes: classes, difference (the first minus the second; a list for categories), test',
    ],
    ['classification', 'for each class, how often its members are assigned to each class'],
    [
      'normality',
      'for a number with --method ml: skewness, kurtosis (excess) within the classes, pValue (of a test for normality), doubtful',
    ],
    [
      'adjusted',
      'with --covariates: names, referenceCategories, coefficients (label: the category, compared with the first; term, estimate, standardError, z, pValue, interval), tests (covariate, test); classes then has adjusted means or probabilities',
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, outcome } = options
    if (outcome === undefined) throw new OptionError('no outcome was given: name its column, as in --outcome income')
    checkAdjusted(options)
    const as = options.as ?? kindOf(outcome, options)
    refuseJson(output, terminal)
    if (output !== undefined) copyOptions(output)
    if (output !== undefined && output !== STANDARD_OUTPUT)
      checkOutput(output, { paths: [model, ...paths], sql: options.sql })
    const found = await withModelTable(call, model, paths, options, async (tables, table, stored) => {
      const { parameters, classNames } = stored.model
      await tables.ask({ kind: 'score', parameters, explained: stored.recipe.covariates !== undefined })
      const { kind, sample, result } = await analyzed(tables, table, stored, {
        ...options,
        outcome,
        ...(as !== undefined && { as }),
      })
      call.line.clear()
      if (as === undefined)
        terminal.note(
          kind === 'number'
            ? `${outcome} is treated as a number (to treat it as categories: --categories ${outcome})`
            : `${outcome} is treated as categories`,
        )
      if (options.count === undefined && table.count !== undefined)
        terminal.note(
          `counting by column ${table.count}, as for the model's own data (--count none: every row counts once)`,
        )
      for (const note of ownDesignNotes(sample, options)) terminal.note(note)
      for (const note of measurementNotes(result.measurement, result.measurementReason)) terminal.warn(note)
      if (result.normality?.doubtful === true) terminal.warn(normalityWarning(outcome, result.normality))
      const name = (k: number) => classNames?.[k - 1] ?? k
      if (output !== undefined) await writeScores(tables, table, stored, output, true)
      return withNulls({
        ...{ model, outcome, count: table.count ?? null, weights: sample.weights.column ?? null, ...result },
        classes: result.classes.map(each => ({ ...each, class: name(each.class) })),
        pairs: result.pairs.map(each => ({ ...each, classes: each.classes.map(name) })),
        ...(output === undefined ? {} : { output }),
      })
    })
    answerAside(
      output,
      terminal,
      () => distalText(found, terminal),
      () => found,
    )
  },
})

/** Whether the numbers of the outcome are names of categories. */
const kindOf = (outcome: string, { categories = [], covariates = [] }: Options): ColumnKind | undefined => {
  const known = [outcome, ...covariates.flatMap(text => [text, ...text.split('*')])].map(name =>
    name.trim().toLowerCase(),
  )
  const other = categories.find(name => !known.includes(name.toLowerCase()))
  if (other !== undefined)
    throw new OptionError(
      `--categories has ${JSON.stringify(other)}, which is neither the outcome nor a covariate: leave it out`,
    )
  return categories.some(name => name.toLowerCase() === outcome.toLowerCase()) ? 'category' : undefined
}

/** Refuses options that are for covariates alone, and corrections that do not adjust for them. */
const checkAdjusted = ({ covariates, referenceCategory, method }: Options): void => {
  if (covariates === undefined && referenceCategory !== undefined)
    throw new OptionError('--reference-category needs --covariates')
  if (covariates !== undefined && method !== undefined && method !== 'bch')
    throw new OptionError(`--covariates needs --method bch (got ${method}): only bch adjusts for covariates`)
}

/** The outcome by class, as it is or adjusted for covariates. */
const analyzed = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  options: Options & { readonly outcome: string },
): Promise<{
  kind: ColumnKind
  sample: TableSample
  result: DistalResult & Partial<Pick<OutcomeRegression, 'adjusted'>>
}> => {
  const { outcome, covariates, referenceCategory } = options
  const categories = (options.categories ?? []).filter(name => name.toLowerCase() !== outcome.toLowerCase())
  const drawn = { weights: options.weights, cluster: options.cluster, strata: options.strata }
  const asked = given(options, ['confidence', 'measurement'])
  if (covariates === undefined) {
    const { data, ...read } = await readDistal(tables, table, stored, { outcome, kind: options.as, ...drawn })
    const result = distalOutcome(data, { ...asked, ...given(options, ['method']) })
    const explained = stored.recipe.covariates !== undefined && options.measurement !== 'known'
    const measurementReason = explained ? 'it was fitted with covariates' : result.measurementReason
    return { ...read, result: { ...result, measurementReason } }
  }
  const read = await readRegress(tables, table, stored, {
    ...{ covariates, categories, ...drawn, outcome: { name: outcome, kind: options.as } },
  })
  const { name, kind } = read.outcome!
  const named = columnNames(read.tensor)
  const result = regressOutcome(read.tensor, stored.model, {
    ...{ ...asked, ...read.options, outcome: name, kind, covariates: read.covariates },
    categories: categories.map(named.column),
    ...(referenceCategory !== undefined && { referenceCategories: named.record(referenceCategory) }),
  })
  return { kind, sample: read.sample, result }
}
