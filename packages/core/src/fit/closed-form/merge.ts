import type { Parameters } from '../../model/parameters.ts'
import { atOnce, type Interruptible } from '../../numeric/interruptible.ts'
import { log } from '../../numeric/log.ts'

/**
 * Moves between models that do not need the data. The best single component in place of two is the principal
 * component of their sum (Theorem 2): weights add, factors average by weight, and what that costs in divergence is at
 * most Σ λp·log(p/q) over both classes and all modes, with q the average. So a model can be made too wide, by starting
 * wide or by taking the classes of two models together, and be merged down to the classes that matter.
 */

/** Σ p·log p of every class in every mode. */
const negentropies = ({ rank, factors }: Parameters): Float64Array => {
  const sums = new Float64Array(rank)
  for (const factor of factors) {
    for (let i = 0; i < factor.length; i++) if (factor[i] > 0) sums[i % rank] += factor[i] * log(factor[i])
  }
  return sums
}

/** The bound on what merging two classes costs, in nats per observation. */
export const mergeCost = (parameters: Parameters, a: number, b: number, own = negentropies(parameters)): number => {
  const { rank, shares, factors } = parameters
  const [la, lb] = [shares[a], shares[b]]
  const sum = la + lb
  if (la === 0 || lb === 0) return 0
  let merged = 0
  for (const factor of factors) {
    for (let row = 0; row < factor.length; row += rank) {
      const q = (la * factor[row + a] + lb * factor[row + b]) / sum
      if (q > 0) merged += q * log(q)
    }
  }
  return la * own[a] + lb * own[b] - sum * merged
}

/** Merges the pairs that cost least, one after the other, until `rank` classes are left. */
export const mergeDown = (parameters: Parameters, rank: number): Parameters => atOnce(mergeSteps(parameters, rank))

/** About how many nanoseconds it takes to compare two classes, for each label. */
const COMPARE = 10

/** The same in steps. */
export function* mergeSteps(parameters: Parameters, rank: number): Interruptible<Parameters> {
  const { factors } = parameters
  const labels = factors.reduce((sum, factor) => sum + factor.length / parameters.rank, 0)
  const from = parameters.rank
  // Works on a copy in which a merged class takes the place of its first and the second is struck off.
  const copy: Parameters = {
    rank: from,
    shares: parameters.shares.slice(),
    factors: factors.map(factor => factor.slice()),
  }
  const alive = Array.from({ length: from }, (_, k) => k)
  const own = negentropies(copy)
  const nearest = from > SHORTLIST.above ? nearestClasses(copy) : undefined
  /** For each class, what merging others into it would cost: all of the later ones, or the nearest. */
  const costs = alive.map(() => new Map<number, number>())
  const know = (a: number, others: readonly number[]) => {
    for (const k of nearest?.of(a, others) ?? others) {
      const [low, high] = k < a ? [k, a] : [a, k]
      if (k !== a) costs[low].set(high, mergeCost(copy, low, high, own))
    }
  }
  for (const a of alive) {
    know(a, nearest === undefined ? alive.slice(a + 1) : alive)
    yield COMPARE * labels * alive.length
  }
  while (alive.length > rank) {
    const [a, b] = cheapestPair(alive, costs)
    mergeInto(copy, a, b)
    alive.splice(alive.indexOf(b), 1)
    own.set([negentropyOf(copy, a)], a)
    for (const low of alive) {
      costs[low].delete(b)
      costs[low].delete(a)
    }
    costs[a].clear()
    nearest?.renew(a)
    know(a, alive)
    yield COMPARE * labels * alive.length
  }
  return pick(copy, alive)
}

/**
 * The largest classes, and in place of the last of them all others in one: what a model of too many classes is worth if there is no time to
 * choose what to merge.
 */
export const mergeSmallest = (parameters: Parameters, rank: number): Parameters => {
  const { shares, factors } = parameters
  const order = Array.from(shares, (_, k) => k).sort((a, b) => shares[b] - shares[a] || a - b)
  const copy = { rank: parameters.rank, shares: shares.slice(), factors: factors.map(factor => factor.slice()) }
  for (const other of order.slice(rank)) mergeInto(copy, order[rank - 1], other)
  return pick(copy, order.slice(0, rank))
}

/** Of more classes than this, the exact cost is computed only for the nearest of each: for all pairs it would take minutes. */
const SHORTLIST = { above: 64, nearest: 8 }

/**
 * Which classes are cheap to merge with one, nearly: by the distance of the square roots of their columns, which for classes that
 * are alike is what the cost is to first order, and takes no logarithms.
 */
const nearestClasses = ({ rank, shares, factors }: Parameters) => {
  const rows = factors.reduce((sum, factor) => sum + factor.length / rank, 0)
  const rootsOf = (k: number): Float64Array => {
    const roots = new Float64Array(rows)
    let at = 0
    for (const factor of factors) for (let i = k; i < factor.length; i += rank) roots[at++] = Math.sqrt(factor[i])
    return roots
  }
  const roots = Array.from({ length: rank }, (_, k) => rootsOf(k))
  return {
    of: (a: number, alive: readonly number[]): number[] => {
      const distance = (k: number): number => {
        let alike = 0
        for (let i = 0; i < rows; i++) alike += roots[a][i] * roots[k][i]
        return ((shares[a] * shares[k]) / (shares[a] + shares[k] || 1)) * (factors.length - alike)
      }
      const known = alive.filter(k => k !== a).map(k => ({ k, distance: distance(k) }))
      known.sort((x, y) => x.distance - y.distance || x.k - y.k)
      return known.slice(0, SHORTLIST.nearest).map(({ k }) => k)
    },
    renew: (a: number): void => {
      roots[a] = rootsOf(a)
    },
  }
}

const cheapestPair = (alive: readonly number[], costs: readonly ReadonlyMap<number, number>[]): [number, number] => {
  let best: [number, number] = [alive[0], alive[1]]
  let least = Number.POSITIVE_INFINITY
  for (const a of alive) {
    // Of pairs that cost the same the first is taken, whatever order they became known in.
    for (const [b, cost] of costs[a])
      if (cost < least || (cost === least && a === best[0] && b < best[1])) [best, least] = [[a, b], cost]
  }
  return best
}

const mergeInto = ({ rank, shares, factors }: Parameters, a: number, b: number): void => {
  const sum = shares[a] + shares[b]
  const [left, right] = sum > 0 ? [shares[a] / sum, shares[b] / sum] : [0.5, 0.5]
  shares[a] = sum
  for (const factor of factors) {
    for (let row = 0; row < factor.length; row += rank)
      factor[row + a] = left * factor[row + a] + right * factor[row + b]
  }
}

const negentropyOf = ({ rank, factors }: Parameters, k: number): number => {
  let sum = 0
  for (const factor of factors) {
    for (let i = k; i < factor.length; i += rank) if (factor[i] > 0) sum += factor[i] * log(factor[i])
  }
  return sum
}

/** Some of a model's classes, with the shares they have. */
export const pick = ({ rank, shares, factors }: Parameters, classes: readonly number[]): Parameters => ({
  rank: classes.length,
  shares: Float64Array.from(classes, k => shares[k]),
  factors: factors.map(factor => {
    const labels = factor.length / rank
    const result = new Float64Array(labels * classes.length)
    for (let j = 0; j < labels; j++) {
      classes.forEach((k, i) => {
        result[j * classes.length + i] = factor[j * rank + k]
      })
    }
    return result
  }),
})

/** The classes of two models together, each class half as large. */
export const union = (a: Parameters, b: Parameters): Parameters => {
  const rank = a.rank + b.rank
  return {
    rank,
    shares: Float64Array.from([...a.shares, ...b.shares], share => share / 2),
    factors: a.factors.map((factor, n) => {
      const labels = factor.length / a.rank
      const result = new Float64Array(labels * rank)
      for (let j = 0; j < labels; j++) {
        result.set(factor.subarray(j * a.rank, (j + 1) * a.rank), j * rank)
        result.set(b.factors[n].subarray(j * b.rank, (j + 1) * b.rank), j * rank + a.rank)
      }
      return result
    }),
  }
}

/** A model with a little of its own average mixed into every class: what was zero in one class alone can grow again. */
export const soften = ({ rank, shares, factors }: Parameters, amount: number): Parameters => ({
  rank,
  shares,
  factors: factors.map(factor => {
    const result = new Float64Array(factor.length)
    for (let row = 0; row < factor.length; row += rank) {
      let mean = 0
      for (let k = 0; k < rank; k++) mean += shares[k] * factor[row + k]
      for (let k = 0; k < rank; k++) result[row + k] = (1 - amount) * factor[row + k] + amount * mean
    }
    return result
  }),
})
