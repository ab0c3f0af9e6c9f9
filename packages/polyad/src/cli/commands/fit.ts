import { EngineError, OptionError, type Tensor } from '@polyad/core'
import { checkAvailable, defined } from '@polyad/core/options'
import { checkCounts } from '@polyad/core/stats'
import { type Analysis, analyze } from '../../analysis/analyze.ts'
import type { Fitted } from '../../analysis/fit-structure.ts'
import { namedItems } from '../../analysis/named-columns.ts'
import type { AnalysisRequest } from '../../analysis/request.ts'
import { saveModel } from '../../output/model-store.ts'
import { sizeWarning } from '../../report/figures/model-size.ts'
import { notComputedClause } from '../../report/figures/not-computed.ts'
import type { ReportFacts } from '../../report/record/report.ts'
import { bootstrapRecord } from '../../report/text/bootstrap-text.ts'
import { errorRecord } from '../../report/text/error-table.ts'
import { structureRemarks } from '../../report/text/structure-text.ts'
import { structuredRecipe } from '../../table/reading/structured-recipe.ts'
import { type Call, defineCommand } from '../framework/define-command.ts'
import {
  BOOTSTRAP,
  BOOTSTRAP_FIELDS,
  type BootstrapCommandOptions,
  cellsAsked,
  checkBootstrap,
} from '../options/bootstrap-options.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA, SCRATCH } from '../options/data-options.ts'
import { LABEL } from '../options/field-types.ts'
import { FIT, type FitCommandOptions, fitOption, fitOptions } from '../options/fit-options.ts'
import { ITEM_FIELD, ITEMS } from '../options/item-options.ts'
import { LABELS, type LabelsOptions, shownLabels } from '../options/labels-option.ts'
import { given } from '../options/option-values.ts'
import {
  CHECKPOINT_FIELD,
  DETAILS,
  FINDINGS_FIELDS,
  FIT_FIELDS,
  MODEL_OUTPUT,
  NOT_COMPUTED_FIELD,
  OUTPUT,
  OUTPUT_FIELD,
  SOURCE_FIELD,
  STOPPED_FIELD,
  WARNINGS_FIELD,
} from '../options/output-options.ts'
import { REPORT_FIELD, REPORT_OUTPUT, type ReportCommandOptions } from '../options/report-options.ts'
import {
  DESIGN_TEST_FIELD,
  type ReplicateOptions,
  replicatesOf,
  SAMPLE_FIELDS,
  SAMPLE_WITH_REPLICATES,
  type SampleOptions,
  sampleOf,
} from '../options/sample-options.ts'
import {
  STATISTICS,
  STATISTICS_FIELDS,
  type StatisticsCommandOptions,
  standardErrorOptions,
} from '../options/statistics-options.ts'
import { STRUCTURE, STRUCTURE_FIELDS, type StructureOptions, structureOf } from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { ENGINE, type EngineOptions } from '../reading/open-source.ts'
import { inPopulation } from '../reading/prepare-source.ts'
import { DRY_RUN, type DryRunOptions } from '../running/dry-run.ts'
import { answerFit, nextSteps } from '../running/fit-answer.ts'
import { withData } from '../running/with-data.ts'
import type { OutputOptions, Terminal } from '../terminal/terminal.ts'
import { carriedOver, startingModel } from '../writing/carry-model.ts'
import { keepModel } from '../writing/describe-model.ts'
import { modelRecord } from '../writing/fit-record.ts'

interface Options
  extends DataOptions,
    FitCommandOptions,
    StructureOptions,
    SampleOptions,
    ReplicateOptions,
    StatisticsCommandOptions,
    BootstrapCommandOptions,
    ReportCommandOptions,
    EngineOptions,
    LabelsOptions,
    DryRunOptions,
    OutputOptions {
  readonly rank?: number
  readonly init?: string
  readonly details?: boolean
  readonly output?: string
}

export const fitClasses = defineCommand({
  name: 'fit',
  summary: SUMMARIES.fit,
  examples: [
    ['polyad fit survey.csv -k 3', 'three classes; suitable columns are chosen and listed'],
    ['polyad fit survey.csv -k 3 --variables age,sex,vote -o model.npz', 'use only these columns, and save the model'],
    [
      'polyad fit iris.csv -k 3 --bin petal_length:0.5 --exclude species',
      'cut a measurement into intervals of width 0.5',
    ],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        fitOption('rank', 'number of classes (required)', { short: 'k' }),
        {
          flags: '--init <file>',
          text: 'start from this model instead of searching; categories are matched by name, and new ones start at their frequency',
          library: ['init'],
        },
        MODEL_OUTPUT,
        ...REPORT_OUTPUT,
        LABELS,
        DETAILS,
        DRY_RUN,
        ENGINE,
      ],
    },
    { ...OPEN_DATA, options: [...OPEN_DATA.options, SCRATCH] },
    ITEMS,
    STRUCTURE,
    SAMPLE_WITH_REPLICATES,
    FIT,
    STATISTICS,
    BOOTSTRAP,
    OUTPUT,
  ],
  fields: [
    ...FIT_FIELDS,
    ITEM_FIELD,
    ...STRUCTURE_FIELDS,
    ...SAMPLE_FIELDS,
    DESIGN_TEST_FIELD,
    [
      'profiles',
      'for each variable: name, labels, and probabilities: one list of P[label | class] for each class',
      `{ name: string, size: integer, labels: ${LABEL}[], probabilities: number[][] }[]`,
    ],
    ...STATISTICS_FIELDS,
    ...BOOTSTRAP_FIELDS,
    ...FINDINGS_FIELDS,
    WARNINGS_FIELD,
    STOPPED_FIELD,
    NOT_COMPUTED_FIELD,
    OUTPUT_FIELD,
    REPORT_FIELD,
    CHECKPOINT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal, line, interrupt } = call
    const { output, report, rank } = options
    if (rank === undefined)
      throw new OptionError('no number of classes was given: add it, as in -k 3 (polyad rank compares several)')
    if (options.init !== undefined && options.starts !== undefined)
      throw new OptionError(
        '--init cannot be combined with --starts: the model is the only start. To search, leave --init out',
      )
    const { request, sample, include, asked } = requestOf(call, options, rank)
    const start = options.init === undefined ? undefined : startingModel(options.init, rank, options)
    const fit = { ...request.fit, rank }
    const plan = {
      command: 'fit',
      planned: { rank, ...given(request, ['bootstrap']) },
      reading: { include, ...sample },
      rank,
      fit,
      ...given(request, ['structure', 'design']),
    }
    await withData(call, paths, options, plan, async ({ source, prepared, limit, files, begin, record }) => {
      const { tensor, left } = prepared
      const resampled =
        prepared.rowWeights !== undefined ||
        (sample.design !== undefined && request.bootstrap?.kind === 'nonparametric')
      if (request.bootstrap !== undefined && !resampled) checkCounts(tensor as Tensor)
      // Covariates, persons and groups are no variables of the model, and one in columns of waves is several columns.
      const { person, waves, within } = request.structure ?? {}
      const warning =
        (options.covariates ?? person ?? waves ?? within) === undefined
          ? sizeWarning(tensor, rank, namedItems(tensor, request.structure?.items).items)
          : undefined
      if (warning !== undefined) terminal.warn('large-model', warning)
      const init = start === undefined ? {} : { init: carriedOver(start, tensor, terminal) }
      const recordOf = ({ tensor: fitted, result, parts }: Fitted, figures: object) =>
        modelRecord(
          'fit',
          call,
          { ...source, recipe: structuredRecipe(source, result.model, options.join, parts), tensor: fitted },
          asked,
          { ...figures, trace: result.trace, attempts: result.attempts },
        )
      /** Answers with what is known, on a terminal. */
      const answer = (found: Analysis, on: Terminal, stopped: object, facts?: ReportFacts) =>
        answerFit(
          found,
          on,
          {
            ...inPopulation(found.result.model, prepared, options),
            files: files.lines(),
            facts,
            labels: shownLabels(options, source.recipe.labels),
            details: options.details === true,
            next: nextSteps(paths, files.written()),
          },
          {
            ...(options.complete === true && { left }),
            ...(found.warnings.length > 0 && { warnings: found.warnings }),
            ...stopped,
            ...record(),
          },
        )
      let searched = true
      const stoppedEarly = (missing: readonly string[]): string =>
        `stopped early: ${searched ? 'the model is complete' : BEST}${notComputedClause(missing)}`
      /** What is said if nobody waits for more than this. */
      const sofar = (found: Analysis) =>
        call.sofar(aside => {
          const missing = [...found.notComputed, ...(report === undefined ? [] : ['report'])]
          aside.warn('stopped', stoppedEarly(missing))
          answer(found, aside, { stopped: true, notComputed: missing })
        })
      const { memory, running } = await begin({ ...fit, ...init })
      const found = await analyze(
        prepared,
        { ...request, fit: { ...request.fit, ...init, ...memory } },
        {
          ...running,
          // A model is saved before anything else can go wrong, and once more with its figures.
          onFitted: async fitted => {
            searched = !interrupt.signal.aborted
            const { model, loss, reason } = fitted.result
            const known = { loss, reason: fitted.failure === undefined ? reason : 'failed' }
            const kept = inPopulation(model, prepared, options).model
            await files.write('output', output, path => saveModel(path, kept, recordOf(fitted, known)))
            const saved = files.written().output
            if (saved !== undefined) call.kept(saved)
          },
          onFound: sofar,
        },
      )
      line.clear()
      if (found.failure !== undefined) throw failedEngine(found.failure, found.result.loss, files.written().output)
      for (const each of found.warnings) terminal.warn('statistics', each)
      for (const remark of structureRemarks(found.sections, source.tensor)) terminal.warn('statistics', remark)
      const { model: kept, figures: population } = inPopulation(found.result.model, prepared, options)
      const computed = found.errors ?? found.statistics?.errors
      const run = recordOf(found, {
        ...found.figures,
        ...found.sections,
        ...population,
        ...(computed !== undefined && { standardErrors: errorRecord(computed) }),
        ...(found.bootstrap !== undefined && bootstrapRecord(found.bootstrap)),
        ...(options.complete === true && { left }),
        ...defined({ answered: found.answered, counts: found.counts }),
      })
      const facts = await keepModel(files, options, {
        model: found.result.model,
        kept,
        run,
        data: found.tensor,
        placed: found.data ?? found.linked,
        errors: found.errors,
        stopped: interrupt.signal.aborted || found.result.stopped,
        secondsLeft: limit.left(),
      })
      const stopped = interrupt.signal.aborted
      answer(found, terminal, stopped ? { stopped, notComputed: found.notComputed } : {}, facts)
      return stopped ? stoppedEarly(found.notComputed) : undefined
    })
  },
})

const BEST = 'this is the best solution so far'

/** What the options ask for, checked as far as it can be before any data is read. */
const requestOf = (call: Call, options: Options, rank: number) => {
  const settings = fitOptions(options)
  const { include, ...structure } = structureOf(options, settings, options)
  const sample = sampleOf(options, options)
  checkBootstrap(options, structure, options)
  const made = replicatesOf(options, options)
  if (made !== undefined) checkAvailable('replicate weights', 'replicateWeights', structure)
  const { bootstrap: replicates, bootstrapKind: kind, confidence } = options
  const request: AnalysisRequest = {
    rank,
    fit: settings,
    structure,
    design: sample.design,
    replicates: made,
    confidence,
    errors: standardErrorOptions(withClusters(options), structure, call),
    ...(replicates !== undefined && { bootstrap: { replicates, ...defined({ kind }) } }),
    residuals: cellsAsked(options),
  }
  return {
    request,
    sample: { ...sample, ...(made !== undefined && { replicateWeights: options.replicateWeights ?? [] }) },
    include,
    /** As the model's record keeps it. */
    asked: {
      rank,
      ...settings,
      ...structure,
      weights: sample.weights,
      weightsAsTotals: options.weightsAsTotals,
      ...sample.design,
      replicateWeights: options.replicateWeights,
      replicateKind: made?.kind,
      maxSeconds: options.maxSeconds,
      memory: options.memory,
    },
  }
}

/** Clusters and replicate weights change standard errors alone: they are then wanted. */
const withClusters = ({ se, cluster, replicateWeights, ...options }: Options): StatisticsCommandOptions =>
  se === undefined && (cluster !== undefined || replicateWeights !== undefined) && options.covariates === undefined
    ? { ...options, se: true }
    : { ...options, ...defined({ se }) }

/** The error of an engine that failed in the middle, with where the best model until then is. */
const failedEngine = (failure: EngineError, loss: number, output: string | undefined): EngineError => {
  const best = `the best solution so far has the loss ${loss.toPrecision(8)}`
  const where = output === undefined ? '; with -o it would have been saved' : ` and is in ${output}`
  return new EngineError(`${failure.message}; ${best}${where}`, { cause: failure })
}
