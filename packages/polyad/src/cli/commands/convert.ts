import { OptionError } from '@polyad/core'
import { isModelFile, loadModel, saveModel } from '../../output/model-store.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { checkTensorPath, writeKtensor, writeTensor } from '../../output/write-tensor.ts'
import { counted } from '../../report/numbers.ts'
import { tensorLine } from '../../report/text/fit-text.ts'
import { keepCells } from '../../source/cells/keep-cells.ts'
import { labelsPath, labelsText } from '../../source/formats/tns-labels.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA, type DataOptions } from '../options/data-options.ts'
import { LABELS, type LabelsOptions, withCodebook } from '../options/labels-option.ts'
import { TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { readData } from '../reading/read-data.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

export const convert = defineCommand({
  name: 'convert',
  summary: SUMMARIES.convert,
  examples: [
    ['polyad convert survey.csv cells.parquet --variables age,vote', 'count equal rows: one row per cell'],
    ['polyad convert visits.csv visits.tns', 'write a sparse tensor as text'],
    ['polyad convert model.npz model.json', 'convert a model, bit for bit; .tns: a ktensor for the Tensor Toolbox'],
  ],
  arguments: [{ name: '<files...>', text: 'files to read, then the file to write' }],
  options: [{ title: 'Options', options: [LABELS] }, DATA, TIMED_OUTPUT],
  fields: [
    ['output', 'the file written', 'string'],
    [
      'rows, cells, shape, total',
      'for data: rows read, distinct cells, categories of each variable, sum of the counts',
      'integer?, integer?, integer[]?, number?',
    ],
    ['rank', 'for a model: its number of classes', 'integer?'],
  ],
  run: async (call, options: DataOptions & LabelsOptions & OutputOptions, files: string[]) => {
    const { terminal } = call
    const output = files[files.length - 1]
    const inputs = files.slice(0, -1)
    if (inputs.length === 0 && options.sql === undefined)
      throw new OptionError(`no output file was given: add it after ${output}`)
    const format = checkTensorPath(output)
    checkOutput(output, { paths: inputs, sql: options.sql })
    if (inputs.length === 1 && isModelFile(inputs[0])) {
      const { model, run } = loadModel(inputs[0])
      if (format === 'tns') await writeKtensor(model, output)
      else await saveModel(output, model, run)
      terminal.answer(
        () => [`Wrote ${output}: a model with ${counted(model.rank, 'class', 'classes')}`],
        () => ({ output, rank: model.rank }),
      )
      return
    }
    const data = await withCodebook(await readData(call, inputs, options), options)
    const { tensor, rows, recipe } = data
    await (format === 'polyad'
      ? keepCells(data, output)
      : writeTensor(tensor, output, options.labels === 'off' ? {} : recipe.labels))
    if (format === 'tns' && labelsText(tensor) !== undefined)
      terminal.note(`names and labels are in ${labelsPath(output)}`)
    terminal.answer(
      () => [`Wrote ${output}: ${tensorLine(tensor, rows)}`],
      () => ({ output, rows, cells: tensor.cells, shape: tensor.shape, total: tensor.total }),
    )
  },
})
