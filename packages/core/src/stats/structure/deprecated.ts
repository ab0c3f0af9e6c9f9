import { OptionError } from '../../errors.ts'
import type { CovariateOptions } from '../../fit/covariates/design.ts'
import { stoppedBy } from '../../fit/deadline.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { checkedOptions, type OptionTable, optionsObject, wholeNumber } from '../../options.ts'
import { omit } from '../../pick.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { givenModel } from '../fit-statistics/given-residuals.ts'
import { bivariateResiduals, type Residuals, residuals } from '../fit-statistics/residuals.ts'
import { placeParameters } from '../model-data/placed-model.ts'
import { type Bootstrap, type BootstrapOptions, bootstrap } from '../resampling/bootstrap.ts'
import type { GroupComparison } from './group-comparison.ts'
import type { JoinedComparison } from './joined-comparison.ts'
import { fitStructured, STRUCTURED_FIT_OPTIONS, type StructuredFitOptions } from './structured.ts'
import type { StructuredResult } from './structured-result.ts'

/** Functions of version 1.0 of which others do the work. */

const LATER = ['groups', 'free', 'direct', 'known', 'join', 'profile', 'smoothing', 'algorithm'] as const
const FITTING = omit(STRUCTURED_FIT_OPTIONS, ...LATER)

/** @deprecated `StructuredFitOptions`. */
export interface CovariateFitOptions extends CovariateOptions, Pick<StructuredFitOptions, keyof typeof FITTING> {
  readonly covariates: readonly string[]
}

/** @deprecated `StructuredResult`. */
export type CovariateFit = StructuredResult & { readonly plain: FitResult }

/** @deprecated `STRUCTURED_FIT_OPTIONS`. */
export const COVARIATE_FIT_OPTIONS = {
  ...FITTING,
  covariates: { check: FITTING.covariates.check, required: true },
  reference: { ...FITTING.reference, default: 1 },
} as const satisfies OptionTable<CovariateFitOptions>

/**
 * Fits latent classes and the logit of their membership.
 * @deprecated `fitStructured(tensor, { covariates })` does the same.
 * @example
 * const { covariates } = await fitCovariates(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * covariates.coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const fitCovariates = async (tensor: Tensor, options: CovariateFitOptions): Promise<CovariateFit> => {
  const given = checkedOptions('fitCovariates', COVARIATE_FIT_OPTIONS, options)
  if (given.covariates.length === 0)
    throw new OptionError('covariates', 'must name at least one mode', given.covariates)
  return (await fitStructured(tensor, given)).structured as CovariateFit
}

/** @deprecated `StructuredFitOptions`. */
export interface GroupFitOptions extends Omit<FitOptions, 'init' | 'smoothing' | 'algorithm'> {
  readonly groups: string
}

/** @deprecated `StructuredFit`. */
export interface GroupFit {
  /** The answers that were fitted. */
  readonly tensor: Tensor
  readonly result: FitResult
  readonly comparison: GroupComparison
}

/**
 * Compares the classes of known groups. Stopped by time or a signal, it fails with an `AbortError`: there is no comparison then.
 * @deprecated `fitStructured(tensor, { groups })` does the same.
 * @example
 * const { comparison } = await fitGroups(answers, { rank: 1, groups: 'age' })
 * comparison.models.map(({ name }) => name) // ['pooled', 'probabilities equal', 'free']
 */
export const fitGroups = async (data: Tensor, options: GroupFitOptions): Promise<GroupFit> => {
  optionsObject('fitGroups', options)
  const { tensor, result, groups } = await fitStructured(data, options)
  if (groups === undefined) throw stoppedBy(options, 'stopped before the groups were compared')
  return Object.freeze({ tensor, result, comparison: groups })
}

/** @deprecated `StructuredFitOptions`. */
export interface JoinedFitOptions extends Omit<FitOptions, 'init'> {
  readonly join: readonly (readonly string[])[]
}

/** @deprecated `StructuredFit`. */
export interface JoinedFit {
  readonly tensor: Tensor
  readonly result: FitResult
  readonly comparison: JoinedComparison
}

/**
 * Compares classes within which some modes may depend on each other with classes within which they do not. Stopped by time or a signal, it fails.
 * @deprecated `fitStructured(tensor, { join })` does the same.
 * @example
 * const { comparison } = await fitJoined(answers, { rank: 2, join: [['age', 'vote']] })
 * comparison.models.map(({ name }) => name) // ['separate', 'joined']
 */
export const fitJoined = async (tensor: Tensor, options: JoinedFitOptions): Promise<JoinedFit> => {
  optionsObject('fitJoined', options)
  const { tensor: joined, result, join } = await fitStructured(tensor, options)
  if (join === undefined) throw stoppedBy(options, 'stopped before the models were compared')
  return Object.freeze({ tensor: joined, result, comparison: join })
}

/** @deprecated `BootstrapOptions`. */
export type ExplainedBootstrapOptions = BootstrapOptions

/** @deprecated `Bootstrap`. */
export type ExplainedBootstrap = Bootstrap & Required<Pick<Bootstrap, 'coefficients'>>

/** @deprecated `Residuals`. */
export type ExplainedResiduals = Residuals

/**
 * The bootstrap of a fit with covariates, groups or known classes.
 * @deprecated `bootstrap(fit.data, fit.model)` does the same.
 * @example
 * const { structured } = await fitStructured(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * const { coefficients } = await explainedBootstrap(structured!, { replicates: 5, threads: 1 })
 * coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const explainedBootstrap = async (
  { data, model }: Pick<StructuredResult, 'data' | 'model'>,
  options: ExplainedBootstrapOptions = {},
): Promise<ExplainedBootstrap> => (await bootstrap(data, model, options)) as ExplainedBootstrap

/**
 * The residuals of a fit with covariates, groups or known classes.
 * @deprecated `residuals(fit.data, fit.model)` and `bivariateResiduals(fit.data, fit.model)` do the same.
 * @example
 * const { structured } = await fitStructured(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * explainedResiduals(structured!, { limit: 3 }).variables // ['vote', 'trust']
 */
export const explainedResiduals = (
  { data, model }: Pick<StructuredResult, 'data' | 'model'>,
  { limit = 20 }: { readonly limit?: number } = {},
): ExplainedResiduals => {
  wholeNumber('limit', limit, 0)
  const { names } = givenModel({ data, placed: placeParameters(model, data) })
  return { variables: names, cells: residuals(data, model, { limit }), pairs: bivariateResiduals(data, model) }
}
