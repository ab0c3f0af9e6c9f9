import { MISSING } from '../tensor/mode.ts'
import type { Parameters } from './parameters.ts'

/** Below this a sum of products may have lost digits to underflow, and is computed again with care. */
const COMFORTABLE = 2 ** -900

/**
 * Computes `w_k = πₖ Πₙ P⁽ⁿ⁾[jₙ,k]` of one cell, π the shares, over the modes that are present, as `out[k] · 2^exponent`, and returns
 * the exponent: 0 unless the products are so small that doubles would lose them, as with hundreds of modes.
 */
export const classWeights = (
  parameters: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  out: Float64Array,
): number => {
  const { rank, shares, factors } = parameters
  for (let k = 0; k < rank; k++) out[k] = shares[k]
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

/** A factor or a product below this is lifted before it is multiplied on, so that no product is lost. */
const SMALL = 2 ** -500
const LIFT = 600

/**
 * The same with an exponent of its own for every class, so that a class which falls far behind in some modes and comes
 * back in others is not lost on the way. At the end all are brought to the exponent of the largest.
 */
const rescaledWeights = (
  { rank, shares, factors }: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  out: Float64Array,
): number => {
  const exponents = new Int32Array(rank)
  let top = Number.NEGATIVE_INFINITY
  for (let k = 0; k < rank; k++) {
    let product = 1
    let exponent = 0
    const multiply = (factor: number) => {
      product *= factor < SMALL ? factor * 2 ** LIFT : factor
      if (factor < SMALL) exponent -= LIFT
      if (product < SMALL) {
        product *= 2 ** LIFT
        exponent -= LIFT
      }
    }
    multiply(shares[k])
    for (let n = 0; n < indices.length && product > 0; n++) {
      const index = indices[n][cell]
      if (index !== MISSING) multiply(factors[n][index * rank + k])
    }
    out[k] = product
    if (product === 0) continue
    const own = exponentOf(product)
    out[k] = scaled(product, -own)
    exponents[k] = own + exponent
    top = Math.max(top, exponents[k])
  }
  if (top === Number.NEGATIVE_INFINITY) return 0
  for (let k = 0; k < rank; k++) if (out[k] > 0) out[k] = scaled(out[k], Math.max(exponents[k] - top, -1100))
  return top
}

/** x · 2^exponent, in two factors: the power itself may be out of range for a double where its halves are not. */
const scaled = (x: number, exponent: number): number => {
  const half = Math.trunc(exponent / 2)
  return x * 2 ** half * 2 ** (exponent - half)
}

const bits = new DataView(new ArrayBuffer(8))

/** The exponent e of x = f·2^e with 1 ≤ f < 2, for a finite x > 0. */
export const exponentOf = (x: number): number => {
  if (x < 2 ** -1022) return exponentOf(x * 2 ** 100) - 100
  bits.setFloat64(0, x)
  return ((bits.getUint16(0) >>> 4) & 0x7ff) - 1023
}
