/**
 * The natural logarithm, the same bits on every machine. `Math.log` may differ between engines, so the loss would; this
 * one uses only additions, multiplications and one division, whose results IEEE 754 fixes. The kernels hold the same
 * steps two numbers at a time, and give the same bits. Error below 1 ulp.
 *
 * x = 2^k·(1 + f) with 1 + f between √½ and √2. With s = f / (2 + f), log(1 + f) = 2 atanh(s) = f − f²/2 + s·(f²/2 + r(s²)),
 * where r is the rest of the series of atanh, replaced by the polynomial whose largest error on that range is smallest.
 */

/** The polynomial r(z) / z, lowest power first. */
const R0 = 0.6666666666666723
const R1 = 0.3999999999947235
const R2 = 0.28571428731756066
const R3 = 0.22222199508680776
const R4 = 0.18183521751983592
const R5 = 0.15315017720491964
const R6 = 0.14787274466547523

/** log 2 in two parts; the first is short enough that its product with any exponent is exact. */
const LN2_HIGH = 0.6931471804855391
const LN2_LOW = 7.440617110012397e-11

/** The upper half of √½: subtracting it from a number's upper half splits off its exponent. */
const ROOT_HALF = 0x3fe6a09e
const ONE = 0x3ff00000
const LEAST_NORMAL = 2 ** -1022

const number = new Float64Array(1)
const halves = new Int32Array(number.buffer)
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0

/**
 * The natural logarithm; −∞ at 0, NaN below.
 * @example
 * log(2) // 0.6931471805599453
 */
export const log = (x: number): number => {
  if (!(x >= LEAST_NORMAL)) {
    if (x === 0) return Number.NEGATIVE_INFINITY
    return x > 0 ? logOf(x * 2 ** 54, -54) : Number.NaN
  }
  return x === Number.POSITIVE_INFINITY ? x : logOf(x, 0)
}

const logOf = (x: number, exponent: number): number => {
  number[0] = x
  const high = halves[HIGH] + (ONE - ROOT_HALF)
  const k = (high >> 20) - 1023 + exponent
  halves[HIGH] = (high & 0xfffff) + ROOT_HALF
  const f = number[0] - 1
  const s = f / (f + 2)
  const z = s * s
  const y = z * z
  const even = R0 + y * (R2 + y * (R4 + y * R6))
  const odd = R1 + y * (R3 + y * R5)
  const r = z * (even + z * odd)
  const half = 0.5 * f * f
  return k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f)
}
