import { MISSING } from '@polyad/core'
import { omit } from '@polyad/core/options'
import type { StoredModel } from '../output/model-store.ts'
import { type Column, type Inspection, inspect } from '../table/columns/columns.ts'
import type { MemoryTable } from '../table/memory/memory-table.ts'
import type { MemoryView } from '../table/memory/memory-view.ts'
import { numberOf } from '../table/memory/numbers.ts'
import { type RowCodes, rowCodes } from '../table/memory/row-codes.ts'
import type { TextColumn } from '../table/memory/text-dictionary.ts'
import { filterView } from '../table/reading/filter-view.ts'
import type { Note } from '../table/values/note.ts'
import { firstFaultError, type Rule } from '../table/view/value-fault.ts'
import { countColumn, type ModelTableOptions, noCount, noWeight, zeroWeights } from './model-table.ts'
import { noDesign, type SampleNames, type SampleRequest, sampleColumns } from './table-sample.ts'

/** A small table seen through a model: `ModelTable` without DuckDB. Its arrays have a place for every row of the view. */
export interface SmallModelTable extends Pick<RowCodes, 'codes' | 'predictors' | 'given' | 'absent'> {
  readonly view: MemoryView
  readonly notes: readonly Note[]
  readonly seen: Inspection
  /** The column that says how often a row was seen; undefined where every row counts once. */
  readonly count: string | undefined
  readonly counts: Float64Array
  /** The rows that are used, in their order, and how much was left out because something is missing. */
  readonly used: Int32Array
  readonly left: number
}

export const openSmallModelTable = async (
  table: MemoryTable,
  stored: StoredModel,
  { count: asked, complete = false, where }: Pick<ModelTableOptions, 'count' | 'complete' | 'where'>,
): Promise<SmallModelTable> => {
  const { recipe, model } = stored
  const view = await filterView(table.forModel(recipe, model.modes, model.structure), where, recipe)
  const seen = await inspect(view, { missing: recipe.missing })
  const column = countColumn(view, seen, asked, stored)
  const all = Int32Array.from({ length: view.rows }, (_, row) => row)
  const counts =
    column === undefined ? new Float64Array(view.rows).fill(1) : await amountsOf(view, column, noCount, all)
  const { codes, predictors, given, absent } = await rowCodes(view, recipe, model.modes, model.structure)
  const isComplete = (row: number) =>
    codes.every(each => each[row] !== MISSING) && !(predictors.length > 0 && Number.isNaN(predictors[0][row]))
  const used = complete ? all.filter(isComplete) : all
  const left = complete ? all.reduce((sum, row) => (isComplete(row) ? sum : sum + counts[row]), 0) : 0
  return { view, notes: view.notes, seen, count: column?.name, counts, codes, predictors, given, absent, used, left }
}

/** A column's values as they are written, null where there is nothing. */
export const writtenColumn = ({ view }: Pick<SmallModelTable, 'view'>, column: Column): TextColumn =>
  view.values(omit(column, 'style'), { missing: [] })

/** The numbers of a column of counts or weights; what is none in the rows that are used is refused with its place. */
const amountsOf = async (view: MemoryView, column: Column, rule: Rule, used: Int32Array): Promise<Float64Array> => {
  const reading = { missing: [] }
  const { texts, codes } = view.values(column, reading)
  const numbers = texts.map(text => numberOf(text) ?? Number.NaN)
  const amounts = Float64Array.from(codes, code => numbers[code] ?? Number.NaN)
  if (!used.every(row => amounts[row] >= 0 && amounts[row] < Number.POSITIVE_INFINITY))
    throw await firstFaultError(view, [{ column, is: 'no count', rule }], reading)
  return amounts
}

/** How the rows of a small table were drawn. */
export interface SmallSample extends SampleNames {
  /** The weight of every row, and the mean of those above zero, which they are to be divided by. */
  readonly weights: { readonly column: string | undefined; readonly raw: Float64Array; readonly mean: number }
  readonly cluster: (TextColumn & { readonly name: string }) | undefined
  readonly stratum: (TextColumn & { readonly name: string }) | undefined
}

/** Finds the columns by which a table was drawn, and checks their values. */
export const sampleSmallTable = async (
  { view, seen, counts, used }: SmallModelTable,
  stored: StoredModel,
  request: SampleRequest,
): Promise<SmallSample> => {
  const columns = sampleColumns({ seen, name: view.name }, stored, request)
  const named = async (column: Column | undefined, what: string) => {
    if (column === undefined) return undefined
    const values = view.values(column, stored.recipe)
    if (values.codes.includes(-1) && request.unclustered !== true)
      throw await firstFaultError(view, [{ column, is: 'missing', rule: noDesign(what) }], stored.recipe)
    return { ...values, name: column.name }
  }
  const weigh = async (column: Column | undefined): Promise<SmallSample['weights']> => {
    if (column === undefined) return { column: undefined, raw: new Float64Array(view.rows).fill(1), mean: 1 }
    const raw = await amountsOf(view, column, noWeight, used)
    let [sum, rows] = [0, 0]
    for (const row of used) {
      if (!(raw[row] > 0)) continue
      sum += counts[row] * raw[row]
      rows += counts[row]
    }
    if (!(sum / rows > 0)) throw zeroWeights(column)
    return { column: column.name, raw, mean: sum / rows }
  }
  return {
    weights: await weigh(columns.weights),
    cluster: await named(columns.cluster, 'cluster'),
    stratum: await named(columns.stratum, 'stratum'),
  }
}
