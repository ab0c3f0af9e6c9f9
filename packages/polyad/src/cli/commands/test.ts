import { OptionError, type Tensor, type TestRanksOptions, testRanks } from '@polyad/core'
import { TEST_RANKS_OPTIONS } from '@polyad/core/options'
import { testedFit, testText } from '../../report/test-text.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import { CHECKPOINT_FIELD, OUTPUT, SOURCE_FIELD } from '../options/output-options.ts'
import { SAMPLE, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { openCheckpointFile } from '../running/checkpoint-file.ts'
import { defineCommand } from '../running/define-command.ts'
import { fitMemory } from '../running/fit-memory.ts'
import { prepareSource } from '../running/prepare-source.ts'
import { openDataFor } from '../running/reading.ts'
import { fitProgress, replicateProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

const OWN = ['rank', 'against', 'replicates', 'replicateStarts', 'all', 'level'] as const
type Options = DataOptions &
  SampleOptions &
  FitCommandOptions &
  OutputOptions &
  Partial<Pick<TestRanksOptions, (typeof OWN)[number]>>

const option = optionsOf(TEST_RANKS_OPTIONS)

export const testNumbers = defineCommand({
  name: 'test',
  summary: SUMMARIES.test,
  examples: [
    ['polyad test survey.csv -k 3', 'test 3 classes against 4'],
    [
      'polyad test survey.csv -k 2 --against 4 --replicates 1000 --all',
      'test 2 classes against 4, with 1,000 replicates',
    ],
    ['polyad test survey.csv -k 3 --max-seconds 60 --json', 'stop after a minute, and print JSON'],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        option('rank', 'number of classes under the null hypothesis (required)', { short: 'k' }),
        option('against', 'number of classes under the alternative (default: one more)'),
        option('replicates', 'maximum number of bootstrap replicates'),
        option(
          'replicateStarts',
          'random starts of the larger model in every replicate; the smaller model gets a third of them',
        ),
        option('all', 'run all replicates, even if the conclusion is clear earlier', { default: undefined }),
        option('level', 'significance level'),
      ],
    },
    OPEN_DATA,
    SAMPLE,
    FIT,
    OUTPUT,
  ],
  fields: [
    ['rank, against', 'the two numbers of classes'],
    ['statistic', 'the likelihood ratio, 2(L₁ − L₀)'],
    [
      'pValue, interval',
      '(b + 1)/(B + 1) (null without a replicate), and its 95 % interval for infinitely many replicates',
    ],
    ['replicates, converged', 'number of replicates, and in how many of them both fits converged'],
    ['reason', 'why it ended: all (replicates done), clear (the conclusion would not change), or stopped'],
    ['stopped', 'whether it was interrupted or reached a limit'],
    ['loMendellRubin', 'Lo–Mendell–Rubin: statistic, degreesOfFreedom, pValue, compared with χ²; not reliable'],
    ['fits', 'fits to the data, the smaller model first: rank, logLikelihood, shares, converged, reached, attempts'],
    ['left', 'with --complete: observations that were left out'],
    ['seconds', 'time without reading'],
    CHECKPOINT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal, line, interrupt } = call
    const { rank, against, level = TEST_RANKS_OPTIONS.level.default } = options
    if (rank === undefined) throw new OptionError('no number of classes was given: add the one to test, as in -k 3')
    if (against !== undefined && against <= rank)
      throw new OptionError(`--against must be greater than --rank, which is ${rank} (got ${against})`)
    const settings = fitOptions(options)
    const checkpoint = openCheckpointFile(call, 'test', options)
    const limit = call.limit(options.maxSeconds)
    const sample = sampleOf(options, { modes: options.modes ?? [] })
    const data = await openDataFor(call, paths, options, { limit, ...sample, needsCells: 'polyad test' })
    call.stoppable(limit)
    const complete = options.complete === true
    const { tensor, left, rowWeights } = prepareSource(call, data, { structure: { complete }, design: sample.design })
    const memory = fitMemory(data, options.memory, { ...settings, rank: against ?? rank + 1 })
    const began = performance.now()
    await checkpoint?.begin()
    const { fits, ...test } = await testRanks(tensor as Tensor, {
      ...{ ...settings, ...memory },
      ...{ ...given(options, OWN), rank },
      ...(rowWeights !== undefined && { rowWeights }),
      signal: interrupt.signal,
      ...(checkpoint !== undefined && { checkpoint: checkpoint.state }),
      onProgress: fitProgress(call, tensor.cells, limit.left),
      onReplicate: replicateProgress(call, limit.left),
    })
    const seconds = (performance.now() - began) / 1000
    line.clear()
    terminal.answer(
      () => ['', ...testText(test, fits, level, terminal)],
      () => ({
        ...test,
        ...(test.replicates === 0 && { pValue: null }),
        fits: fits.map(testedFit),
        ...(complete && { left }),
        seconds,
        ...checkpoint?.record(),
        source: data.source,
      }),
    )
    await checkpoint?.end()
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: these are the replicates so far')
      call.ends(interrupt.exitCode())
    }
  },
})
