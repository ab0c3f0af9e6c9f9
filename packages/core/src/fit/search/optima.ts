import type { Parameters } from '../../model/parameters.ts'
import { assign } from '../../numeric/assignment.ts'
import type { Run } from '../descent/run.ts'
import { sizeOf } from '../descent/stopping.ts'

/** A local optimum that the search came to, once or more often. */
export interface Optimum {
  readonly loss: number
  /** How many independent attempts ended here. */
  readonly reached: number
  /** The class shares, in descending order. */
  readonly shares: readonly number[]
}

/** Two ends are one optimum where their losses agree to this, relative to their size, … */
export const SAME_LOSS = 1e-7
/** … and no class's distribution in any mode differs by more than this in total variation, weighted by its share. */
export const SAME_PARAMETERS = 0.01

/** An optimum under way, with a run that ended there. */
export interface Cluster {
  /** The lowest of the runs that ended there. */
  run: Run
  reached: number
}

export const sameLoss = (a: number, b: number, unit: number): boolean =>
  Math.abs(a - b) <= SAME_LOSS * Math.max(sizeOf(a, unit), sizeOf(b, unit))

/** Whether two models are one up to the order of their classes. */
export const sameModel = (a: Parameters, b: Parameters): boolean => {
  const distance = Array.from({ length: a.rank }, (_, k) =>
    Array.from({ length: b.rank }, (_, l) => classDistance(a, k, b, l)),
  )
  return assign(distance).every((l, k) => distance[k][l] <= SAME_PARAMETERS)
}

const classDistance = (a: Parameters, k: number, b: Parameters, l: number): number => {
  const [totalA, totalB] = [a, b].map(({ weights }) => weights.reduce((sum, weight) => sum + weight, 0))
  const [x, y] = [a.weights[k] / totalA, b.weights[l] / totalB]
  let worst = Math.abs(x - y)
  a.factors.forEach((factor, n) => {
    const other = b.factors[n]
    let variation = 0
    for (let i = k, j = l; i < factor.length; i += a.rank, j += b.rank) variation += Math.abs(factor[i] - other[j])
    worst = Math.max(worst, ((variation / 2) * (x + y)) / 2)
  })
  return worst
}

/** Puts an attempt's end with the optimum it belongs to, or as a new one. */
export const addTo = (clusters: Cluster[], run: Run, unit: number): Cluster => {
  const known = clusters.find(
    each => sameLoss(each.run.objective, run.objective, unit) && sameModel(each.run.parameters, run.parameters),
  )
  if (known !== undefined) {
    known.reached++
    if (run.objective < known.run.objective) known.run = run
    return known
  }
  const cluster = { run, reached: 1 }
  clusters.push(cluster)
  return cluster
}

/** The optima as the result tells of them, best first. */
export const describeOptima = (clusters: readonly Cluster[]): Optimum[] =>
  [...clusters]
    .sort((a, b) => a.run.objective - b.run.objective)
    .map(({ run, reached }) => {
      const total = run.parameters.weights.reduce((sum, weight) => sum + weight, 0)
      const shares = Array.from(run.parameters.weights, weight => weight / total).sort((a, b) => b - a)
      return Object.freeze({ loss: run.loss, reached, shares: Object.freeze(shares) })
    })

/**
 * The chance that one more attempt ends at an optimum never seen (Good–Turing): the share of the attempts so far whose
 * optimum was reached by no other. A better optimum, if there is one, is among the unseen.
 */
export const unseenChance = (clusters: readonly Cluster[]): number => {
  const attempts = clusters.reduce((sum, { reached }) => sum + reached, 0)
  const singles = clusters.filter(({ reached }) => reached === 1).length
  return attempts === 0 ? 1 : singles / attempts
}
