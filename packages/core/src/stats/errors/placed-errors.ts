import { defined } from '../../defined.ts'
import { openSession } from '../../fit/fit.ts'
import type { Model } from '../../model/model.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import type { ModelData } from '../model-data/model-data.ts'
import { type PlacedModel, startOf } from '../model-data/placed-model.ts'
import { effectsOf } from './covariate-effects.ts'
import { type CovariateErrors, covariateErrors, type DrawnRows } from './covariate-errors.ts'
import type { UnitOptions } from './covariate-units.ts'
import { errorsOf, type StandardErrors, spreadOf, withoutErrors } from './error-results.ts'
import { itemErrors } from './item-errors.ts'
import { withoutTables } from './item-scores.ts'
import { type Profiled, type ProfileOptions, profileIntervals } from './profile-intervals.ts'
import type { StandardErrorKind } from './sandwich.ts'
import { indexDesign, type SurveyDesign } from './survey-design.ts'

export interface PlacedErrorOptions extends UnitOptions, Omit<ProfileOptions, 'profile'> {
  readonly kind: StandardErrorKind
  readonly confidence: number
  readonly drawn?: DrawnRows | undefined
  readonly profile?: boolean | undefined
}

/** Why intervals near 0 or 1 are not by the profile of the likelihood. */
const NO_REFITS = {
  sampled: 'with weights or a design there is no likelihood to profile',
  items: 'fits with continuous, ordinal or counted variables are not profiled',
  constrained: 'fits with constraints or known classes are not profiled',
}

/** How the rows of a model were drawn: in clusters, or one by one with weights; undefined if with equal chances. */
export const drawnRows = (
  { drawn: tensor, squares }: ModelData,
  design: SurveyDesign | undefined,
  observations: number | undefined,
): DrawnRows | undefined =>
  design !== undefined ? { tensor, designIndex: indexDesign(tensor, design) } : squares && { squares, observations }

/** Standard errors of a model in the form of its data, by the scores of coefficients and probabilities together. */
export const placedErrors = async (
  { data, placed }: PlacedModel,
  model: Model,
  { kind, confidence, drawn, signal, profile, onInterval, ...shown }: PlacedErrorOptions,
): Promise<StandardErrors> => {
  const { constraints } = data.structure
  const reference = (model.structure.kind === 'logit' ? model.structure.reference : 1) - 1
  const errors = await covariateErrors(data.tensor, placed.parameters, {
    design: data.design,
    memberships: placed.memberships(data.design),
    reference,
    kind,
    constraints,
    drawn,
    signal,
    ...defined({ items: placed.items }),
  })
  const known = typeof errors === 'string' ? undefined : errors
  const setting = { kind, confidence }
  const own = constraints && {
    fixed: constraints.fixed.filter(({ mode }) => mode < model.modes.length),
    tied: constraints.tied,
  }
  const free = freeParameters(withoutTables(model.parameters, model.items), undefined, undefined, own)
  const profiled = async (covariance: ReturnType<typeof leading>): Promise<Profiled | string> => {
    if (drawn !== undefined) return NO_REFITS.sampled
    if (constraints !== undefined) return NO_REFITS.constrained
    if (placed.items !== undefined) return NO_REFITS.items
    const session = await openSession(data.tensor, undefined, undefined)
    const { terms, patterns, values, counts } = data.design
    const explained = { terms, patterns, values, counts }
    const spread = spreadOf(free, covariance, confidence)
    const refitting = { profile, signal, onInterval }
    return profileIntervals(session, startOf(placed), free, spread, refitting, explained).finally(() => session.close())
  }
  const covariance = known && leading(known, free.values.length)
  const found = async (): Promise<StandardErrors> => {
    if (known === undefined || covariance === undefined) return withoutErrors(model, free, setting, errors as string)
    const plain = errorsOf(model, free, setting, { ...covariance, shortfall: undefined }, await profiled(covariance))
    const ofItems = placed.items && itemErrors(model, plain, known, free.values.length)
    return { ...plain, free: known.free, ...ofItems }
  }
  if (placed.items !== undefined && model.structure.kind === 'shares') return Object.freeze(await found())
  return Object.freeze({ ...(await found()), covariates: effectsOf(data, placed, known, reference, confidence, shown) })
}

/** The covariance of the first parameters: those of known classes come last, and are none. */
const leading = ({ covariance, sample }: CovariateErrors, count: number) => {
  const size = Math.sqrt(covariance.length)
  const corner = (matrix: Float64Array) =>
    size === count
      ? matrix
      : Float64Array.from({ length: count * count }, (_, i) => matrix[Math.floor(i / count) * size + (i % count)])
  return { covariance: corner(covariance), sample: sample && { ...sample, simple: corner(sample.simple) } }
}
