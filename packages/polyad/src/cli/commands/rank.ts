import { type Criterion, OptionError, type Tensor } from '@polyad/core'
import { answeredBy, hasCells } from '@polyad/core/model'
import { CHOOSE_RANK_OPTIONS, is } from '@polyad/core/options'
import { compareRanks } from '../../analysis/compare-ranks.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { lastRank, sizeWarning } from '../../report/model-size.ts'
import { counted } from '../../report/numbers.ts'
import { writeReport } from '../../report/page/write-report.ts'
import { rankText } from '../../report/rank-text.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { optionsOf, parser, rankRange } from '../options/option-values.ts'
import { CHECKPOINT_FIELD, OUTPUT, OUTPUT_FIELD, SOURCE_FIELD, WARNINGS_FIELD } from '../options/output-options.ts'
import {
  checkReport,
  REPORT_FIELD,
  REPORT_OUTPUT,
  type ReportCommandOptions,
  reportOptions,
} from '../options/report-options.ts'
import { SAMPLE, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { openCheckpointFile } from '../running/checkpoint-file.ts'
import { defineCommand } from '../running/define-command.ts'
import { fitMemory, reserveFor } from '../running/fit-memory.ts'
import { ENGINE, type EngineOptions, openSource } from '../running/open-source.ts'
import { inPopulation, prepareSource } from '../running/prepare-source.ts'
import { modelRecord } from '../running/record.ts'
import { writing } from '../running/writing.ts'
import { fitProgress, replicateProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options
  extends DataOptions,
    SampleOptions,
    FitCommandOptions,
    ReportCommandOptions,
    EngineOptions,
    OutputOptions {
  readonly rank: readonly [from: number, to: number]
  readonly by: Criterion
  readonly folds: number
  readonly test?: boolean
  readonly replicates?: number
  readonly output?: string
}

const option = optionsOf(CHOOSE_RANK_OPTIONS)

/** Fewer than a test by itself has: there is one for every number of classes. */
const REPLICATES = 200

const NO_HELD_OUT = 'the held-out log-likelihood is left out: it needs the cells in memory'

export const rank = defineCommand({
  name: 'rank',
  summary: SUMMARIES.rank,
  examples: [
    ['polyad rank survey.csv', 'compare one to six classes'],
    ['polyad rank survey.csv -k 1..8 --starts 50', 'up to eight, with fifty random starts each'],
    [
      'polyad rank survey.csv --by heldOut -o model.npz',
      'recommend by prediction of held-out rows; save the recommended model',
    ],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '-k, --rank <range>',
          text: 'numbers of classes to compare',
          parse: rankRange,
          default: [1, 6],
          defaultText: '1..6',
          library: ['rank', 'to', 'from'],
        },
        option('by', 'criterion for the recommendation', {
          value: 'criterion',
          default: CHOOSE_RANK_OPTIONS.by.default,
        }),
        option('folds', 'number of folds for the held-out log-likelihood; 0: leave it out', {
          default: CHOOSE_RANK_OPTIONS.folds.default,
        }),
        { flags: '--test', text: 'test every number of classes against one more (bootstrap likelihood-ratio test)' },
        {
          flags: '--replicates <n>',
          text: `with --test: maximum number of bootstrap replicates; stops early if the conclusion is clear (default: ${REPLICATES})`,
          parse: parser(is.whole(1)),
        },
        { flags: '-o, --output <file>', text: 'file to save the recommended model to: .npz or .json' },
        ...REPORT_OUTPUT,
        ENGINE,
      ],
    },
    OPEN_DATA,
    SAMPLE,
    FIT,
    OUTPUT,
  ],
  fields: [
    [
      'fits',
      'one object for each number of classes, like that of polyad fit, with criteria.heldOut and, with --test, test',
    ],
    ['recommended, reason', 'the recommended number of classes, and why'],
    ['left', 'with --complete: observations that were left out'],
    WARNINGS_FIELD,
    OUTPUT_FIELD,
    REPORT_FIELD,
    CHECKPOINT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { output } = options
    if (options.test !== true && options.replicates !== undefined)
      throw new OptionError('--replicates needs --test, which draws them')
    checkReport(options, { paths, sql: options.sql })
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const checkpoint = openCheckpointFile(call, 'rank', options)
    const limit = call.limit(options.maxSeconds)
    const sample = sampleOf(options, { modes: options.modes ?? [] })
    const settings = fitOptions(options)
    const reserve = reserveFor({ ...settings, rank: options.rank[1] })
    const source = await openSource(call, paths, options, { limit, ...sample, reserve })
    call.stoppable(limit)
    const { terminal, line, interrupt } = call
    const complete = options.complete === true
    const prepared = prepareSource(call, source, { structure: { complete }, design: sample.design })
    const { tensor, session, left } = prepared
    if (session !== undefined && options.folds > 0) terminal.note(NO_HELD_OUT)
    const { by, folds, report, test = false, replicates = REPLICATES } = options
    const [from, asked] = options.rank
    const { to, note } = lastRank(tensor, from, asked)
    if (note !== undefined) terminal.note(note)
    const warning = sizeWarning(tensor, to)
    if (warning !== undefined) terminal.warn(`${counted(to, 'class', 'classes')}: ${warning}`)
    const memory = fitMemory(source, options.memory, { ...settings, rank: to })
    await checkpoint?.begin()
    const found = await compareRanks(
      prepared,
      { ...{ from, to, by, folds }, ...(test && { replicates }), fit: { ...settings, ...memory } },
      {
        ...{ signal: interrupt.signal, naming: terminal.naming },
        engine: source.engine,
        checkpoint: checkpoint?.state,
        onProgress: fitProgress(call, tensor.cells, limit.left),
        onReplicate: replicateProgress(call, limit.left),
      },
    )
    const { fits, figures, recommended, reason, stopped, failure } = found
    line.clear()
    for (const each of found.warnings) terminal.warn(each)
    const files = writing()
    const chosen = fits.findIndex(each => each.rank === recommended)
    if (chosen >= 0) {
      const { model, trace, attempts } = fits[chosen].result
      const settled = {
        ...{ rank: recommended, ...settings, ...(complete && { complete }), weights: sample.weights },
        ...{ weightsAsTotals: options.weightsAsTotals, ...sample.design, maxSeconds: options.maxSeconds },
      }
      const kept = inPopulation(model, source, options)
      const answered = tensor.missing.includes(true)
        ? { answered: await answeredBy(source.session ?? (tensor as Tensor), model) }
        : {}
      const result = { ...figures[chosen], trace, attempts, ...(complete && { left }), ...kept.figures, ...answered }
      const record = modelRecord('rank', call, { ...source, tensor }, settled, result)
      const run = { ...record, ranks: found.record }
      await files.write('output', output, path => saveModel(path, kept.model, run))
      await files.write('report', report, path =>
        writeReport(path, model, { ...reportOptions(options), run, ...(hasCells(tensor) && { data: tensor }) }),
      )
    }
    terminal.answer(
      () => ['', ...rankText(figures, { by, recommended, reason }, terminal), ...files.lines()],
      () => ({
        fits: figures,
        recommended,
        reason,
        ...(complete && { left }),
        ...(found.warnings.length > 0 && { warnings: found.warnings }),
        ...files.written(),
        ...checkpoint?.record(),
        source: source.source,
      }),
    )
    if (failure !== undefined) throw failure
    files.end()
    await checkpoint?.end()
    if (stopped) terminal.warn('stopped early: these are the numbers of classes compared so far')
    if (stopped && interrupt.signal.aborted) call.ends(interrupt.exitCode())
  },
})
