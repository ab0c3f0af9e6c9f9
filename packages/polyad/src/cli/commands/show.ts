import { modelToJson } from '@polyad/core'
import type { Command } from 'commander'
import { loadModel } from '../../output/model-store.ts'
import { modelText } from '../../report/model-text.ts'
import { describe, withOutput } from '../options/describe.ts'
import { withFields } from '../options/json-fields.ts'
import { wholeNumber } from '../options/option-values.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly labels: number
  readonly marks: number
}

export const showCommand = (): Command =>
  withFields(
    withOutput(
      describe('show', 'everything about a model', [
        ['polyad show model.npz', 'its classes, their profiles, and how it came about'],
        ['polyad show model.npz --labels 100', 'up to a hundred labels of every mode'],
        ['polyad show model.npz --json', 'the whole model for a program'],
      ])
        .argument('<model>', 'a model, .npz or .json')
        .option('--labels <n>', 'how many labels of a mode to show', wholeNumber(1), 12)
        .option('--marks <n>', 'how many labels that mark a class to show', wholeNumber(0), 8),
    ),
    [
      ['format, version, rank, weights, classNames, modes', 'the model, as its .json file has it'],
      ['shares, total', 'the weights as parts of their sum, and the sum'],
      ['run', 'how it came about: program, options, source, recipe, result'],
    ],
  ).action((path: string, options: Options) => {
    const terminal = openTerminal(options)
    const { model, run } = loadModel(path)
    terminal.answer(
      () => modelText(path, model, run, options, terminal.style),
      () => ({ ...modelToJson(model), shares: model.shares, total: model.total, run }),
    )
  })
