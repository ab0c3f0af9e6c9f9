import { type Label, Mode, type Model } from '@polyad/core'
import { isNumber, modelOver, tupleLabel, tupleOf } from '@polyad/core/model'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import type { StoredModel } from '../output/model-store.ts'
import { binSql } from '../source/relation/bin-sql.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { valueSql } from '../source/relation/values.ts'
import { columnNamed, styled } from '../table/columns/columns.ts'
import { binOf } from '../table/memory/bin-texts.ts'
import { compareTexts } from '../table/memory/read-texts.ts'
import { rowCodes, rowTuples } from '../table/memory/row-codes.ts'
import { binLabel, binRange } from '../table/values/bins.ts'
import { firstBin, knownBins } from '../table/values/model-bins.ts'
import type { ModeRecipe } from '../table/view/recipe.ts'
import { modelCodes, tuplePart } from './model-codes.ts'
import type { ModelTable } from './model-table.ts'
import type { SmallModelTable } from './small-model-table.ts'

/** A model with the labels that are new in a table as labels of their own, of probability zero; the same if there are none. */
const widenedModel = async (
  { model, recipe }: StoredModel,
  absent: readonly string[],
  newTexts: (own: ModeRecipe, n: number) => Promise<readonly string[]>,
  numbersOnly: boolean,
): Promise<Model> => {
  const modes: Mode[] = []
  for (const [n, mode] of model.modes.entries()) {
    const own = recipe.modes[n]
    // Variables that were joined or merged keep the labels that they have.
    const fixed =
      absent.includes(own.column) ||
      (own.parts !== undefined && own.tuples !== true) ||
      own.when !== undefined ||
      own.other !== undefined ||
      (numbersOnly && !isNumberMode(model, n))
    const found = fixed ? [] : await newTexts(own, n)
    const texts =
      own.tuples === true ? found.filter(text => tupleOf(text, own.parts?.length ?? 0) !== undefined) : found
    modes.push(
      texts.length === 0
        ? mode
        : own.binning === undefined
          ? withTexts(mode, texts)
          : withBins(mode, own, texts.map(Number)),
    )
  }
  if (modes.every((mode, n) => mode === model.modes[n])) return model
  return modelOver(modes, model)
}

/** Whether a mode of a model is a number, which may have any value. */
const isNumberMode = ({ items }: Model, n: number): boolean => {
  const item = items[n]
  return item !== undefined && isNumber(item.spec)
}

/** Whether a model has variables that are numbers: new values of these have probabilities. */
export const hasNumbers = (model: Model): boolean => model.modes.some((_, n) => isNumberMode(model, n))

/** A table seen through a model that has the labels which are new in it. */
export const withNewLabels = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  numbersOnly = false,
): Promise<{ readonly table: ModelTable; readonly model: Model }> => {
  const { relation, seen, codes, weight } = table
  const model = await widenedModel(
    stored,
    table.absent,
    async (own, n) => {
      const isNew = `FROM ${relation.from} WHERE ${codes[n]} = ${NEVER_SEEN} AND ${weight} > 0`
      if (own.tuples === true) {
        const parts = (own.parts ?? []).map(part => tuplePart(relation, seen, part, stored.recipe))
        const names = parts.map((_, i) => `v${i}`)
        const rows = await rewordErrors(relation, () =>
          tables.rows(
            `SELECT DISTINCT ${parts.map((sql, i) => `${sql} AS v${i}`).join(', ')} ${isNew} ORDER BY ${names.join(', ')}`,
          ),
        )
        return rows.flatMap(
          row => tupleLabel(row.map(text => (text === null ? undefined : labelOfText(String(text))))) ?? [],
        )
      }
      const value = valueSql(styled(columnNamed(seen, own.column, '', relation), own), relation, stored.recipe)
      const shown = own.binning === undefined ? value : `CAST(${binSql(value, own.binning)} AS VARCHAR)`
      const rows = await rewordErrors(relation, () =>
        tables.rows(`SELECT DISTINCT ${shown} AS v ${isNew} AND ${shown} IS NOT NULL ORDER BY v`),
      )
      return rows.map(([text]) => String(text))
    },
    numbersOnly,
  )
  if (model === stored.model) return { table, model }
  const own = await rewordErrors(relation, () => modelCodes(tables, relation, seen, { ...stored, model }))
  return { table: { ...table, ...own }, model }
}

/** The same of a small table. */
export const smallWithNewLabels = async (
  table: SmallModelTable,
  stored: StoredModel,
  numbersOnly = false,
): Promise<{ readonly table: SmallModelTable; readonly model: Model }> => {
  const { view, seen, codes, counts, used } = table
  const { recipe } = stored
  const model = await widenedModel(
    stored,
    table.absent,
    async (own, n) => {
      if (own.tuples === true) {
        const tuple = rowTuples(view, seen, own.parts ?? [], recipe)
        const isNew = used.filter(row => codes[n][row] === NEVER_SEEN && counts[row] > 0)
        return [...new Set(Array.from(isNew, row => tuple(row) ?? ''))].sort(compareTexts)
      }
      const values = view.values(styled(columnNamed(seen, own.column, '', view), own), recipe)
      const isNew = used.filter(row => codes[n][row] === NEVER_SEEN && counts[row] > 0 && values.codes[row] >= 0)
      const texts = Array.from(new Set(isNew.map(row => values.codes[row])), code => values.texts[code])
      const { binning } = own
      if (binning === undefined) return texts.sort(compareTexts)
      return texts.flatMap(text => binOf(text, binning) ?? []).map(String)
    },
    numbersOnly,
  )
  if (model === stored.model) return { table, model }
  return { table: { ...table, ...(await rowCodes(view, recipe, model.modes, model.structure)) }, model }
}

/** A text as a number, if it is one. */
const labelOfText = (text: string): Label => (Number.isFinite(Number(text)) ? Number(text) : text)

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
