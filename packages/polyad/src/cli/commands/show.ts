import { modelToJson } from '@polyad/core/file'
import { is } from '@polyad/core/options'
import { loadModel } from '../../output/model-store.ts'
import { modelText } from '../../report/text/model-text.ts'
import { labelsIn, recordedLabels } from '../../table/values/codebook.ts'
import { defineCommand } from '../framework/define-command.ts'
import { LABEL } from '../options/field-types.ts'
import { labelledModel } from '../options/labels-option.ts'
import { MODEL_ARGUMENT } from '../options/model-options.ts'
import { parser } from '../options/option-values.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly labels: number | string
  readonly marks: number
}

const LABELS_SHOWN = 12

const count = parser(is.whole(1))

/** Before there were codebooks, it was a number only. */
const countOrFile = (text: string): unknown => (/^-?[\d.]+$/.test(text) ? count(text) : text)

export const show = defineCommand({
  name: 'show',
  summary: SUMMARIES.show,
  examples: [
    ['polyad show model.npz', 'its classes, their profiles, and how it was fitted'],
    ['polyad show model.npz --labels 100', 'show up to a hundred categories of every variable'],
    ['polyad show model.npz --json', 'the whole model as JSON'],
  ],
  arguments: [MODEL_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '--labels <n>',
          text: `number of categories to show for a variable; or a codebook (or off), as in polyad fit --labels`,
          parse: countOrFile,
          default: LABELS_SHOWN,
        },
        {
          flags: '--marks <n>',
          text: 'number of typical categories to show for a class',
          parse: parser(is.whole(0)),
          default: 8,
        },
      ],
    },
    TIMED_OUTPUT,
  ],
  fields: [
    [
      'format, version, rank, weights, classNames, structure, modes',
      'the model, as its .json file has it',
      `'polyad-model', integer, integer, number[], string[]?, unknown?, { name: string, size: integer, labels?: ${LABEL}[], [other]: unknown }[]`,
    ],
    ['shares, total', 'the weights divided by their sum, and the sum', 'number[], number'],
    ['run', 'how the model was fitted: program, options, source, recipe, result', '{ [other]: unknown }?'],
  ],
  run: async ({ terminal }, { labels, marks }: Options, path: string) => {
    const asked = typeof labels === 'string' ? { labels } : {}
    const { model, run } = await labelledModel(loadModel(path), asked)
    const limits = { labels: typeof labels === 'number' ? labels : LABELS_SHOWN, marks }
    terminal.answer(
      () => modelText(path, model, run, limits, { ...terminal, labels: labelsIn(recordedLabels(run)) }),
      () => ({ ...modelToJson(model), shares: model.shares, total: model.total, run }),
    )
  },
})
