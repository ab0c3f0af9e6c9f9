import { DataError, OptionError, show } from '../../errors.ts'
import { type AddScore, clusterVariance, type InClusters, inClusters } from './survey-design.ts'

/** The clusters and strata that rows were drawn in. */
export interface RowClusters {
  readonly clusters: number
  readonly strata: number
  /** Clusters less strata: of Student's t. */
  readonly degreesOfFreedom: number
  /** The variance of a sum over some of the rows. Clusters without any of them count all the same. */
  variance(rows: ArrayLike<number>, count: number, addScore: AddScore): Float64Array
}

/** Finds how many clusters were drawn from every stratum, whatever the rows count. A cluster is one within its stratum. */
export const rowClusters = (
  rows: number,
  clusters: ArrayLike<number | string>,
  strata: ArrayLike<number | string> | undefined,
): RowClusters => {
  for (const [name, list] of Object.entries({ clusters, strata }))
    if (list !== undefined && list.length !== rows)
      throw new OptionError(`${name} must have ${rows} entries, one per row (got ${list.length})`)
  const known = new Map<number | string, Set<number | string>>()
  const stratum = (i: number) => (strata === undefined ? '' : strata[i])
  for (let i = 0; i < rows; i++) known.set(stratum(i), (known.get(stratum(i)) ?? new Set()).add(clusters[i]))
  for (const [h, { size }] of known)
    if (size === 1)
      throw new DataError(
        strata === undefined
          ? 'all rows are from one cluster: its variance cannot be estimated'
          : `stratum ${show(h)} has one cluster: its variance cannot be estimated; join it with another`,
      )
  // Numbered in an order of their own: sums are then the same to the last bit in whatever order rows come.
  let count = 0
  const places = new Map(
    inOrder(known.keys()).map((h, place) => {
      const own = inOrder(known.get(h)!)
      return [h, { place, drawn: own.length, numbers: new Map(own.map(cluster => [cluster, count++])) }]
    }),
  )
  const drawn = [...places.values()].map(each => each.drawn)
  const stratumOf = Int32Array.from({ length: rows }, (_, i) => places.get(stratum(i))!.place)
  const clusterOf = Int32Array.from({ length: rows }, (_, i) => places.get(stratum(i))!.numbers.get(clusters[i])!)
  return {
    clusters: count,
    strata: known.size,
    degreesOfFreedom: count - known.size,
    variance: (some, size, addScore) => {
      const own = Int32Array.from(some, i => clusterOf[i])
      const within = Int32Array.from(some, i => stratumOf[i])
      const sorted: InClusters = {
        clusterOf: own,
        stratumOf: within,
        drawnFrom: h => drawn[h],
        order: inClusters(own, within, count),
      }
      return clusterVariance(sorted, size, addScore)
    },
  }
}

const inOrder = (names: Iterable<number | string>): (number | string)[] =>
  [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
