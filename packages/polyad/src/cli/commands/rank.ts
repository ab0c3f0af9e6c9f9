import { type Criterion, chooseRank, type Progress } from '@polyad/core'
import { type Command, Option } from 'commander'
import { checkWritable } from '../../output/atomic-file.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { fitFigures } from '../../report/fit-figures.ts'
import { tensorLine } from '../../report/fit-text.ts'
import { rankText } from '../../report/rank-text.ts'
import { type DataOptions, withData } from '../options/data-options.ts'
import { describe, withOutput } from '../options/describe.ts'
import { type FitCommandOptions, fitOptions, withFit } from '../options/fit-options.ts'
import { OUTPUT, SOURCE, withFields } from '../options/json-fields.ts'
import { rankRange, wholeNumber } from '../options/option-values.ts'
import { readData } from '../reading.ts'
import { modelRecord } from '../record.ts'
import { catchInterrupt, INTERRUPTED } from '../terminal/interrupt.ts'
import { fitProgress, progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'
import { saved } from './fit.ts'

interface Options extends DataOptions, FitCommandOptions, OutputOptions {
  readonly rank: readonly [from: number, to: number]
  readonly by: Criterion
  readonly folds: number
  readonly output?: string
}

const CRITERIA: readonly Criterion[] = ['bic', 'aic', 'caic', 'sabic', 'icl', 'heldOut']

export const rankCommand = (): Command =>
  withFields(
    withOutput(
      withFit(
        withData(
          describe('rank', 'compare numbers of classes and recommend one', [
            ['polyad rank survey.csv', 'one to six classes'],
            ['polyad rank survey.csv -k 1..8 --starts 50', 'up to eight, with fifty random starts each'],
            ['polyad rank survey.csv --by heldOut -o model.npz', 'by what predicts best; keep the one recommended'],
          ])
            .addOption(
              new Option('-k, --rank <range>', 'which numbers of classes').argParser(rankRange).default([1, 6], '1..6'),
            )
            .addOption(new Option('--by <criterion>', 'what to recommend by').choices(CRITERIA).default('bic'))
            .option('--folds <n>', 'parts for the held-out log-likelihood; 0: none', wholeNumber(0), 5)
            .option('-o, --output <file>', 'where to save the recommended model: .npz or .json'),
        ),
      ),
    ),
    [
      ['fits', 'one object for each number of classes, as polyad fit gives it, with criteria.heldOut'],
      ['recommended, reason', 'the number of classes to take, and why'],
      OUTPUT,
      SOURCE,
    ],
  ).action(runRank)

const runRank = async (paths: string[], options: Options): Promise<void> => {
  const terminal = openTerminal(options)
  const line = progressLine(terminal)
  const interrupt = catchInterrupt()
  try {
    const { by, folds, output } = options
    const [from, to] = options.rank
    if (output !== undefined) {
      checkModelPath(output)
      checkWritable(output)
    }
    const data = await readData(paths, options, terminal, line)
    const { tensor } = data
    terminal.note(tensorLine(tensor, data.rows))
    interrupt.graceful(() => {
      line.clear()
      terminal.note('stopping at the next pass; Ctrl-C again to leave at once')
    })
    const settings = fitOptions(options)
    const watch = stopwatch()
    const show = fitProgress(line, tensor.cells)
    const { fits, recommended, reason, stopped } = await chooseRank(tensor, {
      ...settings,
      ...{ from, to, by, folds },
      signal: interrupt.signal,
      onProgress: progress => {
        watch.see(progress)
        show(progress)
      },
    })
    line.clear()
    const figures = fits.map(fit => fitFigures(tensor, fit.result, watch.seconds(fit.rank), fit))
    const chosen = fits.findIndex(({ rank }) => rank === recommended)
    if (output !== undefined && chosen >= 0) {
      const { model, trace } = fits[chosen].result
      const record = modelRecord('rank', data, { rank: recommended, ...settings }, { ...figures[chosen], trace })
      await saveModel(output, model, record)
    }
    terminal.answer(
      () => ['', ...rankText(figures, recommended, reason, terminal.style), ...saved(output)],
      () => ({ fits: figures, recommended, reason, ...(output === undefined ? {} : { output }), source: data.source }),
    )
    if (stopped) {
      terminal.warn('stopped early: these are the ranks so far')
      process.exitCode = INTERRUPTED
    }
  } finally {
    line.clear()
    interrupt.release()
  }
}

/** How long each rank was worked on, as far as its progress tells. */
const stopwatch = () => {
  const spans = new Map<number, { first: number; last: number }>()
  return {
    see: ({ rank }: Progress) => {
      const now = performance.now()
      spans.set(rank, { first: spans.get(rank)?.first ?? now, last: now })
    },
    seconds: (rank: number): number => {
      const span = spans.get(rank)
      return span === undefined ? 0 : (span.last - span.first) / 1000
    },
  }
}
