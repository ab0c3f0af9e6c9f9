import { DataError, type Label, MISSING, Mode, OptionError } from '@polyad/core'
import { columnNamed, findColumn, inspect, styled } from '../columns/columns.ts'
import type { Binning } from '../values/bins.ts'
import { firstBin, knownBins } from '../values/model-bins.ts'
import { type ModeRecipe, type Recipe, recipeColumns } from '../view/recipe.ts'
import { binOf } from './bin-texts.ts'
import type { MemoryView } from './memory-view.ts'
import { numberOf } from './numbers.ts'
import { lower } from './read-texts.ts'

/** Rows as a model sees them. */
export interface RowCodes {
  /** For each mode the position of every row's label; −1 where it is missing, −2 where the model has never seen it. */
  readonly codes: readonly Int32Array[]
  /** For each mode, how many rows have a label that the model has never seen. */
  readonly unknown: readonly number[]
  /** Columns of the model that the table lacks: they are missing throughout. */
  readonly absent: readonly string[]
  /** For each class the linear predictor of every row, where covariates explain the classes (NaN where one is missing); else none. */
  readonly predictors: readonly Float64Array[]
}

/** The code of a label that a model has never seen. */
const NEVER_SEEN = -2

/** The codes of a table's rows, read as a model's recipe says. The view keeps values as they are written. */
export const rowCodes = async (view: MemoryView, recipe: Recipe, modes: readonly Mode[]): Promise<RowCodes> => {
  const seen = await inspect(view, { missing: recipe.missing })
  const columns = recipeColumns({ modes: recipe.modes })
  const absent = columns.filter(name => findColumn(seen.columns, name) === undefined)
  if (absent.length === columns.length) {
    columnNamed(seen, absent[0], ', nor any other that the model knows', view)
    throw new OptionError(`${view.name} has none of the model's columns`)
  }
  const values = (own: ModeRecipe, what = '') =>
    view.values(styled(columnNamed(seen, own.column, what, view), own), recipe)
  const codesOf = (mode: Mode, own: ModeRecipe): Int32Array => {
    if (absent.includes(own.column)) return new Int32Array(view.rows).fill(MISSING)
    const { texts, codes } = values(own)
    const codeOf = own.binning === undefined ? labelCode(mode, own, recipe) : binPosition(own.binning, mode)
    const known = Int32Array.from(texts, codeOf)
    const missing = own.missingAs === undefined || own.binning !== undefined ? undefined : mode.indexOf(own.missingAs)
    return codes.map(code => (code < 0 ? (missing ?? MISSING) : known[code]))
  }
  const ofVariable = (own: ModeRecipe, n: number): Int32Array => {
    if (own.parts === undefined) return codesOf(modes[n], own)
    const parts = own.parts.map(part => new Mode(part.column, part.labels))
    if (parts.reduce((size, part) => size * part.size, 1) !== modes[n].size)
      throw new DataError(`mode ${JSON.stringify(own.column)}: its parts do not fit it`)
    return joint(own.parts.map((part, i) => codesOf(parts[i], part)), parts) // biome-ignore format: one call
  }
  const codes = recipe.modes.map((own, n) => {
    // Rows with other labels lack the mode.
    const conditions = (own.when ?? []).map(({ label, ...each }) => {
      columnNamed(seen, each.column, ', on which a variable of the model depends', view)
      const mode = new Mode(each.column, each.labels)
      return { codes: codesOf(mode, each), position: mode.indexOf(label) }
    })
    const all = ofVariable(own, n)
    if (conditions.length === 0) return all
    return all.map((code, row) => (conditions.every(each => each.codes[row] === each.position) ? code : MISSING))
  })
  const unknown = codes.map(own => own.reduce((sum, code) => sum + (code === NEVER_SEEN ? 1 : 0), 0))
  return { codes, unknown, absent, predictors: predictorsOf(view.rows, recipe, values, codesOf) }
}

const labelCode = (mode: Mode, { other }: ModeRecipe, { ignoreCase }: Recipe): ((text: string) => number) => {
  const labels = mode.labels ?? Array.from({ length: mode.size }, (_, index) => index)
  const rest = (other === undefined ? undefined : mode.indexOf(other)) ?? NEVER_SEEN
  // Numbers are compared as numbers: what one file writes as 1 another writes as 1.0.
  const numeric = labels.every(label => typeof label === 'number')
  const keyOf = (label: Label) => (numeric ? Number(label) : ignoreCase ? lower(String(label)) : String(label))
  const position = new Map(labels.map((label, i) => [keyOf(label), i]))
  return text => position.get(numeric ? (numberOf(text) ?? text) : text) ?? rest
}

/**
 * Into which label of a mode that was cut a value falls: its position, or −2 where the model has no such bin.
 * @example
 * binPosition({ kind: 'quantiles', edges: [30] }, new Mode('age', ['<30', '≥30']))('42') // 1
 */
export const binPosition = (binning: Binning, mode: Mode): ((text: string) => number) => {
  const first = firstBin(binning, mode)
  const bins = first === undefined ? knownBins(binning, mode) : []
  if (first === undefined && bins.length === 0)
    throw new DataError(`mode ${JSON.stringify(mode.name)}: its labels are not those of its bins`)
  const position = new Map(bins)
  return text => {
    const bin = binOf(text, binning)
    if (bin === undefined) return NEVER_SEEN
    if (first === undefined) return position.get(bin) ?? NEVER_SEEN
    return bin >= first && bin < first + mode.size ? bin - first : NEVER_SEEN
  }
}

/** The positions of combinations; −1 or −2 where one of the parts is not a label. */
const joint = (codes: readonly Int32Array[], parts: readonly Mode[]): Int32Array =>
  codes[0].map((_, row) => {
    const own = codes.map(each => each[row])
    if (own.includes(MISSING)) return MISSING
    return own.includes(NEVER_SEEN) ? NEVER_SEEN : own.reduce((sum, code, i) => sum * parts[i].size + code, 0)
  })

const predictorsOf = (
  rows: number,
  { covariates }: Recipe,
  values: (own: ModeRecipe, what: string) => ReturnType<MemoryView['values']>,
  codesOf: (mode: Mode, own: ModeRecipe) => Int32Array,
): readonly Float64Array[] => {
  if (covariates === undefined) return []
  const factors = new Map(
    covariates.columns.map(own => {
      const { texts, codes } = values(own, ', a covariate of the model')
      const mode = new Mode(own.column, own.labels)
      const isCategory = covariates.terms.some(term =>
        term.factors.some(({ covariate, label }) => covariate === own.column && label !== undefined),
      )
      const positions = isCategory ? codesOf(mode, own) : undefined
      const numbers = texts.map(text => numberOf(text) ?? Number.NaN)
      const factor = (label: Label | undefined, row: number): number => {
        if (label === undefined) return codes[row] < 0 ? Number.NaN : numbers[codes[row]]
        const code = positions?.[row] ?? MISSING
        return code < 0 ? Number.NaN : code === mode.indexOf(label) ? 1 : 0
      }
      return [own.column, factor] as const
    }),
  )
  return covariates.coefficients.map(coefficients =>
    Float64Array.from({ length: rows }, (_, row) =>
      coefficients.reduce((sum, estimate, p) => {
        const { factors: product } = covariates.terms[p]
        const term = product.reduce(
          (value, { covariate, label }) => value * (factors.get(covariate)?.(label, row) ?? Number.NaN),
          estimate,
        )
        return sum + term
      }, 0),
    ),
  )
}
