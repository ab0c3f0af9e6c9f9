import type { Contribution } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN, NOT_OBSERVED } from '../duckdb/messages.ts'
import { literal } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { numberedRows } from '../source/relation/relation.ts'
import type { ModeRecipe } from '../table/view/recipe.ts'
import type { ModelTable } from './model-table.ts'
import { anomalyColumns, classSql, type MoreColumns, scored, valuesSql } from './score-table.ts'

/** A surprising row, with the contribution of each answer. */
export interface SurprisingRow {
  /** Its number in the table, from 1. */
  readonly row: number
  /** How often it was seen. */
  readonly count: number
  readonly class: string
  readonly probability: number
  /** −log₂ of the probability of its answers; the mean of rows with answers to the same variables; standard deviations above it. */
  readonly surprise: number
  readonly expected: number
  readonly score: number
  /** One for every answer, the most surprising first. */
  readonly contributions: readonly Contribution[]
  /** The values of the model's columns, as they stand in the table. */
  readonly values: readonly (string | null)[]
}

/** Makes `polyad_explain` known. */
export const prepareExplain = (tables: Tables, { model }: StoredModel): Promise<void> =>
  tables.ask({
    kind: 'explain',
    parameters: model.parameters,
    total: model.total,
    explained: model.structure.kind !== 'shares',
  })

/** Rows with a column `polyad_why` beside their scores. */
const withReasons = (from: string, { codes, predictors }: ModelTable): string =>
  `(SELECT *, polyad_explain(${[...codes, ...predictors].join(', ')}) AS polyad_why FROM ${from})`

/** What is appended to every row: its surprise in bits, its score, and the variable that is most of a surprise. */
export const explainColumns = (table: ModelTable, { model }: StoredModel): MoreColumns => ({
  from: scores => withReasons(scores, table),
  aside: 'polyad_why',
  columns: [
    ['surprise', 'polyad_why[1]'],
    ['surprise_score', 'polyad_why[2]'],
    ['surprise_by', `[${model.modes.map(({ name }) => literal(name)).join(', ')}][CAST(polyad_why[4] AS INTEGER)]`],
  ],
})

/** The rows that surprise the model most, among those that were seen at all. */
export const findSurprises = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  limit: number,
): Promise<SurprisingRow[]> => {
  const columns = anomalyColumns(table, stored)
  const numbered = { ...table, relation: { ...table.relation, from: numberedRows(table.relation) } }
  const fields = [
    ...['CAST(polyad_row AS DOUBLE)', table.weight, `CAST(${classSql(stored)} AS VARCHAR)`, 'polyad_result[2]'],
    ...['CAST(polyad_why AS DOUBLE[])', `[${table.codes.map(code => `CAST(${code} AS INTEGER)`).join(', ')}]`],
    ...valuesSql(table, stored),
  ]
  const rows = await rewordErrors(table.relation, () =>
    tables.rows(
      `SELECT ${fields.join(', ')} FROM ${withReasons(scored(numbered), table)} ` +
        `WHERE ${table.weight} > 0 ORDER BY polyad_why[2] DESC, polyad_row LIMIT ${limit}`,
    ),
  )
  return rows.map(([row, count, name, probability, why, codes, ...values]) =>
    surprisingRow(stored, columns, {
      row: row as number,
      count: count as number,
      class: name as string,
      probability: probability as number,
      why: why as number[],
      codes: codes as number[],
      values: values as (string | null)[],
    }),
  )
}

/** A row with what `rowExplainer` says of it, its codes, and its values in these columns. */
interface ExplainedRow extends Pick<SurprisingRow, 'row' | 'count' | 'class' | 'probability' | 'values'> {
  readonly why: readonly number[]
  readonly codes: readonly number[]
}

export const surprisingRow = (
  { model, recipe }: StoredModel,
  columns: readonly string[],
  { why, codes, values, ...row }: ExplainedRow,
): SurprisingRow => {
  const [surprise, score, expected, , ...bits] = why
  const contributions = codes.flatMap((code, n): Contribution[] => {
    if (code === NOT_OBSERVED) return []
    const unseen = code === NEVER_SEEN
    const label = unseen ? writtenIn(recipe.modes[n], columns, values) : model.modes[n].label(code)
    return [{ mode: model.modes[n].name, label, bits: bits[n], unseen }]
  })
  return { ...row, surprise, expected, score, values, contributions: contributions.sort((x, y) => y.bits - x.bits) }
}

/** A value that the model does not know, as it stands in the table; of variables that were joined, all of them. */
const writtenIn = (
  { column, parts }: ModeRecipe,
  columns: readonly string[],
  values: readonly (string | null)[],
): string => (parts ?? [{ column }]).map(part => values[columns.indexOf(part.column)] ?? 'missing').join(' / ')
