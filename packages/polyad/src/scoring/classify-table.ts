import { OptionError } from '@polyad/core'
import { checkedOptions, is, mention, type OptionTable, type Sentence, words } from '@polyad/core/options'
import type { CategoryShares } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { checkOutput } from '../output/overwriting.ts'
import { copyOptions, STANDARD_OUTPUT } from '../output/write-table.ts'
import { SOURCE_OPTIONS } from '../source/source-options.ts'
import { choice, type Note, warning } from '../table/values/note.ts'
import { explainColumns, findSurprises, prepareExplain, type SurprisingRow } from './explain-table.ts'
import type { ModelTable } from './model-table.ts'
import { type Anomaly, anomalyColumns, crossTable, findAnomalies, summarizeScores, writeScores } from './score-table.ts'
import { shareErrors } from './share-errors.ts'
import { ownDesignNotes, sampleTable } from './table-sample.ts'
import {
  MODEL_TABLE_READING,
  type ModelSource,
  type ModelTableReading,
  storedModel,
  withModelTable,
} from './with-model-table.ts'

export interface ClassifyTableOptions extends ModelTableReading {
  /** The file to write the rows to, with class, probability and log-likelihood appended; '-': standard output. */
  readonly output?: string
  /** Append the probability of every class too. */
  readonly posterior?: boolean
  /** Find so many of the least likely rows. */
  readonly anomalies?: number
  /** Find so many of the most surprising rows, and what makes them so; `output` gets columns of it. */
  readonly explain?: number
  /** The column of sampling weights; 'none': no weights. Default: as in the data of the model. */
  readonly weights?: string
  /** Totals of the population, whose size is the sum of the weights. */
  readonly weightsAsTotals?: boolean
  /** The columns of clusters and strata; 'none': no clusters. Default: as in the data of the model. */
  readonly cluster?: string
  readonly strata?: string
}

/** The options of `classifyTable`. */
export const CLASSIFY_TABLE_OPTIONS = {
  ...MODEL_TABLE_READING,
  output: { check: is.text },
  posterior: { check: is.flag, default: false },
  anomalies: { check: is.whole(1) },
  explain: { check: is.whole(1) },
  weights: SOURCE_OPTIONS.weights,
  weightsAsTotals: { check: is.flag, default: false },
  cluster: { check: is.text },
  strata: { check: is.text },
} as const satisfies OptionTable<ClassifyTableOptions>

/** What was found when rows were given their classes. */
export interface Classification {
  readonly model: string
  readonly rows: number
  /** The column of counts; null where every row counts once. */
  readonly count: string | null
  /** The column of sampling weights; null where there is none. */
  readonly weights: string | null
  /** The sum of the counts, weighed. */
  readonly total: number
  readonly classes: readonly {
    readonly class: string | number
    readonly rows: number
    readonly total: number
    readonly share: number
    /** By the weights and clusters of the sample, if there are any. */
    readonly standardError?: number
  }[]
  /** The clusters that rows were drawn in; null if there are none. */
  readonly design: CategoryShares['design'] | null
  /** Whether totals are those of the population. */
  readonly population?: boolean
  /** How many rows were left out because something is missing, if that was asked for. */
  readonly left?: number
  /** The mean probability of the class given. */
  readonly meanProbability: number
  readonly logLikelihood: number
  readonly impossible: number
  /** By mode: how many rows have a label the model has never seen. */
  readonly unseen: Readonly<Record<string, number>>
  readonly absent: readonly string[]
  readonly anomalyColumns: readonly string[]
  readonly anomalies: readonly Anomaly[]
  /** The most surprising rows, where they were asked for. */
  readonly surprises: readonly SurprisingRow[]
  /** Where the table also has the true classes: how often each was given to each. */
  readonly truth?: { readonly column: string; readonly table: ReadonlyMap<string, ReadonlyMap<string, number>> }
  readonly output?: string
}

/**
 * Gives every row of a table its class, as `polyad classify` does: the rows stream through DuckDB, and only sums come back. With `output`,
 * the table is written with class, probability and log-likelihood appended.
 * @example
 * const { classes, surprises } = await classifyTable(model, 'survey.csv', { output: 'classified.csv', explain: 3 })
 * classes.length // 2
 * surprises.length // 3
 */
export const classifyTable = async (
  model: ModelSource,
  paths: string | readonly string[],
  options: ClassifyTableOptions = {},
): Promise<Classification> => {
  const asked = checkedOptions('classifyTable', CLASSIFY_TABLE_OPTIONS, options)
  const { output, posterior, weightsAsTotals, anomalies, explain, weights, cluster, strata, ...reading } = asked
  const stored = storedModel(model)
  const files = typeof paths === 'string' ? [paths] : paths
  checkRowsOutput(output, stored, files, reading.sql)
  if (posterior && output === undefined)
    throw new OptionError(words`${mention('posterior')} needs ${mention('output')}, the file to write to (-: standard output)`) // biome-ignore format: one message
  return withModelTable(stored, files, reading, (tables, table) => classified(tables, table, stored, asked))
}

/** Refuses a file for rows that cannot be written, or that is read. */
export const checkRowsOutput = (
  output: string | undefined,
  { path }: StoredModel,
  paths: readonly string[],
  sql: string | undefined,
): void => {
  if (output === undefined) return
  copyOptions(output)
  if (output !== STANDARD_OUTPUT) checkOutput(output, { paths: [path, ...paths], sql })
}

type Asked = ClassifyTableOptions & { readonly posterior: boolean; readonly weightsAsTotals: boolean }

const classified = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  options: Asked,
): Promise<Classification> => {
  const { output, posterior, weightsAsTotals, anomalies, explain } = options
  const { parameters, rank, classNames, modes } = stored.model
  const sample = await sampleTable(tables, table, stored, options)
  const { weights } = sample
  for (const note of sampleNotes(table, stored, sample, options)) options.onNote?.(note)
  if (weightsAsTotals && weights.column === undefined)
    throw new OptionError(words`${mention('weightsAsTotals')} needs ${mention('weights')}, the column they are in`)
  await tables.ask({ kind: 'score', parameters, explained: stored.recipe.covariates !== undefined })
  if (explain !== undefined) await prepareExplain(tables, stored)
  if (output !== undefined) {
    const more = explain === undefined ? undefined : explainColumns(table, stored)
    await writeScores(tables, table, stored, output, posterior, more)
  }
  const { classes, unseen, ...summary } = await summarizeScores(tables, table, weights, rank)
  const drawn = await shareErrors(tables, table, sample, rank)
  const scale = weightsAsTotals ? weights.mean : 1
  const truth = classColumn(stored.run)
  const known = table.seen.columns.some(({ name }) => name === truth)
  return {
    model: stored.path,
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
    ...(weightsAsTotals && { population: true }),
    unseen: Object.fromEntries(modes.map(({ name }, n) => [name, unseen[n]]).filter(([, rows]) => rows !== 0)),
    absent: table.absent,
    anomalyColumns: anomalyColumns(table, stored),
    anomalies: anomalies === undefined ? [] : await findAnomalies(tables, table, stored, anomalies),
    surprises: explain === undefined ? [] : await findSurprises(tables, table, stored, explain),
    ...(truth !== undefined && known
      ? { truth: { column: truth, table: await crossTable(tables, table, weights, stored, truth) } }
      : {}),
    ...(output === undefined ? {} : { output }),
  }
}

type Sample = Awaited<ReturnType<typeof sampleTable>>

/** How the rows are counted and weighed, as far as nobody has said it. */
const sampleNotes = (table: ModelTable, stored: StoredModel, sample: Sample, options: ClassifyTableOptions): Note[] => {
  const { weights } = sample
  const notes = weights.column === undefined ? [choice(countNote(table.count, options.count, stored.count))] : []
  notes.push(...ownDesignNotes(sample, options).map(choice))
  if (stored.weights !== undefined && weights.column === undefined && options.weights === undefined)
    notes.push(
      warning(
        `the data has no column ${stored.weights}, the sampling weights of the model's own data: class sizes are unweighted`,
      ),
    )
  return notes
}

/** How the rows are counted, and what to do about it. */
const countNote = (count: string | undefined, asked: string | undefined, own: string | undefined): Sentence => {
  if (asked !== undefined) return count === undefined ? 'every row counts once' : `counting by column ${count}`
  if (count !== undefined)
    return words`counting by column ${count}, as for the model's own data (${mention('count', 'none')}: every row counts once)`
  return own === undefined
    ? words`every row counts once (to count by a column: ${mention('count')})`
    : words`every row counts once: the data has no column ${own}, the counts of the model's own data (to count by another: ${mention('count')})`
}

/** The column that a supervised model learned its classes from. */
const classColumn = (run: Readonly<Record<string, unknown>>): string | undefined => {
  const options = run.options as { class?: unknown } | undefined
  return typeof options?.class === 'string' ? options.class : undefined
}
