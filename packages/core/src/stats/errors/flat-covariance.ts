import { congruence, eigen } from '../../numeric/symmetric.ts'
import type { EstimateCovariance } from './sandwich.ts'

/** An eigenvalue below this part of the largest one is zero: along its direction the likelihood does not change. */
const FLAT = 1e-9
/** A parameter with less than this of a flat direction has nothing to do with it. */
const LEAST = 1e-3
/** With more parameters, their eigenvalues would take minutes. */
const MOST = 600

/**
 * The covariance of estimates if coefficients run off to infinity together, as if nobody of a category is in a class: that of all else, given these.
 * Undefined if other parameters are not determined either.
 * @param from the first of the parameters that may do so
 */
export const flatCovariance = (
  information: Float64Array,
  n: number,
  from: number,
  variance?: Float64Array,
): (EstimateCovariance & { readonly flat: ReadonlySet<number> }) | undefined => {
  if (from >= n || n > MOST) return undefined
  const scale = Float64Array.from({ length: n }, (_, i) => Math.sqrt(Math.abs(information[i * n + i])) || 1)
  const scaled = information.map((entry, at) => entry / (scale[Math.floor(at / n)] * scale[at % n]))
  if (!scaled.every(Number.isFinite)) return undefined
  const { values, vectors } = eigen(scaled, n)
  const flat = new Set<number>()
  const bread = new Float64Array(n * n)
  for (let e = 0; e < n; e++) {
    const vector = vectors.subarray(e * n, (e + 1) * n)
    if (values[e] < -FLAT * values[0]) return undefined
    if (values[e] <= FLAT * values[0]) {
      vector.forEach((entry, i) => {
        if (Math.abs(entry) > LEAST) flat.add(i)
      })
      continue
    }
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) bread[i * n + j] += (vector[i] * vector[j]) / (values[e] * scale[i] * scale[j])
  }
  if ([...flat].some(i => i < from)) return undefined
  return { bread, covariance: variance === undefined ? bread : congruence(bread, n, variance, n), flat }
}
