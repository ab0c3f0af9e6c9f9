import { MISSING } from '../tensor/mode.ts'
import type { Parameters } from './parameters.ts'

/** Below this a sum of products may have lost digits to underflow, and is computed again with care. */
const COMFORTABLE = 2 ** -900

/**
 * Computes `w_k = λₖ Πₙ P⁽ⁿ⁾[jₙ,k]` of one cell over the modes that are present, as `out[k] · 2^exponent`, and returns
 * the exponent: 0 unless the products are so small that doubles would lose them, as with hundreds of modes.
 */
export const classWeights = (
  parameters: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  out: Float64Array,
): number => {
  const { rank, weights, factors } = parameters
  for (let k = 0; k < rank; k++) out[k] = weights[k]
  for (let n = 0; n < indices.length; n++) {
    const index = indices[n][cell]
    if (index === MISSING) continue
    const factor = factors[n]
    const offset = index * rank
    for (let k = 0; k < rank; k++) out[k] *= factor[offset + k]
  }
  let sum = 0
  for (let k = 0; k < rank; k++) sum += out[k]
  return sum >= COMFORTABLE ? 0 : rescaledWeights(parameters, indices, cell, out)
}

/** The same with the largest product brought back to between 1 and 2 after every mode, by an exact power of two. */
const rescaledWeights = (
  { rank, weights, factors }: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  out: Float64Array,
): number => {
  out.set(weights)
  let exponent = rescale(out)
  for (let n = 0; n < indices.length; n++) {
    const index = indices[n][cell]
    if (index === MISSING) continue
    const factor = factors[n]
    const offset = index * rank
    // A factor may itself be so small that its product with a normal number is not: scale it up first.
    const lift = rescaleFor(factor, offset, rank)
    for (let k = 0; k < rank; k++) out[k] *= factor[offset + k] * lift
    exponent += rescale(out) - (lift === 1 ? 0 : LIFT)
  }
  return exponent
}

const LIFT = 1000
const LIFTED = 2 ** LIFT

const rescaleFor = (factor: Float64Array, offset: number, rank: number): number => {
  for (let k = 0; k < rank; k++) if (factor[offset + k] >= 2 ** -900) return 1
  return LIFTED
}

/** Multiplies by the power of two that brings the largest to between 1 and 2; returns the exponent taken out. */
const rescale = (out: Float64Array): number => {
  let largest = 0
  for (const value of out) if (value > largest) largest = value
  if (largest === 0 || largest === Number.POSITIVE_INFINITY) return 0
  const exponent = exponentOf(largest)
  // 2^-exponent may be out of range for a double where its halves are not.
  const half = Math.trunc(-exponent / 2)
  const first = 2 ** half
  const second = 2 ** (-exponent - half)
  for (let k = 0; k < out.length; k++) out[k] = out[k] * first * second
  return exponent
}

const bits = new DataView(new ArrayBuffer(8))

/** The exponent e of x = f·2^e with 1 ≤ f < 2, for a finite x > 0. */
export const exponentOf = (x: number): number => {
  if (x < 2 ** -1022) return exponentOf(x * 2 ** 100) - 100
  bits.setFloat64(0, x)
  return ((bits.getUint16(0) >>> 4) & 0x7ff) - 1023
}
