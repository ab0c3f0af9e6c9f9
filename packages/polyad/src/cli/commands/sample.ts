import type { Command } from 'commander'
import { loadModel } from '../../output/model-store.ts'
import { type Cell, writeRows } from '../../output/write-rows.ts'
import { className } from '../../report/class-marks.ts'
import { counted } from '../../report/numbers.ts'
import { describe, withOutput } from '../options/describe.ts'
import { OUTPUT, withFields } from '../options/json-fields.ts'
import { wholeNumber } from '../options/option-values.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

interface Options extends OutputOptions {
  readonly rows: number
  readonly seed: number
  readonly class?: boolean
  readonly output?: string
}

export const sampleCommand = (): Command =>
  withFields(
    withOutput(
      describe('sample', 'draw rows from a model', [
        ['polyad sample model.npz', 'ten rows, as CSV'],
        ['polyad sample model.npz -n 100000 -o simulated.parquet', 'many, to a file'],
        ['polyad sample model.npz -n 500 --class --seed 7', 'with the class each was drawn from'],
      ])
        .argument('<model>', 'a model, .npz or .json')
        .option('-n, --rows <n>', 'how many rows', wholeNumber(0), 10)
        .option('--seed <n>', 'the same seed draws the same rows', wholeNumber(0), 1)
        .option('--class', 'with the class each row was drawn from, in a first column')
        .option(
          '-o, --output <file>',
          'where the rows go: .csv, .tsv, .parquet, .json, .ndjson (default: standard output)',
        ),
    ),
    [
      ['model, seed, drawn', 'the model, the seed, how many rows'],
      ['columns, rows', 'the rows, where no file was asked for'],
      OUTPUT,
    ],
  ).action(runSample)

const runSample = async (path: string, options: Options): Promise<void> => {
  const terminal = openTerminal(options)
  const { model } = loadModel(path)
  const { rows, classes } = model.sample(options.rows, { seed: options.seed })
  const withClass = options.class === true
  const columns = [...(withClass ? ['class'] : []), ...model.modes.map(({ name }) => name)]
  const cells = rows.map((row, i): readonly Cell[] => (withClass ? [className(model, classes[i]), ...row] : row))
  if (options.output !== undefined || !terminal.json) await writeRows(columns, cells, options.output)
  if (terminal.json) {
    const content = options.output === undefined ? { columns, rows: cells } : { output: options.output }
    terminal.answer(
      () => [],
      () => ({ model: path, seed: options.seed, drawn: rows.length, ...content }),
    )
  } else if (options.output !== undefined) terminal.note(`${counted(rows.length, 'row')} in ${options.output}`)
}
