import { assign } from '../numeric/assignment.ts'
import type { Parameters } from './parameters.ts'

/** For each class of a model, the class of another fit of it that is most like it, all together. */
export const pairing = (a: Parameters, b: Parameters): number[] => {
  const distance = (k: number, l: number) =>
    a.factors.reduce(
      (sum, factor, n) => {
        for (let i = k, j = l; i < factor.length; i += a.rank, j += a.rank) sum += Math.abs(factor[i] - b.factors[n][j])
        return sum
      },
      Math.abs(a.shares[k] - b.shares[l]),
    )
  const classes = Array.from({ length: a.rank }, (_, k) => k)
  return assign(classes.map(k => classes.map(l => distance(k, l))))
}
