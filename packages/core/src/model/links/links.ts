import type { Emission } from './emission.ts'

/** Which rows belong together, the waves of a person or the members of a group: plain data, for threads. */
export interface LinkedRows {
  /** How much each unit counts. */
  readonly weights: Float64Array
  /** The squares of the weights of the sample that is in each unit, if units were merged; else those of its weight. */
  readonly squares?: Float64Array
  /** Where the rows of each unit begin, and where those of the last one end. */
  readonly starts: Int32Array
  /** The cell of every row; MISSING if it has no answers. */
  readonly cells: Int32Array
  /** How often a member with this row is in the group; absent if once each. */
  readonly counts?: Float64Array
}

/**
 * Covariates of units or rows: which combination each has, and the terms of the combinations. The distributions of a combination follow from its terms by a
 * multinomial logit.
 */
export interface LinkDesign {
  /** The combination of every unit, or of every row; of the members of groups, that of the first group class. */
  readonly of: Int32Array
  readonly patterns: number
  /** How many terms a combination has, intercepts included. */
  readonly width: number
  /** The terms of one combination side by side. */
  readonly values: Float64Array
}

/** Distributions by a multinomial logit, one for each combination of covariates. */
export interface LinkLogit {
  /** Where the first one is in the tables, and how far the next one. */
  readonly first: number
  readonly stride: number
  /** How many entries each has. */
  readonly length: number
  readonly design: LinkDesign
}

/** Waves of persons: a class for every wave, each of which depends on the one before. */
export interface ChainSetting {
  readonly kind: 'chain'
  readonly waves: number
  /** Whether all steps have the same transitions. */
  readonly same: boolean
  /** Whether some persons never change: a latent part of them, with class sizes of its own. */
  readonly stayers?: boolean
  /** What explains the class of a person at the first wave. */
  readonly starting?: LinkDesign
  /** What explains the transition to a row; every combination is one of a step, unless all steps are the same. */
  readonly moving?: LinkDesign
  readonly rows: LinkedRows
}

/** Members of groups: groups have classes too, and each group class has class sizes of its own. */
export interface NestedSetting {
  readonly kind: 'nested'
  readonly groupClasses: number
  /** What explains the class of a group. */
  readonly grouping?: LinkDesign
  /** What explains the class of a member: each combination is one of a group class, and those of the same values are side by side. */
  readonly mixing?: LinkDesign
  readonly rows: LinkedRows
}

/** What links the rows of a table: plain data, for threads. */
export type LinkSetting = ChainSetting | NestedSetting

/** What the E-step adds up. */
export interface LinkSums {
  /** For every cell and class, how much of the data it is: Σ posteriors. */
  readonly cells: Float64Array
  /** The expected counts of the tables. */
  readonly tables: Float64Array
  /** The posteriors of every row, if they are wanted. */
  readonly rows?: Float64Array
  /** The posteriors of every group's class, or whether a person never changes (one number a unit), if they are wanted. */
  readonly groups?: Float64Array
  /** The log-likelihood of every unit, if it is wanted. */
  readonly units?: Float64Array
}

/**
 * A hidden structure above the rows. Its tables are distributions, one after the other; without links every row would be a unit of its own, and the only
 * distribution the class sizes.
 */
export interface Links {
  readonly rank: number
  /** How many entries each distribution has, in the order of the tables. */
  readonly distributions: readonly number[]
  /** How many entries the tables have. */
  readonly size: number
  /** The distributions that covariates explain. */
  readonly logits: readonly LinkLogit[]
  /**
   * The E-step: from P[row | class] of every cell to the posteriors of rows and the expected counts of the tables, which are added to `into`. The kernels of
   * `engine/linked/` are compared with it.
   * @returns the log-likelihood
   */
  expect(emission: Emission, tables: Float64Array, into: LinkSums): number
  /** The mean class sizes over all rows. */
  shares(tables: Float64Array, into: Float64Array): void
  /** The tables without covariates: those of the mean unit and row. */
  means(tables: Float64Array): Float64Array
  /** The tables of a model whose group classes are in descending size. */
  sorted?(tables: Float64Array): Float64Array
  /** Tables near to given class sizes. @param uniform for random ones */
  start(shares: Float64Array, uniform?: () => number): Float64Array
  /** The tables of a model whose classes are in another order: class `order[k]` becomes class k. */
  reorder(tables: Float64Array, order: readonly number[]): Float64Array
}

/** Numbers between −1 and 1 without a pattern: multiples of the golden ratio, less their whole part. */
export const spreadNumber = (i: number): number => 2 * ((0.6180339887498949 * (i + 1)) % 1) - 1

/** Brings a part of an array to a sum of 1. */
export const normalizePart = (values: Float64Array, from: number, length: number): void => {
  let sum = 0
  for (let i = from; i < from + length; i++) sum += values[i]
  for (let i = from; i < from + length; i++) values[i] /= sum
}

/** Where the distributions without covariates begin, and how long they are. */
export const freeDistributions = ({ distributions, logits }: Pick<Links, 'distributions' | 'logits'>) => {
  const explained = new Set(
    logits.flatMap(({ first, stride, design }) =>
      Array.from({ length: design.patterns }, (_, z) => first + z * stride),
    ),
  )
  let next = 0
  const all = distributions.map(length => {
    next += length
    return { first: next - length, length }
  })
  return all.filter(({ first }) => !explained.has(first))
}

/** Adds a multiple of a part of an array to a part of another. */
export const addPart = (
  into: Float64Array,
  at: number,
  from: Float64Array,
  first: number,
  length: number,
  factor: number,
): void => {
  for (let i = 0; i < length; i++) into[at + i] += factor * from[first + i]
}
