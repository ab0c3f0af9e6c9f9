import { OptionError, show } from '../../errors.ts'
import { exp } from '../../numeric/exp.ts'
import { type Label, labelOf } from '../../tensor/mode.ts'
import type { GivenColumn, HiddenStructure, RowPrior, Split, SplitPart } from './structure.ts'

/** A factor of a term: the value of a covariate, or whether it has a label. */
export interface TermFactor {
  readonly covariate: string
  readonly label?: Label
}

/** A term of the linear predictor: a product; the intercept is the empty one. */
export interface Term {
  readonly name: string
  readonly factors: readonly TermFactor[]
}

/** What a logit of membership consists of. */
export interface LogitTerms {
  /** The reference class, counted from 1. */
  readonly reference: number
  readonly terms: readonly Term[]
  /** For every class its coefficients, one per term, of the values as they are; those of the reference class are zero. */
  readonly coefficients: readonly (readonly number[])[]
  readonly given: readonly GivenColumn[]
  /** The variables whose probabilities depend on given columns too. */
  readonly splits?: readonly Split[] | undefined
  /** The modes of the model that these variables have become. */
  readonly parts?: readonly SplitPart[] | undefined
}

/**
 * The classes of a row are as probable as its covariates say: a multinomial logit. The class sizes of the model are means over the rows it was fitted to.
 * @example
 * const terms = [{ name: 'intercept', factors: [] }, { name: 'income', factors: [{ covariate: 'income' }] }]
 * const given = [{ name: 'income', labels: [1, 2, 3], numeric: true }]
 * const structure = new LogitStructure({ reference: 1, terms, coefficients: [[0, 0], [-2, 1]], given })
 * structure.prior(name => (name === 'income' ? 2 : undefined), model.parameters.shares).probabilities[1] // 0.50
 */
export class LogitStructure implements HiddenStructure, LogitTerms {
  readonly kind = 'logit'
  readonly reference: number
  readonly terms: readonly Term[]
  readonly coefficients: readonly (readonly number[])[]
  readonly given: readonly GivenColumn[]
  declare readonly splits?: readonly Split[]
  declare readonly parts?: readonly SplitPart[]

  constructor({ reference, terms, coefficients, given, splits = [], parts = [] }: LogitTerms) {
    this.reference = reference
    this.terms = terms
    this.coefficients = coefficients
    this.given = given
    if (parts.length > 0) Object.assign(this, { splits, parts })
    for (const row of coefficients)
      if (row.length !== terms.length)
        throw new OptionError(`every class must have ${terms.length} coefficients, one per term (got ${row.length})`)
    for (const { covariate } of terms.flatMap(({ factors }) => factors))
      if (given.every(({ name }) => name !== covariate))
        throw new OptionError(`a term has ${show(covariate)}, which is not among the given columns`)
    for (const { column } of parts.flatMap(({ where }) => where))
      if (given.every(({ name }) => name !== column))
        throw new OptionError(`a variable depends on ${show(column)}, which is not among the given columns`)
    Object.freeze(this)
  }

  /** The linear predictor of every class. @param value of a factor: NaN if its covariate has no usable value */
  predictors(value: (factor: TermFactor) => number): number[] {
    return this.coefficients.map(row =>
      row.reduce(
        (sum, estimate, p) =>
          sum + this.terms[p].factors.reduce((product, factor) => product * value(factor), estimate),
        0,
      ),
    )
  }

  prior(value: (column: string) => unknown, sizes: Float64Array): RowPrior {
    checkClasses(this, sizes.length)
    const lacking = new Set<string>()
    const columns = new Map(this.given.map(column => [column.name, { column, label: labelOf(value(column.name)) }]))
    const predictors = this.predictors(factor => {
      const { column, label } = columns.get(factor.covariate)!
      const found = factorOf(factor, column, label)
      if (Number.isNaN(found)) lacking.add(factor.covariate)
      return found
    })
    const probabilities = membership(
      predictors.map(each => [each]),
      0,
      sizes,
      new Float64Array(sizes.length),
    )
    return { probabilities, lacking: [...lacking] }
  }
}

/** Checks that a logit is one of so many classes. */
export const checkClasses = ({ coefficients }: LogitTerms, rank: number): void => {
  if (coefficients.length !== rank)
    throw new OptionError('structure', `must have coefficients for all ${rank} classes`, coefficients.length)
}

/** The value of a factor; NaN if the covariate has none that the model knows. */
const factorOf = (factor: TermFactor, { labels }: GivenColumn, own: Label | undefined): number => {
  if (own === undefined) return Number.NaN
  if (factor.label === undefined) {
    const number = typeof own === 'string' && own.trim() === '' ? Number.NaN : Number(own)
    return Number.isFinite(number) ? number : Number.NaN
  }
  return labels.some(each => String(each) === String(own)) ? Number(String(factor.label) === String(own)) : Number.NaN
}

/**
 * How probable a row's classes are by its linear predictors, by class and row; the class sizes if one is not a number, because
 * a covariate is missing.
 * @example
 * const prior = new Float64Array(2)
 * membership([[0, NaN], [0, NaN]], 0, Float64Array.of(0.6, 0.4), prior)[0] // 0.5
 * membership([[0, NaN], [0, NaN]], 1, Float64Array.of(0.6, 0.4), prior)[0] // 0.6
 */
export const membership = (
  predictors: readonly ArrayLike<number>[],
  row: number,
  sizes: Float64Array,
  into: Float64Array,
): Float64Array => {
  const most = predictors.reduce((largest, column) => Math.max(largest, column[row]), Number.NEGATIVE_INFINITY)
  if (!Number.isFinite(most)) {
    into.set(sizes)
    return into
  }
  let sum = 0
  for (let k = 0; k < into.length; k++) {
    into[k] = exp(predictors[k][row] - most)
    sum += into[k]
  }
  for (let k = 0; k < into.length; k++) into[k] /= sum
  return into
}
