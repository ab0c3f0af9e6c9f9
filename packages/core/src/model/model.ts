import { OptionError, show } from '../errors.ts'
import { wholeNumber } from '../options.ts'
import { type Label, labelsOf, type Mode } from '../tensor/mode.ts'
import type { Row } from '../tensor/rows.ts'
import { checkNames } from '../tensor/values.ts'
import type { FittedItem, ItemModel, NamedParameter } from './items/item.ts'
import type { Components, Parameters } from './parameters.ts'
import {
  givenValue,
  locateRow,
  modePosition,
  type Posterior,
  type PosteriorOptions,
  posteriorOf,
  probabilityOf,
} from './posterior.ts'
import { type Sample, type SampleOptions, sampleRows } from './sample.ts'
import { SHARES } from './structures/shares.ts'
import type { Structure } from './structures/structures.ts'

/** How far a column may be from a sum of 1 before it is refused: rounding, not a mistake. */
const COLUMN_TOLERANCE = 1e-6

/**
 * A latent class model, or equivalently a sum of K rank-one tensors. Immutable; the arrays in `parameters` are shared, so do not change them.
 * @example
 * model.shares // [0.60, 0.40]
 * model.profile('vote', 0) // [0.10, 0.90]: of 'none' and 'yes', in the first class
 * model.posterior({ vote: 'none' }).probabilities // [0.16, 0.84]
 * model.posterior({ vote: 'perhaps' }).unseen // ['vote']: treated as missing
 * model.expected({ age: '30+', vote: 'yes', trust: 'high' }) // 262
 */
export class Model {
  readonly modes: readonly Mode[]
  readonly parameters: Parameters
  readonly rank: number
  /** The size of each class in counts: λ of the paper. */
  readonly sizes: readonly number[]
  /** The same as parts of the whole: λ/Σλ. */
  readonly shares: readonly number[]
  /** Σλ: equal to the total of the data at an optimum. */
  readonly total: number
  /** What the classes are called, where they have names (a supervised model's labels). */
  readonly classNames: readonly string[] | undefined
  /** What decides the classes of a row before its items are seen: the same shares for all, or a logit of its covariates. */
  readonly structure: Structure

  /** For every mode its item, if its probabilities follow from parameters of its own; undefined for categories. */
  readonly items: readonly (FittedItem | undefined)[]
  /** The marginals that were asked for. */
  readonly #marginals: number[][] = []
  readonly #itemModels: (ItemModel | undefined)[] = []

  constructor(
    modes: readonly Mode[],
    components: Components,
    classNames?: readonly string[],
    structure: Structure = SHARES,
    items: readonly (FittedItem | undefined)[] = [],
  ) {
    checkComponents(modes, components, items)
    const { rank, sizes, factors } = components
    if (classNames !== undefined && classNames.length !== rank) {
      throw new OptionError('classNames', `must name all ${rank} classes`, classNames.length)
    }
    this.modes = Object.freeze([...modes])
    this.rank = rank
    this.total = sizes.reduce((sum, size) => sum + size, 0)
    this.sizes = Object.freeze([...sizes])
    this.shares = Object.freeze(this.sizes.map(size => size / this.total))
    this.parameters = Object.freeze({
      rank,
      shares: Float64Array.from(this.shares),
      factors: Object.freeze([...factors]),
    })
    this.classNames = classNames === undefined ? undefined : Object.freeze([...classNames])
    this.structure = structure
    this.items = Object.freeze(modes.map((_, n) => items[n]))
    Object.freeze(this)
  }

  /** The expected count of a row: m of the paper. Labels that are missing are summed over. */
  expected(row: Row): number {
    return this.total * this.probability(row)
  }

  /** The probability of a row; 0 where it has a label the model has never seen. */
  probability(row: Row): number {
    const { indices, unseen, factors } = locateRow(this, row)
    if (unseen.length > 0) return 0
    const { probabilities: shares } = this.structure.prior(givenValue(row), this.parameters.shares)
    return probabilityOf({ ...this.parameters, factors, shares }, indices, 0)
  }

  /**
   * P[class | row]. What is missing is left out. So is a label that the model has never seen: look at `unseen` in the result, or use `strict`, which
   * throws. A model with covariates takes their values from the row too.
   */
  posterior(row: Row, options?: PosteriorOptions): Posterior {
    return posteriorOf(this, row, options)
  }

  /** The most probable class of a row: its name, or its number from 0 if classes have no names. */
  classify(row: Row, options?: PosteriorOptions): Label {
    const best = this.posterior(row, options).class
    return this.classNames?.[best] ?? best
  }

  /** What computes the probabilities of an item with parameters of its own; undefined for categories. */
  itemModel(mode: string | number): ItemModel | undefined {
    const n = modePosition(this.modes, mode)
    this.#itemModels[n] ??= this.items[n]?.over(labelsOf(this.modes[n]), this.rank)
    return this.#itemModels[n]
  }

  /**
   * The parameters of an item by name, such as the mean and the standard deviation of every class; empty for categories, whose parameters are their
   * probabilities.
   */
  itemParameters(mode: string | number): readonly NamedParameter[] {
    return this.itemModel(mode)?.describe(this.items[modePosition(this.modes, mode)]!.theta) ?? []
  }

  /** P[label | class] for every label of a mode, in the order of its labels. */
  profile(mode: string | number, of: number): number[] {
    const n = modePosition(this.modes, mode)
    const k = wholeNumber('class', of, 0, this.rank - 1)
    const [factor, probabilities] = [this.parameters.factors[n], [] as number[]]
    for (let at = k; at < factor.length; at += this.rank) probabilities.push(factor[at])
    return probabilities
  }

  /**
   * P[label | class] of a mode as a matrix, as NumPy has a factor: a row for each label, a column for each class.
   * @example
   * model.factor('vote').length // 2
   */
  factor(mode: string | number): number[][] {
    const { rank, factors } = this.parameters
    const factor = factors[modePosition(this.modes, mode)]
    return Array.from({ length: factor.length / rank }, (_, j) => [...factor.subarray(j * rank, (j + 1) * rank)])
  }

  /**
   * The whole model as plain arrays: the sizes λ of the classes, and the factor of every mode.
   * @example
   * const { factors } = model.toArrays()
   * factors.length === model.modes.length // true
   */
  toArrays(): { readonly weights: number[]; readonly factors: number[][][] } {
    return { weights: [...this.sizes], factors: this.modes.map((_, n) => this.factor(n)) }
  }

  /** P[label] over all classes, for every label of a mode. */
  marginal(mode: string | number): number[] {
    const n = modePosition(this.modes, mode)
    this.#marginals[n] ??= marginalOf(this.parameters, n)
    return this.#marginals[n].slice()
  }

  /** Rows drawn from the model, with the class each came from. The same seed draws the same rows. */
  sample(count: number, options: SampleOptions = {}): Sample {
    return sampleRows(this, count, options)
  }
}

const marginalOf = ({ rank, shares, factors }: Parameters, n: number): number[] => {
  const [factor, sums] = [factors[n], [] as number[]]
  for (let at = 0; at < factor.length; at += rank) {
    let sum = 0
    for (let k = 0; k < rank; k++) sum += shares[k] * factor[at + k]
    sums.push(sum)
  }
  return sums
}

const checkComponents = (
  modes: readonly Mode[],
  { rank, sizes, factors }: Components,
  items: readonly (FittedItem | undefined)[],
): void => {
  wholeNumber('rank', rank, 1)
  checkNames(modes)
  /** Programs without types may give none. */
  const count = (list: ArrayLike<unknown> | undefined) => list?.length ?? 0
  if (count(sizes) !== rank) throw new OptionError(`there must be ${rank} sizes, one per class (got ${count(sizes)})`)
  if (count(factors) !== modes.length) {
    throw new OptionError(`there must be ${modes.length} factors, one per mode (got ${count(factors)})`)
  }
  for (const size of sizes) {
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      throw new OptionError(`the size of a class must be a finite number ≥ 0 (got ${show(size)})`)
    }
  }
  if (!sizes.some(size => size > 0)) throw new OptionError('at least one class must have a size above zero')
  factors.forEach((factor, n) => {
    checkFactor(factor, modes[n], rank, items[n] === undefined)
  })
}

/** @param whole whether the labels are all values that are possible: of numbers they are some, whose intervals may overlap */
const checkFactor = (factor: Float64Array, mode: Mode, rank: number, whole: boolean): void => {
  const name = `the factor of mode ${show(mode.name)}`
  if (factor.length !== mode.size * rank) {
    throw new OptionError(`${name} must have ${mode.size} × ${rank} entries (got ${factor.length})`)
  }
  const sums = new Float64Array(rank)
  for (let i = 0; i < factor.length; i++) {
    if (!(factor[i] >= 0 && factor[i] < Number.POSITIVE_INFINITY)) {
      throw new OptionError(`${name} must hold finite numbers ≥ 0 (got ${show(factor[i])})`)
    }
    sums[i % rank] += factor[i]
  }
  sums.forEach((sum, k) => {
    if (whole && Math.abs(sum - 1) > COLUMN_TOLERANCE) {
      throw new OptionError(`column ${k + 1} of ${name} must sum to 1 (got ${sum})`)
    }
  })
}
