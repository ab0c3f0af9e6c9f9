import { principalComponent, type Tensor } from '@polyad/core'
import { defined, is } from '@polyad/core/options'
import { testOfSample } from '../../analysis/prepare.ts'
import { saveModel } from '../../output/model-store.ts'
import { INDEPENDENCE_TESTS, independenceFigures, independenceText } from '../../report/text/independence-text.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT, type DataOptions, OPEN_DATA } from '../options/data-options.ts'
import { LABEL } from '../options/field-types.ts'
import { LABELS, type LabelsOptions, shownLabels } from '../options/labels-option.ts'
import { parser } from '../options/option-values.ts'
import { OUTPUT_FIELD, SOURCE_FIELD, TIMED_OUTPUT } from '../options/output-options.ts'
import { DESIGN_TEST_FIELD, SAMPLE, SAMPLE_FIELDS, type SampleOptions, sampleOf } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { inPopulation } from '../reading/prepare-source.ts'
import { withData } from '../running/with-data.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { modelRecord } from '../writing/fit-record.ts'

interface Options extends DataOptions, SampleOptions, LabelsOptions, OutputOptions {
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
        LABELS,
      ],
    },
    OPEN_DATA,
    SAMPLE,
    TIMED_OUTPUT,
  ],
  fields: [
    [
      'cells, total, shape, modes',
      'distinct cells, the sum of the counts, the categories and names of the variables',
      'integer, number, integer[], string[]',
    ],
    [INDEPENDENCE_TESTS.join(', '), 'test of independence; null if values are missing', 'number | null'],
    DESIGN_TEST_FIELD,
    ['sparse', 'whether the table is too sparse for pValue: fewer than 5 observations per cell', 'boolean'],
    ['loss, logLikelihood, divergence, parameters', 'of the one-class model', 'number, number, number | null, integer'],
    ['totalCorrelation', 'the divergence per observation, in nats; null if values are missing', 'number | null'],
    [
      'deviations',
      'the cells that deviate most: labels, observed, expected, residual',
      `{ labels: ${LABEL}[], observed: number, expected: number, residual: number }[]?`,
    ],
    ...SAMPLE_FIELDS,
    OUTPUT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal } = call
    const sample = sampleOf(options, defined({ variables: options.variables }))
    const { weightsAsTotals, complete = false } = options
    const what = complete ? '--complete' : sample.weights === undefined ? undefined : '--weights'
    const plan = {
      command: 'independence',
      reading: sample,
      needsCells: { what },
      structure: { complete },
      design: sample.design,
    }
    await withData(call, paths, options, plan, async ({ source, prepared, files, record }) => {
      const { tensor, session, left } = prepared
      const component = principalComponent(tensor)
      const found = await independenceFigures(session ?? (tensor as Tensor), component, options.cells, evaluation =>
        testOfSample(prepared, component, evaluation),
      )
      const { model, figures: population } = inPopulation(component, prepared, options)
      const figures = { ...found, ...population, ...(complete && { left }) }
      if (session !== undefined && options.cells > 0)
        terminal.note('the cells that deviate most are not shown: finding them needs the cells in memory')
      const asked = { ...(complete && { complete }), weights: sample.weights, weightsAsTotals, ...sample.design }
      const run = () =>
        modelRecord('independence', call, { ...source, tensor }, asked, { ...figures, deviations: undefined })
      await files.write('output', options.output, path => saveModel(path, model, run()))
      terminal.answer(
        () => [
          '',
          ...independenceText(figures, model, { ...terminal, labels: shownLabels(options, source.recipe.labels) }),
          ...files.lines(),
        ],
        () => ({ ...figures, ...record() }),
      )
      return undefined
    })
  },
})
