import { defined } from '../../defined.ts'
import { orStopped } from '../../errors.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { withDeadline } from '../../fit/deadline.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { constraintSetting } from '../../fit/descent/constraints.ts'
import { fit } from '../../fit/fit.ts'
import { FIT_OPTIONS, type FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { statedItems } from '../../model/items/choices.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { omit } from '../../pick.ts'
import { withValues } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { UNIT_OPTIONS, type UnitOptions, unitsOf } from '../errors/covariate-units.ts'
import { drawnRows } from '../errors/placed-errors.ts'
import { STANDARD_ERROR_KINDS, type StandardErrorKind } from '../errors/sandwich.ts'
import { checkDrawn, STANDARD_ERROR_OPTIONS } from '../errors/standard-errors.ts'
import { designModes, prepareDesign, type SurveyDesign, withSizes } from '../errors/survey-design.ts'
import { identify, identifyStructured } from '../identification/identification.ts'
import { joinedData } from '../model-data/joined-data.ts'
import { modelData } from '../model-data/model-data.ts'
import type { Specification } from '../model-data/specification.ts'
import { checkLists } from '../model-data/variable-constraints.ts'
import { checkCombination } from './combinations.ts'
import { type CurrentSession, withCurrentSession } from './current-session.ts'
import { type DirectComparison, directComparison } from './direct-comparison.ts'
import { compareGroups, type GroupComparison } from './group-comparison.ts'
import { type JoinedComparison, joinedComparison, separated } from './joined-comparison.ts'
import { areLinked, fitLinked, type LinkedResult, type LinkOptions } from './linked-fit.ts'
import { modelScaling } from './model-scaling.ts'
import { fitChain, type ModelChain, normalized } from './structured-models.ts'
import { type StructuredResult, structuredResult } from './structured-result.ts'
import type { PlacedFit } from './structured-search.ts'
import { DECIDING_STRUCTURES } from './structures.ts'

export interface StructuredFitOptions
  extends Omit<FitOptions, 'init' | 'constraints' | 'pseudoCounts' | 'items'>,
    Specification,
    LinkOptions,
    UnitOptions {
  /** The reference class of the logit, counted from 1. Default: 1, the largest. */
  readonly reference?: number
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** Of the standard errors, as for `standardErrors`; here the default is 'empirical', and 'sandwich' with a design or squares. */
  readonly kind?: StandardErrorKind
  /** Whether probabilities at or near 0 or 1 get an interval by refits, as for `standardErrors`. */
  readonly profile?: boolean
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
  readonly result: FitResult
  /** The same result with its statistics, if covariates, groups or known classes decide the classes of rows. */
  readonly structured?: StructuredResult
  /** @deprecated `structured`. */
  readonly explained?: StructuredResult
  /** Of linked rows: the same result, with its statistics. */
  readonly linked?: LinkedResult
  readonly groups?: GroupComparison
  readonly join?: JoinedComparison
  readonly direct?: DirectComparison
  /** The constraints on the modes of the model, for statistics of it, if nothing decides the classes of rows. */
  readonly constraints?: Constraints
  /** Whether a signal or the time limit ended it: comparisons are then left out. */
  readonly stopped: boolean
}

/** The options of `fitStructured`. */
export const STRUCTURED_FIT_OPTIONS = {
  ...omit(FIT_OPTIONS, 'init'),
  covariates: { check: is.texts },
  categories: { check: is.texts },
  referenceCategories: { check: is.thing('an object of labels by covariate', value => typeof value === 'object') },
  ...UNIT_OPTIONS,
  groups: { check: is.text },
  free: { check: is.thing('a list of variables', value => Array.isArray(value)) },
  direct: { check: is.thing('a list of effects', value => Array.isArray(value)) },
  known: { check: is.text },
  join: { check: is.thing('a list of lists of modes', value => Array.isArray(value)) },
  waves: { check: is.texts },
  person: { check: is.text },
  time: { check: is.text },
  transitions: { check: is.oneOf(['free', 'same'] as const) },
  within: { check: is.text },
  groupClasses: { check: FIT_OPTIONS.rank.check },
  transitionCovariates: { check: is.texts },
  groupCovariates: { check: is.texts },
  stayers: { check: is.flag },
  reference: { check: FIT_OPTIONS.rank.check },
  confidence: { check: is.proportion, default: 0.95 },
  kind: { check: is.oneOf(STANDARD_ERROR_KINDS) },
  profile: STANDARD_ERROR_OPTIONS.profile,
  design: STANDARD_ERROR_OPTIONS.design,
  squares: STANDARD_ERROR_OPTIONS.squares,
  observations: STANDARD_ERROR_OPTIONS.observations,
} as const satisfies OptionTable<StructuredFitOptions>

/**
 * Fits latent classes with a structure: covariates of membership, known groups, direct effects, known classes, joined modes, constraints and weights, which
 * can be combined; latent transitions of persons (`person` and `time`, or `waves`); or multilevel classes (`within`, `groupClasses`). With groups, direct
 * effects or joined modes it also fits and compares the simpler models. If it is stopped, there is no comparison. Throws `OptionError` for combinations that
 * are not available, and for columns that the data lacks.
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
      const found = await fitSpecified(tensor, { ...given, ...opened, ...defined({ signal: limit }) })
      const stopped = limit?.aborted === true
      // Comparisons are omitted if the fit was stopped early.
      return Object.freeze({ ...(stopped ? omit(found, 'groups', 'join', 'direct') : found), stopped })
    }),
  )
}

/** Options that say how certain an explained model is, and how it is shown. */
const OF_ERRORS = [
  'reference',
  'confidence',
  'kind',
  'design',
  'squares',
  'observations',
  'profile',
  'per',
  'standardize',
] as const

type Given = Omit<StructuredFitOptions, 'maxSeconds'> & { readonly confidence: number }

type Specified = Omit<StructuredFit, 'stopped'>

/** A fit takes the road of the logit if anything decides the classes of rows, or if errors by a design are needed to compare models; else it is one of the table of counts. */
const fitSpecified = async (tensor: Tensor, options: Given): Promise<Specified> => {
  const { covariates, categories, referenceCategories, groups, free, direct, known, join, ...more } = options
  const { person, time, waves, transitions, within, groupClasses, ...rest } = more
  const { transitionCovariates, groupCovariates, stayers, ...unlinked } = rest
  const { constraints, pseudoCounts, items: asked, ...others } = unlinked
  // What is left to the data is found once, in all of it, so that models of groups are models of the same variables.
  const items = asked && statedItems(tensor, asked)
  const links = defined({ person, time, waves, transitions, within, groupClasses })
  if (areLinked(links)) {
    const explaining = { covariates, categories, referenceCategories, groups, transitionCovariates, groupCovariates }
    const { kind = 'sandwich', confidence, squares } = others
    checkDrawn(kind, undefined, squares, tensor.cells)
    const searching = omit(others, ...OF_ERRORS, 'smoothing', 'algorithm')
    const shown = { kind, confidence, squares }
    const linking = { ...links, ...defined({ ...explaining, stayers, free }) }
    const linked = await fitLinked(tensor, linking, shown, { ...searching, ...defined({ pseudoCounts, items }) })
    return Object.freeze({ tensor: linked.data.items, result: linked, linked })
  }
  const explaining = { covariates, categories, referenceCategories, groups, free, direct, known }
  const specification = normalized(defined({ ...explaining, join, items, constraints, pseudoCounts }))
  checkLists(constraints)
  // What cannot be compared is refused before anything is fitted.
  const apart = separated(specification)
  const sampled = others.design !== undefined || others.squares !== undefined
  if (DECIDING_STRUCTURES.some(name => options[name as keyof Given] !== undefined) || (sampled && join !== undefined))
    return withCurrentSession(others, current => fitExplained(tensor, specification, apart, others, current))
  return fitTable(tensor, specification, apart, omit(others, ...OF_ERRORS))
}

/** A model of the table of counts: nothing decides the classes of a row but their sizes. */
const fitTable = async (
  tensor: Tensor,
  specification: Specification,
  apart: Specification,
  options: FitOptions,
): Promise<Specified> => {
  const { join } = specification
  const { joined, separate, partial, items: joinedItems } = joinedData(tensor, specification)
  const fitOne = async (data: Tensor, { constraints, pseudoCounts, items }: Specification) => {
    const result = await fit(data, { ...options, ...defined({ constraints, pseudoCounts, items }) })
    const { rank } = options
    const setting = constraints && constraintSetting(data.modes, rank, constraints)
    const { modes } = result.model
    const identified =
      setting === undefined && items === undefined
        ? identify(data.shape, rank)
        : identifyStructured(data.shape, rank, {
            constraints: setting,
            items: modes.map((_, n) => result.model.itemModel(n)),
          })
    return { tensor: data, result, constraints, logLikelihood: result.logLikelihood, dimension: identified.rank }
  }
  const main = await fitOne(joined, { ...specification, ...defined({ items: joinedItems }) })
  const other = join === undefined || options.signal?.aborted ? undefined : await orStopped(fitOne(separate, apart))
  return Object.freeze({
    tensor: main.tensor,
    result: main.result,
    ...defined({ constraints: main.constraints }),
    ...(join !== undefined &&
      other !== undefined && {
        join: joinedComparison(join, other, main, { total: main.tensor.total, partial }),
      }),
  })
}

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
    profile,
    per,
    standardize = false,
    ...fitting
  }: Omit<Given, keyof Specification>,
  current: CurrentSession,
): Promise<Specified> => {
  const searching = omit(fitting, 'smoothing', 'algorithm')
  const { rank, signal } = searching
  const { groups, join, direct } = specification
  const sampled = design !== undefined || squares !== undefined
  const kind = asked ?? (sampled ? 'sandwich' : 'empirical')
  checkDrawn(kind, design, squares, tensor.cells)
  wholeNumber('reference', reference, 1, rank)
  const rows = design === undefined ? tensor : prepareDesign(tensor, design)
  const { joined, separate, partial, items } = joinedData(rows, specification)
  const weights = squares && joinedData(withValues(rows, squares), specification)
  const within = { ...omit(specification, 'join'), ...defined({ items }) }
  const options = { ...searching, reference: reference - 1, design: designModes(design), squares: weights?.joined }
  const shown = { standardize, ...defined({ per }) }
  // What the data refuses is refused before the search.
  const first = modelData(joined, within, rank, options.design)
  unitsOf(first.design.covariates, shown)
  const chain = await fitChain(joined, within, { ...options, current })
  const { main } = chain
  const counted = design && withSizes(rows, design)
  const drawn = (data: PlacedFit['data']) => drawnRows(data, counted, observations)
  const result = await structuredResult(main, {
    confidence,
    kind,
    drawn: drawn(main.data),
    ...shown,
    profile,
    signal,
    current,
  })
  const scaling = sampled ? modelScaling({ found: main, errors: result.standardErrors }, drawn, signal) : undefined
  const compared = async (found: PlacedFit) => ({
    logLikelihood: found.result.logLikelihood,
    dimension: found.identification.rank,
    scaling: await scaling?.(found),
  })
  const { total } = result.items
  const comparing = async () => ({
    ...(groups !== undefined && {
      groups: await compareGroups(joined, within, chain as Required<ModelChain>, { ...options, scaling }),
    }),
    ...(direct !== undefined && {
      direct: directComparison(
        direct,
        await compared((await fitChain(joined, omit(within, 'direct'), options)).main),
        await compared(main),
        total,
      ),
    }),
    ...(join !== undefined && {
      join: joinedComparison(
        join,
        await compared((await fitChain(separate, apart, { ...options, squares: weights?.separate })).main),
        await compared(main),
        { total, partial },
      ),
    }),
  })
  const comparisons = signal?.aborted ? undefined : await orStopped(comparing())
  return Object.freeze({ tensor: result.items, result, structured: result, explained: result, ...comparisons })
}
