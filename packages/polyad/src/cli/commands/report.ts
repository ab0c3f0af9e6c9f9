import { OptionError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { loadModel, type StoredModel } from '../../output/model-store.ts'
import { checkNames } from '../../report/figures/class-names.ts'
import { findings, findingsText } from '../../report/page/findings.ts'
import { howToReport } from '../../report/page/how-to-report.ts'
import { writeReport } from '../../report/page/write-report.ts'
import type { ModelData } from '../../scoring/model-tensor.ts'
import { recordedFit } from '../../table/view/recorded-fit.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { ANY_NUMBER, COMPARED_MODEL, LABEL, NESTED_TEST } from '../options/field-types.ts'
import { LABELS, type LabelsOptions, labelledModel } from '../options/labels-option.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { FINDINGS_FIELDS, TIMED_OUTPUT } from '../options/output-options.ts'
import { checkReportPath, NAMES, ORDERED, type ReportCommandOptions, reportOptions } from '../options/report-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { STATISTICS, type StatisticsCommandOptions, standardErrorOptions } from '../options/statistics-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelErrors, readForModel } from '../reading/read-for-model.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

/** Rows with their covariates, if they say all that the fit knew of them: not if it knew the classes of some. */
const placedOf = ({ run }: StoredModel, { placed }: ModelData): ModelData['placed'] =>
  recordedFit(run).options.known === undefined ? placed : undefined

interface Options
  extends ModelDataOptions,
    SampleOptions,
    StatisticsCommandOptions,
    Omit<ReportCommandOptions, 'report'>,
    LabelsOptions,
    OutputOptions {
  readonly output?: string
  readonly title?: string
}

export const report = defineCommand({
  name: 'report',
  summary: SUMMARIES.report,
  examples: [
    [
      'polyad report model.npz survey.csv -o report.html',
      'the full report, with residuals and posteriors from the data',
    ],
    ['polyad report model.npz -o report.html', 'what can be reported without the data'],
    ['polyad report model.npz survey.csv --names engaged,distant -o report.html', 'name the classes'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '-o, --output <file>', text: 'file to write: .html (required)' },
        NAMES,
        ORDERED,
        { flags: '--title <text>', text: 'title of the page (default: name of the data file)' },
        LABELS,
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    STATISTICS,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, output', 'the model, and the page that was written', 'string'],
    ['title', 'title of the page', 'string'],
    [
      'classes',
      'for each class: name, share, marks (mode, label, probability, overall, lift)',
      `{ name: string, share: number, marks: { mode: string, label: ${LABEL}, probability: number, overall: number, lift: ${ANY_NUMBER} }[] }[]`,
    ],
    ...FINDINGS_FIELDS,
    [
      'data',
      'given, cells, total, fitted (the total of the fit), left (left out of the fit), missing, weights (their column, or null), whole, same (whether the model was fitted to this data), unseen',
      `{ given: boolean, cells: integer | null, total: number | null, fitted: number | null, left: number | null, missing: string[], weights: string | null, whole: boolean | null, same: boolean | null, unseen: unknown[] }`,
    ],
    ['statistics, search', 'the fit statistics, and those of the search; null if not known', 'unknown'],
    ['structure', 'other parts of the model, in words, such as known groups', 'string[]'],
    [
      'bootstrap',
      'replicates, pValue and interval of the bootstrap of G²; chiSquared: pValue and interval of X²; null without one',
      'unknown',
    ],
    [
      'comparison',
      'title, models and tests of known groups or joined variables; null without them',
      `{ title: string, approximate: boolean, models: ${COMPARED_MODEL}[], tests: ${NESTED_TEST}[] } | null`,
    ],
    ['methods', 'the sentences for a methods section; empty if the model was fitted to other data', 'string[]'],
    ['omissions', 'what was left out of the fit: total, why', '{ total: number, why: string }[]'],
    ['leftOut', 'what is not on the page, and why', 'string[]'],
  ],
  run: async (call, options: Options, path: string, paths: string[]) => {
    const { terminal } = call
    const { output } = options
    if (output === undefined) throw new OptionError('no output file was given: add -o report.html')
    checkReportPath(output, { paths: [path, ...paths], sql: options.sql })
    const stored = await labelledModel(loadModel(path), options)
    if (options.names !== undefined) checkNames(options.names, stored.model.rank)
    const wanted = standardErrorOptions(options, {}, call)
    const hasData = paths.length > 0 || options.sql !== undefined
    if (wanted !== undefined && !hasData) throw new OptionError('--se needs the data that the model was fitted to')
    const data = hasData ? await readForModel(call, stored, paths, options) : undefined
    const errors = wanted === undefined ? undefined : await modelErrors(stored, data as ModelData, wanted)
    const made = await writeReport(output, stored.model, {
      ...reportOptions(options),
      ...defined({ title: options.title }),
      run: stored.run,
      ...(data !== undefined && {
        data: data.tensor,
        unseen: data.unseen,
        ...defined({ placed: placedOf(stored, data) }),
      }),
      errors,
    })
    if (made.data.same === false)
      terminal.warn('other-data', 'the model was fitted to other data than this: the report has a note on it')
    terminal.answer(
      () => ['', ...findingsText(made, terminal), '', `Wrote ${output}`],
      () => ({
        model: path,
        output,
        title: made.title,
        classes: made.classes,
        ...findings(made),
        data: made.data,
        statistics: made.statistics,
        search: made.search,
        structure: made.structure,
        bootstrap: made.bootstrap,
        comparison: made.comparison,
        methods: howToReport(made),
        omissions: made.omissions,
        leftOut: made.leftOut,
      }),
    )
  },
})
