import { DataError, type Label, MISSING, Mode, OptionError } from '@polyad/core'
import { type Structure, tupleLabel } from '@polyad/core/model'
import { columnNamed, findColumn, type Inspection, inspect, styled } from '../columns/columns.ts'
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
  /** For each covariate of the model the number of every row, or the position of its category; NaN without a usable value. */
  readonly given: readonly Float64Array[]
}

/** The code of a label that a model has never seen. */
export const NEVER_SEEN = -2

/** The codes of a table's rows, read as a model's recipe says. The view keeps values as they are written. */
export const rowCodes = async (
  view: MemoryView,
  recipe: Recipe,
  modes: readonly Mode[],
  structure?: Structure,
): Promise<RowCodes> => {
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
    if (own.tuples === true) {
      const tuple = rowTuples(view, seen, own.parts, recipe)
      return Int32Array.from({ length: view.rows }, (_, row) => {
        const label = tuple(row)
        return label === undefined ? MISSING : (modes[n].indexOf(label) ?? NEVER_SEEN)
      })
    }
    const parts = own.parts.map(part => new Mode(part.column, part.labels))
    if (parts.reduce((size, part) => size * part.size, 1) !== modes[n].size)
      throw new DataError(`mode ${JSON.stringify(own.column)}: its parts do not fit it`)
    return joint(
      own.parts.map((part, i) => codesOf(parts[i], part)),
      parts,
    )
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
  const given = givenOf(recipe, structure, values, codesOf)
  return { codes, unknown, absent, predictors: predictorsOf(view.rows, structure, given), given }
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

/** The label of the numbers of a row in some columns, with its texts as they are where they are no numbers; undefined if it lacks all of them. */
export const rowTuples = (
  view: MemoryView,
  seen: Inspection,
  parts: readonly ModeRecipe[],
  recipe: Recipe,
): ((row: number) => string | undefined) => {
  const columns = parts.map(part => {
    if (findColumn(seen.columns, part.column) === undefined) return () => undefined
    const { texts, codes } = view.values(styled(columnNamed(seen, part.column, '', view), part), recipe)
    const labels = texts.map(text => numberOf(text) ?? text)
    return (row: number) => (codes[row] < 0 ? undefined : labels[codes[row]])
  })
  return row => tupleLabel(columns.map(of => of(row)))
}

/** The positions of combinations; −1 or −2 where one of the parts is not a label. */
const joint = (codes: readonly Int32Array[], parts: readonly Mode[]): Int32Array =>
  codes[0].map((_, row) => {
    const own = codes.map(each => each[row])
    if (own.includes(MISSING)) return MISSING
    return own.includes(NEVER_SEEN) ? NEVER_SEEN : own.reduce((sum, code, i) => sum * parts[i].size + code, 0)
  })

const givenOf = (
  { given = [] }: Recipe,
  structure: Structure | undefined,
  values: (own: ModeRecipe, what: string) => ReturnType<MemoryView['values']>,
  codesOf: (mode: Mode, own: ModeRecipe) => Int32Array,
): readonly Float64Array[] =>
  (structure?.given ?? []).map(({ name, labels, numeric }, i) => {
    const { texts, codes } = values(given[i], ', a covariate of the model')
    if (!numeric)
      return Float64Array.from(codesOf(new Mode(name, labels), given[i]), code => (code < 0 ? Number.NaN : code))
    const numbers = texts.map(text => numberOf(text) ?? Number.NaN)
    return Float64Array.from(codes, code => (code < 0 ? Number.NaN : numbers[code]))
  })

const predictorsOf = (
  rows: number,
  structure: Structure | undefined,
  given: readonly Float64Array[],
): readonly Float64Array[] => {
  if (structure?.kind !== 'logit') return []
  const columns = new Map(
    structure.given.map(({ name, labels }, i) => {
      const mode = new Mode(name, labels)
      const factor = (label: Label | undefined, row: number): number => {
        const own = given[i][row]
        return label === undefined || Number.isNaN(own) ? own : Number(own === mode.indexOf(label))
      }
      return [name, factor] as const
    }),
  )
  const predictors = structure.coefficients.map(() => new Float64Array(rows))
  for (let row = 0; row < rows; row++) {
    const own = structure.predictors(({ covariate, label }) => columns.get(covariate)!(label, row))
    for (const [k, predictor] of own.entries()) predictors[k][row] = predictor
  }
  return predictors
}
