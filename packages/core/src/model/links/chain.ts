import { drawer } from '../../numeric/drawer.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import { ChainLayout } from './chain-layout.ts'
import type { Emission } from './emission.ts'
import { addPart, type ChainSetting, type LinkLogit, type LinkSums, type Links, normalizePart } from './links.ts'

/** A product of scales below this is taken into the logarithm. */
const SMALL = 2 ** -600
/** The part of a class that stays, in a start without transitions. */
const STAYS = 0.6
/** The part of the persons who never change, in such a start. */
const STAYERS = 0.3
/** A class with a smaller share begins with this one. */
const LEAST_SHARE = 1e-3

/**
 * Classes that change from wave to wave: the initial sizes, and for every step from one wave to the next a table with a row for each class left. The E-step
 * is the forward–backward recursion, scaled at every wave. Persons who never change are in states of their own, which cannot be left.
 */
export class ChainLinks implements Links {
  readonly rank: number
  readonly distributions: readonly number[]
  readonly size: number
  readonly logits: readonly LinkLogit[]
  readonly layout: ChainLayout
  readonly #setting: ChainSetting

  constructor(setting: ChainSetting, rank: number) {
    const layout = new ChainLayout(setting, rank)
    this.rank = rank
    this.layout = layout
    const { states, starts, moves } = layout
    this.distributions = [
      ...Array.from({ length: starts }, () => states),
      ...Array.from({ length: moves * rank }, () => rank),
    ]
    this.size = starts * states + moves * rank * rank
    this.logits = layout.logits()
    this.#setting = setting
  }

  /** @param from the first person, and `end` the one after the last. Default: all */
  expect(
    { weights, exponents }: Emission,
    tables: Float64Array,
    into: LinkSums,
    from = 0,
    end = this.#setting.rows.weights.length,
  ): number {
    const { rank, layout } = this
    const { states } = layout
    const { waves, rows } = this.#setting
    const { starts, cells } = rows
    const forward = new Float64Array(waves * states)
    const scales = new Float64Array(waves)
    const seen = new Float64Array(waves * rank)
    const back = new Float64Array(states)
    const next = new Float64Array(states)
    let logLikelihood = 0
    for (let unit = from; unit < end; unit++) {
      const weight = rows.weights[unit]
      if (weight === 0) continue
      const [first, length] = [starts[unit], starts[unit + 1] - starts[unit]]
      const initial = layout.initial(unit)
      let [exponent, product, logs] = [0, 1, 0]
      for (let t = 0; t < length; t++) {
        const cell = cells[first + t]
        const at = t * states
        const transitions = t === 0 ? 0 : layout.to(first + t, t)
        let sum = 0
        for (let k = 0; k < rank; k++) {
          let prior = 0
          if (t === 0) prior = tables[initial + k]
          else for (let i = 0; i < rank; i++) prior += forward[at - states + i] * tables[transitions + i * rank + k]
          const likelihood = cell === MISSING ? 1 : weights[cell * rank + k]
          seen[t * rank + k] = likelihood
          forward[at + k] = prior * likelihood
          sum += forward[at + k]
        }
        for (let k = rank; k < states; k++) {
          forward[at + k] = (t === 0 ? tables[initial + k] : forward[at - states + k]) * seen[t * rank + k - rank]
          sum += forward[at + k]
        }
        for (let k = 0; k < states; k++) forward[at + k] /= sum
        scales[t] = sum
        if (cell !== MISSING) exponent += exponents[cell]
        product *= sum
        if (product < SMALL) {
          logs += log(product)
          product = 1
        }
      }
      const found = logs + log(product) + exponent * Math.LN2
      // The waves after one of probability zero have no probabilities at all.
      const own = Number.isNaN(found) ? Number.NEGATIVE_INFINITY : found
      logLikelihood += weight * own
      if (into.units !== undefined) into.units[unit] = own
      // A unit of probability zero belongs to no class: it adds −∞ above and nothing here.
      if (!(own > Number.NEGATIVE_INFINITY)) continue
      back.fill(1)
      for (let t = length - 1; t >= 0; t--) {
        const at = t * states
        const cell = cells[first + t]
        for (let k = 0; k < states; k++) {
          const of = k < rank ? k : k - rank
          const posterior = forward[at + k] * back[k]
          if (into.rows !== undefined) into.rows[(first + t) * rank + of] += posterior
          if (cell !== MISSING) into.cells[cell * rank + of] += weight * posterior
          if (t === 0) {
            into.tables[initial + k] += weight * posterior
            if (k >= rank && into.groups !== undefined) into.groups[unit] += posterior
          }
          next[k] = (seen[t * rank + of] * back[k]) / scales[t]
        }
        if (t === 0) break
        const transitions = layout.to(first + t, t)
        for (let i = 0; i < rank; i++) {
          const before = weight * forward[at - states + i]
          let sum = 0
          for (let k = 0; k < rank; k++) {
            const each = tables[transitions + i * rank + k] * next[k]
            into.tables[transitions + i * rank + k] += before * each
            sum += each
          }
          back[i] = sum
        }
        for (let k = rank; k < states; k++) back[k] = next[k]
      }
    }
    return logLikelihood
  }

  shares(tables: Float64Array, into: Float64Array): void {
    into.fill(0)
    this.byWave(tables).forEach((sizes, t) => {
      for (let k = 0; k < this.rank; k++) into[k] += this.layout.waves[t] * sizes[k]
    })
  }

  /** The class sizes at every wave: means over the persons who are there. */
  byWave(tables: Float64Array): Float64Array[] {
    const { rank, layout } = this
    const { states } = layout
    const { waves, rows } = this.#setting
    const sums = Array.from({ length: waves }, () => new Float64Array(rank))
    const totals = new Float64Array(waves)
    /** Persons of the same covariates are the same; without covariates one person is all. */
    const add = (unit: number, first: number, length: number, weight: number) => {
      let sizes = tables.slice(layout.initial(unit), layout.initial(unit) + states)
      for (let t = 0; t < length; t++) {
        if (t > 0) {
          const next = new Float64Array(states)
          const transitions = layout.to(first + t, t)
          for (let i = 0; i < rank; i++) addPart(next, 0, tables, transitions + i * rank, rank, sizes[i])
          for (let k = rank; k < states; k++) next[k] = sizes[k]
          sizes = next
        }
        for (let k = 0; k < states; k++) sums[t][k % rank] += weight * sizes[k]
        totals[t] += weight
      }
    }
    if (!layout.isExplained) add(0, 0, waves, 1)
    else
      rows.weights.forEach((weight, unit) => {
        const first = rows.starts[unit]
        add(unit, first, rows.starts[unit + 1] - first, weight)
      })
    return sums.map((sizes, t) => sizes.map(size => size / totals[t]))
  }

  means(tables: Float64Array): Float64Array {
    if (!this.layout.isExplained) return tables
    const { rank, layout } = this
    const { states, starts, steps } = layout
    const square = rank * rank
    const means = new Float64Array(states + steps * square)
    layout.startWeights.forEach((weight, y) => void addPart(means, 0, tables, y * states, states, weight))
    layout.moveWeights.forEach(
      (weight, z) =>
        void addPart(
          means,
          states + layout.steppingOf[z] * square,
          tables,
          starts * states + z * square,
          square,
          weight,
        ),
    )
    normalizePart(means, 0, states)
    for (let at = states; at < means.length; at += rank) normalizePart(means, at, rank)
    return means
  }

  start(shares: Float64Array, uniform?: () => number): Float64Array {
    const { rank, layout } = this
    const { states, starts, moves } = layout
    const stays = uniform === undefined ? STAYS : uniform()
    const fixed = uniform === undefined || states === rank ? STAYERS : uniform()
    const size = (k: number) => Math.max(shares[k], LEAST_SHARE) * (uniform === undefined ? 1 : 0.5 + uniform())
    const tables = new Float64Array(this.size)
    const initial = new Float64Array(states)
    for (let k = 0; k < rank; k++) initial[k] = size(k)
    normalizePart(initial, 0, rank)
    for (let k = rank; k < states; k++) initial[k] = (fixed / (1 - fixed)) * initial[k - rank]
    if (states > rank) normalizePart(initial, 0, states)
    for (let y = 0; y < starts; y++) tables.set(initial, y * states)
    // The transitions to a row are the same for all combinations of covariates at a step.
    const step = new Float64Array(rank * rank)
    let made = -1
    for (let z = 0; z < moves; z++) {
      if (layout.steppingOf[z] !== made || z === 0) {
        for (let from = 0; from < rank; from++) {
          for (let k = 0; k < rank; k++) step[from * rank + k] = size(k) + (k === from ? stays / (1 - stays) : 0)
          normalizePart(step, from * rank, rank)
        }
        made = layout.steppingOf[z]
      }
      tables.set(step, starts * states + z * rank * rank)
    }
    return tables
  }

  reorder(tables: Float64Array, order: readonly number[]): Float64Array {
    const { rank } = this
    const { states, starts } = this.layout
    const initial = starts * states
    return tables.map((_, i) => {
      const k = i % rank
      if (i < initial) return tables[i - k + order[k]]
      const [row, first] = [Math.floor((i - initial) / rank), initial]
      const from = row % rank
      return tables[first + (row - from + order[from]) * rank + order[k]]
    })
  }

  /** Sequences of classes drawn from what is known of every unit, by row: backward likelihoods, and then draws from the first wave on. */
  drawPaths({ weights }: Emission, tables: Float64Array, uniform: () => number): Int32Array {
    const { rank, layout } = this
    const { states } = layout
    const { waves, rows } = this.#setting
    const { starts, cells } = rows
    const found = new Int32Array(cells.length)
    const after = new Float64Array(waves * states)
    const first = new Float64Array(states)
    const sizes = new Float64Array(rank)
    const likelihood = (row: number, k: number) =>
      cells[row] === MISSING ? 1 : weights[cells[row] * rank + (k % rank)]
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const [begin, length] = [starts[unit], starts[unit + 1] - starts[unit]]
      after.fill(1, (length - 1) * states, length * states)
      for (let t = length - 2; t >= 0; t--) {
        const [next, at] = [(t + 1) * states, layout.to(begin + t + 1, t + 1)]
        let most = 0
        for (let i = 0; i < states; i++) {
          let sum = i < rank ? 0 : likelihood(begin + t + 1, i) * after[next + i]
          for (let k = 0; i < rank && k < rank; k++)
            sum += tables[at + i * rank + k] * likelihood(begin + t + 1, k) * after[next + k]
          after[t * states + i] = sum
          most = Math.max(most, sum)
        }
        for (let i = 0; i < states; i++) after[t * states + i] /= most
      }
      let state = 0
      for (let t = 0; t < length; t++) {
        const into = t === 0 ? first : sizes
        const from = t === 0 ? layout.initial(unit) : layout.to(begin + t, t) + state * rank
        // A person who never changes stays in the state of the first wave.
        if (t === 0 || state < rank) {
          for (let k = 0; k < into.length; k++)
            into[k] = tables[from + k] * likelihood(begin + t, k) * after[t * states + k]
          state = drawer(into)(uniform())
        }
        found[begin + t] = state % rank
      }
    }
    return found
  }

  /** The most probable sequence of classes of every unit, by row (Viterbi). */
  paths({ weights }: Emission, tables: Float64Array): Int32Array {
    const { rank, layout } = this
    const { states } = layout
    const { waves, rows } = this.#setting
    const { starts, cells } = rows
    const found = new Int32Array(cells.length)
    const [best, next] = [new Float64Array(states), new Float64Array(states)]
    const from = new Int32Array(waves * states)
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const [first, length] = [starts[unit], starts[unit + 1] - starts[unit]]
      const initial = layout.initial(unit)
      for (let t = 0; t < length; t++) {
        const cell = cells[first + t]
        const transitions = t === 0 ? 0 : layout.to(first + t, t)
        let most = 0
        for (let k = 0; k < states; k++) {
          let top = t === 0 ? tables[initial + k] : k < rank ? -1 : best[k]
          from[t * states + k] = k
          for (let i = 0; t > 0 && k < rank && i < rank; i++) {
            const each = best[i] * tables[transitions + i * rank + k]
            if (each > top) {
              top = each
              from[t * states + k] = i
            }
          }
          next[k] = top * (cell === MISSING ? 1 : weights[cell * rank + (k % rank)])
          most = Math.max(most, next[k])
        }
        for (let k = 0; k < states; k++) best[k] = next[k] / most
      }
      let last = best.indexOf(Math.max(...best))
      for (let t = length - 1; t >= 0; t--) {
        found[first + t] = last % rank
        last = from[t * states + last]
      }
    }
    return found
  }
}
