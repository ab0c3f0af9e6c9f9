import { OptionError } from '@polyad/core'
import type { Command } from 'commander'
import { checkWritable } from '../../output/atomic-file.ts'
import { isModelFile, loadModel, saveModel } from '../../output/model-store.ts'
import { checkTensorPath, writeTensor } from '../../output/write-tensor.ts'
import { tensorLine } from '../../report/fit-text.ts'
import { counted } from '../../report/numbers.ts'
import { labelsPath, labelsText } from '../../source/tns-labels.ts'
import { type DataOptions, withTableOptions } from '../options/data-options.ts'
import { describe, withOutput } from '../options/describe.ts'
import { withFields } from '../options/json-fields.ts'
import { readData } from '../reading.ts'
import { catchInterrupt } from '../terminal/interrupt.ts'
import { progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

export const convertCommand = (): Command =>
  withFields(
    withOutput(
      withTableOptions(
        describe('convert', 'between the formats of data, and of models', [
          ['polyad convert survey.csv cells.parquet --modes age,vote', 'count the rows: one row a cell'],
          ['polyad convert visits.csv visits.tns', 'to a sparse tensor as text'],
          ['polyad convert model.npz model.json', 'a model, bit for bit'],
        ]).argument('<files...>', 'what to read, and last the file to write'),
      ),
    ),
    [
      ['output', 'the file written'],
      ['rows, cells, shape, total', 'of data'],
      ['rank', 'of a model'],
    ],
  ).action(runConvert)

const runConvert = async (files: string[], options: DataOptions & OutputOptions): Promise<void> => {
  const terminal = openTerminal(options)
  const interrupt = catchInterrupt()
  try {
    const output = files[files.length - 1]
    const inputs = files.slice(0, -1)
    if (inputs.length === 0 && options.sql === undefined)
      throw new OptionError(`name the file to write after ${output}`)
    const format = checkTensorPath(output)
    checkWritable(output)
    if (inputs.length === 1 && isModelFile(inputs[0])) {
      const { model, run } = loadModel(inputs[0])
      await saveModel(output, model, run)
      terminal.answer(
        () => [`A model of ${counted(model.rank, 'class', 'classes')} is in ${output}`],
        () => ({ output, rank: model.rank }),
      )
      return
    }
    const { tensor, rows } = await readData(inputs, options, terminal, progressLine(terminal))
    await writeTensor(tensor, output)
    if (format === 'tns' && labelsText(tensor) !== undefined)
      terminal.note(`names and labels are in ${labelsPath(output)}`)
    terminal.answer(
      () => [`${tensorLine(tensor, rows)}: in ${output}`],
      () => ({ output, rows, cells: tensor.cells, shape: tensor.shape, total: tensor.total }),
    )
  } finally {
    interrupt.release()
  }
}
