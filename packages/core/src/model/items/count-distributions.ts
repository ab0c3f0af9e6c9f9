/** The distributions of counts: probabilities that keep their digits for large counts, scores, and draws. */

import { exp } from '../../numeric/exp.ts'
import { digamma, log1p, logGap, poissonDeviance, stirlingRest } from '../../numeric/gamma.ts'
import { log } from '../../numeric/log.ts'
import { normalQuantile } from '../../numeric/normal.ts'

const TWO_PI = 6.283185307179586

/**
 * The logarithm of a Poisson probability (Loader 2000: Stirling's approximation, its rest and the deviance, in place of differences of large numbers).
 * @example
 * logPoisson(2, 3) // -1.4959
 */
export const logPoisson = (x: number, rate: number): number =>
  x === 0 ? -rate : -stirlingRest(x) - poissonDeviance(x, rate) - 0.5 * log(TWO_PI * x)

/**
 * The logarithm of a negative binomial probability. The variance is mean + dispersion·mean².
 * @example
 * logNegativeBinomial(0, 1, 1) // -0.69315
 */
export const logNegativeBinomial = (x: number, mean: number, dispersion: number): number => {
  const size = 1 / dispersion
  if (x === 0) return -size * log1p(dispersion * mean)
  const all = x + size
  const part = size / (size + mean)
  const rests = stirlingRest(all) - stirlingRest(size) - stirlingRest(x)
  const deviances = poissonDeviance(size, all * part) + poissonDeviance(x, (all * mean) / (size + mean))
  return rests - deviances + 0.5 * log(size / (TWO_PI * x * all))
}

/** The derivative of `logNegativeBinomial` by the mean. */
export const scoreOfMean = (x: number, mean: number, dispersion: number): number =>
  (x - mean) / (mean * (1 + dispersion * mean))

/** Sums of so few terms are added one by one. */
const FEW = 30
/** A size from which the series of digamma have all digits. */
const LARGE_SIZE = 15
/** Below it, a difference of logarithms has lost a digit, and the series none. */
const SMALL = 0.2

/** The derivative of `logNegativeBinomial` by the dispersion, whose terms are each of the order of the square of the mean. */
export const scoreOfDispersion = (x: number, mean: number, dispersion: number): number => {
  const t = dispersion * mean
  const gap = t < SMALL ? (t * t) / (1 + t) - logGap(t) : log(1 + t) - t / (1 + t)
  return risingSum(x, dispersion) - (x * mean) / (1 + t) + gap / (dispersion * dispersion)
}

/** Σ i / (1 + dispersion·i) over i < x: the derivative of log Γ(x + 1/dispersion) − log Γ(1/dispersion) + x·log dispersion. */
const risingSum = (x: number, dispersion: number): number => {
  if (x <= FEW) {
    let sum = 0
    for (let i = 1; i < x; i++) sum += i / (1 + dispersion * i)
    return sum
  }
  const size = 1 / dispersion
  if (size < LARGE_SIZE) return size * (x - size * (digamma(x + size) - digamma(size)))
  // The difference of the asymptotic series of digamma, in which what is large cancels.
  const t = dispersion * x
  const part = 1 / (1 + t)
  const [d2, u2] = [dispersion * dispersion, part * part]
  const u4 = u2 * u2
  const rest = (u2 - 1) / 12 - (d2 * (u4 - 1)) / 120 + (d2 * d2 * (u2 * u4 - 1)) / 252
  return size * size * logGap(t) - 0.5 * x * part + rest - (d2 * d2 * d2 * (u4 * u4 - 1)) / 240
}

/** A probability below this is rounding in what is left of a uniform number. */
const NOTHING = 1e-18

/**
 * A Poisson count: what of a uniform number is left after the most likely count, then those beside it, by turns.
 * @example
 * drawPoisson(3, () => 0.1) // 3
 */
export const drawPoisson = (rate: number, uniform: () => number): number => {
  const middle = Math.floor(rate)
  let [above, below] = [exp(logPoisson(middle, rate)), 0]
  below = above
  let rest = uniform() - above
  if (rest < 0) return middle
  for (let by = 1; above > NOTHING || below > NOTHING; by++) {
    above *= rate / (middle + by)
    rest -= above
    if (rest < 0) return middle + by
    if (by > middle) below = 0
    else below *= (middle - by + 1) / rate
    rest -= below
    if (rest < 0) return middle - by
  }
  return middle
}

/** A gamma variable of scale 1 (Marsaglia and Tsang 2000); of a shape below 1 by one above. */
const drawGamma = (shape: number, uniform: () => number): number => {
  if (shape < 1) return drawGamma(shape + 1, uniform) * exp(log(uniform()) / shape)
  const d = shape - 1 / 3
  for (;;) {
    const z = normalQuantile(uniform())
    const root = 1 + z / Math.sqrt(9 * d)
    if (root <= 0) continue
    const cube = root * root * root
    if (log(uniform()) < 0.5 * z * z + d - d * cube + d * log(cube)) return d * cube
  }
}

/** A negative binomial count: a Poisson count whose rate is a gamma variable. */
export const drawNegativeBinomial = (mean: number, dispersion: number, uniform: () => number): number =>
  drawPoisson(mean * dispersion * drawGamma(1 / dispersion, uniform), uniform)
