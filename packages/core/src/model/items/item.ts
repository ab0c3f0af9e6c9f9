import { type Check, is } from '../../options.ts'
import type { Label } from '../../tensor/mode.ts'

/** A variable as categories: every class has a probability of its own for each of them. */
export interface CategoricalSpec {
  readonly kind: 'categorical'
}

/** A variable whose categories are a scale: log P[j | k] is a_j + b_k·score_j, less what makes the sum 1 (adjacent-category logit). */
export interface OrdinalSpec {
  readonly kind: 'ordinal'
  /** One for each label, in their order. */
  readonly scores: readonly number[]
}

/** A number that is measured to a step: a value stands for the interval of this width around it, and has its probability. */
export interface NormalSpec {
  readonly kind: 'normal'
  readonly step: number
  /** Whether every class has a standard deviation of its own. */
  readonly variances: 'free' | 'equal'
  /** A prior on every variance, as so many more observations whose variance is that of all values together. None if it is absent. */
  readonly prior?: number
}

/**
 * Several numbers that may be correlated within a class. A label has a value of each, or lacks some; it stands for the box of these values' intervals,
 * and has its probability.
 */
export interface MultivariateNormalSpec {
  readonly kind: 'multivariate-normal'
  /** In the order of their values in labels. */
  readonly variables: readonly { readonly name: string; readonly step: number }[]
  /** Whether every class has standard deviations and correlations of its own. */
  readonly variances: 'free' | 'equal'
}

/** A count: 0, 1, 2, … */
export interface CountSpec {
  readonly kind: 'count'
  readonly distribution: 'poisson' | 'negative-binomial'
}

/** What a variable is taken for: plain data, as options, files and messages between threads have it. */
export type ItemSpec = CategoricalSpec | OrdinalSpec | NormalSpec | MultivariateNormalSpec | CountSpec

/** The kinds whose probabilities follow from parameters of their own. */
export type ParametricSpec = Exclude<ItemSpec, CategoricalSpec>

/**
 * Whether an item is a number, or several, of which there is no table of categories.
 * @example
 * isNumber({ kind: 'count' }) // true
 */
export const isNumber = ({ kind }: Pick<ItemSpec, 'kind'>): boolean =>
  kind === 'normal' || kind === 'multivariate-normal' || kind === 'count'

/** An item of a fit, for one mode of the data: plain data, for threads. */
export interface ItemSetting {
  readonly spec: ParametricSpec
  /** The labels of the mode. */
  readonly labels: readonly Label[]
}

/** A fitted item with its parameters θ, as plain data for files. The factor of the mode is its table of probabilities. */
export interface FittedItem {
  readonly spec: ParametricSpec
  readonly theta: Float64Array
  /** What computes the probabilities of labels. */
  over(labels: readonly Label[], rank: number): ItemModel
}

/** A parameter with its name. */
export interface NamedParameter {
  /** 'mean', 'sd', 'correlation', 'rate', 'dispersion', 'slope', 'threshold 2'. */
  readonly name: string
  /** Of an item of several variables, those that it is of: two for a correlation. */
  readonly of?: readonly string[]
  /** Counted from 0; undefined if all classes share it. */
  readonly class: number | undefined
  /** Its position in θ; undefined if it is not free, such as the slope of the first class, or if it follows from several. */
  readonly at: number | undefined
  readonly value: number
  /** If it follows from several entries of θ: their positions, and its derivatives by them. */
  readonly by?: { readonly rows: readonly number[]; readonly slopes: readonly number[] }
}

/** A prior on θ: what it adds to the loss, and to the slope of the log-likelihood. */
export interface ItemPrior {
  penalty(theta: Float64Array): number
  addSlope(theta: Float64Array, into: Float64Array): void
}

/** What the column of a class says of the parameters. */
export interface ItemScores {
  /** The positions in θ that it depends on. */
  readonly rows: readonly number[]
  /** For each label, the derivatives of the logarithm of its probability by them, in the order of `rows`. */
  readonly scores: Float64Array
}

/**
 * The model of one variable whose table P[label | class] follows from parameters of its own, θ. An engine multiplies the table like any other; what it
 * gathers for the table, the expected count of every label in every class, is all that is needed to choose θ.
 * Tables are J × K, with the classes of one label side by side.
 */
export interface ItemModel {
  readonly kind: ParametricSpec['kind']
  /** The classes. */
  readonly rank: number
  /** The length of θ: all parameters, of all classes, are free. */
  readonly size: number
  /** Which entries of θ are above zero, and move by their logarithms. */
  readonly positive: readonly boolean[]
  /** Computes the table. A column sums to 1 over all values that are possible, of which the data may have some only. */
  table(theta: Float64Array, into: Float64Array): void
  /** P[value | class] of a value that need not be among the labels; false if it is not possible, such as text. */
  probability(value: Label, theta: Float64Array, into: Float64Array): boolean
  /** Σ expected[j, k] · ∂ log table[j, k] / ∂ θ. */
  slope(theta: Float64Array, expected: Float64Array, into: Float64Array): void
  /** The information of so many draws from the table's columns about θ, size × size: positive definite, if need be nearly. */
  information(theta: Float64Array, expected: Float64Array, into: Float64Array): void
  /**
   * Chooses θ by expected counts: an EM step from `theta`, which is as good as the best or lies in between.
   * @param slope as `slope` gives it at `theta`, with that of the prior
   */
  maximize(theta: Float64Array, expected: Float64Array, slope: Float64Array, into: Float64Array): void
  /**
   * How far θ is from its next EM step, in standard errors of one observation, if that is known better than from the slope: at a limit of what
   * is possible the slope need not be zero.
   */
  residual?(theta: Float64Array, expected: Float64Array): number
  /** The prior of a fit, if there is one. @param marginal how often each label was seen */
  prior?(marginal: Float64Array): ItemPrior | undefined
  /** ∂ log table / ∂ θ, by class. */
  scores(theta: Float64Array): readonly ItemScores[]
  /** The θ of the table that is nearest to another one, times its classes' shares: what of a start or a merged table can be kept. */
  project(expected: Float64Array): Float64Array
  /** The same with the classes in another order: class `order[k]` becomes class k. */
  reorder(theta: Float64Array, order: readonly number[]): Float64Array
  /** A random θ around what the data has. @param marginal how often each label was seen */
  random(marginal: Float64Array, uniform: () => number): Float64Array
  /** A value drawn from a class; of an ordinal item the position of the category. */
  draw(theta: Float64Array, of: number, uniform: () => number): Label
  /** The parameters by name, in the order in which they are printed. */
  describe(theta: Float64Array): readonly NamedParameter[]
  /** The mean and the standard deviation in a class: of the value, or of the score. @param variable of an item of several, its position */
  moments(theta: Float64Array, of: number, variable?: number): { readonly mean: number; readonly sd: number }
  /** The unit of an entry of θ in which an observation says about 1 of it. */
  unit(theta: Float64Array, at: number): number
}

/** What an option of items must be. */
export const ITEMS: Check = is.thing('an object of items by the names of modes', value => typeof value === 'object')
