import { log } from './log.ts'
import type { Random } from './philox.ts'

/** The least n·p that the hat of `binomial` is made for. */
export const LEAST_MEAN = 10

/**
 * A draw from the binomial distribution: how many of n observations fall into a part of probability p, for p ≤ ½ and n·p of `LEAST_MEAN` or more. The time
 * it takes does not depend on n, and its bits are the same on every machine.
 *
 * It is the rejection method BTRS of Hörmann (1993): two uniform numbers give a candidate, which is accepted with the ratio of its
 * probability to that of a hat. Nothing is replaced by a normal distribution. The only errors are those of doubles: the ratio is
 * computed with its large terms cancelled beforehand, so it keeps about seven digits at n = 10¹⁵. Up to n = 2⁵³ the draw is a whole number from 0 to n.
 */
export const binomial = (n: number, p: number, { uniform }: Random): number => {
  const deviation = Math.sqrt(n * p * (1 - p))
  const mode = Math.floor((n + 1) * p)
  // The numbers of the hat are Hörmann's.
  const b = 1.15 + 2.53 * deviation
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const height = (2.83 + 5.1 / b) * deviation
  const surely = 0.92 - 4.2 / b
  // Candidates are steps from the mode: doubles tell neighbours apart there, however large n is.
  const centre = n * p - mode + 0.5
  for (;;) {
    const u = uniform() - 0.5
    const v = uniform()
    const edge = 0.5 - Math.abs(u)
    const step = Math.floor(((2 * a) / edge + b) * u + centre)
    if (mode + step < 0 || mode + step > n) continue
    if (edge >= 0.07 && v <= surely) return mode + step
    if (log((v * height) / (a / (edge * edge) + b)) <= logRatio(n, p, mode, step)) return mode + step
  }
}

/** log P[mode + step] − log P[mode]. */
const logRatio = (n: number, p: number, mode: number, step: number): number => {
  const [x, y] = [mode + 1, n - mode + 1]
  return (
    step * log((y * p) / (x * (1 - p))) -
    (deviance(x, step) + deviance(y, -step)) +
    (log((x + step) / x) + log((y - step) / y)) / 2 +
    (remainder(x) - remainder(x + step) + (remainder(y) - remainder(y - step)))
  )
}

/** (x + s)·log(1 + s/x) − s: by its series if s is small against x, since all digits would cancel. */
const deviance = (x: number, s: number): number => {
  const part = s / x
  if (Math.abs(part) > 0.1) return (x + s) * log(1 + part) - s
  let sum = 0
  for (let k = 16; k >= 2; k--) sum = 1 / (k * (k - 1)) - part * sum
  return s * part * sum
}

/** What Stirling's formula leaves of log Γ(x), x ≥ 1: from the factorials themselves up to 10, then by its series. */
const remainder = (x: number): number => {
  if (x <= SMALL.length) return SMALL[x - 1]
  const square = 1 / (x * x)
  return (1 / 12 - (1 / 360 - (1 / 1260 - square / 1680) * square) * square) / x
}

const HALF_LOG_TWO_PI = 0.9189385332046728
const SMALL = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880].map(
  (factorial, i) => log(factorial) - ((i + 0.5) * log(i + 1) - (i + 1) + HALF_LOG_TWO_PI),
)
