import { UPDATE_OPTIONS } from '@polyad/core/options'
import { checkModelPath, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { className } from '../../report/text/classes-text.ts'
import { updateText } from '../../report/text/update-text.ts'
import { updateTable } from '../../scoring/update-table.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { CLASS, LABEL, SOURCE } from '../options/field-types.ts'
import { fitOption } from '../options/fit-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, optionsOf, parser } from '../options/option-values.ts'
import { MODEL_OUTPUT, OUTPUT_FIELD, TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelReading } from '../reading/model-reading.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { commandRecord } from '../writing/fit-record.ts'
import { writing } from '../writing/output-files.ts'

interface Options extends ModelDataOptions, Pick<SampleOptions, 'weights' | 'complete'>, OutputOptions {
  readonly decay?: number
  readonly passes?: number
  readonly dropBelow?: number
  readonly threads?: number
  readonly output?: string
}

const option = optionsOf(UPDATE_OPTIONS)

export const update = defineCommand({
  name: 'update',
  summary: SUMMARIES.update,
  examples: [
    ['polyad update model.npz today.csv --decay 0.9 -o model.npz', 'each update forgets a tenth of the past'],
    ['polyad update model.npz wave2.csv -o both.npz', 'combine two waves; nothing is forgotten'],
    ['polyad update model.npz today.csv --decay 0.9 --json', 'show what would change, as JSON'],
  ],
  arguments: [
    MODEL_ARGUMENT,
    { ...DATA_ARGUMENT, text: 'files, patterns such as "part-*.csv", or - for standard input' },
  ],
  options: [
    {
      title: 'Options',
      options: [
        MODEL_OUTPUT,
        option('decay', 'weight of a past observation compared with a new one: above 0, up to 1', { value: 'x' }),
        option('passes', 'number of passes over the new data'),
        option(
          'dropBelow',
          'drop a category that the new data lacks if fewer than this many observations of it remain',
          {
            value: 'n',
            parse: parser(UPDATE_OPTIONS.dropBelow.check),
          },
        ),
        fitOption('threads', 'number of threads (default: all cores)'),
      ],
    },
    MODEL_COUNTS,
    {
      title: MODEL_SAMPLE.title,
      options: MODEL_SAMPLE.options.filter(({ flags }) => /^--(weights|complete)\b/.test(flags)),
    },
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, decay, passes', 'the model that was updated, and how', 'string, number, integer'],
    [
      'added, total',
      'the total of the new data; that of the updated model (decay × the total before + added)',
      'number',
    ],
    [
      'classes',
      'for each class: class, shareBefore, share, size (in observations)',
      `{ class: ${CLASS}, shareBefore: number, share: number, size: number }[]`,
    ],
    [
      'changes',
      'for each variable whose categories differ: mode, onlyA (not in the new data), onlyB (new)',
      `{ mode: string, onlyA: ${LABEL}[], onlyB: ${LABEL}[] }[]`,
    ],
    ['dropped', 'categories that were dropped: mode, labels', `{ mode: string, labels: ${LABEL}[] }[]`],
    [
      'unseen',
      'by variable, observations with a value of the wrong kind, such as text among numbers',
      '{ [variable]: number }',
    ],
    [
      'logLikelihood',
      'log-likelihood of the new data: before (null if some of it was impossible) and after',
      '{ before: number | null, after: number | null }',
    ],
    ['mixed', 'whether some of the new data was impossible under the model', 'boolean'],
    OUTPUT_FIELD,
    ['source', 'the files or the query, the columns of counts and weights', SOURCE],
  ],
  run: async (call, options: Options, path: string, paths: string[]) => {
    const { terminal } = call
    const { output } = options
    if (output !== undefined) {
      checkModelPath(output)
      checkOutput(output, { paths, sql: options.sql })
    }
    const found = await modelReading(call, paths, options, reading =>
      updateTable(path, paths, {
        ...reading,
        ...given(options, ['decay', 'passes', 'dropBelow', 'threads', 'weights']),
      }),
    )
    const { model, before, run } = found
    const decay = options.decay ?? UPDATE_OPTIONS.decay.default
    const files = writing(call.writes)
    await files.write('output', output, file => saveModel(file, model, { ...commandRecord('update', call), ...run }))
    terminal.answer(
      () => [...updateText(found, decay, terminal), ...files.lines()],
      () => ({
        model: path,
        decay,
        passes: found.passes,
        added: found.added,
        total: model.total,
        classes: model.shares.map((share, k) => ({
          class: model.classNames === undefined ? k + 1 : className(model, k),
          shareBefore: before.shares[k],
          share,
          size: model.sizes[k],
        })),
        changes: found.changes,
        dropped: found.dropped,
        unseen: found.unseen,
        mixed: found.mixed,
        logLikelihood: found.logLikelihood,
        ...files.written(),
        source: run.source,
      }),
    )
    files.end()
  },
})
