import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import { identifier, literal } from '../duckdb/sql-text.ts'

import type { StoredModel } from '../output/model-store.ts'
import { writeTable } from '../output/write-table.ts'
import { type Inspection, inspect } from '../source/columns.ts'
import { explained } from '../source/faults.ts'
import { openRelation, type Relation, type RelationOptions } from '../source/relation.ts'
import { modelCodes } from './model-codes.ts'

/** A table seen through a model: SQL of its rows and of the model's codes for them. */
export interface ModelledTable {
  readonly relation: Relation
  readonly seen: Inspection
  readonly codes: readonly string[]
  /** Columns of the model that the table lacks. */
  readonly absent: readonly string[]
}

/** Opens a table for a model. Its texts are kept as they are, so that what is written out is what was read. */
export const openModelled = async (
  tables: Tables,
  paths: readonly string[],
  stored: StoredModel,
  options: RelationOptions,
): Promise<ModelledTable> => {
  const opened = await openRelation(tables, paths, { ...options, missing: [] })
  const relation = { ...opened, text: false }
  return explained(relation, async () => {
    const seen = await inspect(tables, relation, stored.recipe.missing)
    return { relation, seen, ...(await modelCodes(tables, relation, seen, stored)) }
  })
}

/** A name for a new column that the table does not have yet. */
export const freeName = ({ columns }: Inspection, name: string): string => {
  const taken = columns.map(column => column.name.toLowerCase())
  let free = name
  while (taken.includes(free)) free = `polyad_${free}`
  return free
}

export interface ScoreNames {
  readonly class: string
  readonly probability: string
  readonly logLikelihood: string
}

export interface ScoreSummary {
  readonly rows: number
  /** For each class: how many rows it is the most probable for. */
  readonly classes: readonly number[]
  readonly meanProbability: number
  /** Of all rows that the model gives a chance. */
  readonly logLikelihood: number
  /** Rows that the model gives no chance at all. */
  readonly impossible: number
  /** For each mode, rows with a label the model has never seen. */
  readonly unseen: readonly number[]
}

/** SQL of the rows with `score` beside them. */
const scored = ({ relation, codes }: ModelledTable): string =>
  `(SELECT *, polyad_score(${codes.join(', ')}) AS polyad_result FROM ${relation.from})`

/** SQL of the name of the class in column `polyad_result`. */
const classSql = ({ model }: StoredModel): string =>
  model.classNames === undefined
    ? 'CAST(polyad_result[1] AS INTEGER) + 1'
    : `[${model.classNames.map(literal).join(', ')}][CAST(polyad_result[1] AS INTEGER) + 1]`

export const scoreNames = ({ seen }: ModelledTable): ScoreNames => ({
  class: freeName(seen, 'class'),
  probability: freeName(seen, 'class_probability'),
  logLikelihood: freeName(seen, 'log_likelihood'),
})

/** Writes the table with class, probability and log-likelihood appended: rows stream through, in their order. */
export const writeScores = async (
  tables: Tables,
  table: ModelledTable,
  stored: StoredModel,
  output: string,
): Promise<void> => {
  const names = scoreNames(table)
  const select =
    `SELECT * EXCLUDE (polyad_result), ${classSql(stored)} AS ${identifier(names.class)}, ` +
    `polyad_result[2] AS ${identifier(names.probability)}, polyad_result[3] AS ${identifier(names.logLikelihood)} FROM ${scored(table)}`
  await writeTable(tables, table.relation, select, output)
}

export const summarizeScores = async (tables: Tables, table: ModelledTable, rank: number): Promise<ScoreSummary> => {
  const unseen = table.codes.map(code => `CAST(count(*) FILTER (${code} = ${NEVER_SEEN}) AS DOUBLE)`)
  const rows = (await explained(table.relation, () =>
    tables.rows(
      `SELECT CAST(polyad_result[1] AS INTEGER), CAST(count(*) AS DOUBLE), sum(polyad_result[2]), ` +
        `coalesce(sum(polyad_result[3]) FILTER (isfinite(polyad_result[3])), 0), ` +
        `CAST(count(*) FILTER (NOT isfinite(polyad_result[3])) AS DOUBLE), ${unseen.join(', ')} FROM ${scored(table)} GROUP BY 1`,
    ),
  )) as number[][]
  const total = (column: number) => rows.reduce((sum, row) => sum + row[column], 0)
  const classes = new Array<number>(rank).fill(0)
  for (const [k, count] of rows) classes[k] = count
  return {
    rows: total(1),
    classes,
    meanProbability: total(2) / total(1),
    logLikelihood: total(3),
    impossible: total(4),
    unseen: table.codes.map((_, n) => total(5 + n)),
  }
}

export interface Anomaly {
  readonly row: number
  readonly class: string
  readonly probability: number
  readonly logLikelihood: number
  /** The values of the model's columns, as they stand in the table. */
  readonly values: readonly (string | null)[]
}

/** The least likely rows. */
export const findAnomalies = async (
  tables: Tables,
  table: ModelledTable,
  stored: StoredModel,
  most: number,
): Promise<Anomaly[]> => {
  const columns = anomalyColumns(table, stored).map(name => `CAST(${identifier(name)} AS VARCHAR)`)
  const numbered = {
    ...table,
    relation: { ...table.relation, from: `(SELECT *, row_number() OVER () AS polyad_row FROM ${table.relation.from})` },
  }
  const rows = await explained(table.relation, () =>
    tables.rows(
      `SELECT CAST(polyad_row AS DOUBLE), CAST(${classSql(stored)} AS VARCHAR), polyad_result[2], polyad_result[3], ${columns.join(', ')} ` +
        `FROM ${scored(numbered)} ORDER BY polyad_result[3], polyad_row LIMIT ${most}`,
    ),
  )
  return rows.map(([row, name, probability, logLikelihood, ...values]) => ({
    row: row as number,
    class: name as string,
    probability: probability as number,
    logLikelihood: logLikelihood as number,
    values: values as (string | null)[],
  }))
}

/** The columns of the table that the model looks at. */
export const anomalyColumns = ({ absent }: ModelledTable, { recipe }: StoredModel): string[] =>
  recipe.modes.map(({ column }) => column).filter(column => !absent.includes(column))

/** How often each class was given to each value of a column: rows are the column's values. */
export const crossTable = async (
  tables: Tables,
  table: ModelledTable,
  stored: StoredModel,
  column: string,
): Promise<Map<string, Map<string, number>>> => {
  const rows = await explained(table.relation, () =>
    tables.rows(
      `SELECT CAST(${identifier(column)} AS VARCHAR), CAST(${classSql(stored)} AS VARCHAR), CAST(count(*) AS DOUBLE) ` +
        `FROM ${scored(table)} WHERE ${identifier(column)} IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  )
  const cross = new Map<string, Map<string, number>>()
  for (const [truth, given, count] of rows as [string, string, number][]) {
    const row = cross.get(truth) ?? new Map<string, number>()
    cross.set(truth, row.set(given, count))
  }
  return cross
}
