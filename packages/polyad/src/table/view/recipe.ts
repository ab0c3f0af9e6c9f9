import { DataError, type Label } from '@polyad/core'
import type { Structure } from '@polyad/core/model'
import { is, type Read, reader } from '@polyad/core/options'
import { type Binning, DATE_PARTS } from '../values/bins.ts'
import { type Codebook, readCodebook } from '../values/codebook.ts'
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
  /** Whether the parts are numbers, of which any combination has a probability. */
  readonly tuples?: true
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

export interface Recipe {
  readonly modes: readonly ModeRecipe[]
  /** How the columns are read that a model has besides its modes, in the order of `model.structure.given`. */
  readonly given?: readonly ModeRecipe[]
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
  /** What variables and values are called, for people; nothing is read by it. */
  readonly labels?: Codebook
}

/** What means missing unless told otherwise, beside NULL and NaN. */
export const MISSING_TEXTS: readonly string[] = ['', 'NA', 'NULL', 'NaN']

/**
 * The recipe in a model's record, for modes and given columns of these names; if there is none, each is a column of its name.
 * What goes into SQL later is checked here to be what it says: a model file may come from anyone.
 * @example
 * checkRecipe(undefined, ['vote']).modes[0].column // 'vote'
 */
export const checkRecipe = (
  recipe: unknown,
  names: readonly string[],
  given: readonly { readonly name: string }[] = [],
): Recipe =>
  reader.usable('this is not a usable model file:', () => {
    const columns = given.map(({ name }) => ({ column: name }))
    const whole: Recipe = { modes: names.map(column => ({ column })), missing: MISSING_TEXTS }
    const {
      modes,
      given: own = [],
      ...rest
    } = recipe === undefined ? whole : recipeOf(names.length)(presentNames(recipe), 'recipe')
    // Without its own, it has columns of these names.
    if (own.length > 0 && own.length !== given.length)
      throw new DataError(`recipe.given must have ${given.length} entries (got ${own.length})`)
    return { modes, ...(columns.length > 0 && { given: own.length === 0 ? columns : own }), ...rest }
  })

/** In files of version 1, covariates are in the recipe as a whole. */
const presentNames = (recipe: unknown): unknown => {
  const { covariates, given = reader.fieldsOf(covariates).columns, ...rest } = reader.object(recipe, 'recipe')
  return { ...rest, given }
}

const { fields, list, optional, text } = reader

const texts = list(text())

/** Nothing in place of values by name is none. */
const byColumn =
  <T>(read: Read<T>): Read<Record<string, T> | undefined> =>
  (value, where) =>
    value === undefined ? undefined : reader.record(read)(value ?? {}, where)

/** A flag that counts if it is set. */
const set: Read<true | undefined> = value => (value === true ? value : undefined)

const someTexts: Read<string[]> = (value, where) => {
  const all = texts(value, where)
  if (all.length === 0) throw new DataError(`${where} must not be empty`)
  return all
}

/** @param modes how many there are */
const recipeOf = (modes: number): Read<Recipe> =>
  fields<Recipe>({
    modes: reader.vector(modes, modeRecipe),
    given: optional(list(modeRecipe)),
    missing: texts,
    missingIn: byColumn(texts),
    recode: byColumn(list(fields<Recode>({ from: someTexts, to: text() }))),
    trim: set,
    ignoreCase: set,
    labels: optional(readCodebook),
  })

const binning = reader.kinds<Binning>('kind', {
  int: fields({ kind: reader.oneOf(['int']) }),
  width: fields({ kind: reader.oneOf(['width']), width: reader.by<number>(is.positive) }),
  quantiles: fields({ kind: reader.oneOf(['quantiles']), edges: reader.numbers() }),
  date: fields<Extract<Binning, { kind: 'date' }>>({
    kind: reader.oneOf(['date']),
    part: reader.oneOf(DATE_PARTS),
    format: optional(reader.oneOf(DATE_FORMATS)),
    zone: optional(
      reader.by({
        rule: 'a time zone that is known here',
        allows: zone => typeof zone === 'string' && isTimeZone(zone),
      }),
    ),
  }),
})

const modeFields = {
  column: text(),
  binning: optional(binning),
  missingAs: optional(text()),
  style: (value: unknown) => (value === 'point' || value === 'comma' ? value : undefined),
  other: optional(text()),
  parts: optional(list((value, where) => labelledRecipe(value, where))),
  tuples: set,
  when: optional(list((value, where) => conditionRecipe(value, where))),
}
const modeRecipe = fields<ModeRecipe>(modeFields)
const labelledRecipe: Read<LabelledRecipe> = fields<LabelledRecipe>({ ...modeFields, labels: reader.labels() })
const conditionRecipe: Read<ConditionRecipe> = fields<ConditionRecipe>({
  ...modeFields,
  labels: reader.labels(),
  label: reader.label,
})

/** The columns of a table that a recipe reads. */
export const recipeColumns = ({ modes, given = [] }: Pick<Recipe, 'modes' | 'given'>): string[] => [
  ...new Set([
    ...modes.flatMap(({ column, parts }) => parts?.map(part => part.column) ?? [column]),
    ...given.map(({ column }) => column),
  ]),
]

/** The columns that a model knows: whether by labels, or by numbers. */
export const labelledColumns = (
  { modes, given = [], recode = {} }: Pick<Recipe, 'modes' | 'given' | 'recode'>,
  known: readonly { readonly labels?: readonly Label[] | undefined }[],
  structure: Pick<Structure, 'given'> = { given: [] },
): ReadonlyMap<string, boolean> => {
  const own = modes.flatMap((mode, n) => mode.parts ?? [{ ...mode, labels: known[n].labels ?? [] }])
  const all = [...own, ...given.map((column, i) => ({ ...column, labels: structure.given[i].labels }))]
  return new Map(
    all.map(({ column, binning, labels, missingAs, other }) => {
      const isWord = (label: Label) => !isNumber(String(label)) && label !== missingAs && label !== other
      // What was recoded says nothing of the column: what it was recoded from does.
      const rules = Object.hasOwn(recode, column) ? recode[column] : []
      const own = [
        ...labels.filter(label => rules.every(({ to }) => to !== String(label))),
        ...rules.flatMap(({ from }) => from),
      ]
      return [column, binning === undefined && own.some(isWord)]
    }),
  )
}
