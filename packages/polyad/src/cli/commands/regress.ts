import { OptionError, type RegressMethod, regressClasses } from '@polyad/core'
import { REGRESS_OPTIONS } from '@polyad/core/options'
import { covariateFigures } from '../../report/covariates-text.ts'
import { measurementNotes } from '../../report/measurement-text.ts'
import { type RegressFigures, regressText } from '../../report/regress-text.ts'
import { withNulls } from '../../report/with-nulls.ts'
import { columnNames, readRegress } from '../../scoring/regress-table.ts'
import { ownDesignNotes } from '../../scoring/table-sample.ts'
import { CATEGORIES, DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { CONFIDENCE, MEASUREMENT, MEASUREMENT_FIELDS } from '../options/statistics-options.ts'
import { COVARIATE_FIELD, COVARIATES, type StructureOptions } from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { defineCommand } from '../running/define-command.ts'
import { withModelTable } from '../running/model-table.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options
  extends ModelDataOptions,
    Omit<SampleOptions, 'weightsAsTotals'>,
    Pick<StructureOptions, 'covariates' | 'categories' | 'referenceCategory' | 'reference' | 'per' | 'standardize'>,
    OutputOptions {
  readonly method?: RegressMethod
  readonly confidence?: number
  readonly measurement?: 'estimated' | 'known'
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
    MODEL_SAMPLE,
    MODEL_COUNTS,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, method, classNames', 'as requested; the names of the classes, or null'],
    ['count, weights', 'the columns of counts and of sampling weights; null if there is none'],
    ['observations', 'observations that have every covariate'],
    COVARIATE_FIELD,
    ['classification', 'for each class, how often its members are assigned to each class'],
    ...MEASUREMENT_FIELDS,
    ['clusters, strata', 'number of each if the sample was drawn in clusters; else null'],
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { covariates, categories = [], referenceCategory } = options
    if (covariates === undefined || covariates.length === 0)
      throw new OptionError('no covariates were given: name their columns, as in --covariates age,party')
    const found = await withModelTable(
      call,
      model,
      paths,
      options,
      async (tables, table, stored): Promise<RegressFigures> => {
        const read = await readRegress(tables, table, stored, {
          ...{ covariates, categories, weights: options.weights, cluster: options.cluster, strata: options.strata },
        })
        call.line.clear()
        if (options.count === undefined && table.count !== undefined)
          terminal.note(
            `counting by column ${table.count}, as for the model's own data (--count none: every row counts once)`,
          )
        for (const note of ownDesignNotes(read.sample, options)) terminal.note(note)
        const named = columnNames(read.tensor)
        const result = regressClasses(read.tensor, stored.model, {
          ...given(options, ['method', 'reference', 'confidence', 'standardize', 'measurement']),
          ...read.options,
          covariates: read.covariates,
          categories: categories.map(named.column),
          ...(referenceCategory !== undefined && { referenceCategories: named.record(referenceCategory) }),
          ...(options.per !== undefined && { per: named.record(options.per) }),
        })
        for (const note of measurementNotes(result.measurement, result.measurementReason)) terminal.warn(note)
        const { covariates: effects, ...rest } = result
        return {
          ...{ model, classNames: stored.model.classNames ?? null, count: table.count ?? null },
          weights: read.sample.weights.column ?? null,
          ...withNulls(rest),
          covariates: covariateFigures(effects),
        }
      },
    )
    terminal.answer(
      () => regressText(found, terminal),
      () => found,
    )
  },
})
