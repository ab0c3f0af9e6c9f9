import { atOnce, type Interruptible } from '../../numeric/interruptible.ts'
import { choleskySteps, congruenceSteps, inverseSteps } from '../../numeric/symmetric.ts'

/** Kinds of standard errors, by their estimate of the covariance. */
export type StandardErrorKind = 'empirical' | 'observed' | 'sandwich'

export const STANDARD_ERROR_KINDS: readonly StandardErrorKind[] = ['empirical', 'observed', 'sandwich']

/** Default kind of standard errors: best coverage in bench/COVERAGE.md. */
export const DEFAULT_STANDARD_ERRORS: StandardErrorKind = 'sandwich'

/** The covariance of estimates, and the inverse of the information that it is based on. */
export interface EstimateCovariance {
  readonly covariance: Float64Array
  readonly bread: Float64Array
}

/**
 * The covariance of estimates of n free parameters: the inverse of the information; undefined where that is not positive definite.
 * @param variance of the sum of the scores, for a sandwich of it between two inverses
 */
export const estimateCovariance = (
  information: Float64Array,
  n: number,
  variance?: Float64Array,
): EstimateCovariance | undefined => atOnce(covarianceSteps(information, n, variance))

/** The same in steps: with a thousand parameters it takes more than a second. */
export function* covarianceSteps(
  information: Float64Array,
  n: number,
  variance?: Float64Array,
): Interruptible<EstimateCovariance | undefined> {
  const bread = yield* inverted(information, n)
  if (bread === undefined) return undefined
  return { bread, covariance: variance === undefined ? bread : yield* congruenceSteps(bread, n, variance, n) }
}

/** The inverse, after every parameter has been brought to the same scale; undefined where it is not positive definite. */
function* inverted(matrix: Float64Array, n: number): Interruptible<Float64Array | undefined> {
  const scale = Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i]))
  const rescaled = (entries: Float64Array) =>
    entries.map((entry, at) => entry / (scale[Math.floor(at / n)] * scale[at % n]))
  const factor = yield* choleskySteps(rescaled(matrix), n)
  return factor === undefined ? undefined : rescaled(yield* inverseSteps(factor, n))
}

/**
 * The scaling factor of a log-likelihood: tr(A⁻¹·B) of its information and the variance of its scores, divided by the number n of free
 * parameters. It is about 1 if observations were drawn one by one and the model is true.
 */
export const scalingFactor = (bread: Float64Array, variance: Float64Array, n: number): number =>
  bread.reduce((sum, entry, i) => sum + entry * variance[i], 0) / n

/** Why there are no errors where the information cannot be inverted. */
export const SINGULAR: Readonly<Record<StandardErrorKind, string>> = {
  empirical: 'the scores of the cells do not determine all parameters: use observed standard errors, or fewer classes',
  observed:
    'the likelihood has no strict maximum here: other parameters fit equally well, or the fit has not converged',
  sandwich:
    'the likelihood has no strict maximum here: other parameters fit equally well, or the fit has not converged',
}
