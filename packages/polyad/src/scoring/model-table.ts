import { DataError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'
import type { Tables } from '../duckdb/client.ts'
import { NOT_OBSERVED } from '../duckdb/messages.ts'
import { identifier } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { duckView } from '../source/duck-view.ts'
import { badValueError } from '../source/relation/bad-value.ts'
import { doubleSql, numberSql } from '../source/relation/bin-sql.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { longRelation } from '../source/relation/long-relation.ts'
import { chosenRows, openRelation, type Relation, type RelationOptions } from '../source/relation/relation.ts'
import { valueSql } from '../source/relation/values.ts'
import { type Column, columnNamed, findColumn, type Inspection, inspect } from '../table/columns/columns.ts'
import { filterView } from '../table/reading/filter-view.ts'
import { labelledColumns } from '../table/view/recipe.ts'
import type { Rule } from '../table/view/value-fault.ts'
import { modelCodes } from './model-codes.ts'

/** A table seen through a model: SQL of its rows and of the model's codes for them. */
export interface ModelTable {
  readonly relation: Relation
  readonly seen: Inspection
  readonly codes: readonly string[]
  /** SQL of the linear predictor of every class, where covariates explain them; else none. */
  readonly predictors: readonly string[]
  /** SQL of every covariate: a number, or the position of its category. */
  readonly given: readonly string[]
  /** Columns of the model that the table lacks. */
  readonly absent: readonly string[]
  /** The column that says how often a row was seen; undefined where every row counts once. */
  readonly count: string | undefined
  /** SQL of how often a row was seen. */
  readonly weight: string
  /** SQL of all rows, also those that were left out because something is missing. */
  readonly whole: string
  /** SQL of the rows with their scores, if these were computed from several rows together. */
  readonly linked?: string
  /** How many were left out. */
  readonly left: number
}

export interface ModelTableOptions extends RelationOptions {
  /** The column that says how often a row was seen; 'none': every row once. Default: the model's own, where it is there. */
  readonly count?: string
  /** Leave out rows in which anything that the model knows is missing. */
  readonly complete?: boolean
  /** What rows must meet to be used. */
  readonly where?: string
}

/** Opens a table for a model. Its values are kept as they are written, so that what is written out is what was read. */
export const openModelTable = async (
  tables: Tables,
  paths: readonly string[],
  stored: StoredModel,
  { count: asked, complete = false, where, ...options }: ModelTableOptions,
): Promise<ModelTable> => {
  const opened = await openRelation(tables, paths, {
    ...options,
    missing: [],
    labelled: labelledColumns(stored.recipe, stored.model.modes, stored.model.structure),
  })
  const whole = { ...opened, text: false }
  return rewordErrors(whole, async () => {
    const filtered = await filterView(await duckView(tables, whole), where, stored.recipe)
    const { structure } = stored.model
    const found = { ...filtered.relation, notes: filtered.notes }
    const relation = structure.kind === 'chain' ? longRelation(found, filtered.columns, structure) : found
    const view = relation === found ? filtered : await duckView(tables, relation)
    const seen = await inspect(view, { missing: stored.recipe.missing })
    const column = countColumn(relation, seen, asked, stored)
    const weight = column === undefined ? '1::DOUBLE' : numberSql(valueSql(column, relation, { missing: [] }))
    if (column !== undefined) await checkCounts(tables, relation, column, weight)
    const codes = await modelCodes(tables, relation, seen, stored)
    const table = { relation, seen, count: column?.name, weight, whole: relation.from, left: 0, ...codes }
    return complete ? completeTable(tables, table) : table
  })
}

/** The rows in which nothing is missing. */
const completeTable = async (tables: Tables, table: ModelTable): Promise<ModelTable> => {
  const gaps = [
    ...table.codes.map(code => `${code} = ${NOT_OBSERVED}`),
    ...table.predictors.slice(0, 1).map(predictor => `isnan(${predictor})`),
  ].join(' OR ')
  const [[left]] = (await tables.rows(
    `SELECT CAST(coalesce(sum(${table.weight}) FILTER (${gaps}), 0) AS DOUBLE) FROM ${table.whole}`,
  )) as number[][]
  const from = `(SELECT * FROM ${table.whole} WHERE NOT (${gaps}))`
  const chosen = chosenRows(table.relation, `NOT (${gaps})`)
  return { ...table, left, relation: { ...table.relation, from, chosen } }
}

/** The column that says how often a row was seen; undefined where every row counts once. */
export const countColumn = (
  table: Pick<Relation, 'name'>,
  seen: Inspection,
  asked: string | undefined,
  { count }: StoredModel,
): Column | undefined => {
  if (asked === 'none') return undefined
  if (asked !== undefined) return columnNamed(seen, asked, ' to count by', table)
  return count === undefined ? undefined : findColumn(seen.columns, count)
}

/** The sampling weights of a table's rows. */
export interface TableWeights {
  /** Undefined where there are none. */
  readonly column: string | undefined
  /** SQL of a row's weight, divided by the mean of those above zero. */
  readonly sql: string
  /** SQL of a row's weight as it stands in the table, and the mean. */
  readonly raw: string
  readonly mean: number
}

/** Checks a column of sampling weights, if there is one, and finds the mean of those above zero. */
export const weighTable = async (
  tables: Tables,
  { relation, weight }: ModelTable,
  column: Column | undefined,
): Promise<TableWeights> => {
  if (column === undefined) return { column: undefined, sql: '1::DOUBLE', raw: '1::DOUBLE', mean: 1 }
  const own = numberSql(valueSql(column, relation, { missing: [] }))
  await checkCounts(tables, relation, column, own, noWeight)
  const [[mean]] = (await tables.rows(
    `SELECT sum(${weight} * ${own}) / sum(${weight}) FROM ${relation.from} WHERE ${own} > 0`,
  )) as (number | null)[][]
  if (mean === null || !(mean > 0)) throw zeroWeights(column)
  return { column: column.name, sql: `(${own} / ${doubleSql(mean)})`, raw: own, mean }
}

export const zeroWeights = ({ name }: Column): DataError =>
  new DataError(`all weights in ${JSON.stringify(name)} are zero: there is nothing to count`)

/** What is wrong with a count, or with a weight. */
const shownOr = (shown: string | null): string => (shown === null ? 'none' : JSON.stringify(shown))
export const noCount: Rule = shown =>
  words`a count must be a number ≥ 0 (got ${shownOr(shown)}); ${advise('with', 'count', 'none')} every row counts once`
export const noWeight: Rule = shown => `a weight must be a number ≥ 0 (got ${shownOr(shown)})`

/** Refuses a count, or a weight, that is not a number ≥ 0, with its place. */
export const checkCounts = async (
  tables: Tables,
  relation: Relation,
  column: Column,
  weight: string,
  rule: Rule = noCount,
): Promise<void> => {
  const condition = `(${weight} IS NULL OR NOT isfinite(${weight}) OR ${weight} < 0)`
  const found = await tables.rows(`SELECT 1 FROM ${relation.from} WHERE ${condition} LIMIT 1`)
  if (found.length > 0)
    throw await badValueError(tables, relation, [{ column: column.name, sql: column.key, condition, rule }])
}

/** A column's name in SQL: where two names differ by case only, it is not the one in the file. */
export const sqlName = ({ columns }: Inspection, name: string): string =>
  identifier(findColumn(columns, name)?.key ?? name)
