import { OptionError } from '../errors.ts'
import { assign } from '../numeric/assignment.ts'
import type { Model } from './model.ts'

export interface Match {
  /** For each class of the first model, its partner in the second; −1 where the second has fewer classes. */
  readonly partner: readonly number[]
  /** For each class of the first model, how alike it and its partner are: the product over the modes of the cosine. */
  readonly similarity: readonly number[]
  /**
   * The factor match score: the mean over the larger rank of similarity times the agreement of the weights, where a
   * component's weight is taken with its columns at unit length. 1 for equal models, 0 for unrelated ones.
   */
  readonly score: number
}

interface Column {
  readonly values: Float64Array
  readonly length: number
}

/**
 * Pairs the classes of two models of the same modes so that the total similarity is greatest.
 * @example
 * const other = await fit(answers, { rank: 2, seed: 2 })
 * matchClasses(model, other.model).partner // [0, 1]
 */
export const matchClasses = (a: Model, b: Model): Match => {
  const shape = (model: Model) => model.modes.map(mode => mode.size).join('×')
  if (shape(a) !== shape(b)) throw new OptionError(`the models must be of one shape (got ${shape(a)} and ${shape(b)})`)
  if (a.rank > b.rank) return flip(matchClasses(b, a), a.rank)
  const [left, right] = [columns(a), columns(b)]
  const likeness = left.map(x => right.map(y => cosineProduct(x, y)))
  const partner = assign(likeness.map(row => row.map(value => 1 - value)))
  const similarity = partner.map((j, i) => likeness[i][j])
  const agreement = partner.map((j, i) => weightAgreement(a.weights[i], left[i], b.weights[j], right[j]))
  const sum = similarity.reduce((total, value, i) => total + value * agreement[i], 0)
  return Object.freeze({ partner, similarity, score: sum / Math.max(a.rank, b.rank) })
}

const flip = ({ partner, similarity, score }: Match, rank: number): Match => {
  const position = Array.from({ length: rank }, (_, k) => partner.indexOf(k))
  return Object.freeze({ partner: position, similarity: position.map(i => (i < 0 ? 0 : similarity[i])), score })
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

/** 1 − |difference| / larger, of the weights that belong to columns of unit length. */
const weightAgreement = (a: number, x: readonly Column[], b: number, y: readonly Column[]): number => {
  if (a === 0 || b === 0) return a === b ? 1 : 0
  const logRatio = x.reduce((sum, { length }, n) => sum + Math.log(length / y[n].length), Math.log(a / b))
  return Math.exp(-Math.abs(logRatio))
}
