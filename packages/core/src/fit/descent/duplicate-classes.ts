import type { ModelParameters } from '../../model/parameters.ts'

/**
 * Two classes that are alike get the same updates, and stay alike for ever: the run ends at the optimum of fewer classes, which is
 * stationary, but a saddle. No run from a random start ends there; one from a given model may.
 */

/** Classes whose probabilities differ by no more than this are alike. Those of numbers measured to a fine step are all small: relative to the largest. */
const ALIKE = 1e-6
/** How far, relatively, the probabilities of such classes are moved apart. */
const APART = 0.1

/** The model with its equal classes moved apart; undefined if all differ. */
export const separateDuplicates = ({ rank, shares, factors, items }: ModelParameters): ModelParameters | undefined => {
  const least = factors.map((factor, n) => ALIKE * (items?.[n] === undefined ? 1 : largestOf(factor)))
  const alike = (k: number, l: number) =>
    factors.every((factor, n) => {
      for (let row = 0; row < factor.length; row += rank) {
        if (Math.abs(factor[row + k] - factor[row + l]) > least[n]) return false
      }
      return true
    })
  const classes = Array.from(shares, (_, k) => k).filter(k => shares[k] > 0)
  const twins = new Set(classes.filter(k => classes.some(l => l !== k && alike(k, l))))
  if (twins.size === 0) return undefined
  return {
    rank,
    shares: shares.slice(),
    factors: factors.map((factor, n) => {
      const moved = factor.map((p, i) => (twins.has(i % rank) ? p * (1 + APART * wave(i, n)) : p))
      const sums = new Float64Array(rank)
      moved.forEach((p, i) => {
        sums[i % rank] += p
      })
      return moved.map((p, i) => p / sums[i % rank])
    }),
  }
}

const largestOf = (factor: Float64Array): number => factor.reduce((most, p) => Math.max(most, p), 0)

/** Numbers between −1 and 1 without a pattern that classes could share: multiples of the golden ratio, less their whole part. */
const wave = (i: number, n: number): number => 2 * ((0.6180339887498949 * (i + 1) * (n + 1)) % 1) - 1
