import { DataError, type Model } from '@polyad/core'
import type { ModelFile } from '@polyad/core/file'
import { mostProbable, posteriorInto } from '@polyad/core/model'
import { checkRecipe, type MemoryTable, membership, type Recipe, type RowCodes } from 'polyad/table'
import type { ReadOptions } from './protocol.ts'

/** A column as it is written: its distinct texts, and for each row which of them it has (−1: none). */
export interface WrittenColumn {
  readonly texts: readonly string[]
  readonly codes: Int32Array
}

/** The rows of a table as a model sees them. */
export interface Scored {
  readonly table: MemoryTable
  readonly model: Model
  readonly codes: RowCodes
  /** By row and class. */
  readonly posteriors: Float64Array
  /** The most probable class of every row, and log P of the row. */
  readonly classes: Int32Array
  readonly logProbabilities: Float64Array
  /** The rows that are shown, in their order: all, or those that the model was fitted to. */
  readonly used: Int32Array
  /** How often every row was seen, by the column that the model's own data was counted by; null if every row counts once. */
  readonly counts: { readonly column: string; readonly values: Float64Array } | null
  /** The names of the columns, and their values. */
  readonly columns: readonly string[]
  readonly written: readonly WrittenColumn[]
}

/**
 * Classifies the rows of a table.
 * @param own how numbers are written in the table of the model itself, of which only the rows are shown that it was fitted to
 */
export const score = async (
  table: MemoryTable,
  { model, run }: ModelFile,
  own?: Pick<ReadOptions, 'decimal' | 'thousands'>,
): Promise<Scored> => {
  const recipe = checkRecipe(
    run.recipe,
    model.modes.map(({ name }) => name),
  )
  const codes = await table.rowCodes(recipe, model.modes)
  const { rank, parameters } = model
  // To the model, what it has never seen is missing.
  const indices = codes.codes.map(each => each.map(code => Math.max(code, -1)))
  const posteriors = new Float64Array(table.rows * rank)
  const classes = new Int32Array(table.rows)
  const logProbabilities = new Float64Array(table.rows)
  const prior = parameters.shares.slice()
  const given = { ...parameters, shares: prior }
  for (let row = 0; row < table.rows; row++) {
    const own = posteriors.subarray(row * rank, (row + 1) * rank)
    if (codes.predictors.length > 0) membership(codes.predictors, row, parameters.shares, prior)
    logProbabilities[row] = posteriorInto(given, indices, row, own)
    classes[row] = mostProbable(own)
  }
  return {
    ...{ table, model, codes, posteriors, classes, logProbabilities },
    used: await usedOf(table, run, recipe, own),
    columns: table.columns.map(({ name }) => name),
    counts: countsOf(table, run),
    written: table.columns.map(column => table.written(column)),
  }
}

/** A value as it is written; null if the row has none. */
export const textOf = ({ texts, codes }: WrittenColumn, row: number): string | null => texts[codes[row]] ?? null

const usedOf = async (
  table: MemoryTable,
  run: ModelFile['run'],
  recipe: Recipe,
  own: Pick<ReadOptions, 'decimal' | 'thousands'> | undefined,
): Promise<Int32Array> => {
  const where = (run.source as { readonly where?: unknown } | undefined)?.where
  if (own === undefined || typeof where !== 'string') return Int32Array.from({ length: table.rows }, (_, row) => row)
  return table.rowsWhere(where, recipe, own)
}

const countsOf = (table: MemoryTable, run: Readonly<Record<string, unknown>>): Scored['counts'] => {
  const column = (run.source as { readonly count?: unknown } | undefined)?.count
  if (typeof column !== 'string' || table.columns.every(({ name }) => name !== column)) return null
  const values = Float64Array.from(table.column(column), (text, row) => {
    const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
    if (value >= 0 && value < Number.POSITIVE_INFINITY) return value
    throw new DataError(`a count must be a number ≥ 0 (column ${column}, row ${row + 1}, got ${JSON.stringify(text)})`)
  })
  return { column, values }
}
