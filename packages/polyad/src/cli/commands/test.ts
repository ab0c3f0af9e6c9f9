import { OptionError, type Tensor, type TestRanksOptions, testRanks } from '@polyad/core'
import { defined, TEST_RANKS_OPTIONS } from '@polyad/core/options'
import { rankedStructure } from '../../analysis/named-columns.ts'
import { testedFit, testText } from '../../report/text/test-text.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { ITEMS } from '../options/item-options.ts'
import { given, optionsOf } from '../options/option-values.ts'
import { CHECKPOINT_FIELD, OUTPUT, RANK_TEST_FIELDS, SOURCE_FIELD } from '../options/output-options.ts'
import { SAMPLE, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import { STRUCTURE_OF_ALL, type StructureOfAll, structureOf } from '../options/structure-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { DRY_RUN, type DryRunOptions } from '../running/dry-run.ts'
import { withData } from '../running/with-data.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

const OWN = ['rank', 'against', 'replicates', 'replicateStarts', 'all', 'level'] as const
type Options = DataOptions &
  SampleOptions &
  FitCommandOptions &
  StructureOfAll &
  DryRunOptions &
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
        DRY_RUN,
      ],
    },
    OPEN_DATA,
    ITEMS,
    STRUCTURE_OF_ALL,
    SAMPLE,
    FIT,
    OUTPUT,
  ],
  fields: [
    ...RANK_TEST_FIELDS,
    [
      'fits',
      'fits to the data, the smaller model first: rank, logLikelihood, shares, converged, reached, attempts',
      '{ rank: integer, logLikelihood: number, shares: number[], converged: boolean, reached: integer, attempts: integer }[]',
    ],
    ['left', 'with --complete: observations that were left out', 'number?'],
    ['seconds', 'time without reading', 'number'],
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
    const { complete = false } = options
    const { include, ...structure } = structureOf(options, settings, defined({ variables: options.variables }))
    const sample = sampleOf(options, { ...defined({ variables: options.variables }), ...structure })
    const plan = {
      command: 'test',
      planned: {
        rank: [rank, against ?? rank + 1],
        bootstrap: { replicates: options.replicates ?? TEST_RANKS_OPTIONS.replicates.default },
      },
      reading: { include, ...sample },
      needsCells: { what: 'polyad test' },
      fit: { ...settings, rank: against ?? rank + 1 },
      design: sample.design,
      structure: { ...structure, complete },
    }
    await withData(call, paths, options, plan, async ({ prepared: { tensor, left, rowWeights }, begin, record }) => {
      const { memory, running } = await begin(plan.fit)
      const { signal, checkpoint, onProgress, onReplicate } = running
      const began = performance.now()
      const { fits, ...test } = await testRanks(tensor as Tensor, {
        ...settings,
        ...memory,
        ...given(options, OWN),
        rank,
        ...rankedStructure(tensor, structure),
        ...defined({ rowWeights }),
        signal,
        onProgress,
        onReplicate,
        ...defined({ checkpoint }),
      })
      const seconds = (performance.now() - began) / 1000
      line.clear()
      for (const each of test.warnings) terminal.warn('statistics', each)
      const stopped = interrupt.signal.aborted
      terminal.answer(
        () => ['', ...testText(test, fits, level, terminal)],
        () => ({
          ...test,
          ...(test.replicates === 0 && { pValue: null }),
          fits: fits.map(testedFit),
          ...(complete && { left }),
          ...(stopped && { stopped }),
          seconds,
          ...record(),
        }),
      )
      return stopped ? 'stopped early: these are the replicates so far' : undefined
    })
  },
})
