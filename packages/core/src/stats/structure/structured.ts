import { OptionError, orStopped } from '../../errors.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { withDeadline } from '../../fit/deadline.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { constraintSetting } from '../../fit/descent/constraints.ts'
import { fit } from '../../fit/fit.ts'
import { FIT_OPTIONS, type FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { withValues } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { term, words } from '../../wording.ts'
import { STANDARD_ERROR_KINDS, type StandardErrorKind } from '../errors/sandwich.ts'
import { checkDrawn, STANDARD_ERROR_OPTIONS } from '../errors/standard-errors.ts'
import { designModes, placeDesign, prepareDesign, type SurveyDesign } from '../errors/survey-design.ts'
import { identify, identifyStructured } from '../identification/identification.ts'
import { checkCombination } from './combinations.ts'
import type { DrawnRows } from './covariate-errors.ts'
import { UNIT_OPTIONS, type UnitOptions, unitsOf } from './covariate-units.ts'
import { type DirectComparison, directComparison } from './direct-comparison.ts'
import { compareGroups, type GroupComparison } from './group-comparison.ts'
import { fitGroupTable } from './group-table.ts'
import { type JoinedComparison, joinedComparison, separated } from './joined-comparison.ts'
import { joinedData } from './joined-data.ts'
import type { Specification } from './specification.ts'
import { checkLists } from './structured-constraints.ts'
import { structuredData } from './structured-data.ts'
import { fitChain, type ModelChain, normalized } from './structured-models.ts'
import { type ExplainedFit, structuredResult } from './structured-result.ts'
import type { FoundModel } from './structured-search.ts'

export interface StructuredFitOptions
  extends Omit<FitOptions, 'init' | 'constraints' | 'pseudoCounts'>,
    Specification,
    UnitOptions {
  /** The reference class of the logit, counted from 1. Default: 1, the largest. */
  readonly reference?: number
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** Of the standard errors, as for `standardErrors`; here the default is 'empirical', and 'sandwich' with a design or squares. */
  readonly kind?: StandardErrorKind
  /** How the sample was drawn, as for `standardErrors`: its modes are neither answers nor covariates. */
  readonly design?: SurveyDesign
  /** For values that are sums of sampling weights, and how many observations they are of: as for `standardErrors`. */
  readonly squares?: Float64Array
  readonly observations?: number
}

/** A fit of a model with structure. */
export interface StructuredFit {
  /** The data in the modes of the model. */
  readonly tensor: Tensor
  readonly result: Omit<FitResult, 'divergence' | 'logProbability'>
  /** Where something explains the classes: the logit of membership, with the statistics of the fit. The result is the same one. */
  readonly explained?: ExplainedFit
  readonly groups?: GroupComparison
  readonly join?: JoinedComparison
  readonly direct?: DirectComparison
  /** The constraints on the modes of the model, for statistics of it, if it is not explained. */
  readonly constraints?: Constraints
  /** Whether a signal or the time limit ended it: comparisons are then left out. */
  readonly stopped: boolean
}

const { init: _, ...FITTING } = FIT_OPTIONS

/** The options of `fitStructured`. */
export const STRUCTURED_FIT_OPTIONS = {
  ...FITTING,
  covariates: { check: is.texts },
  categories: { check: is.texts },
  referenceCategories: { check: is.thing('an object of labels by covariate', value => typeof value === 'object') },
  ...UNIT_OPTIONS,
  groups: { check: is.text },
  free: { check: is.thing('a list of variables', value => Array.isArray(value)) },
  direct: { check: is.thing('a list of effects', value => Array.isArray(value)) },
  known: { check: is.text },
  join: { check: is.thing('a list of lists of modes', value => Array.isArray(value)) },
  reference: { check: FIT_OPTIONS.rank.check },
  confidence: { check: is.proportion, default: 0.95 },
  kind: { check: is.oneOf(STANDARD_ERROR_KINDS) },
  design: STANDARD_ERROR_OPTIONS.design,
  squares: STANDARD_ERROR_OPTIONS.squares,
  observations: STANDARD_ERROR_OPTIONS.observations,
} as const satisfies OptionTable<StructuredFitOptions>

/**
 * Fits latent classes with any structure: covariates that explain membership, known groups, variables whose probabilities differ between
 * groups or depend on a covariate, known classes, joined modes, constraints and weights, all of which can be combined. With groups, direct effects
 * or joined modes the models within the one that was asked for are fitted too, and compared. If it is stopped there is no comparison.
 * @example
 * const { groups } = await fitStructured(answers, { rank: 2, groups: 'age', free: [{ mode: 'vote' }], starts: 2 })
 * groups?.models.map(({ name }) => name) // ['pooled', 'probabilities equal', 'partial', 'free']
 */
export const fitStructured = async (tensor: Tensor, options: StructuredFitOptions): Promise<StructuredFit> => {
  const checked = checkedOptions('fitStructured', STRUCTURED_FIT_OPTIONS, options)
  const { maxSeconds, signal, ...rest } = checked
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  ) as typeof rest
  checkCombination(given)
  return withCheckpoint('fitStructured', checked, opened =>
    withDeadline({ maxSeconds, signal }, async limit => {
      const found = await fitSpecified(tensor, { ...given, ...opened, ...(limit !== undefined && { signal: limit }) })
      const stopped = limit?.aborted === true
      const { groups: _g, join: _j, direct: _d, ...main } = found
      // Models that were stopped on the way say nothing of each other.
      return Object.freeze({ ...(stopped ? main : found), stopped })
    }),
  )
}

type Given = Omit<StructuredFitOptions, 'maxSeconds'> & { readonly confidence: number }

type Specified = Omit<StructuredFit, 'stopped'>

const fitSpecified = async (tensor: Tensor, options: Given): Promise<Specified> => {
  const { covariates, categories, referenceCategories, groups, free, direct, known, join, ...more } = options
  const { constraints, pseudoCounts, ...others } = more
  const explaining = { covariates, categories, referenceCategories, groups, free, direct, known }
  const stated = { ...explaining, join, constraints, pseudoCounts }
  const specification = normalized(
    Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
  )
  checkLists(constraints)
  // What cannot be compared is refused before anything is fitted.
  const apart = separated(specification)
  const explained = [covariates, free, direct, known].some(each => each !== undefined)
  const sampled = others.design !== undefined || others.squares !== undefined
  // The design of a sample is known to standard errors of explained models only once modes were joined or groups compared.
  if (!explained && !(sampled && (groups !== undefined || join !== undefined))) {
    const { reference: _r, confidence: _c, kind: _k, design: _d, squares: _q, observations: _o, per: _p, standardize: _s, ...fitting } = others // biome-ignore format: one line
    return fitTable(tensor, specification, apart, fitting)
  }
  return fitExplained(tensor, specification, apart, others)
}

/** A model of the table of counts: the classes are not explained by anything but groups. */
const fitTable = async (
  tensor: Tensor,
  specification: Specification,
  apart: Specification,
  options: FitOptions,
): Promise<Specified> => {
  const { join, groups } = specification
  const { joined, separate, partial } = joinedData(tensor, join ?? [])
  const fitOne = async (data: Tensor, { constraints, pseudoCounts }: Specification) => {
    if (groups !== undefined) {
      const prior = pseudoCounts === undefined ? {} : { pseudoCounts }
      const known = constraints === undefined ? {} : { constraints }
      const table = await fitGroupTable(data, { groups, ...prior, ...known }, options)
      if (table.comparison === undefined) return { ...table, logLikelihood: Number.NaN, dimension: Number.NaN }
      const { logLikelihood, parameters } = table.comparison.models[1]
      return { ...table, logLikelihood, dimension: parameters }
    }
    const given = { ...(constraints !== undefined && { constraints }), ...(pseudoCounts !== undefined && { pseudoCounts }) } // biome-ignore format: one object
    const result = await fit(data, { ...options, ...given })
    const { rank } = options
    const identified =
      constraints === undefined
        ? identify(data.shape, rank)
        : identifyStructured(data.shape, rank, { constraints: constraintSetting(data.modes, rank, constraints) })
    const { logLikelihood } = result
    return { tensor: data, result, constraints, comparison: undefined, logLikelihood, dimension: identified.rank }
  }
  const main = await fitOne(joined, specification)
  const other = join === undefined || options.signal?.aborted ? undefined : await orStopped(fitOne(separate, apart))
  return Object.freeze({
    tensor: main.tensor,
    result: main.result,
    ...(main.constraints !== undefined && { constraints: main.constraints }),
    ...(main.comparison !== undefined && { groups: main.comparison }),
    ...(join !== undefined &&
      other !== undefined && {
        join: joinedComparison(join, other, main, { ...{ total: main.tensor.total, partial, sampled: false } }),
      }),
  })
}

const withoutDirect = ({ direct: _, ...rest }: Specification): Specification => rest

/** A model with a logit of membership. */
const fitExplained = async (
  tensor: Tensor,
  specification: Specification,
  apart: Specification,
  {
    reference = 1,
    confidence,
    kind: asked,
    design,
    squares,
    observations,
    per,
    standardize = false,
    ...fitting
  }: Omit<Given, keyof Specification>,
): Promise<Specified> => {
  const { smoothing: _s, algorithm: _a, ...searching } = fitting
  const { rank, signal, engine, threads } = searching
  const { groups, join, known, direct } = specification
  const sampled = design !== undefined || squares !== undefined
  const kind = asked ?? (sampled ? 'sandwich' : 'empirical')
  checkDrawn(kind, design, squares, tensor.cells)
  wholeNumber('reference', reference, 1, rank)
  const rows = design === undefined ? tensor : prepareDesign(tensor, design)
  const { joined, separate, partial } = joinedData(rows, join ?? [])
  const { join: _j, ...within } = specification
  const options = { ...searching, reference: reference - 1, design: designModes(design) }
  const shown = { standardize, ...(per !== undefined && { per }) }
  // What the data refuses is refused before the search.
  const first = structuredData(joined, within, rank, options.design)
  unitsOf(first.design.covariates, shown)
  if (first.items.modes.length - (known === undefined ? 0 : 1) < 2)
    throw new OptionError('covariates', words`must leave at least two ${term('modes')} to be explained`)
  const chain = await fitChain(joined, within, options)
  const { main } = chain
  const drawn: DrawnRows | undefined =
    design !== undefined
      ? { tensor: main.data.drawn, placing: placeDesign(main.data.drawn, design) }
      : squares && {
          squares: structuredData(withValues(tensor, squares), specification, rank).tensor.values,
          observations,
        }
  const result = await structuredResult(main, {
    ...{ reference: reference - 1, confidence, kind, drawn, shown, signal, engine, threads },
  })
  const compared = ({ logLikelihood, identification }: FoundModel) => ({
    logLikelihood,
    dimension: identification.rank,
  })
  const { total } = result.items
  const comparing = async () => ({
    ...(groups !== undefined && {
      groups: await compareGroups(joined, within, chain as Required<ModelChain>, { ...options, sampled }),
    }),
    ...(direct !== undefined && {
      direct: directComparison(direct, compared((await fitChain(joined, withoutDirect(within), options)).main), compared(main), { total, sampled }), // biome-ignore format: one call
    }),
    ...(join !== undefined && {
      join: joinedComparison(join, compared((await fitChain(separate, apart, options)).main), compared(main), {
        ...{ total, partial, sampled },
      }),
    }),
  })
  const comparisons = signal?.aborted ? undefined : await orStopped(comparing())
  return Object.freeze({ ...{ tensor: result.items, result, explained: result }, ...comparisons })
}
