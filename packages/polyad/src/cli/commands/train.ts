import { crossValidate, type Mode, naiveBayes, OptionError, type Tensor } from '@polyad/core'
import { CROSS_VALIDATION_OPTIONS, defined, is, NAIVE_BAYES_OPTIONS } from '@polyad/core/options'
import { namedItems } from '../../analysis/named-columns.ts'
import { saveModel } from '../../output/model-store.ts'
import { count, counted, percent } from '../../report/numbers.ts'
import { classesText } from '../../report/text/classes-text.ts'
import { truthText } from '../../report/text/classification.ts'
import { SHOWN } from '../../report/text/fit-text.ts'
import { profileTable } from '../../report/text/profile-table.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA, DATA_ARGUMENT, type DataOptions } from '../options/data-options.ts'
import { LABEL } from '../options/field-types.ts'
import { fitOption } from '../options/fit-options.ts'
import { ITEMS, type ItemOptions, itemsOf } from '../options/item-options.ts'
import { LABELS, type LabelsOptions, shownLabels } from '../options/labels-option.ts'
import { optionsOf, parser } from '../options/option-values.ts'
import { MODEL_OUTPUT, OUTPUT_FIELD, SOURCE_FIELD, TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { stepNotes } from '../reading/item-notes.ts'
import { withData } from '../running/with-data.ts'
import type { OutputOptions, Terminal } from '../terminal/terminal.ts'
import { modelRecord } from '../writing/fit-record.ts'

interface Options extends DataOptions, ItemOptions, LabelsOptions, OutputOptions {
  readonly class?: string
  readonly pseudoCounts?: number
  readonly folds: number
  readonly seed: number
  readonly output?: string
}

export const train = defineCommand({
  name: 'train',
  summary: SUMMARIES.train,
  examples: [
    ['polyad train iris.csv --class species', 'learn the species, and measure the accuracy by cross-validation'],
    ['polyad train iris.csv --class species -o species.npz', 'save the model for polyad classify'],
    [
      'polyad train mail.csv --class spam --pseudo-counts 1 --folds 5',
      'with a pseudo-count, no category is impossible; five folds',
    ],
    ['polyad train iris.csv --class species --continuous "*_*"', 'numbers are normally distributed within a class'],
  ],
  arguments: [DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '--class <name>', text: 'column of the class (required)' },
        optionsOf(NAIVE_BAYES_OPTIONS)(
          'pseudoCounts',
          'count added to every category within a class (0: maximum likelihood)',
          {
            formerly: '--smoothing',
          },
        ),
        optionsOf(CROSS_VALIDATION_OPTIONS)('folds', 'number of folds for cross-validation; 0: leave it out', {
          parse: parser(is.either(0, CROSS_VALIDATION_OPTIONS.folds.check)),
          default: CROSS_VALIDATION_OPTIONS.folds.default,
        }),
        fitOption('seed', 'random seed of the folds', { default: 1 }),
        MODEL_OUTPUT,
        LABELS,
      ],
    },
    DATA,
    ITEMS,
    TIMED_OUTPUT,
  ],
  fields: [
    [
      'class, classes, shares, total',
      'the column, its classes, their shares, the observations used',
      `string, ${LABEL}[], number[], number`,
    ],
    ['unlabelled', 'observations without a class, which are left out', 'number'],
    ['pseudoCounts, folds', 'as requested', 'number, integer'],
    [
      'accuracy, confusion',
      'by cross-validation; null without it',
      'number | null, { [label]: { [class]: number } } | null',
    ],
    OUTPUT_FIELD,
    SOURCE_FIELD,
  ],
  run: async (call, options: Options, paths: string[]) => {
    const { terminal } = call
    const { class: wanted, folds, seed } = options
    if (wanted === undefined) throw new OptionError('no class was given: add its column, as in --class species')
    const { include, items: asked } = itemsOf(options)
    const plan = { command: 'train', reading: { include: [wanted, ...include] }, needsCells: { what: 'polyad train' } }
    await withData(call, paths, options, plan, async ({ source, prepared, files, record }) => {
      const tensor = prepared.tensor as Tensor
      const mode = classMode(tensor, wanted)
      checkClasses(mode, tensor.total, terminal)
      const pseudoCounts = options.pseudoCounts ?? 0
      const items = namedItems(tensor, asked)
      for (const note of stepNotes(tensor, asked)) terminal.note(note)
      const settings = (added: number) => ({ class: mode.name, pseudoCounts: added, ...items })
      const { model, unlabelled } = naiveBayes(tensor, settings(pseudoCounts))
      const validate = (added: number) => crossValidate(tensor, settings(added), { folds, seed })
      const validation = folds === 0 ? undefined : validate(pseudoCounts)
      // Where Theorem 2 is used as it stands, say what a pseudo-count would do.
      const allItems = tensor.modes.every(own => own === mode || items.items?.[own.name] !== undefined)
      const softened = folds === 0 || pseudoCounts > 0 || allItems ? undefined : validate(1).accuracy
      const figures = {
        class: mode.name,
        classes: model.classNames,
        shares: model.shares,
        total: model.total,
        unlabelled,
        pseudoCounts,
      }
      const accuracy = validation?.accuracy ?? null
      await files.write('output', options.output, path => {
        const recipe = { ...source.recipe, modes: source.recipe.modes.filter((_, n) => tensor.modes[n] !== mode) }
        const recorded = { class: mode.name, pseudoCounts, folds, seed, ...defined({ items: asked }) }
        return saveModel(
          path,
          model,
          modelRecord('train', call, { ...source, tensor, recipe }, recorded, { ...figures, accuracy }),
        )
      })
      if (unlabelled > 0)
        terminal.warn(
          'rows-left-out',
          `${count(unlabelled)} of ${count(tensor.total)} observations have no ${mode.name} and were left out`,
        )
      const { style } = terminal
      const page = { ...terminal, labels: shownLabels(options, source.recipe.labels) }
      terminal.answer(
        () => [
          '',
          ...classesText(model, page, { limit: 6 }),
          ...(items.items === undefined ? [] : profileTable(model, SHOWN, page)),
          ...(validation === undefined
            ? []
            : [
                ...truthText(
                  { column: mode.name, table: validation.table },
                  terminal,
                  `by ${folds}-fold cross-validation`,
                ),
                ...(softened === undefined
                  ? []
                  : [style('dim', `  with --pseudo-counts 1: ${percent(softened)} right`)]),
              ]),
          ...files.lines(),
        ],
        () => ({
          ...figures,
          folds,
          accuracy,
          confusion:
            validation === undefined
              ? null
              : Object.fromEntries([...validation.table].map(([key, row]) => [key, Object.fromEntries(row)])),
          ...record(),
        }),
      )
      return undefined
    })
  },
})

const classMode = ({ modes }: Tensor, wanted: string): Mode => {
  const exact = modes.find(({ name }) => name === wanted)
  const mode = exact ?? modes.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (mode === undefined)
    throw new OptionError(`--class names ${JSON.stringify(wanted)}, which is not a column of the data`)
  return mode
}

/** With fewer observations per class than this a column is an identifier. */
const IDENTIFIER = 2
/** With fewer than this there is little to learn from. */
const FEW = 5
/** Below this number of classes a small table is just a small table. */
const SEVERAL = 10

/** Refuses a column that identifies rows: its classes could never be found in new data. */
const checkClasses = ({ name, size }: Mode, total: number, terminal: Terminal): void => {
  const each = total / size
  if (each >= FEW) return
  const found = `${name} has ${counted(size, 'class', 'classes')} in ${counted(total, 'observation')}`
  if (each < IDENTIFIER && size > SEVERAL)
    throw new OptionError(
      `${found}: it looks like an identifier or a measurement; name another column with --class, or cut it with --bin ${name}:q5`,
    )
  terminal.warn(
    'small-classes',
    `${found}: too few of each to learn from; keep the most frequent with --top, or merge some with --recode`,
  )
}
