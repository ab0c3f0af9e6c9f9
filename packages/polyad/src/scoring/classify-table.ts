import { OptionError } from '@polyad/core'
import { isLinked } from '@polyad/core/model'
import { checkedOptions, defined, is, mention, type OptionTable, type Sentence, words } from '@polyad/core/options'
import type { CategoryShares } from '@polyad/core/stats'
import type { StoredModel } from '../output/model-store.ts'
import { SOURCE_OPTIONS } from '../source/source-options.ts'
import type { UnitClasses } from '../table/memory/linked-scores.ts'
import { choice, type Note, warning } from '../table/values/note.ts'
import { type ClassifiedRows, classifiedRows } from '../table/values/score-summary.ts'
import { recordedFit } from '../table/view/recorded-fit.ts'
import type { SurprisingRow } from './explain-table.ts'
import { type Anomaly, anomalyColumns } from './score-table.ts'
import type { ScoredRows } from './scored-rows.ts'
import { ownDesignNotes } from './table-sample.ts'
import { MODEL_TABLE_READING, type ModelSource, type ModelTableReading, storedModel } from './with-model-table.ts'
import { withScoredRows } from './with-scored-rows.ts'

export interface ClassifyTableOptions extends ModelTableReading {
  /** The file to write the rows to, with class, probability and log-likelihood appended; '-': standard output. */
  readonly output?: string
  /** Append the probability of every class too. */
  readonly posterior?: boolean
  /** For a model of persons over time: append the class of each row in the person's most probable sequence of classes. */
  readonly path?: boolean
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
  path: { check: is.flag, default: false },
  anomalies: { check: is.whole(1) },
  explain: { check: is.whole(1) },
  weights: SOURCE_OPTIONS.weights,
  weightsAsTotals: { check: is.flag, default: false },
  cluster: { check: is.text },
  strata: { check: is.text },
} as const satisfies OptionTable<ClassifyTableOptions>

/** What was found when rows were given their classes. */
export interface Classification extends Omit<ClassifiedRows, 'classes'>, UnitClasses {
  readonly model: string
  /** The column of sampling weights; null where there is none. */
  readonly weights: string | null
  readonly classes: readonly (ClassifiedRows['classes'][number] & {
    /** By the weights and clusters of the sample, if there are any. */
    readonly standardError?: number
  })[]
  /** The clusters that rows were drawn in; null if there are none. */
  readonly design: CategoryShares['design'] | null
  /** Whether totals are those of the population. */
  readonly population?: boolean
  /** How many rows were left out because something is missing, if that was asked for. */
  readonly left?: number
  readonly anomalyColumns: readonly string[]
  readonly anomalies: readonly Anomaly[]
  /** The most surprising rows, where they were asked for. */
  readonly surprises: readonly SurprisingRow[]
  /** Where the table also has the true classes: how often each was given to each. */
  readonly truth?: { readonly column: string; readonly table: ReadonlyMap<string, ReadonlyMap<string, number>> }
  readonly output?: string
}

/**
 * Gives every row of a table its class, as `polyad classify` does: the rows of all but small files stream through DuckDB, and only sums come back. With `output`,
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
  const { output, posterior, path, weightsAsTotals, anomalies, explain, weights, cluster, strata, ...reading } = asked
  if (posterior && output === undefined)
    throw new OptionError(
      words`${mention('posterior')} needs ${mention('output')}, the file to write to (-: standard output)`,
    )
  const source = storedModel(model, true)
  checkLinked(source, asked)
  return withScoredRows(
    { model: source, paths, output, linked: true },
    reading,
    { weights, cluster, strata },
    (rows, stored) => classified(rows, stored, asked),
  )
}

type Asked = ClassifyTableOptions & Required<Pick<ClassifyTableOptions, 'posterior' | 'path' | 'weightsAsTotals'>>

/** Refuses what a model of rows that belong together cannot say, and what only such a model can. */
const checkLinked = ({ model: { structure } }: StoredModel, { path, output, anomalies, explain }: Asked): void => {
  if (path && structure.kind !== 'chain')
    throw new OptionError(words`${mention('path')} is only for models of persons over time`)
  if (path && output === undefined)
    throw new OptionError(
      words`${mention('path')} needs ${mention('output')}, the file to write to (-: standard output)`,
    )
  const single = anomalies !== undefined ? 'anomalies' : explain !== undefined ? 'explain' : undefined
  if (single !== undefined && isLinked(structure))
    throw new OptionError(words`${mention(single)} judges rows one by one, and the rows of this model belong together`)
}

const classified = async (rows: ScoredRows, stored: StoredModel, options: Asked): Promise<Classification> => {
  const { output, posterior, path, weightsAsTotals, anomalies, explain } = options
  const { weights } = rows.sample
  for (const note of sampleNotes(rows, stored, options)) options.onNote?.(note)
  if (weightsAsTotals && weights.column === undefined)
    throw new OptionError(words`${mention('weightsAsTotals')} needs ${mention('weights')}, the column they are in`)
  if (output !== undefined) await rows.write(output, { posterior, path, explain: explain !== undefined })
  const scale = weightsAsTotals ? weights.mean : 1
  const found = classifiedRows(await rows.summary(), stored.model, { count: rows.count, absent: rows.absent, scale })
  const drawn = await rows.shareErrors()
  const { class: truth } = recordedFit(stored.run)
  const known = rows.seen.columns.some(({ name }) => name === truth)
  return {
    model: stored.path,
    ...found,
    weights: weights.column ?? null,
    design: drawn?.design ?? null,
    ...(options.complete === true && { left: rows.left }),
    ...(drawn !== undefined && {
      classes: found.classes.map((each, k) => ({ ...each, standardError: drawn.standardErrors[k] })),
    }),
    ...(weightsAsTotals && { population: true }),
    ...rows.units,
    anomalyColumns: anomalyColumns(rows, stored),
    anomalies: anomalies === undefined ? [] : await rows.anomalies(anomalies),
    surprises: explain === undefined ? [] : await rows.surprises(explain),
    ...(truth !== undefined && known ? { truth: { column: truth, table: await rows.crossTable(truth) } } : {}),
    ...defined({ output }),
  }
}

/** How the rows are counted and weighed, as far as nobody has said it. */
const sampleNotes = ({ count, sample }: ScoredRows, stored: StoredModel, options: ClassifyTableOptions): Note[] => {
  const { weights } = sample
  const notes = weights.column === undefined ? [choice(countNote(count, options.count, stored.count))] : []
  notes.push(...ownDesignNotes(sample, options).map(choice))
  if (stored.weights !== undefined && weights.column === undefined && options.weights === undefined)
    notes.push(
      warning(
        'weights-ignored',
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
