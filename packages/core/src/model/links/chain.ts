import { drawer } from '../../numeric/drawer.ts'
import { log } from '../../numeric/log.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Emission } from './emission.ts'
import { type ChainSetting, type LinkSums, type Links, normalizePart } from './links.ts'

/** A product of scales below this is taken into the logarithm. */
const SMALL = 2 ** -600
/** The part of a class that stays, in a start without transitions. */
const STAYS = 0.6
/** A class with a smaller share begins with this one. */
const LEAST_SHARE = 1e-3

/**
 * Classes that change from wave to wave: the initial sizes, and for every step from one wave to the next a table with a row for each class left. The E-step
 * is the forward–backward recursion, scaled at every wave.
 */
export class ChainLinks implements Links {
  readonly rank: number
  readonly distributions: readonly number[]
  readonly size: number
  readonly #setting: ChainSetting
  /** For every wave, how much of all rows it has. */
  readonly #waves: Float64Array

  constructor(setting: ChainSetting, rank: number) {
    const steps = setting.same ? Math.min(1, setting.waves - 1) : setting.waves - 1
    this.rank = rank
    this.distributions = Array.from({ length: 1 + steps * rank }, () => rank)
    this.size = (1 + steps * rank) * rank
    this.#setting = setting
    const { starts, weights } = setting.rows
    this.#waves = new Float64Array(setting.waves)
    weights.forEach((weight, unit) => {
      for (let t = 0; t < starts[unit + 1] - starts[unit]; t++) this.#waves[t] += weight
    })
    const all = this.#waves.reduce((sum, each) => sum + each, 0)
    for (let t = 0; t < this.#waves.length; t++) this.#waves[t] /= all
  }

  /** Where the transitions to a wave begin. */
  #to(wave: number): number {
    return this.rank + (this.#setting.same ? 0 : (wave - 1) * this.rank * this.rank)
  }

  expect({ weights, exponents }: Emission, tables: Float64Array, into: LinkSums): number {
    const { rank } = this
    const { waves, rows } = this.#setting
    const { starts, cells } = rows
    const forward = new Float64Array(waves * rank)
    const scales = new Float64Array(waves)
    const seen = new Float64Array(waves * rank)
    const back = new Float64Array(rank)
    const next = new Float64Array(rank)
    let logLikelihood = 0
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const weight = rows.weights[unit]
      if (weight === 0) continue
      const [first, length] = [starts[unit], starts[unit + 1] - starts[unit]]
      let [exponent, product, logs] = [0, 1, 0]
      for (let t = 0; t < length; t++) {
        const cell = cells[first + t]
        const at = t * rank
        const transitions = t === 0 ? 0 : this.#to(t)
        let sum = 0
        for (let k = 0; k < rank; k++) {
          let prior = 0
          if (t === 0) prior = tables[k]
          else for (let i = 0; i < rank; i++) prior += forward[at - rank + i] * tables[transitions + i * rank + k]
          const likelihood = cell === MISSING ? 1 : weights[cell * rank + k]
          seen[at + k] = likelihood
          forward[at + k] = prior * likelihood
          sum += forward[at + k]
        }
        for (let k = 0; k < rank; k++) forward[at + k] /= sum
        scales[t] = sum
        if (cell !== MISSING) exponent += exponents[cell]
        product *= sum
        if (product < SMALL) {
          logs += log(product)
          product = 1
        }
      }
      const own = logs + log(product) + exponent * Math.LN2
      logLikelihood += weight * own
      if (into.units !== undefined) into.units[unit] = own
      // A unit of probability zero belongs to no class: it adds −∞ above and nothing here.
      if (!(own > Number.NEGATIVE_INFINITY)) continue
      back.fill(1)
      for (let t = length - 1; t >= 0; t--) {
        const at = t * rank
        const cell = cells[first + t]
        for (let k = 0; k < rank; k++) {
          const posterior = forward[at + k] * back[k]
          if (into.rows !== undefined) into.rows[(first + t) * rank + k] = posterior
          if (cell !== MISSING) into.cells[cell * rank + k] += weight * posterior
          if (t === 0) into.tables[k] += weight * posterior
          next[k] = (seen[at + k] * back[k]) / scales[t]
        }
        if (t === 0) break
        const transitions = this.#to(t)
        for (let i = 0; i < rank; i++) {
          const before = weight * forward[at - rank + i]
          let sum = 0
          for (let k = 0; k < rank; k++) {
            const each = tables[transitions + i * rank + k] * next[k]
            into.tables[transitions + i * rank + k] += before * each
            sum += each
          }
          back[i] = sum
        }
      }
    }
    return logLikelihood
  }

  shares(tables: Float64Array, into: Float64Array): void {
    into.fill(0)
    this.byWave(tables).forEach((sizes, t) => {
      for (let k = 0; k < this.rank; k++) into[k] += this.#waves[t] * sizes[k]
    })
  }

  /** The class sizes at every wave. */
  byWave(tables: Float64Array): Float64Array[] {
    const { rank } = this
    const sizes = [tables.slice(0, rank)]
    for (let t = 1; t < this.#setting.waves; t++) {
      const next = new Float64Array(rank)
      for (let i = 0; i < rank; i++)
        for (let k = 0; k < rank; k++) next[k] += sizes[t - 1][i] * tables[this.#to(t) + i * rank + k]
      sizes.push(next)
    }
    return sizes
  }

  start(shares: Float64Array, uniform?: () => number): Float64Array {
    const { rank } = this
    const stays = uniform === undefined ? STAYS : uniform()
    const tables = new Float64Array(this.size)
    for (let row = 0; row * rank < this.size; row++) {
      for (let k = 0; k < rank; k++) {
        const size = Math.max(shares[k], LEAST_SHARE) * (uniform === undefined ? 1 : 0.5 + uniform())
        tables[row * rank + k] = row > 0 && (row - 1) % rank === k ? size + stays / (1 - stays) : size
      }
      normalizePart(tables, row * rank, rank)
    }
    return tables
  }

  reorder(tables: Float64Array, order: readonly number[]): Float64Array {
    const { rank } = this
    return tables.map((_, i) => {
      const [row, k] = [Math.floor(i / rank), i % rank]
      if (row === 0) return tables[order[k]]
      const [step, from] = [Math.floor((row - 1) / rank), (row - 1) % rank]
      return tables[rank + (step * rank + order[from]) * rank + order[k]]
    })
  }

  /** Sequences of classes drawn from what is known of every unit, by row: backward likelihoods, and then draws from the first wave on. */
  drawPaths({ weights }: Emission, tables: Float64Array, uniform: () => number): Int32Array {
    const { rank } = this
    const { waves, rows } = this.#setting
    const { starts, cells } = rows
    const found = new Int32Array(cells.length)
    const after = new Float64Array(waves * rank)
    const sizes = new Float64Array(rank)
    const likelihood = (row: number, k: number) => (cells[row] === MISSING ? 1 : weights[cells[row] * rank + k])
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const [first, length] = [starts[unit], starts[unit + 1] - starts[unit]]
      after.fill(1, (length - 1) * rank, length * rank)
      for (let t = length - 2; t >= 0; t--) {
        let most = 0
        for (let i = 0; i < rank; i++) {
          let sum = 0
          for (let k = 0; k < rank; k++)
            sum += tables[this.#to(t + 1) + i * rank + k] * likelihood(first + t + 1, k) * after[(t + 1) * rank + k]
          after[t * rank + i] = sum
          most = Math.max(most, sum)
        }
        for (let i = 0; i < rank; i++) after[t * rank + i] /= most
      }
      for (let t = 0; t < length; t++) {
        const from = t === 0 ? 0 : this.#to(t) + found[first + t - 1] * rank
        for (let k = 0; k < rank; k++) sizes[k] = tables[from + k] * likelihood(first + t, k) * after[t * rank + k]
        found[first + t] = drawer(sizes)(uniform())
      }
    }
    return found
  }

  /** The most probable sequence of classes of every unit, by row (Viterbi). */
  paths({ weights }: Emission, tables: Float64Array): Int32Array {
    const { rank } = this
    const { waves, rows } = this.#setting
    const { starts, cells } = rows
    const found = new Int32Array(cells.length)
    const [best, next] = [new Float64Array(rank), new Float64Array(rank)]
    const from = new Int32Array(waves * rank)
    for (let unit = 0; unit + 1 < starts.length; unit++) {
      const [first, length] = [starts[unit], starts[unit + 1] - starts[unit]]
      for (let t = 0; t < length; t++) {
        const cell = cells[first + t]
        let most = 0
        for (let k = 0; k < rank; k++) {
          let top = t === 0 ? tables[k] : -1
          for (let i = 0; t > 0 && i < rank; i++) {
            const each = best[i] * tables[this.#to(t) + i * rank + k]
            if (each > top) {
              top = each
              from[t * rank + k] = i
            }
          }
          next[k] = top * (cell === MISSING ? 1 : weights[cell * rank + k])
          most = Math.max(most, next[k])
        }
        for (let k = 0; k < rank; k++) best[k] = next[k] / most
      }
      let last = best.indexOf(Math.max(...best))
      for (let t = length - 1; t >= 0; t--) {
        found[first + t] = last
        last = from[t * rank + last]
      }
    }
    return found
  }
}
