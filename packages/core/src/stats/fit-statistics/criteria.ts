import { log } from '../../numeric/log.ts'

/** Information criteria: lower is better. */
export interface Criteria {
  readonly aic: number
  /** AIC with a penalty of three for each parameter (Bozdogan). */
  readonly aic3: number
  readonly bic: number
  /** BIC with the sample size adjusted (Sclove). */
  readonly sabic: number
  /** The consistent AIC (Bozdogan). */
  readonly caic: number
  /** BIC with the uncertainty of the classification added (integrated completed likelihood). */
  readonly icl: number
  /** The approximate weight of evidence (Banfield and Raftery): it asks most for a class, and classes that are well apart. */
  readonly awe: number
}

/** A criterion to compare ranks: an information criterion, or the held-out log-likelihood. */
export type Criterion = keyof Criteria | 'heldOut'

/** All there is to compare ranks by, in the order of reports: the key, the name in a sentence, the title of a column, and the digits after the point. */
export const CRITERIA: readonly {
  readonly key: Criterion
  readonly name: string
  readonly title: string
  readonly digits: number
}[] = [
  { key: 'aic', name: 'AIC', title: 'AIC', digits: 2 },
  { key: 'aic3', name: 'AIC3', title: 'AIC3', digits: 2 },
  { key: 'bic', name: 'BIC', title: 'BIC', digits: 2 },
  { key: 'sabic', name: 'adjusted BIC', title: 'aBIC', digits: 2 },
  { key: 'caic', name: 'CAIC', title: 'CAIC', digits: 2 },
  { key: 'icl', name: 'ICL', title: 'ICL', digits: 2 },
  { key: 'awe', name: 'AWE', title: 'AWE', digits: 2 },
  { key: 'heldOut', name: 'the held-out log-likelihood', title: 'held-out', digits: 4 },
]

/**
 * The value by which fits are compared, lower being better whatever the criterion.
 * @example
 * criterionValue(await evaluate(answers, model), 'bic') // 4574.3
 */
export const criterionValue = (fit: Criteria & { readonly heldOut?: number | undefined }, by: Criterion): number =>
  by === 'heldOut' ? -(fit.heldOut ?? Number.NEGATIVE_INFINITY) : fit[by]

/**
 * The criteria of a fit with a log-likelihood (paper, eq. 4), a number of parameters, M observations, and the entropy of their
 * posteriors (0 where every class is certain). The parameters are those that the table can tell apart: what it cannot, costs
 * nothing and gains nothing.
 * @example
 * const { entropy } = await evaluate(answers, model)
 * const { bic } = criteria(result.logLikelihood, countParameters(answers.shape, 2), answers.total, entropy)
 */
export const criteria = (logLikelihood: number, parameters: number, total: number, entropy = 0): Criteria => {
  const deviance = -2 * logLikelihood
  // Data that sums to less than one observation must not be rewarded for parameters.
  const size = Math.max(0, log(total))
  return {
    aic: deviance + 2 * parameters,
    aic3: deviance + 3 * parameters,
    bic: deviance + parameters * size,
    sabic: deviance + parameters * log((total + 2) / 24),
    caic: deviance + parameters * (size + 1),
    icl: deviance + parameters * size + 2 * entropy,
    awe: deviance + parameters * (3 + 2 * size) + 2 * entropy,
  }
}
