import { DataError, type Label, type Term } from '@polyad/core'
import { type Binning, DATE_PARTS } from '../values/bins.ts'
import { DATE_FORMATS } from '../values/dates.ts'
import { isNumber } from '../values/labels.ts'
import type { NumberStyle } from '../values/number-style.ts'
import type { Recode, Recodings } from '../values/recode.ts'
import { isTimeZone } from '../values/time-zones.ts'

/** How a mode comes out of a table: kept with a model, so that new data is read in the same way. */
export interface ModeRecipe {
  readonly column: string
  readonly binning?: Binning
  readonly missingAs?: string
  /** How its numbers were written, where not as programs do: it decides where new ones could be read both ways. */
  readonly style?: NumberStyle
  /** The label that stands for all labels not kept. */
  readonly other?: string
  /** The columns of which the mode is the combination, where it is not one itself. */
  readonly parts?: readonly LabelledRecipe[]
  /** The labels of other columns that a row must have: it lacks the mode otherwise. */
  readonly when?: readonly ConditionRecipe[]
}

/** A column that is no mode of the model: the model does not know its labels. */
export interface LabelledRecipe extends ModeRecipe {
  readonly labels: readonly Label[]
}

/** A label that a row must have in a column. */
export interface ConditionRecipe extends LabelledRecipe {
  readonly label: Label
}

/** How the prior of a row's classes follows from its covariates. */
export interface CovariateRecipe {
  readonly reference: number
  readonly terms: readonly Term[]
  /** For every class its coefficients, one per term. */
  readonly coefficients: readonly (readonly number[])[]
  readonly columns: readonly LabelledRecipe[]
}

export interface Recipe {
  readonly modes: readonly ModeRecipe[]
  readonly covariates?: CovariateRecipe
  /** Everything that means missing. */
  readonly missing: readonly string[]
  /** What means missing besides in single columns. */
  readonly missingIn?: Readonly<Record<string, readonly string[]>>
  /** How the categories of single columns were recoded. */
  readonly recode?: Recodings
  /** Whether blanks around labels were taken off. */
  readonly trim?: boolean
  /** Whether labels that differ only by case were joined. */
  readonly ignoreCase?: boolean
}

/** What means missing unless told otherwise, beside NULL and NaN. */
export const MISSING_TEXTS: readonly string[] = ['', 'NA', 'NULL', 'NaN']

/**
 * The recipe in a model's record, for modes of these names; where there is none, every mode is a column of its name.
 * What goes into SQL later is checked here to be what it says: a model file may come from anyone.
 * @example
 * checkRecipe(undefined, ['vote']).modes[0].column // 'vote'
 */
export const checkRecipe = (recipe: unknown, names: readonly string[]): Recipe => {
  if (recipe === undefined) return { modes: names.map(column => ({ column })), missing: MISSING_TEXTS }
  const { modes, missing, missingIn, recode, trim, ignoreCase, covariates } = (recipe ?? {}) as Record<string, unknown>
  const texts = Array.isArray(missing) && missing.every(text => typeof text === 'string')
  if (!Array.isArray(modes) || modes.length !== names.length || !texts) refuse('its recipe does not fit its modes')
  return {
    modes: (modes as unknown[]).map(modeRecipe),
    ...(covariates === undefined ? {} : { covariates: covariateRecipe(covariates) }),
    missing: missing as string[],
    ...(missingIn === undefined ? {} : { missingIn: columnTexts(missingIn) }),
    ...(recode === undefined ? {} : { recode: recodings(recode) }),
    ...(trim === true ? { trim } : {}),
    ...(ignoreCase === true ? { ignoreCase } : {}),
  }
}

const modeRecipe = (entry: unknown): ModeRecipe => {
  const { column, binning, missingAs, style, other, parts, when } = (entry ?? {}) as Record<string, unknown>
  if (typeof column !== 'string') return refuse('a mode of its recipe has no column')
  for (const text of [missingAs, other])
    if (text !== undefined && typeof text !== 'string') refuse('its recipe is broken')
  return {
    column,
    ...(binning === undefined ? {} : { binning: binningOf(binning) }),
    ...(missingAs === undefined ? {} : { missingAs: missingAs as string }),
    ...(style === 'point' || style === 'comma' ? { style } : {}),
    ...(other === undefined ? {} : { other: other as string }),
    ...(parts === undefined ? {} : { parts: list(parts).map(labelledRecipe) }),
    ...(when === undefined ? {} : { when: list(when).map(conditionRecipe) }),
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : refuse('its recipe is broken'))

const columnTexts = (value: unknown): Readonly<Record<string, readonly string[]>> => {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>)
  if (entries.some(([, texts]) => !list(texts).every(text => typeof text === 'string'))) refuse('its recipe is broken')
  return Object.fromEntries(entries) as Record<string, string[]>
}

const recodings = (value: unknown): Recodings =>
  Object.fromEntries(
    Object.entries((value ?? {}) as Record<string, unknown>).map(([column, rules]) => [
      column,
      list(rules).map(recodeOf),
    ]),
  )

const recodeOf = (value: unknown): Recode => {
  const { from, to } = (value ?? {}) as Record<string, unknown>
  const isText = (text: unknown): text is string => typeof text === 'string'
  const parts = list(from)
  return isText(to) && parts.length > 0 && parts.every(isText) ? { from: parts, to } : refuse('its recipe is broken')
}

const isLabel = (label: unknown): label is Label => typeof label === 'string' || Number.isFinite(label)

const labelledRecipe = (entry: unknown): LabelledRecipe => {
  const labels = list((entry as Record<string, unknown> | null)?.labels)
  return { ...modeRecipe(entry), labels: labels.every(isLabel) ? labels : refuse('a label of its recipe is broken') }
}

const conditionRecipe = (entry: unknown): ConditionRecipe => {
  const { label } = (entry ?? {}) as Record<string, unknown>
  return { ...labelledRecipe(entry), label: isLabel(label) ? label : refuse('a label of its recipe is broken') }
}

const covariateRecipe = (value: unknown): CovariateRecipe => {
  const { reference, terms, coefficients, columns } = (value ?? {}) as Record<string, unknown>
  const rows = list(coefficients).map(row =>
    list(row).map(each => (Number.isFinite(each) ? (each as number) : refuse('a coefficient is not a number'))),
  )
  const known = list(terms).map((term): Term => {
    const { name, factors } = (term ?? {}) as Record<string, unknown>
    const products = list(factors).map(factor => {
      const { covariate, label } = (factor ?? {}) as Record<string, unknown>
      if (typeof covariate !== 'string' || (label !== undefined && !isLabel(label))) refuse('a term is broken')
      return { covariate: covariate as string, ...(label === undefined ? {} : { label: label as Label }) }
    })
    return { name: String(name), factors: products }
  })
  if (rows.some(row => row.length !== known.length)) refuse('its coefficients do not fit its terms')
  const described = list(columns).map(labelledRecipe)
  for (const { covariate } of known.flatMap(({ factors }) => factors))
    if (described.every(({ column }) => column !== covariate)) refuse(`nothing is known of its covariate ${covariate}`)
  return { reference: Number(reference), terms: known, coefficients: rows, columns: described }
}

/** The columns of a table that a recipe reads. */
export const recipeColumns = ({ modes, covariates }: Pick<Recipe, 'modes' | 'covariates'>): string[] => [
  ...new Set([
    ...modes.flatMap(({ column, parts }) => parts?.map(part => part.column) ?? [column]),
    ...(covariates?.columns.map(({ column }) => column) ?? []),
  ]),
]

/** The columns that a model knows: whether by labels, or by numbers. */
export const labelledColumns = (
  { modes, covariates, recode = {} }: Pick<Recipe, 'modes' | 'covariates' | 'recode'>,
  known: readonly { readonly labels?: readonly Label[] | undefined }[],
): ReadonlyMap<string, boolean> => {
  const own = modes.flatMap((mode, n) => mode.parts ?? [{ ...mode, labels: known[n].labels ?? [] }])
  const all = [...own, ...(covariates?.columns ?? [])]
  return new Map(
    all.map(({ column, binning, labels, missingAs, other }) => {
      const isWord = (label: Label) => !isNumber(String(label)) && label !== missingAs && label !== other
      // What was recoded says nothing of the column: what it was recoded from does.
      const rules = Object.hasOwn(recode, column) ? recode[column] : []
      const own = [...labels.filter(label => rules.every(({ to }) => to !== String(label))), ...rules.flatMap(({ from }) => from)] // biome-ignore format: one list
      return [column, binning === undefined && own.some(isWord)]
    }),
  )
}

const binningOf = (value: unknown): Binning => {
  const { kind, width, edges, part, format, zone } = (value ?? {}) as Record<string, unknown>
  const finite = (number: unknown): number =>
    typeof number === 'number' && Number.isFinite(number) ? number : refuse('a bin of its recipe is not a number')
  if (kind === 'int') return { kind }
  if (kind === 'width' && finite(width) > 0) return { kind, width: finite(width) }
  if (kind === 'quantiles' && Array.isArray(edges)) return { kind, edges: edges.map(finite) }
  const known = DATE_PARTS.find(name => name === part)
  const written = DATE_FORMATS.find(name => name === format)
  if (zone !== undefined && !(typeof zone === 'string' && isTimeZone(zone)))
    refuse(`its time zone ${JSON.stringify(zone)} is not known here`)
  if (kind === 'date' && known !== undefined && (format === undefined || written !== undefined))
    return {
      ...{ kind, part: known },
      ...(written === undefined ? {} : { format: written }),
      ...(zone === undefined ? {} : { zone: zone as string }),
    }
  return refuse('a binning of its recipe is not known')
}

const refuse = (reason: string): never => {
  throw new DataError(`this is not a usable model file: ${reason}`)
}
