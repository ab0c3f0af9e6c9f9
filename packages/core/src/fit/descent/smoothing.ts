import { exp } from '../../numeric/exp.ts'

/** Smoothing over neighbouring labels, for modes whose labels have an order. */

/** How many widths from its centre a Gaussian is cut off: what lies beyond is below 2e-4 of the centre. */
const REACH = 4

/** The weights of a Gaussian of the given width at the distances 0, 1, 2, … labels, no further than the mode reaches. */
export const kernel = (width: number, labels: number): Float64Array => {
  const reach = Math.max(1, Math.min(labels - 1, Math.ceil(width * REACH)))
  return Float64Array.from({ length: reach + 1 }, (_, distance) => exp(-0.5 * (distance / width) * (distance / width)))
}

/**
 * Replaces every column of a factor by its average over neighbouring labels, in place. Each label hands its whole
 * probability on to the labels around it that exist, so that a column's sum stays and nothing falls off the ends.
 */
export const smoothFactor = (factor: Float64Array, rank: number, weights: Float64Array): void => {
  const labels = factor.length / rank
  const result = new Float64Array(factor.length)
  const reach = weights.length - 1
  for (let from = 0; from < labels; from++) {
    const [first, last] = [Math.max(0, from - reach), Math.min(labels - 1, from + reach)]
    let sum = 0
    for (let to = first; to <= last; to++) sum += weights[Math.abs(to - from)]
    for (let to = first; to <= last; to++) {
      const weight = weights[Math.abs(to - from)] / sum
      for (let k = 0; k < rank; k++) result[to * rank + k] += weight * factor[from * rank + k]
    }
  }
  factor.set(result)
}
