import { DataError, type Model } from '@polyad/core'
import type { ModelFile } from '@polyad/core/file'
import { isLinked } from '@polyad/core/model'
import {
  checkRecipe,
  linkableRows,
  linkedScores,
  type MemoryTable,
  type Recipe,
  type RowCodes,
  type RowScores,
  recordedFit,
  scoreRows,
} from 'polyad/table'
import type { ReadOptions } from './protocol.ts'

/** A column as it is written: its distinct texts, and for each row which of them it has (−1: none). */
export interface WrittenColumn {
  readonly texts: readonly string[]
  readonly codes: Int32Array
}

/** The rows of a table as a model sees them. */
export interface Scored extends RowScores {
  readonly table: MemoryTable
  readonly model: Model
  readonly codes: RowCodes
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
    model.structure.given,
  )
  const codes = await table.rowCodes(recipe, model.modes, model.structure)
  return {
    table,
    model,
    codes,
    ...scoresOf(table, codes, model),
    used: await usedOf(table, run, recipe, own),
    columns: table.columns.map(({ name }) => name),
    counts: countsOf(table, run),
    written: table.columns.map(column => table.written(column)),
  }
}

/** What a model says of all rows; of rows that belong together, given all of a person or group. */
const scoresOf = (table: MemoryTable, codes: RowCodes, model: Model): RowScores => {
  const { structure } = model
  if (!isLinked(structure)) return scoreRows(codes, model)
  const name = structure.kind === 'chain' ? structure.person : structure.within
  const column = table.columns.find(each => each.name === name)
  if (column === undefined)
    throw new DataError(`the table has no column ${name}, which says which rows belong together`)
  const { texts, codes: units } = table.written(column)
  return linkedScores(model, linkableRows(structure, { ...codes, units }), unit => texts[unit])
}

/** A value as it is written; null if the row has none. */
export const textOf = ({ texts, codes }: WrittenColumn, row: number): string | null => texts[codes[row]] ?? null

const usedOf = async (
  table: MemoryTable,
  run: ModelFile['run'],
  recipe: Recipe,
  own: Pick<ReadOptions, 'decimal' | 'thousands'> | undefined,
): Promise<Int32Array> => {
  const { where } = recordedFit(run)
  if (own === undefined || where === undefined) return Int32Array.from({ length: table.rows }, (_, row) => row)
  return table.rowsWhere(where, recipe, own)
}

const countsOf = (table: MemoryTable, run: Readonly<Record<string, unknown>>): Scored['counts'] => {
  const { count: column } = recordedFit(run)
  if (column === undefined || table.columns.every(({ name }) => name !== column)) return null
  const values = Float64Array.from(table.column(column), (text, row) => {
    const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
    if (value >= 0 && value < Number.POSITIVE_INFINITY) return value
    throw new DataError(`a count must be a number ≥ 0 (column ${column}, row ${row + 1}, got ${JSON.stringify(text)})`)
  })
  return { column, values }
}
