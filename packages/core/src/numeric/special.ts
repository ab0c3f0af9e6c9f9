/** Special functions of statistics: log-gamma, the incomplete gamma functions, the χ² distribution's tail and quantiles. */

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400]
const HALF_LOG_TWO_PI = 0.9189385332046728

/**
 * log Γ(x) for x > 0: Stirling's series, after the recurrence has moved a small argument to 15 or more.
 * @example
 * Math.exp(logGamma(5)) // 24.000: 4!
 */
export const logGamma = (x: number): number => {
  if (!(x > 0)) return x === 0 ? Number.POSITIVE_INFINITY : Number.NaN
  if (x === 1 || x === 2) return 0
  let product = 1
  let z = x
  while (z < 15) product *= z++
  const square = 1 / (z * z)
  let series = 0
  for (let i = STIRLING.length - 1; i >= 0; i--) series = series * square + STIRLING[i]
  const value = (z - 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI + series / z
  return product === 1 ? value : value - Math.log(product)
}

const PRECISION = 1e-16

/** Q(a, x) = Γ(a, x)/Γ(a), the upper regularized incomplete gamma function, for a > 0 and x ≥ 0. */
export const upperGamma = (a: number, x: number): number => {
  if (!(a > 0) || !(x >= 0)) return Number.NaN
  if (x === 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a))
  return x < a + 1 ? 1 - scale * lowerSeries(a, x) : scale * upperFraction(a, x)
}

const lowerSeries = (a: number, x: number): number => {
  let term = 1 / a
  let sum = term
  for (let n = 1; term > sum * PRECISION; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

/** The continued fraction of Γ(a, x), from the top by Lentz's method. */
const upperFraction = (a: number, x: number): number => {
  const tiny = 1e-300
  let b = x + 1 - a
  let c = 1 / tiny
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < 100_000; n++) {
    const numerator = -n * (n - a)
    b += 2
    d = numerator * d + b
    d = 1 / (Math.abs(d) < tiny ? tiny : d)
    c = b + numerator / c
    if (Math.abs(c) < tiny) c = tiny
    const step = c * d
    fraction *= step
    if (Math.abs(step - 1) < PRECISION * 4) break
  }
  return fraction
}

/** Above this many degrees of freedom the series above lose digits, and the cube root of χ² is normal to a double's precision. */
const MANY = 1e8

/**
 * The probability that χ² with the given degrees of freedom is at least x.
 * @example
 * chiSquareTail(3.84, 1) // 0.050
 */
export const chiSquareTail = (x: number, degreesOfFreedom: number): number => {
  if (!(degreesOfFreedom > 0)) return Number.NaN
  if (degreesOfFreedom <= MANY) return upperGamma(degreesOfFreedom / 2, Math.max(0, x) / 2)
  // Wilson and Hilferty: (χ²/ν)^⅓ has mean 1 − 2/9ν and variance 2/9ν.
  const variance = 2 / (9 * degreesOfFreedom)
  const z = (Math.cbrt(Math.max(0, x) / degreesOfFreedom) - 1 + variance) / Math.sqrt(variance)
  const tail = upperGamma(0.5, (z * z) / 2) / 2
  return z > 0 ? tail : 1 - tail
}

/**
 * The x that χ² with the given degrees of freedom is below with probability p, for 0 ≤ p < 1, by bisection. The root of it with
 * one degree is how many standard errors an interval of level p goes to either side.
 * @example
 * chiSquareQuantile(0.95, 1) // 3.841
 */
export const chiSquareQuantile = (p: number, degreesOfFreedom: number): number => {
  if (!(p >= 0 && p < 1) || !(degreesOfFreedom > 0)) return Number.NaN
  let [low, high] = [0, Math.max(1, degreesOfFreedom)]
  while (chiSquareTail(high, degreesOfFreedom) > 1 - p) [low, high] = [high, 2 * high]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (chiSquareTail(middle, degreesOfFreedom) > 1 - p) low = middle
    else high = middle
  }
}
