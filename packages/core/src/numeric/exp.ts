/**
 * The exponential function, the same bits on every machine: `Math.exp` may differ between engines. x = k·log 2 + r with |r| at
 * most half of log 2; the series of e^r, and a power of two that is exact.
 */

/** log 2 in two parts; the first is short enough that its product with any exponent is exact. */
const LN2_HIGH = 0.6931471804855391
const LN2_LOW = 7.440617110012397e-11
/** Terms of the series: the next is below 1e-18. */
const TERMS = 14

export const exp = (x: number): number => {
  if (!(x > -740)) return Number.isNaN(x) ? x : 0
  if (x > 709) return Number.POSITIVE_INFINITY
  const k = Math.round(x / Math.LN2)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  let sum = 1
  for (let n = TERMS; n >= 1; n--) sum = 1 + (sum * r) / n
  return scaled(sum, k)
}

/** x·2^k by exact steps. */
const scaled = (x: number, k: number): number => {
  let [result, left] = [x, k]
  for (; left >= 30; left -= 30) result *= 0x40000000
  for (; left <= -30; left += 30) result /= 0x40000000
  return left >= 0 ? result * (1 << left) : result / (1 << -left)
}
