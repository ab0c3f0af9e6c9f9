import { naiveBayes, OptionError } from '@polyad/core'
import type { Command } from 'commander'
import { checkWritable } from '../../output/atomic-file.ts'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { classesText } from '../../report/class-marks.ts'
import { truthText } from '../../report/classification.ts'
import { crossValidate } from '../../report/cross-validation.ts'
import { tensorLine } from '../../report/fit-text.ts'
import { count, percent } from '../../report/numbers.ts'
import { type DataOptions, withData } from '../options/data-options.ts'
import { describe, withOutput } from '../options/describe.ts'
import { OUTPUT, SOURCE, withFields } from '../options/json-fields.ts'
import { number, wholeNumber } from '../options/option-values.ts'
import { readData } from '../reading.ts'
import { modelRecord } from '../record.ts'
import { catchInterrupt } from '../terminal/interrupt.ts'
import { progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'
import { saved } from './fit.ts'

interface Options extends DataOptions, OutputOptions {
  readonly class?: string
  readonly smoothing: number
  readonly folds: number
  readonly seed: number
  readonly output?: string
}

export const trainCommand = (): Command =>
  withFields(
    withOutput(
      withData(
        describe('train', 'learn classes that are known: naive Bayes, Theorem 2 for each class', [
          ['polyad train iris.csv --class species', 'with its accuracy by cross-validation'],
          ['polyad train iris.csv --class species -o species.npz', 'keep it, for polyad classify'],
          ['polyad train mail.csv --class spam --smoothing 1 --folds 5', 'no label is impossible; five folds'],
        ])
          .option('--class <name>', 'the column that holds the class (needed)')
          .option('--smoothing <x>', "added to every label's count within a class; 0 is Theorem 2", number(0), 0)
          .option('--folds <n>', 'parts for cross-validation; 0: none', wholeNumber(0), 10)
          .option('--seed <n>', 'the same seed makes the same folds', wholeNumber(0), 1)
          .option('-o, --output <file>', 'where to save the model: .npz or .json'),
      ),
    ),
    [
      ['class, classes, shares, total', 'the column, its labels, their shares, the observations used'],
      ['unlabelled', 'observations without a class, left out'],
      ['smoothing, folds', 'as asked'],
      ['accuracy, confusion', 'by cross-validation; null without'],
      OUTPUT,
      SOURCE,
    ],
  ).action(runTrain)

const runTrain = async (paths: string[], options: Options): Promise<void> => {
  const { class: wanted } = options
  if (wanted === undefined) throw new OptionError('say which column holds the class, as in --class species')
  const terminal = openTerminal(options)
  const interrupt = catchInterrupt()
  try {
    if (options.folds === 1) throw new OptionError('--folds must be 0 or at least 2 (got 1)')
    if (options.output !== undefined) {
      checkModelPath(options.output)
      checkWritable(options.output)
    }
    const data = await readData(paths, options, terminal, progressLine(terminal), { include: [wanted] })
    const { tensor } = data
    const column = tensor.modes.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.name ?? wanted
    const settings = { class: column, pseudoCounts: options.smoothing }
    const { model, unlabelled } = naiveBayes(tensor, settings)
    const { folds, seed } = options
    const validation = folds === 0 ? undefined : crossValidate(tensor, settings, folds, seed)
    // Where Theorem 2 is as it is, say what a little smoothing would do.
    const smoothed =
      folds === 0 || options.smoothing > 0
        ? undefined
        : crossValidate(tensor, { ...settings, pseudoCounts: 1 }, folds, seed).accuracy
    const figures = {
      class: column,
      classes: model.classNames,
      shares: model.shares,
      total: model.total,
      unlabelled,
      smoothing: options.smoothing,
    }
    if (options.output !== undefined) {
      const recipe = { ...data.recipe, modes: data.recipe.modes.filter((_, n) => tensor.modes[n].name !== column) }
      const record = modelRecord(
        'train',
        { ...data, recipe },
        { ...settings, folds, seed },
        { ...figures, accuracy: validation?.accuracy ?? null },
      )
      await saveModel(options.output, model, record)
    }
    terminal.note(tensorLine(tensor, data.rows))
    if (unlabelled > 0)
      terminal.warn(`${count(unlabelled)} of ${count(tensor.total)} observations have no ${column} and were left out`)
    terminal.answer(
      () => [
        '',
        ...classesText(model, terminal.style, 6),
        ...(validation === undefined
          ? []
          : [
              `${terminal.style('bold', `accuracy by ${folds}-fold cross-validation`)}   ${terminal.style('bold', percent(validation.accuracy))}`,
              ...(smoothed === undefined ? [] : [terminal.style('dim', `  with --smoothing 1: ${percent(smoothed)}`)]),
              ...truthText({ column, table: validation.table }, terminal.style),
            ]),
        ...saved(options.output),
      ],
      () => ({
        ...figures,
        folds,
        accuracy: validation?.accuracy ?? null,
        confusion:
          validation === undefined
            ? null
            : Object.fromEntries([...validation.table].map(([key, row]) => [key, Object.fromEntries(row)])),
        ...(options.output === undefined ? {} : { output: options.output }),
        source: data.source,
      }),
    )
  } finally {
    interrupt.release()
  }
}
