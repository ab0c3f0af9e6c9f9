import { log } from '../numeric/log.ts'

/** Information criteria: lower is better. */
export interface Criteria {
  readonly aic: number
  readonly bic: number
  /** The consistent AIC (Bozdogan). */
  readonly caic: number
  /** BIC with the sample size adjusted (Sclove). */
  readonly sabic: number
}

/**
 * The criteria of a fit with a log-likelihood (paper, eq. 4), a number of parameters, and M observations. The parameters are
 * those that the table can tell apart: what it cannot, costs nothing and gains nothing.
 */
export const criteria = (logLikelihood: number, parameters: number, total: number): Criteria => ({
  aic: -2 * logLikelihood + 2 * parameters,
  // Data that sums to less than one observation must not be rewarded for parameters.
  bic: -2 * logLikelihood + parameters * Math.max(0, log(total)),
  caic: -2 * logLikelihood + parameters * (Math.max(0, log(total)) + 1),
  sabic: -2 * logLikelihood + parameters * log((total + 2) / 24),
})
