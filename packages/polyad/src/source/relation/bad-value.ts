import { DataError } from '@polyad/core'
import type { Tables } from '../../duckdb/client.ts'
import { identifier } from '../../duckdb/sql-text.ts'
import { type Rule, valueError } from '../../table/view/value-fault.ts'
import type { Fault } from '../../table/view/view.ts'
import { locate } from './faults.ts'
import type { Relation } from './relation.ts'

/** A way in which the value of a column can be unusable. */
export interface BadValue {
  readonly column: string
  /** Its name in SQL, where that is another. */
  readonly sql?: string
  /** SQL that is true for such a row. */
  readonly condition: string
  readonly rule: Rule
}

/** The first row of the table that is unusable in one of these ways. */
export const firstBadValue = async (
  tables: Tables,
  relation: Relation,
  bad: readonly Omit<BadValue, 'rule'>[],
): Promise<Fault | undefined> => {
  let first: Fault | undefined
  for (const [test, { column, sql = column, condition }] of bad.entries()) {
    const fault = await locate(tables, relation, condition, identifier(sql))
    if (fault !== undefined && (first === undefined || fault.row! < first.row!)) first = { ...fault, test }
  }
  return first
}

/** The error for that row, with its file, line and column. */
export const badValueError = async (
  tables: Tables,
  relation: Relation,
  bad: readonly BadValue[],
): Promise<DataError> => {
  const fault = await firstBadValue(tables, relation, bad)
  if (fault === undefined) return new DataError(`${relation.name} has values that cannot be used`)
  const { column, rule } = bad[fault.test]
  return valueError(fault, column, rule)
}
