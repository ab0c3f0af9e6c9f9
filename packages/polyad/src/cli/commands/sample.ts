import { type Model, OptionError } from '@polyad/core'
import { is } from '@polyad/core/options'
import { isAddress } from '../../engine/sql/address.ts'
import { loadModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { type Cell, writeRows } from '../../output/write-rows.ts'
import { counted, whole } from '../../report/numbers.ts'
import { className } from '../../report/text/classes-text.ts'
import { defineCommand } from '../framework/define-command.ts'
import { fitOption } from '../options/fit-options.ts'
import { MODEL_ARGUMENT } from '../options/model-options.ts'
import { parser } from '../options/option-values.ts'
import { OUTPUT_FIELD, ROWS_ENDINGS, TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { sampleInPlace } from '../running/score-in-place.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly rows: number
  readonly seed: number
  readonly class?: boolean
  readonly output?: string
}

export const sample = defineCommand({
  name: 'sample',
  summary: SUMMARIES.sample,
  examples: [
    ['polyad sample model.npz', 'draw ten rows, as CSV'],
    ['polyad sample model.npz -n 100000 -o simulated.parquet', 'write 100,000 rows to a file'],
    ['polyad sample model.npz -n 500 --class --seed 7', 'with the class that each row was drawn from'],
  ],
  arguments: [MODEL_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        { flags: '-n, --rows <n>', text: 'number of rows', parse: parser(is.whole(0)), default: 10 },
        fitOption('seed', 'random seed; the same seed draws the same rows', { default: 1 }),
        { flags: '--class', text: 'add the class of each row as the first column' },
        {
          flags: '-o, --output <file>',
          text: `file to write the rows to: ${ROWS_ENDINGS} (default: standard output)`,
        },
      ],
    },
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, seed, drawn', 'the model, the seed, the number of rows'],
    ['columns, rows', 'the rows, if no file is written'],
    OUTPUT_FIELD,
  ],
  run: async ({ terminal }, options: Options, path: string) => {
    if (options.output !== undefined && isAddress(options.output))
      return sampleInPlace(terminal, options, path, options.output)
    const output = options.output === '-' ? undefined : options.output
    if (output !== undefined) checkOutput(output, { paths: [path] })
    const { model } = loadModel(path)
    checkRows(options.rows, model)
    const { rows, classes } = model.sample(options.rows, { seed: options.seed })
    const withClass = options.class === true
    const columns = [...(withClass ? ['class'] : []), ...model.modes.map(({ name }) => name)]
    const cells = rows.map((row, i): readonly Cell[] => (withClass ? [className(model, classes[i]), ...row] : row))
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

/** Rows are drawn at once and held in memory, which has room for about this many labels beside all else. */
const HELD = 75_000_000
/** What a row takes beside its labels, counted in labels. */
const ROW = 10

const checkRows = (rows: number, { modes }: Model): void => {
  const most = Math.floor(HELD / (modes.length + ROW))
  if (rows > most)
    throw new OptionError(
      `--rows must be at most ${whole(most)} for ${counted(modes.length, 'variable')}, since they are drawn in memory (got ${whole(rows)}): draw several files, each with another --seed`,
    )
}
