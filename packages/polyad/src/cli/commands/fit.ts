import { evaluate, fit, OptionError, wasmEngine } from '@polyad/core'
import type { Command } from 'commander'
import { checkWritable } from '../../output/atomic-file.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { fitFigures } from '../../report/fit-figures.ts'
import { fitText, tensorLine } from '../../report/fit-text.ts'
import { type DataOptions, withData } from '../options/data-options.ts'
import { describe, withOutput } from '../options/describe.ts'
import { type FitCommandOptions, fitOptions, withFit } from '../options/fit-options.ts'
import { FIT_FIELDS, OUTPUT, SOURCE, withFields } from '../options/json-fields.ts'
import { wholeNumber } from '../options/option-values.ts'
import { readData } from '../reading.ts'
import { modelRecord } from '../record.ts'
import { catchInterrupt, INTERRUPTED } from '../terminal/interrupt.ts'
import { fitProgress, progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

interface Options extends DataOptions, FitCommandOptions, OutputOptions {
  readonly rank?: number
  readonly output?: string
}

export const fitCommand = (): Command =>
  withFields(
    withOutput(
      withFit(
        withData(
          describe('fit', 'find the classes in a table of counts', [
            ['polyad fit survey.csv -k 3', 'three classes; the columns are chosen and named'],
            ['polyad fit survey.csv -k 3 --modes age,sex,vote -o model.npz', 'these columns; keep the model'],
            ['polyad fit iris.csv -k 3 --bin petal_length:0.5 --except species', 'cut a measurement into bins'],
          ])
            .option('-k, --rank <n>', 'how many classes to find (needed)', wholeNumber(1))
            .option('-o, --output <file>', 'where to save the model: .npz or .json'),
        ),
      ),
    ),
    [...FIT_FIELDS, OUTPUT, SOURCE],
  ).action(runFit)

const runFit = async (paths: string[], options: Options): Promise<void> => {
  const { rank } = options
  if (rank === undefined)
    throw new OptionError('say how many classes to find, as in -k 3; polyad rank compares several')
  const terminal = openTerminal(options)
  const line = progressLine(terminal)
  const interrupt = catchInterrupt()
  try {
    if (options.output !== undefined) {
      checkModelPath(options.output)
      checkWritable(options.output)
    }
    const data = await readData(paths, options, terminal, line)
    const { tensor } = data
    terminal.note(tensorLine(tensor, data.rows))
    interrupt.graceful(() => {
      line.clear()
      terminal.note('stopping at the next pass; Ctrl-C again to leave at once')
    })
    const began = performance.now()
    const { threads, ...settings } = fitOptions(options)
    const session = await wasmEngine(threads === undefined ? {} : { threads }).open(tensor)
    const result = await fit(session, {
      rank,
      ...settings,
      signal: interrupt.signal,
      onProgress: fitProgress(line, tensor.cells),
    })
    line.clear()
    const figures = fitFigures(
      tensor,
      result,
      (performance.now() - began) / 1000,
      await evaluate(session, result.model),
    )
    await session.close()
    if (options.output !== undefined) {
      const { trace } = result
      await saveModel(
        options.output,
        result.model,
        modelRecord('fit', data, { rank, ...settings }, { ...figures, trace }),
      )
    }
    terminal.answer(
      () => ['', ...fitText(result.model, figures, terminal.style), ...saved(options.output)],
      () => ({ ...figures, ...(options.output === undefined ? {} : { output: options.output }), source: data.source }),
    )
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: this is the best so far')
      process.exitCode = INTERRUPTED
    }
  } finally {
    line.clear()
    interrupt.release()
  }
}

export const saved = (output: string | undefined): string[] =>
  output === undefined ? [] : ['', `The model is in ${output}`]
