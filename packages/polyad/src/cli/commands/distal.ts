import { type DistalMethod, distalOutcome, OptionError } from '@polyad/core'
import { DISTAL_OPTIONS } from '@polyad/core/options'
import { checkOutput } from '../../output/overwriting.ts'
import { copyOptions, STANDARD_OUTPUT } from '../../output/write-table.ts'
import { distalText, normalityWarning } from '../../report/distal-text.ts'
import { measurementNotes } from '../../report/measurement-text.ts'
import { withNulls } from '../../report/with-nulls.ts'
import { readDistal } from '../../scoring/distal-table.ts'
import type { ColumnKind } from '../../scoring/model-rows.ts'
import { writeScores } from '../../scoring/score-table.ts'
import { ownDesignNotes } from '../../scoring/table-sample.ts'
import { CATEGORIES, DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import { OUTPUT, OUTPUT_FIELD, ROWS_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { CONFIDENCE, MEASUREMENT, MEASUREMENT_FIELDS } from '../options/statistics-options.ts'
import { defineCommand } from '../running/define-command.ts'
import { withModelTable } from '../running/model-table.ts'
import { answerAside, refuseJson } from '../running/rows-output.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends ModelDataOptions, Omit<SampleOptions, 'weightsAsTotals'>, OutputOptions {
  readonly outcome?: string
  readonly as?: ColumnKind
  readonly categories?: readonly string[]
  readonly method?: DistalMethod
  readonly confidence?: number
  readonly measurement?: 'estimated' | 'known'
  readonly output?: string
}

export const distal = defineCommand({
  name: 'distal',
  summary: 'how an outcome differs between the classes of a model that was fitted without it',
  examples: [
    ['polyad distal model.npz survey.csv --outcome income', 'the mean of every class, and tests that they are equal'],
    ['polyad distal model.npz survey.csv --outcome vote --method bch', 'of categories; corrected by weights'],
    ['polyad distal model.npz survey.csv --outcome income -o rows.csv', 'the rows with their posteriors too'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '--outcome <name>', text: 'the column of the outcome (needed)' },
        {
          flags: '--as <kind>',
          text: 'what the outcome is (default: a number where all of its values are, else a category)',
          choices: ['number', 'category'],
        },
        CATEGORIES,
        optionsOf(DISTAL_OPTIONS)(
          'method',
          'the correction for wrongly assigned rows: bch (weights), ml (likelihood) or none (default: bch for numbers, ml for categories)',
        ),
        CONFIDENCE,
        MEASUREMENT,
        { ...ROWS_OUTPUT, text: `${ROWS_OUTPUT.text}; with the assigned class and every posterior` },
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    OUTPUT,
  ],
  fields: [
    ['model, outcome, kind, method, confidence', 'what was asked; kind is number or category'],
    ['count, weights', 'the columns of counts and of sampling weights; null where there is none'],
    ...MEASUREMENT_FIELDS,
    ['design', 'with clusters: clusters, strata, degreesOfFreedom (of intervals and tests)'],
    ['rows, missing', 'rows with an outcome, and those without, which are left out'],
    [
      'classes',
      'for each class: class, share; of a number mean (estimate, standardError, interval, deviation), of a category probabilities (the same with label, without deviation)',
    ],
    ['overall', "Wald's test that no class differs: statistic, degreesOfFreedom, pValue"],
    ['pairs', 'for every two classes: classes, difference (the first less the second; a list for categories), test'],
    ['classification', 'for each class, how often its members are assigned to each'],
    [
      'normality',
      'of a number with --method ml: skewness, kurtosis (excess) within the classes, pValue (that it is normal), doubtful',
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, outcome } = options
    if (outcome === undefined) throw new OptionError('say which column is the outcome, as in --outcome income')
    const asked = options.as ?? kindOf(outcome, options.categories)
    refuseJson(output, terminal)
    if (output !== undefined) copyOptions(output)
    if (output !== undefined && output !== STANDARD_OUTPUT)
      checkOutput(output, { paths: [model, ...paths], sql: options.sql })
    const found = await withModelTable(call, model, paths, options, async (tables, table, stored) => {
      const { parameters, classNames } = stored.model
      await tables.ask({ kind: 'score', parameters, explained: stored.recipe.covariates !== undefined })
      const read = await readDistal(tables, table, stored, {
        ...{ outcome, kind: asked, weights: options.weights },
        ...{ cluster: options.cluster, strata: options.strata },
      })
      call.line.clear()
      const { kind, sample } = read
      if (asked === undefined)
        terminal.note(
          kind === 'number'
            ? `${outcome} is taken as a number (as categories: --categories ${outcome})`
            : `${outcome} is taken as a category`,
        )
      if (options.count === undefined && table.count !== undefined)
        terminal.note(`counting by column ${table.count}, as the model's own data was (--count none: every row once)`)
      for (const note of ownDesignNotes(sample, options)) terminal.note(note)
      const result = distalOutcome(read.data, given(options, ['method', 'confidence', 'measurement']))
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
const kindOf = (outcome: string, categories: readonly string[] | undefined): ColumnKind | undefined => {
  const other = categories?.find(name => name.toLowerCase() !== outcome.toLowerCase())
  if (other !== undefined) throw new OptionError(`--categories has ${JSON.stringify(other)}, which is not the outcome`)
  return categories === undefined ? undefined : 'category'
}
