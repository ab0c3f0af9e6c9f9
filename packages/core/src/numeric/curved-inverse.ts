import { eigen } from './symmetric.ts'

/** An eigenvalue below this is none, if the diagonal is 1; and so is a part of a vector of length 1. */
const NOTHING = { value: 1e-9, part: 1e-5 }

/**
 * The inverse of an information matrix in the directions in which it is curved, and which parameters these determine. Undefined if it curves
 * the other way somewhere, or nowhere.
 */
export const curvedInverse = (
  matrix: Float64Array,
  n: number,
): { readonly inverse: Float64Array; readonly determined: readonly boolean[] } | undefined => {
  const scale = Float64Array.from({ length: n }, (_, i) => Math.sqrt(matrix[i * n + i]))
  if (!scale.every(each => each > 0 && each < Number.POSITIVE_INFINITY)) return undefined
  const { values, vectors } = eigen(
    matrix.map((entry, at) => entry / (scale[Math.floor(at / n)] * scale[at % n])),
    n,
  )
  if (n === 0 || values[n - 1] < -NOTHING.value || values[0] < NOTHING.value) return undefined
  const determined = new Array<boolean>(n).fill(true)
  const inverse = new Float64Array(n * n)
  values.forEach((value, e) => {
    const vector = vectors.subarray(e * n, (e + 1) * n)
    if (value < NOTHING.value)
      vector.forEach((part, i) => {
        if (Math.abs(part) > NOTHING.part) determined[i] = false
      })
    else
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) inverse[i * n + j] += (vector[i] * vector[j]) / (value * scale[i] * scale[j])
  })
  return { inverse, determined }
}
