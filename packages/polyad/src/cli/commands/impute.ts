import { OptionError } from '@polyad/core'
import { checkOutput } from '../../output/overwriting.ts'
import { writeRows } from '../../output/write-rows.ts'
import { copyOptions, STANDARD_OUTPUT } from '../../output/write-table.ts'
import { count, counted } from '../../report/numbers.ts'
import { textTable } from '../../report/text-table.ts'
import { countMissing, distributions, writeFilled } from '../../scoring/impute-table.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_DATA, type ModelDataOptions } from '../options/model-options.ts'
import { OUTPUT, OUTPUT_FIELD, ROWS_OUTPUT } from '../options/output-options.ts'
import { defineCommand } from '../running/define-command.ts'
import { withModelTable } from '../running/model-table.ts'
import { answerAside, refuseJson } from '../running/rows-output.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends ModelDataOptions, OutputOptions {
  readonly output?: string
  readonly distribution?: boolean
}

export const impute = defineCommand({
  name: 'impute',
  summary: 'fill missing values from a model',
  examples: [
    ['polyad impute model.npz survey.csv -o filled.csv', 'with their most probable labels'],
    ['polyad impute model.npz survey.csv --distribution -o chances.csv', 'the probability of every label instead'],
    ['polyad impute model.npz survey.csv', 'only count what is missing'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        ROWS_OUTPUT,
        { flags: '--distribution', text: 'for each missing value: row, mode, label, probability' },
      ],
    },
    MODEL_DATA,
    OUTPUT,
  ],
  fields: [
    ['model, rows, total', 'the model, rows read, missing values in all'],
    ['missing', 'by mode, how many values are missing'],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, distribution = false } = options
    if (distribution && output === undefined)
      throw new OptionError('--distribution needs -o, the file to write to (-: standard output)')
    refuseJson(output, terminal)
    if (output !== undefined) copyOptions(output)
    if (output !== undefined && output !== STANDARD_OUTPUT)
      checkOutput(output, { paths: [model, ...paths], sql: options.sql })
    const found = await withModelTable(call, model, paths, options, async (tables, table, stored) => {
      const joined = stored.recipe.modes.find(({ parts }) => parts !== undefined)
      if (joined !== undefined)
        throw new OptionError(
          `${joined.column} was joined of several columns, which cannot be filled: fit them without --join`,
        )
      const { rows, missing, unseen } = await countMissing(tables, table)
      call.line.clear()
      stored.model.modes.forEach(({ name }, n) => {
        if (unseen[n] > 0)
          terminal.warn(`${name}: ${counted(unseen[n], 'row')} with a label the model has never seen, left as it is`)
      })
      if (output !== undefined && distribution) {
        await writeRows(['row', 'mode', 'label', 'probability'], await distributions(tables, table, stored), output)
      } else if (output !== undefined) {
        await tables.ask({ kind: 'fill', parameters: stored.model.parameters })
        await writeFilled(tables, table, stored, output)
      }
      return { rows, missing: Object.fromEntries(stored.model.modes.map(({ name }, n) => [name, missing[n]])) }
    })
    const total = Object.values(found.missing).reduce((sum, value) => sum + value, 0)
    const place = output === STANDARD_OUTPUT ? 'standard output' : output
    const done =
      place === undefined ? '' : distribution ? `; their distributions are in ${place}` : `, filled in ${place}`
    answerAside(
      output,
      terminal,
      () => [
        '',
        ...textTable(
          [
            { title: 'mode', most: 60 },
            { title: 'missing', align: 'right' },
          ],
          Object.entries(found.missing).map(([name, value]) => [name, count(value)]),
          terminal,
        ),
        '',
        `${counted(total, 'missing value')} in ${counted(found.rows, 'row')}${done}`,
      ],
      () => ({ model, ...found, total, ...(output === undefined ? {} : { output }) }),
    )
  },
})
