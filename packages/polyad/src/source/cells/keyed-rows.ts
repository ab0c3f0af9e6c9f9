import type { Label } from '@polyad/core'
import type { LabelList } from '@polyad/core/model'
import type { Tables } from '../../duckdb/client.ts'
import { literal } from '../../duckdb/sql-text.ts'
import { spelledLabels } from '../../table/values/labels.ts'
import { checkCounted, noBinRule } from '../../table/view/value-fault.ts'
import type { CountPlan, ModePlan } from '../../table/view/view.ts'
import { type BadValue, badValueError } from '../relation/bad-value.ts'
import { binSql } from '../relation/bin-sql.ts'
import type { Relation } from '../relation/relation.ts'

/** One mode as it is to be read. */
export interface ModeSource extends ModePlan {
  /** SQL of its value as text, NULL where missing. */
  readonly value: string
  /** SQL of its value with the case it is written in, where `value` is without. */
  readonly spelling: string | undefined
}

/** How rows are counted; `weight` is the SQL of the count of a row. */
export interface CountSource extends CountPlan {
  readonly weight: string
}

/** SQL of the rows with columns m0, m1, … of the texts by which they are told apart, and weight and bad where there are any. */
export const keyedRows = (
  relation: Relation,
  modes: readonly ModeSource[],
  { column, weight }: Pick<CountSource, 'column' | 'weight'>,
  bad: readonly BadValue[],
): string => {
  const own = [
    ...modes.map((mode, n) => `${keySql(mode)} AS m${n}`),
    ...(column === undefined ? [] : [`${weight} AS weight`]),
    ...(bad.length === 0 ? [] : [`(${bad.map(({ condition }) => condition).join(' OR ')}) AS bad`]),
  ]
  return `(SELECT ${own.join(', ')} FROM ${relation.from})`
}

/** SQL of the text by which rows are told apart in a mode. */
export const keySql = ({ value, spelling, binning, missingAs }: ModeSource): string => {
  if (binning !== undefined) return `CAST(${binSql(value, binning)} AS VARCHAR)`
  if (missingAs === undefined) return value
  const label = spelling === undefined ? literal(missingAs) : `lower(${literal(missingAs)})`
  return `coalesce(${value}, ${label})`
}

/** The ways in which a row can be unusable for a mode. */
export const badValues = ({ column, value, binning }: ModeSource): BadValue[] => {
  if (binning === undefined) return []
  const condition = `(${value} IS NOT NULL AND ${binSql(value, binning)} IS NULL)`
  return [{ column: column.name, sql: column.key, condition, rule: noBinRule(binning) }]
}

/** Labels as they are most often written, where case was ignored. */
export const spellings = async <T extends LabelList>(
  tables: Tables,
  relation: Relation,
  { value, spelling, binning, missingAs }: ModeSource,
  labels: T,
): Promise<T | readonly Label[]> => {
  if (spelling === undefined || binning !== undefined || !Array.isArray(labels) || typeof labels[0] === 'number')
    return labels
  const rows = (await tables.rows(
    `SELECT key, arg_max(spelling, (n, spelling)) FROM (SELECT ${value} AS key, ${spelling} AS spelling, count(*) AS n ` +
      `FROM ${relation.from} GROUP BY 1, 2) WHERE key IS NOT NULL GROUP BY key`,
  )) as [string, string][]
  return spelledLabels(labels, new Map(rows), missingAs)
}

/** Refuses a table without rows, with rows that cannot be used, or with nothing in any of them. */
export const checkRows = async (
  tables: Tables,
  relation: Relation,
  bad: readonly BadValue[],
  { rows, dropped, faults }: { readonly rows: number; readonly dropped: number; readonly faults: number },
): Promise<void> => {
  if (faults > 0) throw await badValueError(tables, relation, bad)
  checkCounted(relation.name, rows, dropped)
}
