import { OptionError } from '@polyad/core'
import { IMPUTATION_SCORE_OPTIONS, IMPUTE_OPTIONS } from '@polyad/core/options'
import { isAddress } from '../../engine/sql/address.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { writeRows } from '../../output/write-rows.ts'
import { copyOptions, STANDARD_OUTPUT } from '../../output/write-table.ts'
import { missingText, totalOf } from '../../report/missing-text.ts'
import { counted } from '../../report/numbers.ts'
import { scoreText } from '../../report/score-text.ts'
import { countMissing, distributions, scoreHidden, writeFilled } from '../../scoring/impute-table.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { fitOption } from '../options/fit-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { optionsOf, parser } from '../options/option-values.ts'
import { OUTPUT, OUTPUT_FIELD, ROWS_OUTPUT } from '../options/output-options.ts'
import { defineCommand } from '../running/define-command.ts'
import { withModelTable } from '../running/model-table.ts'
import { answerAside, refuseJson } from '../running/rows-output.ts'
import { imputeInPlace } from '../running/score-in-place.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends ModelDataOptions, OutputOptions {
  readonly output?: string
  readonly distribution?: boolean
  readonly draws?: number
  readonly seed?: number
  /** True where no part was named. */
  readonly score?: true | number
}

export const impute = defineCommand({
  name: 'impute',
  summary: 'fill missing values from a model',
  examples: [
    ['polyad impute model.npz survey.csv -o filled.csv', 'with the most probable categories'],
    ['polyad impute model.npz survey.csv --draws 20 -o draws.csv', 'twenty draws of each, one table below the other'],
    [
      'polyad impute model.npz new.csv --score',
      'hide a tenth of the observed values and measure how well they are predicted',
    ],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        ROWS_OUTPUT,
        {
          flags: '--distribution',
          text: 'write the probability of every category for each missing value: columns row, mode (the variable), label (the category), probability',
        },
        optionsOf(IMPUTE_OPTIONS)(
          'draws',
          'draw each missing value m times instead of filling the most probable category; writes m tables one below the other, with columns .imp (draw), .id (row) and .imputed (variables filled)',
          { value: 'm', default: undefined },
        ),
        fitOption('seed', 'random seed of the draws and of the hidden values'),
        {
          flags: '--score [part]',
          text: 'hide this fraction of the observed values (default: 0.1) and measure how well the model predicts them',
          parse: parser(IMPUTATION_SCORE_OPTIONS.part.check),
          library: ['part'],
        },
      ],
    },
    MODEL_COUNTS,
    OUTPUT,
  ],
  fields: [
    ['model, rows, total', 'the model, rows read, missing values in all'],
    ['missing', 'by mode, how many values are missing'],
    ['draws, seed', 'with --draws: how many, and their seed'],
    [
      'score',
      'with --score: part, seed, hidden (how many values, by how often their rows were seen), logScore (mean log-probability of what was hidden, in nats), accuracy (of the most probable label), baseline (the same by the marginal probabilities of the model, without the rest of the row), modes (the same for each)',
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, distribution = false } = options
    if ([...paths, ...(output === undefined ? [] : [output])].some(isAddress))
      return imputeInPlace(call, options, model, paths)
    if (distribution && output === undefined)
      throw new OptionError('--distribution needs -o, the file to write to (-: standard output)')
    const { draws, seed = 1, score } = options
    if (draws !== undefined && output === undefined)
      throw new OptionError('--draws needs -o, the file to write to (-: standard output)')
    if (draws !== undefined && distribution)
      throw new OptionError('--draws cannot be combined with --distribution, from which they are drawn')
    if (options.seed !== undefined && draws === undefined && score === undefined)
      throw new OptionError('--seed needs --draws or --score: nothing else is random')
    if (options.count !== undefined && score === undefined)
      throw new OptionError('--count needs --score: a row is filled once, however often it was seen')
    refuseJson(output, terminal)
    if (output !== undefined) copyOptions(output)
    if (output !== undefined && output !== STANDARD_OUTPUT)
      checkOutput(output, { paths: [model, ...paths], sql: options.sql })
    const found = await withModelTable(call, model, paths, options, async (tables, table, stored) => {
      const split = stored.recipe.modes.find(({ when }) => when !== undefined)
      if (split !== undefined)
        throw new OptionError(
          `${split.column} has probabilities that depend on ${split.when?.[0].column}, by which values cannot be filled: fit it without --free and --direct`,
        )
      const joined = stored.recipe.modes.find(({ parts }) => parts !== undefined)
      if (joined !== undefined)
        throw new OptionError(
          `${joined.column} was joined of several columns, which cannot be filled: fit them without --join`,
        )
      const { rows, missing, unseen } = await countMissing(tables, table)
      call.line.clear()
      stored.model.modes.forEach(({ name }, n) => {
        if (unseen[n] > 0)
          terminal.warn(
            `${name}: ${counted(unseen[n], 'row')} with a category that the model does not know, left as it is`,
          )
      })
      if (output !== undefined && distribution) {
        await writeRows(['row', 'mode', 'label', 'probability'], await distributions(tables, table, stored), output)
      } else if (output !== undefined) {
        const { parameters } = stored.model
        await tables.ask(draws === undefined ? { kind: 'fill', parameters } : { kind: 'draw', parameters, seed })
        await writeFilled(tables, table, stored, output, draws)
      }
      if (score !== undefined && options.count === undefined && table.count !== undefined)
        terminal.note(`counting by column ${table.count}, as the model's own data was (--count none: every row once)`)
      const scored =
        score === undefined
          ? undefined
          : await scoreHidden(tables, table, stored, { seed, ...(score !== true && { part: score }) })
      return {
        ...(draws !== undefined && { draws, seed }),
        ...(scored !== undefined && { score: scored }),
        rows,
        missing: Object.fromEntries(stored.model.modes.map(({ name }, n) => [name, missing[n]])),
      }
    })
    const place = output === STANDARD_OUTPUT ? 'standard output' : output
    const done =
      place === undefined
        ? ''
        : distribution
          ? `; their distributions are in ${place}`
          : `, ${draws === undefined ? 'filled' : `each drawn ${counted(draws, 'time')}`} in ${place}`
    answerAside(
      output,
      terminal,
      () => [
        ...missingText(found.missing, found.rows, done, terminal),
        ...(found.score === undefined ? [] : scoreText(found.score, terminal)),
      ],
      () => ({ model, ...found, total: totalOf(found.missing), ...(output === undefined ? {} : { output }) }),
    )
  },
})
