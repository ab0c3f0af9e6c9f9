import { type Counts, CRITERIA, type Criterion, chooseRank, hasCells, type Progress } from '@polyad/core'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { fitFigures } from '../../report/fit-figures.ts'
import { tensorLine } from '../../report/fit-text.ts'
import { counted } from '../../report/numbers.ts'
import { rankText } from '../../report/rank-text.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { adviceInFlags } from '../options/flags.ts'
import { asWholeNumber, rankRange } from '../options/option-values.ts'
import { OUTPUT, OUTPUT_FIELD, SOURCE_FIELD } from '../options/output-options.ts'
import {
  checkReport,
  REPORT_FIELD,
  REPORT_OUTPUT,
  type ReportCommandOptions,
  reportOptions,
} from '../options/report-options.ts'
import { defineCommand } from '../running/define-command.ts'
import { openDataFor } from '../running/reading.ts'
import { modelRecord } from '../running/record.ts'
import { sizeWarning } from '../running/size-warning.ts'
import { writeReport } from '../running/write-report.ts'
import { fitProgress, replicateProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { timeLimit } from '../terminal/time-limit.ts'
import { saved } from './fit.ts'

interface Options extends DataOptions, FitCommandOptions, ReportCommandOptions, OutputOptions {
  readonly rank: readonly [from: number, to: number]
  readonly by: Criterion
  readonly folds: number
  readonly test?: boolean
  readonly replicates: number
  readonly output?: string
}

/** A session has its threads already. */
const withoutThreads = ({ threads: _, ...settings }: ReturnType<typeof fitOptions>) => settings

export const rank = defineCommand({
  name: 'rank',
  summary: 'compare numbers of classes and recommend one',
  examples: [
    ['polyad rank survey.csv', 'one to six classes'],
    ['polyad rank survey.csv -k 1..8 --starts 50', 'up to eight, with fifty random starts each'],
    ['polyad rank survey.csv --by heldOut -o model.npz', 'by what predicts best; keep the one recommended'],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '-k, --rank <range>',
          text: 'which numbers of classes',
          parse: rankRange,
          default: [1, 6],
          defaultText: '1..6',
          library: ['rank', 'to', 'from'],
        },
        {
          flags: '--by <criterion>',
          text: 'what to recommend by',
          choices: CRITERIA.map(({ key }) => key),
          default: 'bic',
        },
        {
          flags: '--folds <n>',
          text: 'parts for the held-out log-likelihood; 0: none',
          parse: asWholeNumber(0),
          default: 5,
        },
        { flags: '--test', text: 'test every number of classes against one more, by bootstrap' },
        {
          flags: '--replicates <n>',
          text: 'for --test: replicates at most; it ends early where the answer is clear',
          parse: asWholeNumber(1),
          default: 200,
        },
        { flags: '-o, --output <file>', text: 'where to save the recommended model: .npz or .json' },
        ...REPORT_OUTPUT,
      ],
    },
    OPEN_DATA,
    FIT,
    OUTPUT,
  ],
  fields: [
    [
      'fits',
      'one object for each number of classes, as polyad fit gives it, with criteria.heldOut and, with --test, test',
    ],
    ['recommended, reason', 'the number of classes to take, and why'],
    OUTPUT_FIELD,
    REPORT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal, line, interrupt } = call
    const { by, folds, output, report } = options
    checkReport(options, { paths, sql: options.sql })
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const settings = fitOptions(options)
    const limit = timeLimit(options.maxSeconds)
    const asked = { '--report': report, '--test': options.test, '--by heldOut': by === 'heldOut' || undefined }
    const [needsCells] = Object.entries(asked).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
    const smoothed = options.smoothing?.join() === 'auto' ? '--smoothing auto' : undefined
    const data = await openDataFor(call, paths, options, { limit, needsCells: needsCells ?? smoothed })
    const { tensor, session } = data
    terminal.note(tensorLine(tensor, data.rows))
    if (session !== undefined && folds > 0)
      terminal.note('the held-out log-likelihood is left out: it needs the cells in memory')
    const [from, last] = options.rank
    const most = mostClasses(tensor)
    const to = Math.max(from, Math.min(last, from <= most ? most : tensor.cells))
    if (to < last)
      terminal.note(
        from <= most
          ? `${counted(most, 'class', 'classes')} fit any table of this size exactly: none above is tried`
          : `there are ${counted(tensor.cells, 'cell')}, each a class of its own in the end: no more than ${counted(to, 'class', 'classes')} are tried`,
      )
    const warning = sizeWarning(tensor, to)
    if (warning !== undefined) terminal.warn(`${counted(to, 'class', 'classes')}: ${warning}`)
    interrupt.after(limit.left())
    interrupt.graceful(note => {
      line.clear()
      terminal.note(note)
    })
    const watch = stopwatch()
    const show = fitProgress(line, tensor.cells, limit.left)
    const { fits, recommended, stopped, ...choice } = await chooseRank(session ?? data.tensor, {
      ...(session === undefined ? settings : withoutThreads(settings)),
      ...{ from, to, by, folds },
      ...(options.test === true && {
        replicates: options.replicates,
        onReplicate: replicateProgress(line, limit.left),
      }),
      signal: interrupt.signal,
      onProgress: progress => {
        watch.see(progress)
        show(progress)
      },
    })
    line.clear()
    const reason = terminal.flags(choice.reason)
    const figures = fits.map(fit =>
      adviceInFlags(fitFigures(tensor, fit.result, watch.seconds(fit.rank), fit), terminal.flags),
    )
    const chosen = fits.findIndex(each => each.rank === recommended)
    if ((output !== undefined || report !== undefined) && chosen >= 0) {
      const { model, trace, attempts } = fits[chosen].result
      const ranks = { fits: figures.map(({ rank, criteria }) => ({ rank, criteria })), recommended, reason }
      const record = modelRecord(
        'rank',
        data,
        { rank: recommended, ...settings, maxSeconds: options.maxSeconds },
        { ...figures[chosen], trace, attempts },
      )
      if (output !== undefined) await saveModel(output, model, { ...record, ranks })
      if (report !== undefined)
        await writeReport(report, model, {
          ...reportOptions(options),
          run: { ...record, ranks },
          ...(hasCells(tensor) && { data: tensor }),
        })
    }
    terminal.answer(
      () => ['', ...rankText(figures, { by, recommended, reason }, terminal), ...saved(output, report)],
      () => ({
        fits: figures,
        recommended,
        reason,
        ...(output === undefined ? {} : { output }),
        ...(report === undefined ? {} : { report }),
        source: data.source,
      }),
    )
    if (stopped) terminal.warn('stopped early: these are the ranks so far')
    if (stopped && interrupt.signal.aborted) process.exitCode = interrupt.exitCode()
  },
})

/**
 * With this many classes every table of this shape is fitted exactly: one for each cell that was seen, or one for each
 * combination of all modes but the largest.
 */
const mostClasses = ({ cells, shape }: Counts): number =>
  Math.min(cells, shape.reduce((product, size) => product * size, 1) / Math.max(...shape))

/** How long each rank took, as far as its progress shows. */
const stopwatch = () => {
  const spans = new Map<number, { first: number; last: number }>()
  return {
    see: (progress: Progress) => {
      const now = performance.now()
      spans.set(progress.rank, { first: spans.get(progress.rank)?.first ?? now, last: now })
    },
    seconds: (each: number): number => {
      const span = spans.get(each)
      return span === undefined ? 0 : (span.last - span.first) / 1000
    },
  }
}
