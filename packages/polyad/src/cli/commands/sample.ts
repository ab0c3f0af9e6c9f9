import { type Model, OptionError } from '@polyad/core'
import { isLinked, linkCovariates } from '@polyad/core/model'
import { defined, is } from '@polyad/core/options'
import { isAddress } from '../../engine/sql/address.ts'
import { loadModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { type Cell, writeRows } from '../../output/write-rows.ts'
import { counted, whole } from '../../report/numbers.ts'
import { className } from '../../report/text/classes-text.ts'
import { readSampleRows } from '../../scoring/unit-rows.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT, SCRATCH, type ScratchOptions } from '../options/data-options.ts'
import { fitOption } from '../options/fit-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { parser } from '../options/option-values.ts'
import { OUTPUT_FIELD, ROWS_ENDINGS, TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_WEIGHTS } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelReading } from '../reading/model-reading.ts'
import { checkScratch } from '../reading/open-source.ts'
import { sampleInPlace } from '../running/score-in-place.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends ModelDataOptions, ScratchOptions, OutputOptions {
  readonly rows: number
  readonly weights?: string
  readonly seed: number
  readonly members?: number
  readonly class?: boolean
  readonly output?: string
}

const COVARIATE_DATA = {
  ...DATA_ARGUMENT,
  text: 'for a model with covariates: files with their values (and persons and waves, or groups)',
}

export const sample = defineCommand({
  name: 'sample',
  summary: SUMMARIES.sample,
  examples: [
    ['polyad sample model.npz -n 100000 -o simulated.parquet', 'write 100,000 rows to a file'],
    ['polyad sample model.npz --class --seed 7', 'draw ten rows, as CSV, with the class that each was drawn from'],
    [
      'polyad sample model.npz survey.csv -n 500',
      'for a model with covariates: their values are drawn from the rows of a file',
    ],
  ],
  arguments: [MODEL_ARGUMENT, COVARIATE_DATA],
  options: [
    {
      title: 'Options',
      options: [
        {
          flags: '-n, --rows <n>',
          text: 'number of rows; for a model of persons over time or of groups: number of persons or groups',
          parse: parser(is.whole(0)),
          default: 10,
        },
        {
          flags: '--members <n>',
          text: 'for a model of groups: members of each group (default: 30; with covariates, as many as in the data)',
          parse: parser(is.whole(1)),
        },
        fitOption('seed', 'random seed; the same seed draws the same rows', { default: 1 }),
        {
          flags: '--class',
          text: 'add the class of each row as the first column, and before it the class of its group, if groups have classes',
        },
        {
          flags: '-o, --output <file>',
          text: `file to write the rows to: ${ROWS_ENDINGS} (default: standard output)`,
        },
        SCRATCH,
      ],
    },
    MODEL_COUNTS,
    { title: 'Sample', options: [MODEL_WEIGHTS] },
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, seed, drawn', 'the model, the seed, the number of rows', 'string, integer, integer'],
    [
      'columns, rows',
      'the covariates and the variables of the model; the rows, if no file is written',
      'string[]?, unknown[][]?',
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, path: string, paths: string[]) => {
    const { terminal } = call
    const stored = loadModel(path)
    const { model } = stored
    checkCovariates(model, paths)
    if (options.output !== undefined && isAddress(options.output))
      return sampleInPlace(terminal, options, stored, options.output)
    checkScratch(paths, options)
    const output = options.output === '-' ? undefined : options.output
    if (output !== undefined) checkOutput(output, { paths: [path, ...paths] })
    checkRows(options, model)
    const given =
      paths.length === 0
        ? {}
        : await modelReading(call, paths, options, reading => readSampleRows(stored, paths, reading, options.weights))
    const { seed, members, class: withClass = false } = options
    const drawn = model.sample(options.rows, { seed, ...defined({ members }), ...given })
    const { columns: names, rows, classes, groupClasses } = drawn
    const withGroups = withClass && groupClasses !== undefined
    const columns = [...(withGroups ? ['group_class'] : []), ...(withClass ? ['class'] : []), ...names]
    const classesOf = (i: number) => [
      ...(withGroups ? [groupClasses[i] + 1] : []),
      ...(withClass ? [className(model, classes[i])] : []),
    ]
    const cells = rows.map((row, i): readonly Cell[] => [...classesOf(i), ...row])
    if (output !== undefined || !terminal.json) await writeRows(columns, cells, output)
    if (terminal.json) {
      const content = output === undefined ? { columns, rows: cells } : { output }
      terminal.answer(
        () => [],
        () => ({ model: path, seed: options.seed, drawn: rows.length, ...content }),
      )
    } else if (output !== undefined) terminal.note(`${counted(rows.length, 'row')} in ${output}`)
  },
})

/** A model with covariates needs rows that have their values, and no other model does. */
const checkCovariates = ({ structure }: Model, paths: readonly string[]): void => {
  // The waves of persons are drawn too.
  const given = isLinked(structure) ? linkCovariates(structure) : structure.given
  const names = given.map(({ name }) => name).join(', ')
  if (given.length > 0 && paths.length === 0)
    throw new OptionError(
      `the classes of this model depend on ${names}: name a file with these columns after the model; rows take their values from it`,
    )
  if (given.length === 0 && paths.length > 0)
    throw new OptionError('data is only for models with covariates, and this model has none: name the model alone')
}

/** Rows are drawn at once and held in memory, which has room for about this many labels beside all else. */
const HELD = 75_000_000
/** What a row takes beside its labels, counted in labels. */
const ROW = 10

const checkRows = ({ rows: units, members = 30 }: Options, { modes, structure }: Model): void => {
  const each = structure.kind === 'chain' ? structure.waves.length : structure.kind === 'nested' ? members : 1
  const most = Math.floor(HELD / (modes.length + ROW) / each)
  if (units > most)
    throw new OptionError(
      `--rows must be at most ${whole(most)} for ${counted(modes.length, 'variable')}, since they are drawn in memory (got ${whole(units)}): draw several files, each with another --seed`,
    )
}
