import { defined } from '../../defined.ts'
import { ABILITIES } from '../../engine/abilities.ts'
import type { Session } from '../../engine/engine.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import { type CovariateDesign, explainedCells, placeCovariates } from '../../fit/covariates/design.ts'
import { logitOf } from '../../fit/covariates/logit.ts'
import { namedCoefficients } from '../../fit/covariates/terms.ts'
import { type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import type { PriorOptions } from '../../fit/descent/m-step.ts'
import { countsOf } from '../../fit/fit.ts'
import { withMemberships } from '../../fit/search/replicate.ts'
import { checkAligned } from '../../model/align.ts'
import { checkModel } from '../../model/check-model.ts'
import { type ItemSetting, isNumber } from '../../model/items/item.ts'
import type { Model } from '../../model/model.ts'
import type { LogitParameters, Parameters } from '../../model/parameters.ts'
import { checkSingleRows } from '../../model/structures/linked.ts'
import { LogitStructure } from '../../model/structures/logit.ts'
import { SHARES } from '../../model/structures/shares.ts'
import type { SplitPart } from '../../model/structures/structure.ts'
import type { Structure } from '../../model/structures/structures.ts'
import { log } from '../../numeric/log.ts'
import { buildTensor } from '../../tensor/build.ts'
import { type Label, labelsOf, MISSING, Mode } from '../../tensor/mode.ts'
import { modeNamed, withValues } from '../../tensor/reshape.ts'
import { hasCells, type Tensor } from '../../tensor/tensor.ts'
import { term, words } from '../../wording.ts'
import { type ModelData, structureOf } from './model-data.ts'
import { type PlacedItems, placedItem } from './placed-item.ts'
import { modeConstraints, modeCounts } from './variable-constraints.ts'

/**
 * A model with its classes in descending size, or as constraints name them, and the coefficients of all of them, of the standardized terms; those of the
 * reference are zero.
 */
export interface PlacedParameters {
  readonly parameters: Parameters
  /** For every mode of the data its item, if its probabilities follow from parameters of its own. */
  readonly items?: PlacedItems
  readonly coefficients: Float64Array
  readonly memberships: (design: CovariateDesign) => Float64Array
}

export const byShare = (
  { rank, shares, factors, coefficients }: Omit<LogitParameters, 'items'>,
  reference: number,
  named = false,
  items?: PlacedItems,
): PlacedParameters => {
  const width = coefficients.length / rank
  const order = Array.from({ length: rank }, (_, k) => k)
  if (!named) order.sort((a, b) => shares[b] - shares[a] || a - b)
  const of = (k: number, p: number) => coefficients[p * rank + k]
  const against = (base: number) =>
    Float64Array.from(
      { length: rank * width },
      (_, i) => of(order[Math.floor(i / width)], i % width) - of(order[base], i % width),
    )
  return {
    parameters: {
      rank,
      shares: shares.map((_, k) => shares[order[k]]),
      factors: factors.map(factor => factor.map((_, i) => factor[i - (i % rank) + order[i % rank]])),
    },
    ...defined({
      items: items?.map(item => item && { ...item, theta: item.model.reorder(item.theta, order) }),
    }),
    coefficients: against(reference),
    memberships: design => {
      const into = new Float64Array(design.patterns * rank)
      logitOf(design, rank).memberships(against(0).subarray(width), into)
      return into
    },
  }
}

/** The same as a start of a search: coefficients by term and class. */
export const startOf = ({ parameters, coefficients, items }: PlacedParameters): LogitParameters => {
  const { rank } = parameters
  const width = coefficients.length / rank
  return {
    ...parameters,
    ...defined({ items: items?.map(item => item?.theta) }),
    coefficients: coefficients.map((_, i) => coefficients[(i % rank) * width + Math.floor(i / rank)]),
  }
}

/** The logit of a class without members, instead of minus infinity. */
const LEAST_SHARE = 1e-12

/** Class sizes as the coefficients of a logit without covariates. */
export const coefficientsOfShares = (shares: Float64Array): Float64Array =>
  shares.map(share => log(Math.max(share, LEAST_SHARE)))

/** What decides the classes of a row, by its covariates as they are; the same shares for all if there are none. */
export const structureIn = (
  { design: { terms, covariates }, splits, parts }: Pick<ModelData, 'design' | 'splits' | 'parts'>,
  coefficients: Float64Array,
  reference: number,
): Structure =>
  covariates.length === 0
    ? SHARES
    : new LogitStructure({
        reference: reference + 1,
        terms,
        coefficients: namedCoefficients(terms, covariates, coefficients),
        given: covariates.map(({ mode, numeric }) => ({ name: mode.name, labels: labelsOf(mode), numeric })),
        splits,
        parts,
      })

/** The parameters of a model in the form of data: with known classes as a mode of their own, and coefficients of standardized terms. */
export const placeParameters = (model: Model, { items, known, design }: ModelData): PlacedParameters => {
  const { rank, parameters, structure } = model
  const identity = Float64Array.from({ length: rank * rank }, (_, i) => (i % (rank + 1) === 0 ? 1 : 0))
  const own = items.modes.map(mode =>
    mode.name === known?.name ? undefined : placedItem(model, modeNamed(model, mode.name, 'model'), mode),
  )
  const placedOnes = own.some(item => item !== undefined) ? own : undefined
  const factors = items.modes.map(({ name, size }, n) => {
    if (name === known?.name) return identity
    const item = own[n]
    if (item === undefined) return parameters.factors[modeNamed(model, name, 'model')]
    const table = new Float64Array(size * rank)
    item.model.table(item.theta, table)
    return table
  })
  const placed = { rank, shares: parameters.shares, factors }
  if (structure.kind !== 'logit')
    return byShare({ ...placed, coefficients: coefficientsOfShares(parameters.shares) }, 0, true, placedOnes)
  // The inverse of (x − center)/scale, as a center and a scale of its own.
  const inverse = design.covariates.map(each => ({ ...each, center: -each.center / each.scale, scale: 1 / each.scale }))
  const rows = structure.coefficients.map(row => namedCoefficients(design.terms, inverse, Float64Array.from(row))[0])
  const coefficients = Float64Array.from(rows[0].flatMap((_, p) => rows.map(row => row[p])))
  return byShare({ ...placed, coefficients }, structure.reference - 1, true, placedOnes)
}

/** A model and its data, in one form. */
export interface PlacedModel {
  readonly data: ModelData
  readonly placed: PlacedParameters
}

/**
 * Whether data is in the form of a model: answers, and the combinations of the covariates.
 * @example
 * isModelData(answers) // false
 */
export const isModelData = (data: Tensor | Session | ModelData): data is ModelData =>
  typeof data === 'object' && data !== null && 'design' in data && 'items' in data

/**
 * A model and the data that a statistic is asked of, if the model has more than class sizes and probabilities; undefined if it has not.
 * @param items whether items with parameters of their own are more
 */
export const placedIn = (
  owner: string,
  data: Tensor | Session | ModelData,
  model: Model,
  options: PlacingOptions = {},
  items = false,
): PlacedModel | undefined => {
  if (model?.structure !== undefined) checkSingleRows(model, owner)
  const placed = (form: ModelData) => ({ data: form, placed: placeParameters(checkModel('model', model), form) })
  if (isModelData(data)) return placed(data)
  const own = items && model?.items?.some(item => item !== undefined)
  if (model?.structure?.kind !== 'logit' && !own) return undefined
  return placed(placeData(cellsOf(owner, data), model, options))
}

/**
 * Cells and the parameters of a pass over them: of a model with covariates, memberships are the factor of the last mode of the cells.
 * @example
 * const { cells, parameters } = passOver(model, answers)
 * cells === answers && parameters === model.parameters // true
 */
export const passOver = (
  model: Model,
  data: Tensor | ModelData,
): { readonly cells: Tensor; readonly parameters: Parameters } => {
  if (isModelData(data))
    return { cells: data.tensor, parameters: withMemberships(startOf(placeParameters(model, data)), data.design) }
  checkAligned(model, data.modes)
  return { cells: data, parameters: model.parameters }
}

/**
 * The variables of a model: modes that are parts of one are one again.
 * @example
 * variablesOf(model) // ['age', 'vote', 'trust']
 */
export const variablesOf = ({ modes, structure: { parts = [] } }: Model): string[] => [
  ...new Set(modes.map(({ name }) => parts.find(part => part.name === name)?.mode ?? name)),
]

/** The cells of data that has them in memory. */
export const cellsOf = (owner: string, data: Tensor | Session): Tensor => {
  const counts = countsOf(data)
  if (hasCells(counts)) return counts
  throw new DataError(`${owner} needs ${ABILITIES.cells}, which this session does not have`)
}

/** How rows are brought into the form of a model. */
export interface PlacingOptions {
  /** The constraints under which the model was fitted, on its variables. */
  readonly constraints?: Constraints | undefined
  /** The prior by which it was fitted. */
  readonly pseudoCounts?: PriorOptions['pseudoCounts'] | undefined
  /** Names of modes that are neither covariates nor variables. */
  readonly design?: readonly string[]
  /** For every cell the sum of the squares of its weights. */
  readonly squares?: Float64Array | undefined
}

/**
 * Data of variables and covariates in the form of a model that was fitted to such data. Rows that lack a covariate or all answers are left out.
 * @example
 * const { explained } = await fitStructured(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * placeData(answers, explained!.model).items.modes.map(({ name }) => name) // ['vote', 'trust']
 */
export const placeData = (
  tensor: Tensor,
  model: Model,
  { constraints: given, pseudoCounts, design = [], squares }: PlacingOptions = {},
): ModelData => {
  const { structure } = model
  const { parts = [] } = structure
  const names = structure.given.map(({ name }) => name)
  const byName = new Map(parts.map(part => [part.name, part]))
  const variables = variablesOf(model)
  checkColumns(tensor, [...variables, ...names], design)
  const cells = explainedCells(tensor, names, design)
  checkCategories(cells, structure)
  const beside = [...names, ...design].map(name => modeNamed(cells, name, 'model'))
  // A number has a probability for every value.
  const modes = model.modes.map((mode, n) => {
    const item = model.items[n]
    if (item === undefined || !isNumber(item.spec)) return mode
    const { labels, size, ordered } = cells.modes[modeNamed(cells, byName.get(mode.name)?.mode ?? mode.name, 'model')]
    return new Mode(mode.name, labels ?? size, ordered)
  })
  const placed = buildTensor(
    [...modes, ...beside.map(n => cells.modes[n])],
    [...modes.map(mode => columnOf(cells, mode, byName.get(mode.name))), ...beside.map(n => cells.indices[n])],
    cells.values,
  )
  const squared = squares && placeData(withValues(tensor, squares), model, { design }).tensor.values
  return arranged(placed, model, { constraints: given, pseudoCounts, design, squares: squared }, tensor.total)
}

/**
 * The same of data that has the modes of the model already, with its covariates and those of a design after them.
 * @example
 * const { explained } = await fitStructured(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * placeParts(answers, explained!.model).design.patterns // 2
 */
export const placeParts = (
  tensor: Tensor,
  model: Model,
  { design = [], squares, ...options }: PlacingOptions = {},
): ModelData => {
  const names = model.structure.given.map(({ name }) => name)
  const cells = explainedCells(tensor, names, design)
  const squared = squares && placeParts(withValues(tensor, squares), model, { design }).tensor.values
  return arranged(cells, model, { ...options, design, squares: squared }, tensor.total)
}

/** Cells that have all covariates and an answer, with the covariates set apart. @param total how much data there was */
const arranged = (
  placed: Tensor,
  model: Model,
  { constraints: given, pseudoCounts, design = [], squares }: PlacingOptions,
  total: number,
): ModelData => {
  const { rank, structure } = model
  const { parts = [], splits = [] } = structure
  const explaining = structure.given.map(({ name, numeric }) => {
    const mode = placed.modes[modeNamed(placed, name, 'model')]
    const named = structure.kind === 'logit' ? structure.terms.flatMap(({ factors }) => factors) : []
    const isReference = (label: Label) =>
      named.every(each => each.covariate !== name || String(each.label) !== String(label))
    return { name, numeric, reference: numeric ? 0 : Math.max(0, labelsOf(mode).findIndex(isReference)) }
  })
  const terms = structure.kind === 'logit' ? structure.terms : [{ name: 'intercept', factors: [] }]
  const data = { ...placeCovariates(placed, explaining, () => terms, design), dropped: total - placed.total }
  const own = { names: variablesOf(model), splits, parts }
  const constraints = modeConstraints(given, own, rank)
  const kinds = data.items.modes.map((mode): ItemSetting | undefined => {
    const item = model.items[modeNamed(model, mode.name, 'model')]
    return item && { spec: item.spec, labels: labelsOf(mode) }
  })
  const some = kinds.some(each => each !== undefined) ? kinds : undefined
  return {
    ...data,
    kinds: some,
    splits,
    parts,
    constraints,
    known: undefined,
    pseudoCounts: modeCounts(pseudoCounts, own),
    partial: 0,
    structure: structureOf(
      data,
      {
        parts,
        kinds: some,
        constraints: constraints && constraintSetting(data.items.modes, rank, constraints),
        known: undefined,
      },
      rank,
    ),
    ...defined({ squares }),
  }
}

/** Refuses data that lacks a column of the model, or has another. */
const checkColumns = ({ modes }: Tensor, needed: readonly string[], design: readonly string[]): void => {
  const missing = needed.filter(name => modes.every(mode => mode.name !== name))
  const other = modes.flatMap(({ name }) => (needed.includes(name) || design.includes(name) ? [] : [name]))
  if (missing.length + other.length === 0) return
  const lists = [
    ...(missing.length === 0 ? [] : [`the data lacks ${missing.map(show).join(', ')}`]),
    ...(other.length === 0 ? [] : [`only the data has ${other.map(show).join(', ')}`]),
  ]
  throw new OptionError(
    words`the data must have the ${term('modes')} of the model and its covariates: ${lists.join('; ')}`,
  )
}

/** Refuses categories of covariates that the model has never seen: it has no coefficients for them. */
const checkCategories = (cells: Tensor, { given }: Structure): void => {
  for (const { name, numeric, labels } of given) {
    const seen = labelsOf(cells.modes[modeNamed(cells, name, 'model')])
    const unknown = seen.find(label =>
      numeric ? typeof label !== 'number' : labels.every(each => String(each) !== String(label)),
    )
    if (unknown !== undefined)
      throw new DataError(
        numeric
          ? `covariate ${show(name)} enters the model as a number, and the data has ${show(unknown)}`
          : `the data has ${show(unknown)} in covariate ${show(name)}, a category that the model has never seen`,
      )
  }
}

/** The answers of cells to a mode of a model; cells that the part of a variable is not for lack it. */
const columnOf = (cells: Tensor, mode: Mode, part: SplitPart | undefined): Int32Array => {
  const n = modeNamed(cells, part?.mode ?? mode.name, 'model')
  const positions = labelsOf(cells.modes[n]).map(label => mode.indexOf(label))
  const conditions = (part?.where ?? []).map(({ column, label }) => {
    const at = modeNamed(cells, column, 'model')
    return { indices: cells.indices[at], wanted: cells.modes[at].indexOf(label) }
  })
  return cells.indices[n].map((own, cell) => {
    if (own === MISSING || conditions.some(({ indices, wanted }) => indices[cell] !== wanted)) return MISSING
    const position = positions[own]
    if (position === undefined)
      throw new DataError(
        `the data has ${show(cells.modes[n].label(own))} in ${show(mode.name)}, a label that the model has never seen`,
      )
    return position
  })
}
