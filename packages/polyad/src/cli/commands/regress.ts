import { bootstrapRegress, OptionError, type RegressMethod, regressClasses } from '@polyad/core'
import { REGRESS_OPTIONS } from '@polyad/core/options'
import { covariateFigures } from '../../report/figures/covariate-figures.ts'
import { measurementNotes } from '../../report/text/measurement-text.ts'
import { type RegressFigures, regressErrors, regressText } from '../../report/text/regress-text.ts'
import { errorsDiffer } from '../../report/text/step-bootstrap-text.ts'
import { withNulls } from '../../report/with-nulls.ts'
import { columnNames, readRegress } from '../../scoring/regress-table.ts'
import { ownDesignNotes } from '../../scoring/table-sample.ts'
import { withScoredRows } from '../../scoring/with-scored-rows.ts'
import { defineCommand } from '../framework/define-command.ts'
import { CATEGORIES, DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS } from '../options/model-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import { NOT_COMPUTED_FIELD, STOPPED_FIELD, TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE } from '../options/sample-options.ts'
import { CONFIDENCE, MEASUREMENT, MEASUREMENT_FIELDS } from '../options/statistics-options.ts'
import { STEP_BOOTSTRAP, STEP_BOOTSTRAP_FIELD, type ThreeStepOptions } from '../options/step-bootstrap-options.ts'
import { COVARIATE_FIELD, COVARIATES, type StructureOptions } from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelReading } from '../reading/model-reading.ts'
import { endStepBootstrap, stepBootstrap } from '../running/step-bootstrap.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options
  extends ThreeStepOptions,
    Pick<StructureOptions, 'covariates' | 'categories' | 'referenceCategory' | 'reference' | 'per' | 'standardize'>,
    OutputOptions {
  readonly method?: RegressMethod
}

const option = optionsOf(REGRESS_OPTIONS)

export const regress = defineCommand({
  name: 'regress',
  summary: SUMMARIES.regress,
  examples: [
    [
      'polyad regress model.npz survey.csv --covariates age,party',
      'odds ratios for each class, and a test of each covariate',
    ],
    [
      'polyad regress model.npz survey.csv --covariates "age*party" --reference-category party=Independent',
      'with the interaction; Independent is the reference category',
    ],
    [
      'polyad regress model.npz survey.csv --covariates income --method bch --per income=10000',
      'corrected by weights; odds ratios per 10,000 of income',
    ],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        option(
          'covariates',
          'covariates that predict class membership (required; comma-separated): age,party, or "age*party" for the interaction too',
          {
            value: 'names',
          },
        ),
        option('method', 'correction for wrongly assigned rows: ml (likelihood), bch (weights) or none'),
        CATEGORIES,
        ...COVARIATES,
        CONFIDENCE,
        MEASUREMENT,
      ],
    },
    STEP_BOOTSTRAP,
    MODEL_SAMPLE,
    MODEL_COUNTS,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, method, classNames', 'as requested; the names of the classes, or null', 'string, string, string[] | null'],
    ['count, weights', 'the columns of counts and of sampling weights; null if there is none', 'string | null'],
    ['observations', 'observations that have an answer and every covariate', 'number'],
    COVARIATE_FIELD,
    ['classification', 'for each class, how often its members are assigned to each class', 'number[][]'],
    ...MEASUREMENT_FIELDS,
    STEP_BOOTSTRAP_FIELD,
    STOPPED_FIELD,
    NOT_COMPUTED_FIELD,
    ['clusters, strata', 'number of each if the sample was drawn in clusters; else null', 'integer | null'],
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { covariates, categories = [], referenceCategory } = options
    if (covariates === undefined || covariates.length === 0)
      throw new OptionError('no covariates were given: name their columns, as in --covariates age,party')
    const sample = given(options, ['weights', 'cluster', 'strata'])
    const found = await modelReading(call, paths, options, reading =>
      withScoredRows({ model, paths }, reading, sample, async (rows, stored): Promise<RegressFigures> => {
        const read = await readRegress(rows, stored, { covariates, categories })
        call.line.clear()
        if (options.count === undefined && rows.count !== undefined)
          terminal.note(
            `counting by column ${rows.count}, as for the model's own data (--count none: every row counts once)`,
          )
        for (const note of ownDesignNotes(rows.sample, options)) terminal.note(note)
        terminal.printNotes(read.notes)
        const named = columnNames(read.tensor)
        const analysis = {
          ...given(options, ['method', 'reference', 'confidence', 'standardize', 'measurement']),
          ...read.options,
          covariates: read.covariates,
          categories: categories.map(named.column),
          ...(referenceCategory !== undefined && { referenceCategories: named.record(referenceCategory) }),
          ...(options.per !== undefined && { per: named.record(options.per) }),
        }
        const result = regressClasses(read.tensor, stored.model, analysis)
        const { bootstrap, stopped } = await stepBootstrap(call, stored, options, running =>
          bootstrapRegress(read.tensor, stored.model, { ...analysis, ...running }),
        )
        call.line.clear()
        for (const note of measurementNotes(result.measurement, result.measurementReason))
          terminal.warn('statistics', note)
        const { covariates: effects, ...rest } = result
        return {
          model,
          classNames: stored.model.classNames ?? null,
          count: rows.count ?? null,
          weights: rows.sample.weights.column ?? null,
          ...withNulls({ ...rest, observations: read.observations.used }),
          covariates: { ...covariateFigures(effects), dropped: read.observations.left },
          ...(bootstrap !== undefined && { bootstrap: withNulls(bootstrap) }),
          ...stopped,
        }
      }),
    )
    const note = errorsDiffer(regressErrors(found))
    if (note !== undefined) terminal.note(note)
    terminal.answer(
      () => regressText(found, terminal),
      () => found,
    )
    endStepBootstrap(call, found)
  },
})
