import { OptionError } from '@polyad/core'
import type { Command } from 'commander'
import { checkWritable } from '../../output/atomic-file.ts'
import { writeRows } from '../../output/write-rows.ts'
import { copyOptions } from '../../output/write-table.ts'
import { count, counted } from '../../report/numbers.ts'
import { textTable } from '../../report/text-table.ts'
import { countMissing, distributions, writeFilled } from '../../scoring/impute-table.ts'
import { describe, withOutput } from '../options/describe.ts'
import { OUTPUT, withFields } from '../options/json-fields.ts'
import { type ModelledOptions, withModelled, withModelledTable } from '../options/modelling.ts'
import { catchInterrupt } from '../terminal/interrupt.ts'
import { progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

interface Options extends ModelledOptions, OutputOptions {
  readonly output?: string
  readonly distribution?: boolean
}

export const imputeCommand = (): Command =>
  withFields(
    withOutput(
      withModelled(
        describe('impute', 'fill missing values from a model', [
          ['polyad impute model.npz survey.csv -o filled.csv', 'with their most probable labels'],
          [
            'polyad impute model.npz survey.csv --distribution -o chances.csv',
            'the probability of every label instead',
          ],
          ['polyad impute model.npz survey.csv', 'only count what is missing'],
        ])
          .option('-o, --output <file>', 'where the rows go: .csv, .tsv, .parquet, .json, .ndjson')
          .option('--distribution', 'for each missing value: row, mode, label, probability'),
      ),
    ),
    [
      ['model, rows, total', 'the model, rows read, missing values in all'],
      ['missing', 'by mode, how many values are missing'],
      OUTPUT,
    ],
  ).action(runImpute)

const runImpute = async (model: string, paths: string[], options: Options): Promise<void> => {
  const terminal = openTerminal(options)
  const line = progressLine(terminal)
  const interrupt = catchInterrupt()
  try {
    const { output } = options
    if (options.distribution && output === undefined)
      throw new OptionError('--distribution needs -o, the file to write to')
    if (output !== undefined) {
      copyOptions(output)
      checkWritable(output)
    }
    const found = await withModelledTable(model, paths, options, terminal, line, async (tables, table, stored) => {
      const { rows, missing } = await countMissing(tables, table)
      if (output !== undefined && options.distribution) {
        await writeRows(['row', 'mode', 'label', 'probability'], await distributions(tables, table, stored), output)
      } else if (output !== undefined) {
        await tables.ask({ kind: 'fill', parameters: stored.model.parameters })
        await writeFilled(tables, table, stored, output)
      }
      return { rows, missing: Object.fromEntries(stored.model.modes.map(({ name }, n) => [name, missing[n]])) }
    })
    const total = Object.values(found.missing).reduce((sum, value) => sum + value, 0)
    const done =
      output === undefined
        ? ''
        : options.distribution
          ? `; their distributions are in ${output}`
          : `, filled in ${output}`
    terminal.answer(
      () => [
        '',
        ...textTable(
          [{ title: 'mode' }, { title: 'missing', align: 'right' }],
          Object.entries(found.missing).map(([name, value]) => [name, count(value)]),
          terminal.style,
        ),
        '',
        `${counted(total, 'missing value')} in ${counted(found.rows, 'row')}${done}`,
      ],
      () => ({ model, ...found, total, ...(output === undefined ? {} : { output }) }),
    )
  } finally {
    line.clear()
    interrupt.release()
  }
}
