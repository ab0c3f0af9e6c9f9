import { linksOf, tableRows } from '../../model/links/link-kinds.ts'
import { type LinkSetting, type Links, normalizePart } from '../../model/links/links.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import type { Block, BlockPoint, KeptBlock } from './block.ts'

/** Points after which the masses, which are the metric, are taken anew. */
const REFRESH = 10
/** The least mass of a distribution in the metric, relative to the data: what is never seen must not move beyond bounds. */
const LEAST_MASS = 1e-9
/** A root that an acceleration step brings to this or below is held here: zero could not be left again. */
const LEAST_ROOT = 1e-100

/**
 * The tables of linked rows: initial sizes and transitions, or the sizes of group classes and the class sizes within each. To the engine they are the factor of
 * one mode more, the last; all shares are 1. The coordinates are the roots of the probabilities, as in the rest of the descent.
 */
export class LinkBlock implements Block {
  readonly mode: number
  readonly #links: Links
  readonly #room: number
  readonly #total: number
  #metric: Float64Array | undefined
  #age = 0

  constructor(setting: LinkSetting, mode: number, rank: number, total: number) {
    this.mode = mode
    this.#links = linksOf(setting, rank)
    this.#room = tableRows(setting, rank) * rank
    this.#total = total
  }

  get size(): number {
    return this.#links.size
  }

  /** The metric is a diagonal. */
  get metricSize(): number {
    return this.size
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
    for (let i = 0; i < at.length; i++) at[i] = Math.sqrt(from[i])
  }

  computeTable({ at, table, shares }: Required<BlockPoint>): boolean {
    let first = 0
    for (const length of this.#links.distributions) {
      let sum = 0
      for (let i = first; i < first + length; i++) {
        at[i] = Math.max(at[i], 0)
        sum += at[i] * at[i]
      }
      if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) return false
      const root = Math.sqrt(sum)
      for (let i = first; i < first + length; i++) {
        at[i] = Math.max(at[i] / root, LEAST_ROOT)
        table[i] = at[i] * at[i]
      }
      normalizePart(table, first, length)
      first += length
    }
    this.#links.shares(table, shares)
    return true
  }

  updateGradient({ at, gradient, expectedCounts }: BlockPoint): void {
    this.#each(expectedCounts, (first, length, mass) => {
      for (let i = first; i < first + length; i++)
        gradient[i] = (expectedCounts[i] / at[i] - mass * at[i]) / (2 * this.#total)
    })
  }

  #each(counts: Float64Array, visit: (first: number, length: number, mass: number) => void): void {
    let first = 0
    for (const length of this.#links.distributions) {
      let mass = 0
      for (let i = first; i < first + length; i++) mass += counts[i]
      visit(first, length, mass)
      first += length
    }
  }

  /** As of the probabilities in the rest of the descent: the largest of the smaller of a probability and its slope. */
  residual({ table, expectedCounts }: BlockPoint): number {
    let worst = 0
    this.#each(expectedCounts, (first, length, mass) => {
      for (let i = first; i < first + length; i++) {
        const slope = (mass - expectedCounts[i] / table[i]) / this.#total
        worst = Math.max(worst, Math.abs(Math.min(table[i], slope)))
      }
    })
    return worst
  }

  refreshMetric({ expectedCounts }: BlockPoint): void {
    if (this.#metric !== undefined && ++this.#age < REFRESH) return
    const metric = new Float64Array(this.size)
    this.#each(expectedCounts, (first, length, mass) => {
      metric.fill(Math.max(mass / this.#total, LEAST_MASS), first, first + length)
    })
    this.#metric = metric
    this.#age = 0
  }

  /** The paper's update: the expected counts, normalized. */
  maximize(from: BlockPoint, length: number, to: BlockPoint): void {
    to.at.set(from.at)
    if (length === 0) return
    this.#each(from.expectedCounts, (first, entries, mass) => {
      if (!(mass > 0)) return
      for (let i = first; i < first + entries; i++) {
        const next = Math.sqrt(from.expectedCounts[i] / mass)
        to.at[i] = from.at[i] + length * (next - from.at[i])
      }
    })
  }

  inverse(vector: Float64Array): Float64Array {
    return vector.map((each, i) => each / this.#metric![i])
  }

  square(vector: Float64Array): number {
    return vector.reduce((sum, each, i) => sum + this.#metric![i] * each * each, 0)
  }

  parameters({ table }: BlockPoint): { tables: Float64Array } {
    return { tables: table.slice(0, this.size) }
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
