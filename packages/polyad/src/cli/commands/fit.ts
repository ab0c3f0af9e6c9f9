import { EngineError, OptionError, type Tensor } from '@polyad/core'
import { hasCells } from '@polyad/core/model'
import { checkCounts } from '@polyad/core/stats'
import { analyze } from '../../analysis/analyze.ts'
import type { Fitted } from '../../analysis/fit-structure.ts'
import type { AnalysisRequest } from '../../analysis/request.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { bootstrapFigures, bootstrapRecord, bootstrapText, intervalsBeside } from '../../report/bootstrap-text.ts'
import { errorFigures, errorRecord } from '../../report/error-table.ts'
import { profiles } from '../../report/fit-figures.ts'
import { fitText } from '../../report/fit-text.ts'
import { sizeWarning } from '../../report/model-size.ts'
import { writeReport } from '../../report/page/write-report.ts'
import { residualsText } from '../../report/residuals-text.ts'
import { structureRemarks, structureText } from '../../report/structure-text.ts'
import { structuredRecipe } from '../../table/reading/structured-recipe.ts'
import {
  BOOTSTRAP,
  BOOTSTRAP_FIELDS,
  type BootstrapCommandOptions,
  cellsAsked,
  checkBootstrap,
} from '../options/bootstrap-options.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOption, fitOptions } from '../options/fit-options.ts'
import {
  CHECKPOINT_FIELD,
  FIT_FIELDS,
  MODEL_OUTPUT,
  OUTPUT,
  OUTPUT_FIELD,
  SOURCE_FIELD,
  WARNINGS_FIELD,
} from '../options/output-options.ts'
import {
  checkReport,
  REPORT_FIELD,
  REPORT_OUTPUT,
  type ReportCommandOptions,
  reportOptions,
} from '../options/report-options.ts'
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
import { carriedOver, startingModel } from '../running/carry-model.ts'
import { openCheckpointFile } from '../running/checkpoint-file.ts'
import { type Call, defineCommand } from '../running/define-command.ts'
import { fitMemory, reserveFor } from '../running/fit-memory.ts'
import { ENGINE, type EngineOptions, openSource } from '../running/open-source.ts'
import { inPopulation, prepareSource } from '../running/prepare-source.ts'
import { modelRecord } from '../running/record.ts'
import { writing } from '../running/writing.ts'
import { fitProgress, replicateProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

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
    OutputOptions {
  readonly rank?: number
  readonly init?: string
  readonly output?: string
}

export const fitClasses = defineCommand({
  name: 'fit',
  summary: SUMMARIES.fit,
  examples: [
    ['polyad fit survey.csv -k 3', 'three classes; suitable columns are chosen and listed'],
    ['polyad fit survey.csv -k 3 --modes age,sex,vote -o model.npz', 'use only these columns, and save the model'],
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
        ENGINE,
      ],
    },
    OPEN_DATA,
    STRUCTURE,
    SAMPLE_WITH_REPLICATES,
    FIT,
    STATISTICS,
    BOOTSTRAP,
    OUTPUT,
  ],
  fields: [
    ...FIT_FIELDS,
    ...STRUCTURE_FIELDS,
    ...SAMPLE_FIELDS,
    DESIGN_TEST_FIELD,
    ['profiles', 'for each variable: name, labels, and probabilities: one list of P[label | class] for each class'],
    ...STATISTICS_FIELDS,
    ...BOOTSTRAP_FIELDS,
    WARNINGS_FIELD,
    OUTPUT_FIELD,
    REPORT_FIELD,
    CHECKPOINT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal, line, interrupt } = call
    const { output, report } = options
    if (options.rank === undefined)
      throw new OptionError('no number of classes was given: add it, as in -k 3 (polyad rank compares several)')
    if (options.init !== undefined && options.starts !== undefined)
      throw new OptionError(
        '--init cannot be combined with --starts: the model is the only start. To search, leave --init out',
      )
    checkReport(options, { paths, sql: options.sql }, options.rank)
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const { request, sample, include, asked } = requestOf(call, options, options.rank)
    const start = options.init === undefined ? undefined : startingModel(options.init, options.rank, options)
    const checkpoint = openCheckpointFile(call, 'fit', options)
    const limit = call.limit(options.maxSeconds)
    const asking = { ...request.fit, rank: options.rank }
    const source = await openSource(call, paths, options, { limit, include, ...sample, reserve: reserveFor(asking) })
    call.stoppable(limit)
    const prepared = prepareSource(call, source, request)
    const { tensor, left } = prepared
    const resampled = prepared.rowWeights !== undefined || (sample.design !== undefined && request.bootstrap?.kind === 'nonparametric') // biome-ignore format: one choice
    if (request.bootstrap !== undefined && !resampled) checkCounts(tensor as Tensor)
    // Covariates are no variables of the model.
    const warning = options.covariates === undefined ? sizeWarning(tensor, request.rank) : undefined
    if (warning !== undefined) terminal.warn(warning)
    const init = start === undefined ? {} : { init: carriedOver(start, tensor, terminal) }
    const memory = fitMemory(source, options.memory, { ...asking, ...init })
    const files = writing()
    const recordOf = ({ tensor: fitted, result, explained, parts }: Fitted, figures: object) =>
      modelRecord(
        'fit',
        call,
        { ...source, recipe: structuredRecipe(source, result.model, options.join, explained, parts), tensor: fitted },
        asked,
        { ...figures, trace: result.trace, attempts: result.attempts },
      )
    await checkpoint?.begin()
    const found = await analyze(
      prepared,
      { ...request, fit: { ...request.fit, ...init, ...memory } },
      {
        signal: interrupt.signal,
        engine: source.engine,
        checkpoint: checkpoint?.state,
        naming: terminal.naming,
        onProgress: fitProgress(call, tensor.cells, limit.left),
        onReplicate: replicateProgress(call, limit.left),
        // A model is saved before anything else can go wrong, and once more with its figures.
        onFitted: async fitted => {
          const { model, loss, reason } = fitted.result
          const known = { loss, reason: fitted.failure === undefined ? reason : 'failed' }
          const kept = inPopulation(model, source, options).model
          await files.write('output', output, path => saveModel(path, kept, recordOf(fitted, known)))
          const saved = files.written().output
          if (saved !== undefined) call.kept(saved)
        },
      },
    )
    line.clear()
    const { result, sections, errors, explained, figures } = found
    const computed = errors ?? found.known?.errors
    if (found.failure !== undefined) throw failedEngine(found.failure, result.loss, files.written().output)
    for (const each of found.warnings) terminal.warn(each)
    for (const remark of structureRemarks(sections, source.tensor)) terminal.warn(remark)
    const { model, figures: population } = inPopulation(result.model, source, options)
    const run = recordOf(found, {
      ...{ ...figures, ...sections, ...population },
      ...(computed !== undefined && { standardErrors: errorRecord(computed) }),
      ...(found.bootstrap !== undefined && bootstrapRecord(found.bootstrap)),
      ...(options.complete === true && { left }),
      ...(found.answered !== undefined && { answered: found.answered }),
    })
    await files.write('output', output, path => saveModel(path, model, run))
    await files.write('report', report, path => {
      const data = hasCells(found.tensor) ? { data: found.tensor } : {}
      return writeReport(path, result.model, { ...reportOptions(options), run, errors, ...data })
    })
    const names = found.variables ?? found.tensor.modes.map(({ name }) => name)
    terminal.answer(
      () => [
        '',
        ...fitText(model, figures, terminal, {
          population: population.population?.sizes,
          errors,
          beside: found.bootstrap && intervalsBeside(found.bootstrap),
          simulated: found.bootstrap?.gSquared !== undefined,
          sections: structureText(sections, terminal),
          explained: explained && (explained.names.length > 0 ? 'covariates explain the classes' : 'classes are known'),
        }),
        ...(found.bootstrap === undefined ? [] : bootstrapText(found.bootstrap, terminal)),
        ...(found.residuals === undefined ? [] : residualsText(found.residuals, names, terminal)),
        ...files.lines(),
      ],
      () => ({
        ...figures,
        ...sections,
        ...population,
        ...(options.complete === true && { left }),
        profiles: profiles(result.model),
        ...(errors !== undefined && { standardErrors: errorFigures(errors) }),
        ...(found.bootstrap !== undefined && { bootstrap: bootstrapFigures(found.bootstrap, result.model) }),
        ...(found.residuals !== undefined && { residuals: found.residuals }),
        ...(found.warnings.length > 0 && { warnings: found.warnings }),
        ...files.written(),
        ...checkpoint?.record(),
        source: source.source,
      }),
    )
    files.end()
    await checkpoint?.end()
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: this is the best solution so far')
      call.ends(interrupt.exitCode())
    }
  },
})

/** What the options ask for, checked as far as it can be before any data is read. */
const requestOf = (call: Call, options: Options, rank: number) => {
  const settings = fitOptions(options)
  const { include, ...structure } = structureOf(options, settings, options)
  const sample = sampleOf(options, options)
  checkBootstrap(options, structure, options)
  const made = replicatesOf(options, options)
  const other = (['covariates', 'groups', 'known', 'join'] as const).find(name => structure[name] !== undefined)
  if (made !== undefined && other !== undefined)
    throw new OptionError(`--replicate-weights cannot be combined with --${other}: leave one of them out`)
  const { bootstrap: replicates, bootstrapKind: kind, confidence } = options
  const request: AnalysisRequest = {
    ...{ rank, fit: settings, structure, design: sample.design, replicates: made, confidence },
    errors: standardErrorOptions(withClusters(options), structure, call),
    ...(replicates !== undefined && { bootstrap: { replicates, ...(kind !== undefined && { kind }) } }),
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
    : { ...options, ...(se !== undefined && { se }) }

/** The error of an engine that failed in the middle, with where the best model until then is. */
const failedEngine = (failure: EngineError, loss: number, output: string | undefined): EngineError => {
  const best = `the best solution so far has the loss ${loss.toPrecision(8)}`
  const where = output === undefined ? '; with -o it would have been saved' : ` and is in ${output}`
  return new EngineError(`${failure.message}; ${best}${where}`, { cause: failure })
}
