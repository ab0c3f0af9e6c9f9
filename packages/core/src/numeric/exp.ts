/**
 * The exponential function, the same bits on every machine: `Math.exp` may differ between engines. x = k·log 2 + r with |r| at
 * most half of log 2; the series of e^r, and a power of two that is exact.
 */

/** log 2 in two parts; the first is short enough that its product with any exponent is exact. */
const LN2_HIGH = 0.6931471804855391
const LN2_LOW = 7.440617110012397e-11
const PER_LN2 = 1 / Math.LN2

/** The terms 1/n! of the series from the third to the fourteenth: the next is below 1e-18. */
const [T2, T3, T4, T5, T6, T7] = [1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040]
const [T8, T9, T10, T11] = [1 / 40320, 1 / 362880, 1 / 3628800, 1 / 39916800]
const [T12, T13, T14] = [1 / 479001600, 1 / 6227020800, 1 / 87178291200]

const number = new Float64Array(1)
const halves = new Int32Array(number.buffer)
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0

/**
 * e to a power; 0 below −740, infinite above 709.
 * @example
 * exp(1) // 2.71828
 */
export const exp = (x: number): number => {
  if (!(x > -740)) return Number.isNaN(x) ? x : 0
  if (x > 709) return Number.POSITIVE_INFINITY
  const k = Math.round(x * PER_LN2)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  const far = T8 + r * (T9 + r * (T10 + r * (T11 + r * (T12 + r * (T13 + r * T14)))))
  const rest = T2 + r * (T3 + r * (T4 + r * (T5 + r * (T6 + r * (T7 + r * far)))))
  const sum = 1 + (r + r * r * rest)
  if (k < -1000) return sum * 2 ** -1000 * 2 ** (k + 1000)
  // The sum lies between ½ and 2: its exponent has room for k.
  number[0] = sum
  halves[HIGH] += k << 20
  return number[0]
}
