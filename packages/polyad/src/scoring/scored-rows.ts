import type { CategoryShares } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import type { UnitClasses } from '../table/memory/linked-scores.ts'
import type { ScoreSummary } from '../table/values/score-summary.ts'
import { explainColumns, findSurprises, prepareExplain, type SurprisingRow } from './explain-table.ts'
import { linkedColumns, linkedTable } from './linked-rows.ts'
import { type ModelRows, readModelRows, type WantedColumn } from './model-rows.ts'
import type { ModelTable } from './model-table.ts'
import { type Anomaly, crossTable, findAnomalies, summarizeScores, writeScores } from './score-table.ts'
import { shareErrors } from './share-errors.ts'
import { type SampleNames, type SampleRequest, sampleTable } from './table-sample.ts'

/**
 * The rows of a table with what a model says of them. DuckDB answers for them in SQL (below), a small file from memory (small-rows.ts); the answers are
 * the same to the last bit.
 */
export interface ScoredRows extends Pick<ModelTable, 'seen' | 'count' | 'absent' | 'left'> {
  readonly sample: SampleNames & { readonly weights: { readonly mean: number } }
  summary(): Promise<ScoreSummary>
  /** The shares of the classes with errors by the design; undefined if rows have neither weights nor clusters. */
  shareErrors(): Promise<CategoryShares | undefined>
  /** The least likely rows, among those that were seen at all. */
  anomalies(limit: number): Promise<readonly Anomaly[]>
  /** The rows that surprise the model most, among those that were seen at all. */
  surprises(limit: number): Promise<readonly SurprisingRow[]>
  /** Reads all rows, with columns that the model does not know. */
  read(wanted: readonly WantedColumn[]): Promise<ModelRows>
  /** How often each class was given to each value of a column, weighed: rows are the column's values. */
  crossTable(column: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>
  /** Writes the table with class, probability and log-likelihood appended, and with what else is asked for. */
  write(
    output: string,
    more: { readonly posterior: boolean; readonly explain: boolean; readonly path?: boolean },
  ): Promise<void>
  /** The classes of persons at every wave, or of groups, if the rows belong together. */
  readonly units?: UnitClasses
}

/** Rows that DuckDB answers for. */
export const scoredTable = async (
  tables: Tables,
  opened: ModelTable,
  stored: StoredModel,
  request: SampleRequest,
): Promise<ScoredRows> => {
  const { parameters, rank, structure } = stored.model
  const linked = await linkedTable(tables, opened, stored)
  const table = linked?.table ?? opened
  const sample = await sampleTable(tables, table, stored, request)
  const { weights } = sample
  if (linked === undefined) await tables.ask({ kind: 'score', parameters, explained: structure.kind !== 'shares' })
  let prepared: Promise<void> | undefined
  const explaining = () => {
    prepared ??= prepareExplain(tables, stored)
    return prepared
  }
  return {
    seen: table.seen,
    count: table.count,
    absent: table.absent,
    left: table.left,
    sample,
    ...(linked !== undefined && { units: linked.scores.units }),
    summary: async () => ({
      ...(await summarizeScores(tables, table, weights, rank)),
      ...(linked !== undefined && { logLikelihood: linked.scores.logLikelihood }),
    }),
    shareErrors: () => shareErrors(tables, table, sample, rank),
    anomalies: limit => findAnomalies(tables, table, stored, limit),
    surprises: async limit => {
      await explaining()
      return findSurprises(tables, table, stored, limit)
    },
    read: wanted => readModelRows(tables, table, stored, sample, wanted),
    crossTable: column => crossTable(tables, table, weights, stored, column),
    write: async (output, { posterior, explain, path = false }) => {
      if (explain) await explaining()
      const more = explain
        ? explainColumns(table, stored)
        : linked && { columns: linkedColumns(linked.scores, stored, { posterior, path }) }
      await writeScores(tables, table, stored, output, posterior, more)
    },
  }
}
