import type { Command } from 'commander'
import { checkWritable } from '../../output/atomic-file.ts'
import { copyOptions } from '../../output/write-table.ts'
import { type Classification, classificationText } from '../../report/classification.ts'
import { anomalyColumns, crossTable, findAnomalies, summarizeScores, writeScores } from '../../scoring/score-table.ts'
import { describe, withOutput } from '../options/describe.ts'
import { OUTPUT, withFields } from '../options/json-fields.ts'
import { type ModelledOptions, withModelled, withModelledTable } from '../options/modelling.ts'
import { wholeNumber } from '../options/option-values.ts'
import { catchInterrupt } from '../terminal/interrupt.ts'
import { progressLine } from '../terminal/progress-line.ts'
import { type OutputOptions, openTerminal } from '../terminal/terminal.ts'

interface Options extends ModelledOptions, OutputOptions {
  readonly output?: string
  readonly anomalies?: number
}

export const classifyCommand = (): Command =>
  withFields(
    withOutput(
      withModelled(
        describe('classify', 'give every row of a table its class, and say how likely the row is', [
          [
            'polyad classify model.npz new.csv -o classified.csv',
            'appends class, its probability and the log-likelihood',
          ],
          ['polyad classify model.npz new.parquet -o out.parquet', 'from Parquet to Parquet; rows stream through'],
          ['polyad classify model.npz new.csv --anomalies 20', 'the twenty least likely rows'],
        ])
          .option('-o, --output <file>', 'where the rows go: .csv, .tsv, .parquet, .json, .ndjson')
          .option('--anomalies <n>', 'show the n least likely rows', wholeNumber(1)),
      ),
    ),
    [
      ['model, rows', 'the model, and how many rows were read'],
      ['classes', 'for each class: class, rows, share'],
      ['meanProbability', 'of the class given'],
      ['logLikelihood', 'of all rows that the model gives a chance'],
      ['impossible', 'rows that the model gives no chance'],
      ['unseen', 'by mode, rows with a label the model has never seen'],
      ['absent', 'columns of the model that the data lacks'],
      [
        'anomalies, anomalyColumns',
        'the least likely rows: row, class, probability, logLikelihood, values of the columns',
      ],
      ['truth', 'for a supervised model, where the data has the class: its column and the table of both'],
      OUTPUT,
    ],
  ).action(runClassify)

const runClassify = async (model: string, paths: string[], options: Options): Promise<void> => {
  const terminal = openTerminal(options)
  const line = progressLine(terminal)
  const interrupt = catchInterrupt()
  try {
    if (options.output !== undefined) {
      copyOptions(options.output)
      checkWritable(options.output)
    }
    const found = await withModelledTable(
      model,
      paths,
      options,
      terminal,
      line,
      async (tables, table, stored): Promise<Classification> => {
        const { parameters, rank, classNames } = stored.model
        await tables.ask({ kind: 'score', parameters })
        if (options.output !== undefined) await writeScores(tables, table, stored, options.output)
        const summary = await summarizeScores(tables, table, rank)
        const anomalies =
          options.anomalies === undefined ? [] : await findAnomalies(tables, table, stored, options.anomalies)
        const truth = classColumn(stored.run)
        const known = table.seen.columns.some(({ name }) => name === truth)
        return {
          model,
          classes: summary.classes.map((rows, k) => ({
            class: classNames?.[k] ?? k + 1,
            rows,
            share: rows / summary.rows,
          })),
          rows: summary.rows,
          meanProbability: summary.meanProbability,
          logLikelihood: summary.logLikelihood,
          impossible: summary.impossible,
          unseen: Object.fromEntries(
            stored.model.modes.map(({ name }, n) => [name, summary.unseen[n]]).filter(([, rows]) => rows !== 0),
          ),
          absent: table.absent,
          anomalyColumns: anomalyColumns(table, stored),
          anomalies,
          ...(truth !== undefined && known
            ? { truth: { column: truth, table: await crossTable(tables, table, stored, truth) } }
            : {}),
          ...(options.output === undefined ? {} : { output: options.output }),
        }
      },
    )
    terminal.answer(
      () => classificationText(found, terminal.style),
      () => ({
        ...found,
        ...(found.truth === undefined
          ? {}
          : {
              truth: {
                column: found.truth.column,
                table: Object.fromEntries([...found.truth.table].map(([key, row]) => [key, Object.fromEntries(row)])),
              },
            }),
      }),
    )
  } finally {
    line.clear()
    interrupt.release()
  }
}

/** The column a supervised model was told the classes by. */
const classColumn = (run: Readonly<Record<string, unknown>>): string | undefined => {
  const options = run.options as { class?: unknown } | undefined
  return typeof options?.class === 'string' ? options.class : undefined
}
