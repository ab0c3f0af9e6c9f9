import {
  bootstrapDistal,
  bootstrapOutcome,
  type ClassSizes,
  type DistalBootstrap,
  type DistalMethod,
  type DistalResult,
  distalOutcome,
  OptionError,
  type OutcomeRegression,
  regressOutcome,
} from '@polyad/core'
import { DISTAL_OPTIONS, defined, REGRESS_OPTIONS } from '@polyad/core/options'
import type { StoredModel } from '../../output/model-store.ts'
import { distalErrors, distalText, normalityWarning } from '../../report/text/distal-text.ts'
import { measurementNotes } from '../../report/text/measurement-text.ts'
import { errorsDiffer } from '../../report/text/step-bootstrap-text.ts'
import { withNulls } from '../../report/with-nulls.ts'
import { readDistal } from '../../scoring/distal-table.ts'
import type { ColumnKind } from '../../scoring/model-rows.ts'
import { columnNames, readRegress } from '../../scoring/regress-table.ts'
import type { ScoredRows } from '../../scoring/scored-rows.ts'
import { ownDesignNotes } from '../../scoring/table-sample.ts'
import { withScoredRows } from '../../scoring/with-scored-rows.ts'
import type { Note } from '../../table/values/note.ts'
import { defineCommand } from '../framework/define-command.ts'
import { CATEGORIES, DATA_ARGUMENT } from '../options/data-options.ts'
import { ANY_NUMBER, CLASS, DESIGN, ESTIMATE, INTERVAL, LABEL, WALD_TEST } from '../options/field-types.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS } from '../options/model-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import {
  NOT_COMPUTED_FIELD,
  OUTPUT_FIELD,
  ROWS_OUTPUT,
  STOPPED_FIELD,
  TIMED_OUTPUT,
} from '../options/output-options.ts'
import { MODEL_SAMPLE } from '../options/sample-options.ts'
import { CONFIDENCE, MEASUREMENT, MEASUREMENT_FIELDS } from '../options/statistics-options.ts'
import { STEP_BOOTSTRAP, STEP_BOOTSTRAP_FIELD, type ThreeStepOptions } from '../options/step-bootstrap-options.ts'
import { REFERENCE_CATEGORY } from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelReading } from '../reading/model-reading.ts'
import { endStepBootstrap, type StepCall, type StepReplicatesMade, stepBootstrap } from '../running/step-bootstrap.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { answerAside, refuseJson } from '../writing/rows-output.ts'

interface Options extends ThreeStepOptions, OutputOptions {
  readonly outcome?: string
  readonly as?: ColumnKind
  readonly categories?: readonly string[]
  readonly method?: DistalMethod
  readonly classSizes?: ClassSizes
  readonly covariates?: readonly string[]
  readonly referenceCategory?: Readonly<Record<string, string | number>>
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
        optionsOf(DISTAL_OPTIONS)(
          'classSizes',
          'with --method ml: class sizes of the first step (fixed), or estimated again from the rows with an outcome (estimated; default: fixed)',
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
    STEP_BOOTSTRAP,
    MODEL_COUNTS,
    MODEL_SAMPLE,
    TIMED_OUTPUT,
  ],
  fields: [
    [
      'model, outcome, kind, method, confidence',
      'as requested; kind is number or category',
      "string, string, 'number' | 'category', string, number",
    ],
    ['classSizes', 'with --method ml: fixed or estimated', 'string?'],
    ['count, weights', 'the columns of counts and of sampling weights; null if there is none', 'string | null'],
    ...MEASUREMENT_FIELDS,
    ['design', 'with clusters: clusters, strata, degreesOfFreedom (of intervals and tests)', `(${DESIGN})?`],
    ['rows, missing', 'observations with an outcome and an answer, and those without, which are left out', 'number'],
    [
      'classes',
      'for each class: class (its name, or its number from 1), share; for a number mean (estimate, standardError, interval, deviation), for a category probabilities (the same with label, without deviation)',
      `{ class: ${CLASS}, share: number, mean?: { ${ESTIMATE}, deviation: ${ANY_NUMBER} }, probabilities?: { label: ${LABEL}, ${ESTIMATE} }[] }[]`,
    ],
    ['overall', 'Wald test that no class differs: statistic, degreesOfFreedom, pValue', `${WALD_TEST} | null`],
    [
      'pairs',
      'for each pair of classes: classes, difference (the first minus the second; a list for categories), test',
      `{ classes: ${CLASS}[], difference: ${ANY_NUMBER} | (${ANY_NUMBER})[], test: ${WALD_TEST} | null }[]`,
    ],
    ['classification', 'for each class, how often its members are assigned to each class', 'number[][]'],
    [
      'normality',
      'for a number with --method ml: skewness, kurtosis (excess) within the classes, pValue (of a test for normality), doubtful',
      '{ skewness: number | null, kurtosis: number | null, pValue: number | null, doubtful: boolean }?',
    ],
    [
      'adjusted',
      'with --covariates: names, referenceCategories, coefficients (label: the category, compared with the first; term, estimate, standardError, z, pValue, interval), tests (covariate, test); classes then has adjusted means or probabilities',
      `{ names: string[], referenceCategories: { [covariate]: ${LABEL} }, coefficients: { label?: ${LABEL}, term: string, estimate: ${ANY_NUMBER}, standardError: ${ANY_NUMBER}, z: ${ANY_NUMBER}, pValue: ${ANY_NUMBER}, interval: ${INTERVAL} }[], tests: { covariate: string, test: ${WALD_TEST} | null }[] }?`,
    ],
    STEP_BOOTSTRAP_FIELD,
    STOPPED_FIELD,
    NOT_COMPUTED_FIELD,
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, outcome } = options
    if (outcome === undefined) throw new OptionError('no outcome was given: add its column, as in --outcome income')
    checkAdjusted(options)
    const as = options.as ?? kindOf(outcome, options)
    refuseJson(output, terminal)
    const drawn = given(options, ['weights', 'cluster', 'strata'])
    const found = await modelReading(call, paths, options, reading =>
      withScoredRows({ model, paths, output }, reading, drawn, async (rows, stored) => {
        const { classNames } = stored.model
        const { kind, result, bootstrap, stopped, notes } = await analyzed(call, rows, stored, {
          ...options,
          outcome,
          ...defined({ as }),
        })
        call.line.clear()
        if (as === undefined)
          terminal.note(
            kind === 'number'
              ? `${outcome} is treated as a number (to treat it as categories: --categories ${outcome})`
              : `${outcome} is treated as categories`,
          )
        if (options.count === undefined && rows.count !== undefined)
          terminal.note(
            `counting by column ${rows.count}, as for the model's own data (--count none: every row counts once)`,
          )
        for (const note of ownDesignNotes(rows.sample, options)) terminal.note(note)
        terminal.printNotes(notes)
        for (const note of measurementNotes(result.measurement, result.measurementReason))
          terminal.warn('statistics', note)
        if (result.normality?.doubtful === true)
          terminal.warn('statistics', normalityWarning(outcome, result.normality))
        const name = (k: number) => classNames?.[k - 1] ?? k
        if (output !== undefined) await rows.write(output, { posterior: true, explain: false })
        return withNulls({
          model,
          outcome,
          count: rows.count ?? null,
          weights: rows.sample.weights.column ?? null,
          ...result,
          classes: result.classes.map(each => ({ ...each, class: name(each.class) })),
          pairs: result.pairs.map(each => ({ ...each, classes: each.classes.map(name) })),
          ...defined({ bootstrap }),
          ...stopped,
          ...defined({ output }),
        })
      }),
    )
    const note = errorsDiffer(distalErrors(found))
    if (note !== undefined) terminal.note(note)
    answerAside(
      output,
      terminal,
      () => distalText(found, terminal),
      () => found,
    )
    endStepBootstrap(call, found)
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
const checkAdjusted = ({ covariates, referenceCategory, method, classSizes }: Options): void => {
  if (covariates !== undefined && classSizes !== undefined)
    throw new OptionError('--class-sizes is for --method ml, which does not adjust for covariates')
  if (covariates === undefined && referenceCategory !== undefined)
    throw new OptionError('--reference-category needs --covariates')
  if (covariates !== undefined && method !== undefined && method !== 'bch')
    throw new OptionError(`--covariates needs --method bch (got ${method}): only bch adjusts for covariates`)
}

/** The outcome by class, as it is or adjusted for covariates. */
const analyzed = async (
  call: StepCall,
  rows: ScoredRows,
  stored: StoredModel,
  options: Options & { readonly outcome: string },
): Promise<
  StepReplicatesMade<DistalBootstrap> & {
    kind: ColumnKind
    notes: readonly Note[]
    result: DistalResult & Partial<Pick<OutcomeRegression, 'adjusted'>>
  }
> => {
  const { outcome, covariates, referenceCategory } = options
  const categories = (options.categories ?? []).filter(name => name.toLowerCase() !== outcome.toLowerCase())
  const asked = given(options, ['confidence', 'measurement'])
  if (covariates === undefined) {
    const { data, kind, notes } = await readDistal(rows, { name: outcome, kind: options.as })
    const result = distalOutcome(data, { ...asked, ...given(options, ['method', 'classSizes']) })
    const explained = stored.model.structure.kind !== 'shares' && options.measurement !== 'known'
    const measurementReason = explained ? 'it was fitted with covariates' : result.measurementReason
    const made = await stepBootstrap(call, stored, options, running =>
      bootstrapDistal(data, { ...asked, ...given(options, ['method', 'classSizes']), ...running }),
    )
    return { kind, notes, result: { ...result, measurementReason }, ...made }
  }
  const read = await readRegress(rows, stored, { covariates, categories, outcome: { name: outcome, kind: options.as } })
  const { name, kind } = read.outcome!
  const named = columnNames(read.tensor)
  const analysis = {
    ...asked,
    ...read.options,
    outcome: name,
    kind,
    covariates: read.covariates,
    categories: categories.map(named.column),
    ...(referenceCategory !== undefined && { referenceCategories: named.record(referenceCategory) }),
  }
  const result = regressOutcome(read.tensor, stored.model, analysis)
  const { used, left: missing } = read.observations
  const made = await stepBootstrap(call, stored, options, running =>
    bootstrapOutcome(read.tensor, stored.model, { ...analysis, ...running }),
  )
  return { kind, notes: read.notes, result: { ...result, rows: used, missing }, ...made }
}
