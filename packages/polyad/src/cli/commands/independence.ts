import { principalComponent, type Tensor } from '@polyad/core'
import { is } from '@polyad/core/options'
import { testOfSample } from '../../analysis/prepare.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { independenceFigures, independenceText } from '../../report/independence.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { parser } from '../options/option-values.ts'
import { OUTPUT_FIELD, SOURCE_FIELD, TIMED_OUTPUT } from '../options/output-options.ts'
import { DESIGN_TEST_FIELD, SAMPLE, SAMPLE_FIELDS, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { defineCommand } from '../running/define-command.ts'
import { inPopulation, prepareSource } from '../running/prepare-source.ts'
import { openDataFor } from '../running/reading.ts'
import { modelRecord } from '../running/record.ts'
import { writing } from '../running/writing.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends DataOptions, SampleOptions, OutputOptions {
  readonly cells: number
  readonly output?: string
}

export const independence = defineCommand({
  name: 'independence',
  summary: SUMMARIES.independence,
  examples: [
    ['polyad independence survey.csv', 'test whether the columns are independent'],
    ['polyad independence hair-eye.csv --count n --cells 20', 'show the twenty cells that deviate most'],
    ['polyad independence visits.tns --json', 'a sparse tensor; print JSON'],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '--cells <n>',
          text: 'number of cells to show (those that deviate most)',
          parse: parser(is.whole(0)),
          default: 10,
        },
        { flags: '-o, --output <file>', text: 'file to save the model to: .npz or .json' },
      ],
    },
    OPEN_DATA,
    SAMPLE,
    TIMED_OUTPUT,
  ],
  fields: [
    ['cells, total, shape, modes', 'distinct cells, the sum of the counts, the categories and names of the variables'],
    ['gSquared, chiSquared, degreesOfFreedom, pValue', 'test of independence; null if values are missing'],
    DESIGN_TEST_FIELD,
    ['sparse', 'whether the table is too sparse for pValue: fewer than 5 observations per cell'],
    ['loss, logLikelihood, divergence, parameters', 'of the one-class model'],
    ['totalCorrelation', 'the divergence per observation, in nats; null if values are missing'],
    ['deviations', 'the cells that deviate most: labels, observed, expected, residual'],
    ...SAMPLE_FIELDS,
    OUTPUT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal } = call
    const { output } = options
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const sample = sampleOf(options, { modes: options.modes ?? [] })
    const { weightsAsTotals, complete = false } = options
    const needsCells = complete ? '--complete' : sample.weights === undefined ? undefined : '--weights'
    const data = await openDataFor(call, paths, options, { ...sample, needsCells })
    const prepared = prepareSource(call, data, { structure: { complete }, design: sample.design })
    const { tensor, session, left } = prepared
    const component = principalComponent(tensor)
    const found = await independenceFigures(session ?? (tensor as Tensor), component, options.cells, evaluation =>
      testOfSample(prepared, component, evaluation),
    )
    const { model, figures: population } = inPopulation(component, data, options)
    const figures = { ...found, ...population, ...(complete && { left }) }
    if (session !== undefined && options.cells > 0)
      terminal.note('the cells that deviate most are not shown: finding them needs the cells in memory')
    const asked = { ...(complete && { complete }), weights: sample.weights, weightsAsTotals, ...sample.design }
    const files = writing()
    await files.write('output', output, path =>
      saveModel(
        path,
        model,
        modelRecord('independence', call, { ...data, tensor }, asked, { ...figures, deviations: undefined }),
      ),
    )
    terminal.answer(
      () => ['', ...independenceText(figures, model, terminal), ...files.lines()],
      () => ({ ...figures, ...files.written(), source: data.source }),
    )
    files.end()
  },
})
