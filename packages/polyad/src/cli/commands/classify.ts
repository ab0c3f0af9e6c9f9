import { OptionError } from '@polyad/core'
import { is } from '@polyad/core/options'
import { isAddress } from '../../engine/sql/address.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { copyOptions, STANDARD_OUTPUT } from '../../output/write-table.ts'
import { type Classification, classificationText } from '../../report/classification.ts'
import { anomalyColumns, crossTable, findAnomalies, summarizeScores, writeScores } from '../../scoring/score-table.ts'
import { shareErrors } from '../../scoring/share-errors.ts'
import { ownDesignNotes, sampleTable } from '../../scoring/table-sample.ts'
import { DATA_ARGUMENT } from '../options/data-options.ts'
import { MODEL_ARGUMENT, MODEL_COUNTS, type ModelDataOptions } from '../options/model-options.ts'
import { parser } from '../options/option-values.ts'
import { OUTPUT, OUTPUT_FIELD, ROWS_OUTPUT } from '../options/output-options.ts'
import { MODEL_SAMPLE, type SampleOptions, TOTALS } from '../options/sample-options.ts'
import { defineCommand } from '../running/define-command.ts'
import { withModelTable } from '../running/model-table.ts'
import { answerAside, refuseJson } from '../running/rows-output.ts'
import { classifyInPlace } from '../running/score-in-place.ts'
import type { OutputOptions } from '../terminal/terminal.ts'

interface Options extends ModelDataOptions, SampleOptions, OutputOptions {
  readonly output?: string
  readonly posterior?: boolean
  readonly anomalies?: number
}

export const classify = defineCommand({
  name: 'classify',
  summary: 'assign every row of a table to a class',
  examples: [
    ['polyad classify model.npz new.csv -o classified.csv', 'appends class, its probability and the log-likelihood'],
    ['polyad classify model.npz new.csv --posterior -o -', 'the probability of every class too; to standard output'],
    ['polyad classify model.npz new.csv --anomalies 20', 'the twenty least likely rows'],
  ],
  arguments: [MODEL_ARGUMENT, DATA_ARGUMENT],
  options: [
    {
      title: 'Options',
      options: [
        ROWS_OUTPUT,
        { flags: '--posterior', text: 'with -o: append the probability of every class, posterior_1, posterior_2, …' },
        { flags: '--anomalies <n>', text: 'show the n least likely rows', parse: parser(is.whole(1)) },
        TOTALS,
      ],
    },
    MODEL_COUNTS,
    MODEL_SAMPLE,
    OUTPUT,
  ],
  fields: [
    ['model, rows', 'the model, and how many rows were read'],
    ['count, weights', 'the columns of counts (null: every row once) and of sampling weights (null: none)'],
    [
      'total',
      'the sum of the counts; with weights, of counts times weights whose mean is 1 (with --weights-as-totals: as they are)',
    ],
    [
      'classes',
      'for each class: class, rows, total, share (of the total) and, with weights or clusters, standardError (of the share)',
    ],
    ['design', 'with clusters: clusters, strata, degreesOfFreedom; else null'],
    ['left', 'with --complete: rows that were left out'],
    ['population', 'with --weights-as-totals: true, for totals are those of the population'],
    ['meanProbability', 'of the class given; weighted'],
    ['logLikelihood', 'of all rows that the model thinks possible'],
    ['impossible', 'rows of probability zero under the model'],
    ['unseen', 'by mode, rows with a label the model has never seen'],
    ['absent', 'columns of the model that the data lacks'],
    [
      'anomalies, anomalyColumns',
      'the least likely rows: row, count, class, probability, logLikelihood, values of the columns',
    ],
    ['truth', 'for a supervised model, where the data has the class: its column and the table of both'],
    OUTPUT_FIELD,
  ],
  run: async (call, options: Options, model: string, paths: string[]) => {
    const { terminal } = call
    const { output, posterior = false } = options
    if (posterior && output === undefined)
      throw new OptionError('--posterior needs -o, the file to write to (-: standard output)')
    if ([...paths, ...(output === undefined ? [] : [output])].some(isAddress))
      return classifyInPlace(call, options, model, paths)
    refuseJson(output, terminal)
    if (output !== undefined) copyOptions(output)
    if (output !== undefined && output !== STANDARD_OUTPUT)
      checkOutput(output, { paths: [model, ...paths], sql: options.sql })
    const found = await withModelTable(call, model, paths, options, async (tables, table, stored) => {
      const { parameters, rank, classNames, modes } = stored.model
      call.line.clear()
      const sample = await sampleTable(tables, table, stored, options)
      const { weights } = sample
      if (weights.column === undefined) terminal.note(countNote(table.count, options.count, stored.count))
      for (const note of ownDesignNotes(sample, options)) terminal.note(note)
      if (options.weightsAsTotals === true && weights.column === undefined)
        throw new OptionError('--weights-as-totals needs --weights, the column they are in')
      if (stored.weights !== undefined && weights.column === undefined && options.weights === undefined)
        terminal.warn(
          `there is no column ${stored.weights}, by which the model's own data was weighed: shares are those of the rows`,
        )
      await tables.ask({ kind: 'score', parameters, explained: stored.recipe.covariates !== undefined })
      if (output !== undefined) await writeScores(tables, table, stored, output, posterior)
      const { classes, unseen, ...summary } = await summarizeScores(tables, table, weights, rank)
      const drawn = await shareErrors(tables, table, sample, rank)
      const scale = options.weightsAsTotals === true ? weights.mean : 1
      const anomalies =
        options.anomalies === undefined ? [] : await findAnomalies(tables, table, stored, options.anomalies)
      const truth = classColumn(stored.run)
      const known = table.seen.columns.some(({ name }) => name === truth)
      return {
        model,
        ...{ ...summary, total: summary.total * scale },
        count: table.count ?? null,
        weights: weights.column ?? null,
        design: drawn?.design ?? null,
        ...(options.complete === true && { left: table.left }),
        classes: classes.map((each, k) => ({
          class: classNames?.[k] ?? k + 1,
          ...{ ...each, total: each.total * scale },
          share: each.total / summary.total,
          ...(drawn !== undefined && { standardError: drawn.standardErrors[k] }),
        })),
        ...(options.weightsAsTotals === true && { population: true }),
        unseen: Object.fromEntries(modes.map(({ name }, n) => [name, unseen[n]]).filter(([, rows]) => rows !== 0)),
        absent: table.absent,
        anomalyColumns: anomalyColumns(table, stored),
        anomalies,
        ...(truth !== undefined && known
          ? { truth: { column: truth, table: await crossTable(tables, table, weights, stored, truth) } }
          : {}),
        ...(output === undefined ? {} : { output }),
      } satisfies Classification
    })
    answerAside(
      output,
      terminal,
      () => classificationText(found, terminal),
      () => ({ ...found, ...(found.truth === undefined ? {} : { truth: truthObject(found.truth) }) }),
    )
  },
})

/** How the rows are counted, and what to do about it. */
const countNote = (count: string | undefined, asked: string | undefined, own: string | undefined): string => {
  if (asked !== undefined) return count === undefined ? 'every row counts once' : `counting by column ${count}`
  if (count !== undefined)
    return `counting by column ${count}, as the model's own data was (--count none: every row once)`
  return own === undefined
    ? 'every row counts once (--count: by a column)'
    : `every row counts once: there is no column ${own}, by which the model's own data was counted (--count: by another)`
}

const truthObject = ({ column, table }: NonNullable<Classification['truth']>) => ({
  column,
  table: Object.fromEntries([...table].map(([key, row]) => [key, Object.fromEntries(row)])),
})

/** The column that a supervised model learned its classes from. */
const classColumn = (run: Readonly<Record<string, unknown>>): string | undefined => {
  const options = run.options as { class?: unknown } | undefined
  return typeof options?.class === 'string' ? options.class : undefined
}
