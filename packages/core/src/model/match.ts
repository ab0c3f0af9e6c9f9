import { assign } from '../numeric/assignment.ts'
import { alignModels, type LabelDifference } from './align.ts'
import type { Model } from './model.ts'

export interface Match {
  /** For each class of the first model, its partner in the second; −1 where the second has fewer classes. */
  readonly partner: readonly number[]
  /** For each class of the first model, how alike it and its partner are: the product over the modes of the cosine. */
  readonly similarity: readonly number[]
  /**
   * The factor match score: the mean over the larger rank of similarity times the agreement of the shares, where a
   * component's share is taken with its columns at unit length. 1 for equal models, 0 for unrelated ones, whatever the totals.
   */
  readonly score: number
  /** Labels that only one of the models has: they count as probability zero in the other. */
  readonly unshared: readonly LabelDifference[]
}

interface Column {
  readonly values: Float64Array
  readonly length: number
}

/**
 * Matches the classes of two models with the same modes, so that their total similarity is greatest. Modes and labels are matched by name.
 * @example
 * const other = await fit(answers, { rank: 2, seed: 2 })
 * matchClasses(model, other.model).partner // [0, 1]
 */
export const matchClasses = (a: Model, b: Model): Match => {
  const { models, unshared } = alignModels(a, b)
  return Object.freeze({ ...pairClasses(...models), unshared: Object.freeze(unshared) })
}

const pairClasses = (a: Model, b: Model): Omit<Match, 'unshared'> => {
  if (a.rank > b.rank) return flip(pairClasses(b, a), a.rank)
  const [left, right] = [columns(a), columns(b)]
  const likeness = left.map(x => right.map(y => cosineProduct(x, y)))
  const partner = assign(likeness.map(row => row.map(value => 1 - value)))
  const similarity = partner.map((j, i) => likeness[i][j])
  const agreement = partner.map((j, i) => shareAgreement(a.shares[i], left[i], b.shares[j], right[j]))
  const sum = similarity.reduce((total, value, i) => total + value * agreement[i], 0)
  return { partner, similarity, score: sum / Math.max(a.rank, b.rank) }
}

const flip = ({ partner, similarity, score }: Omit<Match, 'unshared'>, rank: number): Omit<Match, 'unshared'> => {
  const position = Array.from({ length: rank }, (_, k) => partner.indexOf(k))
  return { partner: position, similarity: position.map(i => (i < 0 ? 0 : similarity[i])), score }
}

const columns = (model: Model): Column[][] =>
  Array.from({ length: model.rank }, (_, k) =>
    model.modes.map((_, n) => {
      const values = Float64Array.from(model.profile(n, k))
      return { values, length: Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) }
    }),
  )

const cosineProduct = (x: readonly Column[], y: readonly Column[]): number =>
  x.reduce((product, { values, length }, n) => {
    const dot = values.reduce((sum, value, j) => sum + value * y[n].values[j], 0)
    return product * Math.min(1, dot / (length * y[n].length))
  }, 1)

/** 1 − |difference| / larger, of the shares that belong to columns of unit length. */
const shareAgreement = (a: number, x: readonly Column[], b: number, y: readonly Column[]): number => {
  if (a === 0 || b === 0) return a === b ? 1 : 0
  const logRatio = x.reduce((sum, { length }, n) => sum + Math.log(length / y[n].length), Math.log(a / b))
  return Math.exp(-Math.abs(logRatio))
}
