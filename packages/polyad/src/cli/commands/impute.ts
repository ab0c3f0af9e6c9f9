import { defined, IMPUTATION_SCORE_OPTIONS, IMPUTE_OPTIONS } from '@polyad/core/options'
import { isAddress } from '../../engine/sql/address.ts'
import { STANDARD_OUTPUT } from '../../output/write-table.ts'
import { counted } from '../../report/numbers.ts'
import { missingText, totalOf } from '../../report/text/missing-text.ts'
import { scoreText } from '../../report/text/score-text.ts'
import { checkImputation, imputeTable } from '../../scoring/filled-table.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT, SCRATCH, type ScratchOptions } from '../options/data-options.ts'
import { ANY_NUMBER } from '../options/field-types.ts'
import { fitOption } from '../options/fit-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, optionsOf, parser } from '../options/option-values.ts'
import { OUTPUT_FIELD, ROWS_OUTPUT, TIMED_OUTPUT } from '../options/output-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelReading } from '../reading/model-reading.ts'
import { checkScratch } from '../reading/open-source.ts'
import { imputeInPlace } from '../running/score-in-place.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { answerAside, refuseJson } from '../writing/rows-output.ts'

interface Options extends ModelDataOptions, ScratchOptions, OutputOptions {
  readonly output?: string
  readonly distribution?: boolean
  readonly draws?: number
  readonly seed?: number
  /** True where no part was named. */
  readonly score?: true | number
}

/** How well hidden values are filled. */
const SCORES = `hidden: number, logScore: ${ANY_NUMBER}, accuracy: ${ANY_NUMBER}, baseline: { logScore: ${ANY_NUMBER}, accuracy: ${ANY_NUMBER} }`

export const impute = defineCommand({
  name: 'impute',
  summary: SUMMARIES.impute,
  examples: [
    [
      'polyad impute model.npz survey.csv -o filled.csv',
      'fill in the most probable categories, and the means of numbers',
    ],
    [
      'polyad impute model.npz survey.csv --draws 20 -o draws.csv',
      'draw each missing value twenty times, one table below the other',
    ],
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
          'draw each missing value m times instead of filling the most probable category, or the mean of a number; writes m tables one below the other, with columns .imp (draw), .id (row) and .imputed (variables filled)',
          { value: 'm', default: undefined },
        ),
        fitOption('seed', 'random seed of the draws and of the hidden values'),
        {
          flags: '--score [part]',
          text: 'hide this fraction of the observed values (default: 0.1) and measure how well the model predicts them',
          parse: parser(IMPUTATION_SCORE_OPTIONS.part.check),
          library: ['part', 'score'],
        },
        SCRATCH,
      ],
    },
    MODEL_COUNTS,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, rows, total', 'the model, rows read, number of missing values', 'string, integer, number'],
    ['missing', 'by variable, how many values are missing', '{ [variable]: number }'],
    ['draws, seed', 'with --draws: how many, and their seed', 'integer?'],
    [
      'score',
      'with --score: part, seed, hidden (how many values, weighted by the counts of their rows), logScore (mean log-probability of the hidden values, in nats), accuracy (of the most probable category), baseline (the same by the marginal probabilities of the model, without the rest of the row), modes (the same for each variable)',
      `{ part: number, seed: integer, ${SCORES}, modes: { mode: string, ${SCORES} }[] }?`,
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, distribution = false } = options
    if ([...paths, ...(output === undefined ? [] : [output])].some(isAddress))
      return imputeInPlace(call, options, model, paths)
    checkScratch(paths, options)
    const { draws, score } = options
    const asked = {
      ...given(options, ['output', 'draws', 'seed', 'distribution']),
      ...(score !== undefined && { score: score === true ? IMPUTATION_SCORE_OPTIONS.part.default : score }),
    }
    checkImputation({ ...asked, ...given(options, ['count']) })
    refuseJson(output, terminal)
    const found = await modelReading(call, paths, options, reading =>
      imputeTable(model, paths, { ...reading, ...asked }),
    )
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
      () => ({ model, ...found, total: totalOf(found.missing), ...defined({ output }) }),
    )
  },
})
