import { MISSING } from '@polyad/core'
import { omit } from '@polyad/core/options'
import type { StoredModel } from '../output/model-store.ts'
import { numberOf } from '../table/memory/numbers.ts'
import { compareTexts } from '../table/memory/read-texts.ts'
import type { RowScores } from '../table/memory/row-scores.ts'
import { dictionaryOf } from '../table/values/dictionary.ts'
import { firstFaultError } from '../table/view/value-fault.ts'
import {
  answersOf,
  checkCategories,
  type ModelRows,
  noNumber,
  posteriorsOf,
  type RowColumn,
  type WantedColumn,
  wantedColumn,
} from './model-rows.ts'
import { numbered } from './small-counts.ts'
import type { SmallModelTable, SmallSample } from './small-model-table.ts'

/** Reads the rows of a small table, as `readModelRows` does with SQL. */
export const readSmallRows = async (
  table: SmallModelTable,
  stored: StoredModel,
  { weights: { raw, mean }, cluster, stratum }: SmallSample,
  { posteriors }: RowScores,
  wanted: readonly WantedColumn[],
): Promise<ModelRows> => {
  const { view, used, counts } = table
  const { rank, structure } = stored.model
  const columns: (RowColumn & { readonly values: Float64Array })[] = []
  for (const each of wanted) columns.push(await smallColumn(table, stored, each))
  // Clusters whose rows were left out are part of the sample all the same, with rows that count for nothing.
  const idle =
    cluster === undefined || used.length === view.rows
      ? new Int32Array(0)
      : Int32Array.from({ length: view.rows }, (_, row) => row)
  const rowsOf = (value: (row: number) => number, none: number) =>
    Float64Array.from([...Array.from(used, value), ...Array.from(idle, () => none)])
  const all = [...used, ...idle]
  const clusters = cluster && numbered(cluster).codes
  return {
    columns: columns.map(column => omit(column, 'values')),
    values: columns.map(({ values }) => rowsOf(row => values[row], 0)),
    counts: rowsOf(row => counts[row], 0),
    weights: rowsOf(row => raw[row] / mean, 0),
    ...(clusters !== undefined && { clusters: Float64Array.from(all, row => clusters[row]) }),
    ...(stratum !== undefined && { strata: all.map(row => stratum.texts[stratum.codes[row]]) }),
    classified:
      structure.kind === 'shares'
        ? answersOf(
            stored,
            table.codes.map(own => rowsOf(row => own[row], MISSING)),
          )
        : posteriorsOf(
            Array.from({ length: rank }, (_, k) => rowsOf(row => posteriors[row * rank + k], k === 0 ? 1 : 0)),
          ),
  }
}

/** A column's values in every row: numbers, NaN where missing, or the positions of labels, −1 where missing. */
const smallColumn = async (
  { view, seen, used }: SmallModelTable,
  stored: StoredModel,
  wanted: WantedColumn,
): Promise<RowColumn & { readonly values: Float64Array }> => {
  const { column, kind } = wantedColumn({ seen, name: view.name }, stored, wanted)
  const { texts, codes } = view.values(column, stored.recipe)
  const named = { name: column.name, kind }
  if (kind === 'number') {
    const numbers = texts.map(text => numberOf(text) ?? Number.NaN)
    if (used.some(row => codes[row] >= 0 && !Number.isFinite(numbers[codes[row]])))
      throw await firstFaultError(view, [{ column, is: 'no number', rule: noNumber }], stored.recipe)
    return { ...named, values: Float64Array.from(codes, code => numbers[code] ?? Number.NaN) }
  }
  const known = [...new Set(Array.from(used, row => codes[row]))].filter(code => code >= 0)
  checkCategories(column, known.length, wanted)
  known.sort((a, b) => compareTexts(texts[a], texts[b]))
  const { labels, positions } = dictionaryOf(
    { column, binning: undefined },
    known.map(code => texts[code]),
  )
  const place = new Map(known.map((code, i) => [code, positions[i]]))
  return { ...named, labels, values: Float64Array.from(codes, code => place.get(code) ?? -1) }
}
