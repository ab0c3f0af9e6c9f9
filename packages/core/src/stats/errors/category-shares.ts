import { OptionError } from '../../errors.ts'
import { rowClusters } from './row-clusters.ts'

/** Rows that have a category, those of the same category, and cluster, together. */
export interface CategoryRows {
  /** How many categories there are, and of each group its own, from 0. */
  readonly categories: number
  readonly category: ArrayLike<number>
  /** Σ w and Σ w² over the rows of each group, and how many rows there are. */
  readonly weights: ArrayLike<number>
  readonly squares: ArrayLike<number>
  readonly counts: ArrayLike<number>
  /** Which cluster, of which stratum, each group is from; groups that weigh nothing still say which clusters there are. */
  readonly clusters?: ArrayLike<number | string>
  readonly strata?: ArrayLike<number | string>
}

export interface CategoryShares {
  readonly shares: readonly number[]
  readonly standardErrors: readonly number[]
  /** Clusters, strata and their degrees of freedom, if rows were drawn in clusters. */
  readonly design?: { readonly clusters: number; readonly strata: number; readonly degreesOfFreedom: number }
}

/**
 * The weighted shares of categories with standard errors by the design of the sample (Taylor linearization of the ratio Σ w·1[category]/Σ w).
 * @example
 * const rows = { categories: 2, category: [0, 1, 0, 1], weights: [2, 1, 1, 2], squares: [4, 1, 1, 4], counts: [1, 1, 1, 1] }
 * categoryShares(rows).shares // [0.5, 0.5]
 */
export const categoryShares = ({
  categories,
  category,
  weights,
  squares,
  counts,
  clusters,
  strata,
}: CategoryRows): CategoryShares => {
  const groups = category.length
  for (const [name, list] of Object.entries({ weights, squares, counts }))
    if (list.length !== groups) throw new OptionError(`${name} must have ${groups} numbers (got ${list.length})`)
  const sums = new Float64Array(categories)
  const squared = new Float64Array(categories)
  let [total, rows] = [0, 0]
  for (let g = 0; g < groups; g++) {
    sums[category[g]] += weights[g]
    squared[category[g]] += squares[g]
    total += weights[g]
    rows += counts[g]
  }
  const shares = Array.from(sums, sum => sum / total)
  if (clusters === undefined) {
    const all = squared.reduce((sum, each) => sum + each, 0)
    const variance = (k: number) => (squared[k] * (1 - 2 * shares[k]) + shares[k] ** 2 * all) / total ** 2
    return { shares, standardErrors: shares.map((_, k) => Math.sqrt((variance(k) * rows) / (rows - 1))) }
  }
  const drawn = rowClusters(groups, clusters, strata)
  const everything = Uint32Array.from({ length: groups }, (_, g) => g)
  const matrix = drawn.variance(everything, categories, (g, into) => {
    for (let k = 0; k < categories; k++) into[k] += (weights[g] * ((category[g] === k ? 1 : 0) - shares[k])) / total
  })
  const { clusters: number, strata: layers, degreesOfFreedom } = drawn
  return {
    shares,
    standardErrors: shares.map((_, k) => Math.sqrt(matrix[k * (categories + 1)])),
    design: { clusters: number, strata: layers, degreesOfFreedom },
  }
}
