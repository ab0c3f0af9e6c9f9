import { type Label, Mode, Model } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import type { StoredModel } from '../output/model-store.ts'
import { binSql } from '../source/relation/bin-sql.ts'
import { explained } from '../source/relation/faults.ts'
import { valueSql } from '../source/relation/values.ts'
import { columnNamed, styled } from '../table/columns/columns.ts'
import { binLabel, binRange } from '../table/values/bins.ts'
import { firstBin, knownBins } from '../table/values/model-bins.ts'
import type { ModeRecipe } from '../table/view/recipe.ts'
import { modelCodes } from './model-codes.ts'
import type { ModelTable } from './model-table.ts'

/** A table read by a model's recipe, with the labels that the model has never seen as labels of their own: of probability zero. */
export interface WidenedTable {
  readonly table: ModelTable
  readonly stored: StoredModel
}

/** Gives a model the labels that are new in a table. Variables that were joined or merged keep the labels that they have. */
export const withNewLabels = async (tables: Tables, table: ModelTable, stored: StoredModel): Promise<WidenedTable> => {
  const { model, recipe } = stored
  const modes: Mode[] = []
  for (const [n, mode] of model.modes.entries()) modes.push(await widened(tables, table, stored, n, mode))
  if (modes.every((mode, n) => mode === model.modes[n])) return { table, stored }
  const { rank, parameters, sizes, classNames } = model
  const factors = modes.map((mode, n) => {
    const factor = new Float64Array(mode.size * rank)
    const own = parameters.factors[n]
    for (let j = 0; j < model.modes[n].size; j++)
      factor.set(own.subarray(j * rank, (j + 1) * rank), rank * (mode.indexOf(model.modes[n].label(j)) as number))
    return factor
  })
  const wide = { ...stored, model: new Model(modes, { rank, sizes: Float64Array.from(sizes), factors }, classNames) }
  const codes = await explained(table.relation, () =>
    modelCodes(tables, table.relation, table.seen, { ...wide, recipe }),
  )
  return { table: { ...table, ...codes }, stored: wide }
}

const widened = async (
  tables: Tables,
  { relation, seen, codes, absent, weight }: ModelTable,
  { recipe }: StoredModel,
  n: number,
  mode: Mode,
): Promise<Mode> => {
  const own = recipe.modes[n]
  if (absent.includes(own.column) || own.parts !== undefined || own.when !== undefined || own.other !== undefined)
    return mode
  const value = valueSql(styled(columnNamed(seen, own.column, '', relation), own), relation, recipe)
  const shown = own.binning === undefined ? value : `CAST(${binSql(value, own.binning)} AS VARCHAR)`
  const rows = await explained(relation, () =>
    tables.rows(
      `SELECT DISTINCT ${shown} AS v FROM ${relation.from} WHERE ${codes[n]} = ${NEVER_SEEN} AND ${weight} > 0 AND ${shown} IS NOT NULL ORDER BY v`,
    ),
  )
  const texts = rows.map(([text]) => String(text))
  if (texts.length === 0) return mode
  return own.binning === undefined ? withTexts(mode, texts) : withBins(mode, own, texts.map(Number))
}

/** The labels that a mode has, and new ones: among numbers in their order, else at the end. */
const withTexts = (mode: Mode, texts: readonly string[]): Mode => {
  const labels: readonly Label[] = mode.labels ?? Array.from({ length: mode.size }, (_, j) => j)
  const numeric = labels.every(label => typeof label === 'number')
  // Texts among numbers stay unknown: they would make texts of all.
  const added = numeric ? [...new Set(texts.map(Number))].filter(Number.isFinite) : texts
  const isNew = added.filter(label => mode.indexOf(label) === undefined)
  if (isNew.length === 0) return mode
  const all = [...labels, ...isNew]
  return new Mode(mode.name, numeric ? (all as number[]).sort((a, b) => a - b) : all, mode.ordered)
}

/** Bins that a mode has, and new ones, in their order; widths leave no gaps. */
const withBins = (mode: Mode, { binning, column }: ModeRecipe, added: readonly number[]): Mode => {
  if (binning === undefined) return mode
  const first = firstBin(binning, mode)
  const known =
    first === undefined
      ? knownBins(binning, mode).map(([bin]) => bin)
      : Array.from({ length: mode.size }, (_, j) => first + j)
  const bins = binRange([...new Set([...known, ...added])], binning, column)
  const nameOf = (bin: number): Label => {
    // Labels that a model of an earlier version has are found again by what they are called.
    const label = binLabel(bin, binning)
    return mode.indexOf(label) === undefined && mode.indexOf(bin) !== undefined ? bin : label
  }
  return new Mode(mode.name, bins.map(nameOf), mode.ordered)
}
