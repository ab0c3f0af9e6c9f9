import { checkCounts, evaluate, type FitOptions, fit, OptionError, type Tensor, wasmEngine } from '@polyad/core'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { fitFigures, profiles } from '../../report/fit-figures.ts'
import { fitText, tensorLine } from '../../report/fit-text.ts'
import { BOOTSTRAP, BOOTSTRAP_FIELDS, type BootstrapCommandOptions } from '../options/bootstrap-options.ts'
import { DATA, DATA_ARGUMENT, type DataOptions } from '../options/data-options.ts'
import { FIT, type FitCommandOptions, fitOptions } from '../options/fit-options.ts'
import { adviceInFlags } from '../options/flags.ts'
import { asWholeNumber } from '../options/option-values.ts'
import { FIT_FIELDS, MODEL_OUTPUT, OUTPUT, OUTPUT_FIELD, SOURCE_FIELD } from '../options/output-options.ts'
import { checkFit } from '../running/check-fit.ts'
import { defineCommand } from '../running/define-command.ts'
import { readData } from '../running/reading.ts'
import { modelRecord } from '../running/record.ts'
import { sizeWarning } from '../running/size-warning.ts'
import { fitProgress } from '../terminal/progress-line.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { timeLimit } from '../terminal/time-limit.ts'

interface Options extends DataOptions, FitCommandOptions, BootstrapCommandOptions, OutputOptions {
  readonly rank?: number
  readonly output?: string
}

export const fitClasses = defineCommand({
  name: 'fit',
  summary: 'find the classes in a table of counts',
  examples: [
    ['polyad fit survey.csv -k 3', 'three classes; the columns are chosen and named'],
    ['polyad fit survey.csv -k 3 --modes age,sex,vote -o model.npz', 'these columns; keep the model'],
    ['polyad fit iris.csv -k 3 --bin petal_length:0.5 --except species', 'cut a measurement into bins'],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '-k, --rank <n>', text: 'how many classes to find (needed)', parse: asWholeNumber(1) },
        MODEL_OUTPUT,
      ],
    },
    DATA,
    FIT,
    BOOTSTRAP,
    OUTPUT,
  ],
  fields: [
    ...FIT_FIELDS,
    ['profiles', 'for each mode: name, labels, and probabilities, one list of P[label | class] per class'],
    ...BOOTSTRAP_FIELDS,
    OUTPUT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal, line, interrupt } = call
    const { rank, output } = options
    if (rank === undefined)
      throw new OptionError('say how many classes to find, as in -k 3; polyad rank compares several')
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const settings = fitOptions(options)
    const limit = timeLimit(options.maxSeconds)
    const data = await readData(call, paths, options, { limit })
    const { tensor } = data
    terminal.note(tensorLine(tensor, data.rows))
    if (options.bootstrap !== undefined) checkCounts(tensor)
    const warning = sizeWarning(tensor, rank)
    if (warning !== undefined) terminal.warn(warning)
    interrupt.after(limit.left())
    interrupt.graceful(note => {
      line.clear()
      terminal.note(note)
    })
    const { result, evaluation, seconds } = await fitAndEvaluate(tensor, {
      rank,
      ...settings,
      signal: interrupt.signal,
      onProgress: fitProgress(line, tensor.cells, limit.left),
    })
    const checks = await checkFit(call, tensor, result, settings, options)
    line.clear()
    const figures = adviceInFlags(fitFigures(tensor, result, seconds, evaluation), terminal.flags)
    if (output !== undefined) {
      const { trace } = result
      await saveModel(
        output,
        result.model,
        modelRecord('fit', data, { rank, ...settings, maxSeconds: options.maxSeconds }, { ...figures, trace }),
      )
    }
    terminal.answer(
      () => ['', ...fitText(result.model, figures, terminal, checks.beside), ...checks.lines(), ...saved(output)],
      () => ({
        ...figures,
        profiles: profiles(result.model),
        ...checks.figures,
        ...(output === undefined ? {} : { output }),
        source: data.source,
      }),
    )
    if (interrupt.signal.aborted) {
      terminal.warn('stopped early: this is the best so far')
      process.exitCode = interrupt.exitCode()
    }
  },
})

/** A fit and its statistics on one placement of the data. */
const fitAndEvaluate = async (tensor: Tensor, { threads, ...options }: FitOptions) => {
  const began = performance.now()
  const session = await wasmEngine(threads === undefined ? {} : { threads }).open(tensor)
  try {
    const result = await fit(session, options)
    const seconds = (performance.now() - began) / 1000
    return { result, seconds, evaluation: await evaluate(session, result.model) }
  } finally {
    await session.close()
  }
}

export const saved = (output: string | undefined): string[] =>
  output === undefined ? [] : ['', `The model is in ${output}`]
