import { defined } from '../../defined.ts'
import type { ModelParameters, Parameters } from '../../model/parameters.ts'
import { assign } from '../../numeric/assignment.ts'
import { log } from '../../numeric/log.ts'
import type { Random } from '../../numeric/philox.ts'
import { freeCoefficients } from '../covariates/coefficients.ts'

/** How often a child has a class of neither parent. */
const NEWBORN = 0.5
/** How much of the independence model is mixed into a child's classes: they must be free to become others. */
const SOFTENED = 0.15

/**
 * A child of two models: their classes are paired by likeness, and of each pair the child takes one. Every other child has a
 * class that was drawn at random in place of one of them. It needs no look at the cells.
 * @param marginals the distribution of every mode's labels
 */
export const offspring = (
  one: ModelParameters,
  other: ModelParameters,
  marginals: readonly Float64Array[],
  { uniform, below }: Random,
): ModelParameters => {
  const { rank } = one
  const partner = assign(unlikeness(one, other))
  const second = partner.map(() => uniform() < 0.5)
  const newborn = uniform() < NEWBORN ? below(rank) : -1
  const shares = one.shares.map((share, k) => (k === newborn ? 1 / rank : second[k] ? other.shares[partner[k]] : share))
  const sum = shares.reduce((total, share) => total + share, 0)
  const factors = one.factors.map((factor, n) => {
    const drawn = newborn < 0 ? marginals[n] : randomColumn(marginals[n], uniform)
    return factor.map((value, i) => {
      const k = i % rank
      const j = (i - k) / rank
      const taken = k === newborn ? drawn[j] : second[k] ? other.factors[n][j * rank + partner[k]] : value
      return (1 - SOFTENED) * taken + SOFTENED * marginals[n][j]
    })
  })
  // What explains the membership of a class comes with it.
  const coefficients = one.coefficients?.map((value, i) => {
    const k = i % rank
    return (1 - SOFTENED) * (second[k] ? other.coefficients![i - k + partner[k]] : value)
  })
  if (coefficients !== undefined) freeCoefficients(coefficients, rank, newborn, uniform)
  return {
    rank,
    shares: shares.map(share => share / sum),
    factors,
    ...defined({ coefficients }),
  }
}

/** For each class of one model and each of the other, how far apart they are: 1 − Σ √(pq), over all modes. */
const unlikeness = (one: Parameters, other: Parameters): number[][] => {
  const { rank } = one
  const result = Array.from({ length: rank }, () => new Array<number>(rank).fill(one.factors.length))
  one.factors.forEach((factor, n) => {
    const [roots, others] = [factor.map(Math.sqrt), other.factors[n].map(Math.sqrt)]
    for (let row = 0; row < factor.length; row += rank) {
      for (let k = 0; k < rank; k++) for (let l = 0; l < rank; l++) result[k][l] -= roots[row + k] * others[row + l]
    }
  })
  return result
}

/** A distribution around another: every entry times the square of an exponential variate. */
const randomColumn = (around: Float64Array, uniform: () => number): Float64Array => {
  const column = around.map(p => {
    const variate = log(uniform())
    return p * variate * variate
  })
  const sum = column.reduce((total, p) => total + p, 0)
  return sum > 0 ? column.map(p => p / sum) : around
}
