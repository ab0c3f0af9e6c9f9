import { DataError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { identifier } from '../duckdb/sql-text.ts'
import { type Fault, locate } from './faults.ts'
import type { Relation } from './relation.ts'

/** A way in which the value of a column can be unusable. */
export interface BadValue {
  readonly column: string
  /** Its name in SQL, where that is another. */
  readonly sql?: string
  /** SQL that is true for such a row. */
  readonly condition: string
  /** What is wrong, for a person. */
  readonly rule: (shown: string | null) => string
}

/** The error for the first row of the table that is unusable, with its file, line and column. */
export const badValueError = async (
  tables: Tables,
  relation: Relation,
  bad: readonly BadValue[],
): Promise<DataError> => {
  let first: { fault: Fault; value: BadValue } | undefined
  for (const value of bad) {
    const fault = await locate(tables, relation, value.condition, [identifier(value.sql ?? value.column)])
    if (fault !== undefined && (first === undefined || fault.row < first.fault.row)) first = { fault, value }
  }
  if (first === undefined) return new DataError(`${relation.name} has values that cannot be used`)
  const { fault, value } = first
  const place = fault.line === undefined ? { row: fault.row } : { line: fault.line }
  const message = `${fault.where}, column ${JSON.stringify(value.column)}: ${value.rule(fault.values[0])}`
  return new DataError(message, { ...place, column: value.column })
}
