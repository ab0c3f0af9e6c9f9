import { OptionError } from '@polyad/core'
import { is, omit } from '@polyad/core/options'
import { isAddress } from '../../engine/sql/address.ts'
import { loadModel } from '../../output/model-store.ts'
import { classificationText } from '../../report/text/classification.ts'
import { type Classification, classifyTable } from '../../scoring/classify-table.ts'
import { defineCommand } from '../framework/define-command.ts'
import { DATA_ARGUMENT, SCRATCH, type ScratchOptions } from '../options/data-options.ts'
import { ANY_NUMBER, CLASS, DESIGN, LABEL } from '../options/field-types.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { given, parser } from '../options/option-values.ts'
import { OUTPUT_FIELD, ROWS_OUTPUT, TIMED_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions, TOTALS } from '../options/sample-options.ts'
import { SUMMARIES } from '../options/summaries.ts'
import { modelReading } from '../reading/model-reading.ts'
import { checkScratch } from '../reading/open-source.ts'
import { readForModel } from '../reading/read-for-model.ts'
import { answerRowsPlan, DRY_RUN, type DryRunOptions } from '../running/dry-run.ts'
import { classifyInPlace } from '../running/score-in-place.ts'
import type { OutputOptions } from '../terminal/terminal.ts'
import { answerAside, refuseJson } from '../writing/rows-output.ts'

interface Options extends ModelDataOptions, SampleOptions, DryRunOptions, ScratchOptions, OutputOptions {
  readonly output?: string
  readonly posterior?: boolean
  readonly path?: boolean
  readonly anomalies?: number
  /** True where no number was named. */
  readonly explain?: true | number
}

/** Rows that are explained if nobody says how many. */
const EXPLAINED = 10

export const classify = defineCommand({
  name: 'classify',
  summary: SUMMARIES.classify,
  examples: [
    ['polyad classify model.npz new.csv -o classified.csv', 'append the class, its probability and the log-likelihood'],
    [
      'polyad classify model.npz new.csv --posterior -o -',
      'also append the probability of every class; write to standard output',
    ],
    [
      'polyad classify model.npz new.csv --explain 20',
      'show the twenty most surprising rows, and which answers make them so',
    ],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        ROWS_OUTPUT,
        { flags: '--posterior', text: 'with -o: append the probability of every class, posterior_1, posterior_2, …' },
        {
          flags: '--path',
          text: "with -o, for a model of persons over time: append path, the row's class in the person's most probable sequence of classes",
        },
        {
          flags: '--explain [n]',
          text: `show the n most surprising rows (default: ${EXPLAINED}) and which answers make them so, whatever is missing; with -o: append surprise, surprise_score and surprise_by to every row`,
          parse: parser(is.whole(1)),
        },
        {
          flags: '--anomalies <n>',
          text: 'show the n least likely rows; those with missing values rank as likelier, because fewer answers count',
          parse: parser(is.whole(1)),
        },
        TOTALS,
        DRY_RUN,
        SCRATCH,
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    TIMED_OUTPUT,
  ],
  fields: [
    ['model, rows', 'the model, and how many rows were read', 'string, integer'],
    [
      'count, weights',
      'the columns of counts (null: every row counts once) and of sampling weights (null: none)',
      'string | null',
    ],
    [
      'total',
      'the sum of the counts; with weights, of counts times weights whose mean is 1 (with --weights-as-totals: as they are)',
      'number',
    ],
    [
      'classes',
      'for each class: class (its name, or its number from 1), rows, total, share (of the total) and, with weights or clusters, standardError (of the share)',
      `{ class: ${CLASS}, rows: integer, total: number, share: ${ANY_NUMBER}, standardError?: ${ANY_NUMBER} }[]`,
    ],
    ['design', 'with clusters: clusters, strata, degreesOfFreedom; else null', `${DESIGN} | null`],
    ['left', 'with --complete: rows that were left out', 'number?'],
    ['population', 'true with --weights-as-totals: totals are those of the population', 'boolean?'],
    ['meanProbability', 'mean probability of the assigned class, weighted', 'number | null'],
    ['logLikelihood', 'of all rows that are possible under the model; of all persons or groups', 'number'],
    ['impossible', 'rows with probability zero under the model', 'number'],
    ['unseen', 'by variable, rows with a category that the model does not have', '{ [variable]: number }'],
    ['absent', 'variables of the model that the data lacks', 'string[]'],
    [
      'persons, waves, paths',
      'of persons over time: how many; for each wave its label, persons (with a row there) and classes (the most probable class of each person given all waves: class, persons, share); the ten most frequent of the most probable sequences of classes (path, persons)',
      `integer?, { wave: ${LABEL}, persons: integer, classes: { class: ${CLASS}, persons: integer, share: ${ANY_NUMBER} }[] }[]?, { path: (${CLASS})[], persons: integer }[]?`,
    ],
    [
      'groups, groupClasses',
      'of groups: group, rows, class (of the group, from 1) and its probability; for each class of groups, how many groups it gets and their share',
      '{ group: string | null, rows: integer, class: integer, probability: number }[]?, { class: integer, groups: integer, share: number }[]?',
    ],
    [
      'anomalies, anomalyColumns',
      'the least likely rows: row, count, class, probability, logLikelihood, values of the columns',
      `{ row: integer, count: number, class: string, probability: ${ANY_NUMBER}, values: unknown[], logLikelihood: ${ANY_NUMBER} }[], string[]`,
    ],
    [
      'surprises',
      'with --explain, the most surprising rows: row, count, class, probability, surprise (−log₂ of the probability of its answers, in bits), expected (the mean of rows with answers to the same variables), score (standard deviations above it), contributions (for each answer, the most surprising first: mode, label, bits given the other answers, unseen), values of the columns; rows are numbered from 1',
      `{ row: integer, count: number, class: string, probability: ${ANY_NUMBER}, surprise: ${ANY_NUMBER}, expected: ${ANY_NUMBER}, score: ${ANY_NUMBER}, values: unknown[], contributions: { mode: string, label: ${LABEL}, bits: ${ANY_NUMBER}, unseen: boolean }[] }[]`,
    ],
    [
      'truth',
      'for a supervised model, if the data has the true class: its column, and the table of true and assigned classes',
      '{ column: string, table: { [label]: { [class]: number } } }?',
    ],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, posterior = false } = options
    if (posterior && output === undefined)
      throw new OptionError('--posterior needs -o, the file to write to (-: standard output)')
    if ([...paths, ...(output === undefined ? [] : [output])].some(isAddress))
      return classifyInPlace(call, options, model, paths)
    checkScratch(paths, options)
    if (options.dryRun === true) {
      const stored = loadModel(model)
      return answerRowsPlan(call, 'classify', stored, await readForModel(call, stored, paths, options), paths)
    }
    refuseJson(output, terminal)
    const { explain, ...asked } = omit(options, 'quiet', 'json', 'dryRun')
    const found = await modelReading(call, paths, asked, reading =>
      classifyTable(model, paths, {
        ...reading,
        ...given(asked, [
          'output',
          'posterior',
          'path',
          'anomalies',
          'weights',
          'weightsAsTotals',
          'cluster',
          'strata',
        ]),
        ...(explain !== undefined && { explain: explain === true ? EXPLAINED : explain }),
      }),
    )
    answerAside(
      output,
      terminal,
      () => classificationText(found, terminal),
      () => ({ ...found, ...(found.truth === undefined ? {} : { truth: truthObject(found.truth) }) }),
    )
  },
})

const truthObject = ({ column, table }: NonNullable<Classification['truth']>) => ({
  column,
  table: Object.fromEntries([...table].map(([key, row]) => [key, Object.fromEntries(row)])),
})
