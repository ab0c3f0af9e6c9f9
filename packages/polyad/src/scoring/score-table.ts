import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import { identifier, literal } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { writeTable } from '../output/write-table.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { numberedRows } from '../source/relation/relation.ts'
import { scoreColumns } from '../table/columns/new-columns.ts'
import { type ScoreSummary, tallied } from '../table/values/score-summary.ts'
import { recipeColumns } from '../table/view/recipe.ts'
import { type ModelTable, sqlName, type TableWeights } from './model-table.ts'

/** SQL of the rows with their scores beside them: [class from 0, its probability, log-likelihood, every posterior …]. */
export const scored = ({ relation, codes, predictors, linked }: ModelTable): string =>
  linked ?? `(SELECT *, polyad_score(${[...codes, ...predictors].join(', ')}) AS polyad_result FROM ${relation.from})`

/** SQL of the name of the class in column `polyad_result`. */
export const classSql = ({ model }: StoredModel): string =>
  model.classNames === undefined
    ? 'CAST(polyad_result[1] AS INTEGER) + 1'
    : `[${model.classNames.map(literal).join(', ')}][CAST(polyad_result[1] AS INTEGER) + 1]`

/** A column that is appended to a table: its name and its SQL. */
type NewColumn = readonly [name: string, sql: string]

/** Columns that are appended besides the scores, made from a column that is not. */
export interface MoreColumns {
  readonly from?: (scores: string) => string
  readonly aside?: string
  readonly columns: readonly NewColumn[]
}

/** The scores that are appended to a table. */
const newColumns = (
  { seen }: ModelTable,
  stored: StoredModel,
  posterior: boolean,
  more: readonly NewColumn[],
): NewColumn[] => {
  const { rank, classNames } = stored.model
  const classes = posterior ? Array.from({ length: rank }, (_, k) => classNames?.[k] ?? k + 1) : []
  const names = scoreColumns(
    seen.columns,
    classes,
    more.map(([name]) => name),
  )
  const sql = [
    ...[classSql(stored), 'polyad_result[2]', 'polyad_result[3]'],
    ...classes.map((_, k) => `polyad_result[${4 + k}]`),
    ...more.map(([, own]) => own),
  ]
  return names.map((name, i) => [name, sql[i]])
}

/**
 * Writes the table with class, probability and log-likelihood appended, and with `posterior` the probability of every
 * class, and more columns: rows stream through, in their order. The output `-` is standard output.
 */
export const writeScores = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  output: string,
  posterior: boolean,
  more?: MoreColumns,
): Promise<void> => {
  const added = newColumns(table, stored, posterior, more?.columns ?? []).map(
    ([name, sql]) => `${sql} AS ${identifier(name)}`,
  )
  const from = more?.from?.(scored(table)) ?? scored(table)
  const aside = more?.aside === undefined ? '' : `, ${more.aside}`
  const select = `SELECT * EXCLUDE (polyad_result${aside}), ${added.join(', ')} FROM ${from}`
  await writeTable(tables, table.relation, select, output)
}

export const summarizeScores = async (
  tables: Tables,
  table: ModelTable,
  weights: TableWeights,
  rank: number,
): Promise<ScoreSummary> => {
  const weight = `${table.weight} * ${weights.sql}`
  const unseen = table.codes.map(code => `CAST(count(*) FILTER (${code} = ${NEVER_SEEN}) AS DOUBLE)`)
  const sums = [
    'CAST(count(*) AS DOUBLE)',
    `sum(${weight})`,
    `sum(${weight} * polyad_result[2])`,
    `coalesce(sum(${weight} * polyad_result[3]) FILTER (isfinite(polyad_result[3])), 0)`,
    'CAST(count(*) FILTER (NOT isfinite(polyad_result[3])) AS DOUBLE)',
    ...unseen,
  ]
  const rows = (await rewordErrors(table.relation, () =>
    tables.rows(
      `SELECT CAST(polyad_result[1] AS INTEGER), ${sums.join(', ')} FROM ${scored(table)} GROUP BY 1 ORDER BY 1`,
    ),
  )) as number[][]
  return tallied(rows, rank, table.codes.length)
}

export interface Anomaly {
  readonly row: number
  /** How often the row was seen. */
  readonly count: number
  readonly class: string
  readonly probability: number
  readonly logLikelihood: number
  /** The values of the model's columns, as they stand in the table. */
  readonly values: readonly (string | null)[]
}

/** The least likely rows, among those that were seen at all. */
export const findAnomalies = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  limit: number,
): Promise<Anomaly[]> => {
  const numbered = { ...table, relation: { ...table.relation, from: numberedRows(table.relation) } }
  const rows = await rewordErrors(table.relation, () =>
    tables.rows(
      `SELECT CAST(polyad_row AS DOUBLE), ${table.weight}, CAST(${classSql(stored)} AS VARCHAR), polyad_result[2], polyad_result[3], ${valuesSql(table, stored).join(', ')} ` +
        `FROM ${scored(numbered)} WHERE ${table.weight} > 0 ORDER BY polyad_result[3], polyad_row LIMIT ${limit}`,
    ),
  )
  return rows.map(([row, count, name, probability, logLikelihood, ...values]) => ({
    row: row as number,
    count: count as number,
    class: name as string,
    probability: probability as number,
    logLikelihood: logLikelihood as number,
    values: values as (string | null)[],
  }))
}

/** The columns of the table that the model looks at. */
export const anomalyColumns = ({ absent }: Pick<ModelTable, 'absent'>, { recipe }: StoredModel): string[] =>
  recipeColumns(recipe).filter(column => !absent.includes(column))

/** SQL of their values. */
export const valuesSql = (table: ModelTable, stored: StoredModel): string[] =>
  anomalyColumns(table, stored).map(name => `CAST(${sqlName(table.seen, name)} AS VARCHAR)`)

/** How often each class was given to each value of a column, weighed: rows are the column's values. */
export const crossTable = async (
  tables: Tables,
  table: ModelTable,
  weights: TableWeights,
  stored: StoredModel,
  column: string,
): Promise<Map<string, Map<string, number>>> => {
  const truth = sqlName(table.seen, column)
  const rows = await rewordErrors(table.relation, () =>
    tables.rows(
      `SELECT CAST(${truth} AS VARCHAR), CAST(${classSql(stored)} AS VARCHAR), sum(${table.weight} * ${weights.sql}) ` +
        `FROM ${scored(table)} WHERE ${truth} IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  )
  const cross = new Map<string, Map<string, number>>()
  for (const [value, given, total] of rows as [string, string, number][]) {
    const row = cross.get(value) ?? new Map<string, number>()
    cross.set(value, row.set(given, total))
  }
  return cross
}
