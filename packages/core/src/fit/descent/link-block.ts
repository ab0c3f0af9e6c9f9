import { linksOf, tableRows } from '../../model/links/link-kinds.ts'
import { freeDistributions, type LinkSetting, type Links, normalizePart } from '../../model/links/links.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { quadraticForm, solve } from '../../numeric/symmetric.ts'
import { LinkLogitPart } from '../covariates/link-logit.ts'
import type { Block, BlockPoint, KeptBlock } from './block.ts'

/** Points after which the masses, which are the metric, are taken anew. */
const REFRESH = 10
/** The least mass of a distribution in the metric, relative to the data: what is never seen must not move beyond bounds. */
const LEAST_MASS = 1e-9
/** A root that an acceleration step brings to this or below is held here: zero could not be left again. */
const LEAST_ROOT = 1e-100

/** A distribution without covariates: where it is in the tables, and where its roots are among the coordinates. */
interface FreeDistribution {
  readonly first: number
  readonly length: number
  readonly at: number
}

/**
 * The tables of linked rows: initial sizes and transitions, or the sizes of group classes and the class sizes within each. To the engine they are the factor of
 * one mode more, the last; all shares are 1. The coordinates are the roots of the probabilities, as in the rest of the descent, and then the coefficients of
 * covariates.
 */
export class LinkBlock implements Block {
  readonly mode: number
  readonly size: number
  /** The metric of the roots is a diagonal; that of the coefficients of a logit is a matrix. */
  readonly metricSize: number
  readonly #links: Links
  readonly #free: readonly FreeDistribution[]
  readonly #logits: readonly { readonly part: LinkLogitPart; readonly at: number; readonly metric: number }[]
  /** How many coordinates are roots. */
  readonly #roots: number
  readonly #room: number
  readonly #total: number
  #metric: Float64Array | undefined
  #age = 0

  constructor(setting: LinkSetting, mode: number, rank: number, total: number) {
    this.mode = mode
    this.#links = linksOf(setting, rank)
    this.#room = tableRows(setting, rank) * rank
    this.#total = total
    let at = 0
    this.#free = freeDistributions(this.#links).map(({ first, length }) => {
      at += length
      return { first, length, at: at - length }
    })
    this.#roots = at
    let metric = at
    this.#logits = this.#links.logits.map(link => {
      const part = new LinkLogitPart(link)
      at += part.size
      metric += part.size ** 2
      return { part, at: at - part.size, metric: metric - part.size ** 2 }
    })
    this.size = at
    this.metricSize = metric
  }

  newPoint(): Required<BlockPoint> {
    const real = (size: number) => new Float64Array(size)
    return {
      at: real(this.size),
      gradient: real(this.size),
      table: real(this.#room),
      expectedCounts: real(this.#room),
      shares: real(this.#links.rank),
    }
  }

  /** Without tables they begin with the class sizes. */
  initialize({ at }: BlockPoint, { shares, tables }: ModelParameters): void {
    const all = shares.reduce((sum, share) => sum + share, 0)
    const from = tables ?? this.#links.start(shares.map(share => share / all))
    for (const { first, length, at: own } of this.#free)
      for (let i = 0; i < length; i++) at[own + i] = Math.sqrt(from[first + i])
    for (const { part, at: own } of this.#logits) at.set(part.coefficients(from), own)
  }

  computeTable({ at, table, shares }: Required<BlockPoint>): boolean {
    for (const { first, length, at: own } of this.#free) {
      let sum = 0
      for (let i = own; i < own + length; i++) {
        at[i] = Math.max(at[i], 0)
        sum += at[i] * at[i]
      }
      if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) return false
      const root = Math.sqrt(sum)
      for (let i = 0; i < length; i++) {
        at[own + i] = Math.max(at[own + i] / root, LEAST_ROOT)
        table[first + i] = at[own + i] * at[own + i]
      }
      normalizePart(table, first, length)
    }
    for (const { part, at: own } of this.#logits)
      if (!part.write(at.subarray(own, own + part.size), table)) return false
    this.#links.shares(table, shares)
    return true
  }

  updateGradient({ at, gradient, table, expectedCounts }: BlockPoint): void {
    this.#each(expectedCounts, ({ first, length, at: own }, mass) => {
      for (let i = 0; i < length; i++)
        gradient[own + i] = (expectedCounts[first + i] / at[own + i] - mass * at[own + i]) / (2 * this.#total)
    })
    for (const { part, at: own } of this.#logits) {
      const slope = gradient.subarray(own, own + part.size)
      part.slope(expectedCounts, table, slope)
      for (let i = 0; i < slope.length; i++) slope[i] /= 4 * this.#total
    }
  }

  #each(counts: Float64Array, visit: (distribution: FreeDistribution, mass: number) => void): void {
    for (const each of this.#free) {
      let mass = 0
      for (let i = each.first; i < each.first + each.length; i++) mass += counts[i]
      visit(each, mass)
    }
  }

  /** As of the probabilities in the rest of the descent: the largest of the smaller of a probability and its slope; of coefficients their slopes. */
  residual({ gradient, table, expectedCounts }: BlockPoint): number {
    let worst = 0
    this.#each(expectedCounts, ({ first, length }, mass) => {
      for (let i = first; i < first + length; i++) {
        const slope = (mass - expectedCounts[i] / table[i]) / this.#total
        worst = Math.max(worst, Math.abs(Math.min(table[i], slope)))
      }
    })
    for (let i = this.#roots; i < this.size; i++) worst = Math.max(worst, 4 * Math.abs(gradient[i]))
    return worst
  }

  refreshMetric({ table, expectedCounts }: BlockPoint): void {
    if (this.#metric !== undefined && ++this.#age < REFRESH) return
    const metric = new Float64Array(this.metricSize)
    this.#each(expectedCounts, ({ length, at }, mass) => {
      metric.fill(Math.max(mass / this.#total, LEAST_MASS), at, at + length)
    })
    for (const { part, metric: at } of this.#logits) metric.set(part.information(expectedCounts, table), at)
    this.#metric = metric
    this.#age = 0
  }

  /** The paper's update: the expected counts, normalized. Of coefficients it is the logit that fits the expected counts best. */
  maximize(from: BlockPoint, length: number, to: BlockPoint): void {
    to.at.set(from.at)
    if (length === 0) return
    this.#each(from.expectedCounts, ({ first, length: entries, at }, mass) => {
      if (!(mass > 0)) return
      for (let i = 0; i < entries; i++) {
        const next = Math.sqrt(from.expectedCounts[first + i] / mass)
        to.at[at + i] = from.at[at + i] + length * (next - from.at[at + i])
      }
    })
    for (const { part, at } of this.#logits) {
      const own = from.at.slice(at, at + part.size)
      const next = part.maximize(own, from.expectedCounts, from.table)
      for (let i = 0; i < part.size; i++) to.at[at + i] = own[i] + length * (next[i] - own[i])
    }
  }

  inverse(vector: Float64Array): Float64Array {
    const found = vector.map((each, i) => (i < this.#roots ? each / this.#metric![i] : 0))
    for (const { part, at, metric } of this.#logits) {
      const own = solve(this.#metricOf(part, metric), part.size, vector.subarray(at, at + part.size))
      for (let i = 0; i < part.size; i++) found[at + i] = 4 * this.#total * own[i]
    }
    return found
  }

  square(vector: Float64Array): number {
    let sum = 0
    for (let i = 0; i < this.#roots; i++) sum += this.#metric![i] * vector[i] * vector[i]
    for (const { part, at, metric } of this.#logits)
      sum +=
        quadraticForm(this.#metricOf(part, metric), part.size, vector.subarray(at, at + part.size)) / (4 * this.#total)
    return sum
  }

  #metricOf({ size }: LinkLogitPart, at: number): Float64Array {
    return this.#metric!.subarray(at, at + size ** 2)
  }

  parameters({ table }: BlockPoint): { tables: Float64Array } {
    return { tables: table.slice(0, this.#links.size) }
  }

  snapshot({ at, gradient, expectedCounts }: BlockPoint): KeptBlock {
    const metric = this.#metric?.slice()
    return { at: at.slice(), gradient: gradient.slice(), expected: expectedCounts.slice(), metric, age: this.#age }
  }

  restore(point: Required<BlockPoint>, { at, gradient, expected, metric, age }: KeptBlock): void {
    point.at.set(at)
    point.gradient.set(gradient)
    if (expected !== undefined) point.expectedCounts.set(expected)
    this.computeTable(point)
    this.#metric = metric?.slice()
    this.#age = age
  }
}
