import { random } from '../numeric/philox.ts'
import { columnSums, type Parameters } from './parameters.ts'

/**
 * A random start: classes of equal size, the columns of every factor uniform random numbers brought to a sum of 1.
 * Every entry is above zero, since EM cannot leave a zero. A pure function of the seed and the number of the start.
 */
export const randomStart = (shape: readonly number[], rank: number, seed: number, start: number): Parameters => {
  const { uniform } = random(seed, 'start', start)
  return {
    rank,
    shares: new Float64Array(rank).fill(1 / rank),
    factors: shape.map(size => {
      const factor = new Float64Array(size * rank)
      for (let i = 0; i < factor.length; i++) factor[i] = uniform()
      const sums = columnSums(factor, rank)
      for (let i = 0; i < factor.length; i++) factor[i] /= sums[i % rank]
      return factor
    }),
  }
}
