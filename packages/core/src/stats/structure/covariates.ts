import type { Session } from '../../engine/engine.ts'
import { OptionError } from '../../errors.ts'
import { type CovariateData, type CovariateOptions, covariateData, type Design } from '../../fit/covariates/design.ts'
import { withDeadline } from '../../fit/deadline.ts'
import { fit, openSession } from '../../fit/fit.ts'
import { checkFitOptions, FIT_OPTIONS, type FitOptions, fitOptionsOf, usualPasses } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { TaskRunner } from '../../fit/search/task-runner.ts'
import { type ExplainedSearchOptions, searchExplained } from '../../fit/search-explained.ts'
import { lossOffset } from '../../model/loss.ts'
import { Model } from '../../model/model.ts'
import { componentsOf } from '../../model/parameters.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import { withValues } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'
import { STANDARD_ERROR_KINDS, type StandardErrorKind } from '../errors/sandwich.ts'
import {
  checkDrawn,
  errorsOf,
  STANDARD_ERROR_OPTIONS,
  type StandardErrors,
  withoutErrors,
} from '../errors/standard-errors.ts'
import { designModes, placeDesign, prepareDesign, type SurveyDesign } from '../errors/survey-design.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import { identifyStructured } from '../identification/identification.ts'
import type { ModelStructure } from '../identification/jacobian.ts'
import { criteria } from '../judge/criteria.ts'
import type { Evaluation } from '../judge/evaluate.ts'
import { certaintyOf } from '../judge/goodness.ts'
import { byShare, type CovariateEffects, effectsOf, type Ordered } from './covariate-effects.ts'
import { covariateErrors, type DrawnRows } from './covariate-errors.ts'
import { UNIT_OPTIONS, type UnitOptions, unitsOf } from './covariate-units.ts'

const SHARED = {
  ...fitOptionsOf('rank', 'seed', 'starts', 'maxPasses', 'maxStarts', 'maxSeconds', 'engine', 'threads'),
  ...fitOptionsOf('signal', 'onProgress', 'tolerance', 'stationarity', 'minGain', 'pseudoCounts', 'constraints'),
}

export interface CovariateFitOptions extends CovariateOptions, UnitOptions, Pick<FitOptions, keyof typeof SHARED> {
  /** The class that the others are held against: 1 is the largest, and the default. */
  readonly reference?: number
  /** The confidence of the intervals. Default 0.95. */
  readonly confidence?: number
  /** Of the standard errors, as for `standardErrors`; here the default is 'empirical', and 'sandwich' with a design or squares. */
  readonly kind?: StandardErrorKind
  /** How the sample was drawn, as for `standardErrors`: its modes are neither answers nor covariates. */
  readonly design?: SurveyDesign
  /** For values that are sums of sampling weights, and how many observations they are of: as for `standardErrors`. */
  readonly squares?: Float64Array
  readonly observations?: number
}

/** A fit whose class membership is explained. Its model is of the answers, and its shares are the mean memberships. */
export interface CovariateFit extends Omit<FitResult, 'divergence' | 'logProbability' | 'smoothing'> {
  readonly covariates: CovariateEffects
  /** Of the mean memberships and of the answers' probabilities, by the scores of all parameters together. */
  readonly standardErrors: StandardErrors
  readonly evaluation: Omit<Evaluation, 'divergence' | 'logProbability'>
  /** The fit without covariates, from which this one began. */
  readonly plain: FitResult
  /** The answers that were fitted. */
  readonly items: Tensor
}

/** The options of `fitCovariates`. */
export const COVARIATE_FIT_OPTIONS = {
  covariates: { check: is.texts, required: true },
  categories: { check: is.texts },
  referenceCategories: { check: is.thing('an object of labels by covariate', value => typeof value === 'object') },
  ...UNIT_OPTIONS,
  reference: { check: FIT_OPTIONS.rank.check, default: 1 },
  confidence: { check: is.proportion, default: 0.95 },
  kind: { check: is.oneOf(STANDARD_ERROR_KINDS) },
  design: STANDARD_ERROR_OPTIONS.design,
  squares: STANDARD_ERROR_OPTIONS.squares,
  observations: STANDARD_ERROR_OPTIONS.observations,
  ...SHARED,
} as const satisfies OptionTable<CovariateFitOptions>

/**
 * Fits latent classes and the multinomial logit of their membership in one step: the likelihood is that of the answers given the
 * covariates, which are modes of the tensor too. The search is that of `fit`, and begins at the best fit without covariates.
 * @example
 * const { covariates } = await fitCovariates(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * covariates.coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const fitCovariates = async (tensor: Tensor, options: CovariateFitOptions): Promise<CovariateFit> => {
  const given = checkedOptions('fitCovariates', COVARIATE_FIT_OPTIONS, options)
  const {
    covariates,
    categories,
    referenceCategories,
    per,
    standardize,
    reference,
    confidence,
    maxSeconds,
    signal,
    design,
    squares,
    observations,
    ...others
  } = given
  const { kind = design === undefined && squares === undefined ? 'empirical' : 'sandwich', ...rest } = others
  checkDrawn(kind, design, squares, tensor.cells)
  const { rank, starts, pseudoCounts, constraints } = rest
  if (rank === 1)
    throw new OptionError(
      'rank',
      words`must be 2 or more with ${mention('covariates')}, which explain the class of a row`,
    )
  wholeNumber('reference', reference, 1, rank)
  const explaining = {
    covariates,
    ...(categories !== undefined && { categories }),
    ...(referenceCategories !== undefined && { referenceCategories }),
  }
  const sampled = design === undefined ? tensor : prepareDesign(tensor, design)
  const data = covariateData(sampled, explaining, designModes(design))
  const shown = { standardize, ...(per !== undefined && { per }) }
  // What it refuses is refused before the search.
  unitsOf(data.design.covariates, shown)
  const drawn: DrawnRows | undefined =
    design !== undefined
      ? { tensor: data.drawn, placing: placeDesign(data.drawn, design) }
      : squares && { squares: covariateData(withValues(tensor, squares), explaining).tensor.values, observations }
  if (data.items.modes.length < 2) throw new OptionError('covariates', 'must leave at least two modes to be explained')
  const wanted = {
    ...(pseudoCounts !== undefined && { pseudoCounts }),
    ...(constraints !== undefined && { constraints }),
  }
  const { task: answers } = checkFitOptions(data.items, { rank, ...wanted })
  return withDeadline({ maxSeconds, signal }, async limit => {
    const limited = { ...rest, ...(limit !== undefined && { signal: limit }) }
    const passes = (some: Tensor, limits: typeof PLAIN) => usualPasses(some, rank, starts, limits)
    const least = Math.min(rest.maxPasses ?? Number.POSITIVE_INFINITY, passes(data.items, PLAIN))
    const plain = await fit(data.items, { ...limited, maxPasses: least })
    const left = rest.maxPasses === undefined ? passes(data.tensor, EXPLAINED) : rest.maxPasses - plain.totalPasses
    const session = await openSession(data.tensor, rest.engine, rest.threads)
    const runner = TaskRunner.of(session)
    try {
      return await explain(
        runner,
        data,
        plain,
        {
          ...limited,
          maxPasses: Math.max(2, left),
          answers: { steps: answers.steps, ...(answers.constraints && { constraints: answers.constraints }) },
        },
        { reference, confidence, kind, drawn, shown },
      )
    } finally {
      await runner.close()
      await session.close()
    }
  })
}

/**
 * The passes of the search without covariates, by the work (cells × modes × classes × passes): it is for a start among others, and
 * on large data a tenth of what a fit takes finds the same.
 */
const PLAIN = { work: 6e9, least: 400, most: 40_000 }
/** And of the search itself, whose passes take several times as long, and whose first start is near its end: large data has two or three. */
const EXPLAINED = { work: 1e9, least: 100, most: 100_000 }

/** What is wanted of a fit once it is found. */
interface Wanted {
  readonly reference: number
  readonly confidence: number
  readonly kind: StandardErrorKind
  readonly drawn: DrawnRows | undefined
  readonly shown: UnitOptions
}

/** The fit itself, from one without covariates. */
const explain = async (
  runner: TaskRunner,
  data: CovariateData,
  plain: FitResult,
  options: ExplainedSearchOptions,
  { reference, confidence, kind, drawn, shown }: Wanted,
): Promise<CovariateFit> => {
  const found = await searchExplained(runner, data.design, plain.model.parameters, options)
  const { constraints } = options.answers
  const ordered = byShare(found.best.parameters, reference - 1, constraints?.named)
  const { best } = found
  const memberships = ordered.memberships(data.design)
  const errors = await covariateErrors(data.tensor, ordered.parameters, {
    ...{ design: data.design, memberships, reference: reference - 1, kind, constraints, drawn, signal: options.signal },
  })
  const known = typeof errors === 'string' ? undefined : errors
  const effects = effectsOf(data, ordered, known, reference - 1, confidence, shown)
  const evaluation = await evaluateCovariates(runner.session, { explained: data.design, constraints }, ordered)
  const model = new Model(data.items.modes, componentsOf(ordered.parameters, data.items.total))
  const setting = { kind, confidence }
  const free = freeParameters(model.parameters, undefined, undefined, constraints)
  return Object.freeze({
    model,
    standardErrors:
      typeof errors === 'string'
        ? withoutErrors(model, free, setting, errors)
        : {
            ...errorsOf(model, free, setting, { ...errors, shortfall: undefined }, NO_REFITS),
            free: errors.free,
          },
    loss: best.loss,
    logLikelihood: evaluation.logLikelihood,
    objective: best.objective,
    trace: Object.freeze(best.trace),
    passes: best.passes,
    totalPasses: Math.round(found.cost) + plain.totalPasses,
    stationarity: best.stationarity,
    converged: best.reason === 'stationary',
    estimatedGain: best.estimatedGain,
    reason: best.reason,
    attempts: Object.freeze(found.attempts),
    optima: Object.freeze(found.optima.describe()),
    verdict: found.verdict,
    covariates: effects,
    evaluation,
    plain,
    items: data.items,
  })
}

/** Why intervals near 0 or 1 are not by the profile of the likelihood. */
const NO_REFITS = 'fits with covariates are not profiled'

/** What is said of a fit with covariates; the table of counts has no distribution here, and so no G² and X². */
const evaluateCovariates = async (
  session: Session,
  structure: ModelStructure & { readonly explained: Design },
  ordered: Ordered,
): Promise<CovariateFit['evaluation']> => {
  const { parameters } = ordered
  const { rank } = parameters
  const { data } = session
  const measures = await session.measure({
    rank,
    shares: new Float64Array(rank).fill(1),
    factors: [...parameters.factors, ordered.memberships(structure.explained)],
  })
  const identification = identifyStructured(data.shape.slice(0, -1), rank, structure)
  const certainty = certaintyOf(measures, data.total, rank)
  return Object.freeze({
    loss: lossOffset(data.total) - measures.logLikelihood,
    logLikelihood: measures.logLikelihood,
    ...criteria(measures.logLikelihood, identification.rank, data.total, certainty.entropy),
    parameters: identification.parameters,
    degreesOfFreedom: identification.degreesOfFreedom,
    identification,
    gSquared: undefined,
    chiSquared: undefined,
    cressieRead: undefined,
    pValue: undefined,
    sparse: true,
    ...certainty,
    smallestClass: Math.min(...parameters.shares),
  })
}
