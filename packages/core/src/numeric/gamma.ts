/** The gamma function and what belongs to it, for the probabilities of counts: with our own logarithm the same bits on every machine. */

import { log } from './log.ts'
import { HALF_LOG_TWO_PI, LARGE, logGammaBy, stirlingSeries } from './log-gamma.ts'

/**
 * What log x! exceeds (x + ½)·log x − x + ½·log 2π by, for x > 0: small where x! is large, so that a probability keeps its digits.
 * @example
 * stirlingRest(1) // 0.08106
 */
export const stirlingRest = (x: number): number =>
  x >= LARGE ? stirlingSeries(x) : logGammaBy(x + 1, log) - (x + 0.5) * log(x) + x - HALF_LOG_TWO_PI

/** ψ(z) less log z, −1/(2z) and −1/(12z²)…: the Bernoulli numbers of the powers of 1/z². */
const DIGAMMA = [-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12, 3617 / 8160]

/**
 * ψ(x), the derivative of log Γ(x), for x > 0.
 * @example
 * digamma(1) // -0.57722
 */
export const digamma = (x: number): number => {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  let below = 0
  let z = x
  while (z < LARGE) below += 1 / z++
  const square = 1 / (z * z)
  let series = 0
  for (let i = DIGAMMA.length - 1; i >= 0; i--) series = (series + DIGAMMA[i]) * square
  return log(z) - 0.5 / z + series - below
}

/** Where the series takes the place of the difference. */
const SMALL = 0.2

/**
 * t − log(1 + t) for t > −1, with all digits also where it is nearly t²/2.
 * @example
 * logGap(1e-10) // 5e-21
 */
export const logGap = (t: number): number => {
  if (!(Math.abs(t) < SMALL)) return t - log(1 + t)
  // log(1 + t) is 2·(v + v³/3 + v⁵/5 + …), and t − 2v is t·v.
  const v = t / (2 + t)
  const square = v * v
  let series = 0
  for (let odd = 17; odd >= 3; odd -= 2) series = (series + 1 / odd) * square
  return v * (t - 2 * series)
}

/**
 * log(1 + t), with all digits also if t is small.
 * @example
 * log1p(1e-20) // 1e-20
 */
export const log1p = (t: number): number => (Math.abs(t) < SMALL ? t - logGap(t) : log(1 + t))

/**
 * x·log(x/mean) + mean − x: how much less likely a count x is with this mean than with the mean x.
 * @example
 * poissonDeviance(3, 2) // 0.21640
 */
export const poissonDeviance = (x: number, mean: number): number => {
  if (x === 0) return mean
  const t = (mean - x) / x
  return Math.abs(t) < SMALL ? x * logGap(t) : x * log(x / mean) + mean - x
}
