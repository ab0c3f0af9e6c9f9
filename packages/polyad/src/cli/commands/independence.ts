import { principalComponent } from '@polyad/core'
import type { Command } from 'commander'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { tensorLine } from '../../report/fit-text.ts'
import { independenceFigures, independenceText } from '../../report/independence.ts'
import { type DataOptions, withData } from '../options/data-options.ts'
import { describe, withOutput } from '../options/describe.ts'
import { OUTPUT, SOURCE, withFields } from '../options/json-fields.ts'
import { wholeNumber } from '../options/option-values.ts'
import { readData } from '../reading.ts'
import { modelRecord } from '../record.ts'
import { catchInterrupt } from '../terminal/interrupt.ts'
import { progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'
import { saved } from './fit.ts'

interface Options extends DataOptions, OutputOptions {
  readonly cells: number
  readonly output?: string
}

export const independenceCommand = (): Command =>
  withFields(
    withOutput(
      withData(
        describe('independence', 'the best single component, in closed form, and what speaks against it', [
          ['polyad independence survey.csv', 'are the columns independent?'],
          ['polyad independence hair-eye.csv --count n --cells 20', 'the twenty cells that deviate most'],
          ['polyad independence visits.tns --json', 'a sparse tensor; the figures for a program'],
        ])
          .option('--cells <n>', 'how many of the cells that deviate most to show', wholeNumber(0), 10)
          .option('-o, --output <file>', 'where to save the component as a model: .npz or .json'),
      ),
    ),
    [
      ['cells, total, shape, modes', 'distinct cells, the sum of the counts, labels and names of the modes'],
      ['gSquared, chiSquared, degreesOfFreedom, pValue', 'against independence; null where values are missing'],
      ['sparse', 'whether the table is too sparse for pValue: fewer than 5 observations per cell'],
      ['loss, logLikelihood, divergence, parameters', 'of the closed-form component'],
      ['totalCorrelation', 'the divergence for each observation, in nats'],
      ['deviations', 'the cells that deviate most: labels, observed, expected, residual'],
      OUTPUT,
      SOURCE,
    ],
  ).action(runIndependence)

const runIndependence = async (paths: string[], options: Options): Promise<void> => {
  const terminal = openTerminal(options)
  const interrupt = catchInterrupt()
  try {
    if (options.output !== undefined) checkModelPath(options.output)
    const data = await readData(paths, options, terminal, progressLine(terminal))
    const model = principalComponent(data.tensor)
    const figures = await independenceFigures(data.tensor, model, options.cells)
    if (options.output !== undefined) {
      await saveModel(
        options.output,
        model,
        modelRecord('independence', data, {}, { ...figures, deviations: undefined }),
      )
    }
    terminal.note(tensorLine(data.tensor, data.rows))
    terminal.answer(
      () => ['', ...independenceText(figures, model, terminal.style), ...saved(options.output)],
      () => ({ ...figures, ...(options.output === undefined ? {} : { output: options.output }), source: data.source }),
    )
  } finally {
    interrupt.release()
  }
}
