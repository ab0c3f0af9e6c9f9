/** Special functions of statistics: log-gamma, the incomplete gamma and beta functions, χ² and Student's t. */

import { logGammaBy } from './log-gamma.ts'

/**
 * log Γ(x) for x > 0.
 * @example
 * Math.exp(logGamma(5)) // 24.000: 4!
 */
export const logGamma = (x: number): number => logGammaBy(x, Math.log)

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
  return whereFalls(x => chiSquareTail(x, degreesOfFreedom), 1 - p, Math.max(1, degreesOfFreedom))
}

/** I_x(a, b), the regularized incomplete beta function, by its continued fraction, from the side on which that converges fast. */
const lowerBeta = (x: number, a: number, b: number): number => {
  if (x > (a + 1) / (a + b + 2)) return 1 - lowerBeta(1 - x, b, a)
  if (x === 0) return 0
  const scale = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a
  const tiny = 1e-300
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1) || tiny)]
  let fraction = d
  for (let n = 1; n < 100_000; n++) {
    let step = 1
    for (const numerator of [
      (n * (b - n) * x) / ((a + 2 * n - 1) * (a + 2 * n)),
      (-(a + n) * (a + b + n) * x) / ((a + 2 * n) * (a + 2 * n + 1)),
    ]) {
      d = 1 / (1 + numerator * d || tiny)
      c = 1 + numerator / c || tiny
      step = c * d
      fraction *= step
    }
    if (Math.abs(step - 1) < PRECISION * 4) break
  }
  return scale * fraction
}

/** The t that |Student's t| with the given degrees of freedom is below with probability p, for 0 ≤ p < 1, by bisection. */
export const studentQuantile = (p: number, degreesOfFreedom: number): number => {
  if (!(p >= 0 && p < 1) || !(degreesOfFreedom > 0)) return Number.NaN
  const tail = (t: number) => lowerBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
  return whereFalls(tail, 1 - p, 1)
}

/** P[|T| > t] of Student's t. */
export const studentTail = (t: number, degreesOfFreedom: number): number =>
  lowerBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)

/** P[F > f] of Fisher's F, with the degrees of freedom of its numerator and its denominator. */
export const fisherTail = (f: number, above: number, below: number): number =>
  lowerBeta(below / (below + above * f), below / 2, above / 2)

/** Where a falling function of x ≥ 0 comes to a value, by doubling and halving. */
const whereFalls = (f: (x: number) => number, value: number, first: number): number => {
  let [low, high] = [0, first]
  while (f(high) > value) [low, high] = [high, 2 * high]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (f(middle) > value) low = middle
    else high = middle
  }
}
