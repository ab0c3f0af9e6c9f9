import type { DistalData } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { explained } from '../source/relation/faults.ts'
import { type ColumnKind, readModelRows, rowColumn } from './model-rows.ts'
import type { ModelTable } from './model-table.ts'
import { type SampleRequest, sampleTable, type TableSample } from './table-sample.ts'

export interface DistalOptions extends SampleRequest {
  readonly outcome: string
  /** Default: a number where all of its values are. */
  readonly kind: ColumnKind | undefined
}

/** A column with more categories than this is no outcome, but an identifier. */
const MOST_CATEGORIES = 100

/** The rows of a table with their answers, outcome, counts and weights. For a model with covariates `polyad_score` must be known. */
export const readDistal = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  { outcome, kind, ...request }: DistalOptions,
): Promise<{ data: DistalData; kind: ColumnKind; sample: TableSample }> => {
  const { relation } = table
  const sample = await sampleTable(tables, table, stored, request)
  return explained(relation, async () => {
    const column = await rowColumn(tables, table, stored, outcome, { what: 'outcome', kind, most: MOST_CATEGORIES })
    const { classified, values, ...rows } = await readModelRows(tables, table, stored, sample, [column])
    const { labels } = column
    const data = { ...classified, ...rows, outcome: values[0], ...(labels !== undefined && { labels }) }
    return { kind: column.kind, sample, data }
  })
}
