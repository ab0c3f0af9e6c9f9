import { cholesky, congruence, inverse } from '../../numeric/symmetric.ts'

/** The kinds of standard errors, by what the covariance of the estimates is made of. */
export type StandardErrorKind = 'empirical' | 'observed' | 'sandwich'

export const STANDARD_ERROR_KINDS: readonly StandardErrorKind[] = ['empirical', 'observed', 'sandwich']

/** The kind whose intervals hold the truth most nearly as often as they say, over the designs of bench/COVERAGE.md. */
export const DEFAULT_STANDARD_ERRORS: StandardErrorKind = 'sandwich'

/** The information about free parameters. */
export interface FreeInformation {
  /** The sum of the outer products of the observations' scores. */
  readonly empirical: Float64Array
  /** The second derivatives of the log-likelihood with their sign changed. */
  readonly observed: () => Float64Array
}

/** The covariance of estimates, and the inverse of the information that it goes by. */
export interface EstimateCovariance {
  readonly covariance: Float64Array
  readonly bread: Float64Array
}

/**
 * The covariance of estimates of n free parameters; undefined where the information is not positive definite.
 * @param variance of the sum of the scores, where observations were not drawn one by one; else it is the empirical information
 */
export const estimateCovariance = (
  { empirical, observed }: FreeInformation,
  n: number,
  kind: StandardErrorKind,
  variance = empirical,
): EstimateCovariance | undefined => {
  const bread = inverted(kind === 'empirical' ? empirical : observed(), n)
  if (bread === undefined) return undefined
  return { bread, covariance: kind === 'sandwich' ? congruence(bread, n, variance, n) : bread }
}

/** The inverse, after every parameter has been brought to the same scale; undefined where it is not positive definite. */
const inverted = (matrix: Float64Array, n: number): Float64Array | undefined => {
  const scale = Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i]))
  const rescaled = (entries: Float64Array) =>
    entries.map((entry, at) => entry / (scale[Math.floor(at / n)] * scale[at % n]))
  const factor = cholesky(rescaled(matrix), n)
  return factor === undefined ? undefined : rescaled(inverse(factor, n))
}

/** Why there are no errors where the information cannot be inverted. */
export const SINGULAR: Readonly<Record<StandardErrorKind, string>> = {
  empirical:
    'the scores of the cells do not span all parameters: ask for observed standard errors, or take fewer classes',
  observed:
    'the likelihood is not curved in all directions here: this is no strict maximum, or there are others beside it',
  sandwich:
    'the likelihood is not curved in all directions here: this is no strict maximum, or there are others beside it',
}
