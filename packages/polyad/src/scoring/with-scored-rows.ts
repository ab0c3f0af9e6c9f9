import type { StoredModel } from '../output/model-store.ts'
import { isPlainText } from '../output/write-rows.ts'
import { type ScoredRows, scoredTable } from './scored-rows.ts'
import { scoredSmallTable } from './small-rows.ts'
import type { SampleRequest } from './table-sample.ts'
import { type ModelRequest, type ModelTableReading, withModelTable } from './with-model-table.ts'

/** Opens a table with what a model says of its rows, does the work, and closes what was opened. Rows of a small file that are written as text need no DuckDB. */
export const withScoredRows = <T>(
  request: ModelRequest,
  reading: ModelTableReading,
  sample: SampleRequest,
  work: (rows: ScoredRows, stored: StoredModel) => Promise<T>,
): Promise<T> =>
  withModelTable(request, reading, {
    large: async (tables, table, stored) => work(await scoredTable(tables, table, stored, sample), stored),
    ...((request.output === undefined || isPlainText(request.output)) && {
      small: async (table, stored) => work(await scoredSmallTable(table, stored, sample), stored),
    }),
  })
