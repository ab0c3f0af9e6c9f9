import { DataError } from '../../errors.ts'
import type { ItemModel, ItemPrior, ItemSetting } from '../../model/items/item.ts'
import { itemModel } from '../../model/items/items.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { cholesky, quadraticForm, solve } from '../../numeric/symmetric.ts'
import type { Counts } from '../../tensor/tensor.ts'
import type { Block, BlockPoint, KeptBlock } from './block.ts'

/** Points after which the metric is computed anew: class sizes and spreads change slowly. */
const REFRESH = 10
/** What is added to the diagonal of a metric that is not positive definite, relative to it. */
const RIDGES = [0, 1e-10, 1e-6, 1e-2]

/**
 * An item with parameters of its own, such as means and standard deviations. To the engine its table is the factor of its mode. The coordinates
 * of the descent are the parameters, those above zero by their logarithms.
 */
export class ItemBlock implements Block {
  readonly mode: number
  readonly #item: ItemModel
  readonly #total: number
  readonly #labels: number
  readonly #prior: ItemPrior | undefined
  /** Cholesky's factor of the information in coordinates. */
  #metric: Float64Array | undefined
  #age = 0

  constructor(item: ItemModel, mode: number, { shape, total, marginals }: ItemData) {
    this.mode = mode
    this.#item = item
    this.#labels = shape[mode]
    this.#total = total
    this.#prior = item.prior?.(marginals[mode])
  }

  get size(): number {
    return this.#item.size
  }

  newPoint(): BlockPoint {
    const real = (size: number) => new Float64Array(size)
    const each = this.#labels * this.#item.rank
    return { at: real(this.size), gradient: real(this.size), table: real(each), expectedCounts: real(each) }
  }

  /** Without parameters they are those whose table is nearest to that of the model. */
  initialize({ at }: BlockPoint, { rank, shares, factors, items }: ModelParameters): void {
    const theta =
      items?.[this.mode] ??
      this.#item.project(factors[this.mode].map((p, i) => p * Math.max(shares[i % rank], LEAST_SHARE) * this.#total))
    if (theta.length !== this.size)
      throw new DataError(
        'the checkpoint is damaged (an item has other parameters): remove it, and the run starts from the beginning',
      )
    this.#toCoordinates(theta, at)
  }

  computeTable({ at, table }: BlockPoint): boolean {
    const theta = this.theta({ at })
    if (!theta.every((each, i) => Number.isFinite(each) && (!this.#item.positive[i] || each > 0))) return false
    this.#item.table(theta, table)
    return true
  }

  /** The parameters at a point. */
  theta({ at }: Pick<BlockPoint, 'at'>): Float64Array {
    return at.map((each, i) => (this.#item.positive[i] ? exp(each) : each))
  }

  #toCoordinates(theta: Float64Array, into: Float64Array): void {
    for (let i = 0; i < theta.length; i++) into[i] = this.#item.positive[i] ? log(theta[i]) : theta[i]
  }

  updateGradient(point: BlockPoint): void {
    const theta = this.theta(point)
    const { gradient } = point
    this.#item.slope(theta, point.expectedCounts, gradient)
    this.#prior?.addSlope(theta, gradient)
    for (let i = 0; i < gradient.length; i++) gradient[i] *= (this.#item.positive[i] ? theta[i] : 1) / (4 * this.#total)
  }

  penalty(point: BlockPoint): number {
    return this.#prior?.penalty(this.theta(point)) ?? 0
  }

  /** How far each parameter is from where it has no slope, in standard errors of one observation. */
  residual(point: BlockPoint): number {
    const own = this.#item.residual?.(this.theta(point), point.expectedCounts)
    if (own !== undefined) return own
    if (this.#metric === undefined) this.#computeMetric(point)
    const [factor, { size }] = [this.#metric!, this]
    return point.gradient.reduce((most, slope, i) => {
      const information = factor.subarray(i * size, i * size + i + 1).reduce((sum, each) => sum + each * each, 0)
      const scale = Math.sqrt(information * this.#total)
      return scale > 0 ? Math.max(most, (4 * this.#total * Math.abs(slope)) / scale) : most
    }, 0)
  }

  refreshMetric(point: BlockPoint): void {
    if (this.#metric === undefined || ++this.#age >= REFRESH) {
      this.#computeMetric(point)
      this.#age = 0
    }
  }

  #computeMetric(point: BlockPoint): void {
    const { size } = this
    const theta = this.theta(point)
    const matrix = new Float64Array(size * size)
    this.#item.information(theta, point.expectedCounts, matrix)
    const scale = theta.map((each, i) => (this.#item.positive[i] ? each : 1))
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) matrix[i * size + j] *= scale[i] * scale[j]
    let least = 0
    for (let i = 0; i < size; i++) least = Math.max(least, matrix[i * size + i])
    if (!(least > 0)) least = 1
    for (const ridge of RIDGES) {
      const own = matrix.slice()
      for (let i = 0; i < size; i++) own[i * size + i] += ridge * least
      this.#metric = cholesky(own, size)
      if (this.#metric !== undefined) return
    }
    const diagonal = new Float64Array(size * size)
    for (let i = 0; i < size; i++) diagonal[i * size + i] = Math.sqrt(least)
    this.#metric = diagonal
  }

  /** The item's own M-step, or a part of it. */
  maximize(from: BlockPoint, length: number, to: BlockPoint): void {
    to.at.set(from.at)
    if (length === 0) return
    const theta = this.theta(from)
    const slope = from.gradient.map((each, i) => (4 * this.#total * each) / (this.#item.positive[i] ? theta[i] : 1))
    const next = new Float64Array(this.size)
    this.#item.maximize(theta, from.expectedCounts, slope, next)
    this.#toCoordinates(next, to.at)
    if (length < 1) for (let i = 0; i < next.length; i++) to.at[i] = from.at[i] + length * (to.at[i] - from.at[i])
  }

  inverse(vector: Float64Array): Float64Array {
    return solve(this.#metric!, this.size, vector).map(each => 4 * this.#total * each)
  }

  square(vector: Float64Array): number {
    return quadraticForm(this.#metric!, this.size, vector) / (4 * this.#total)
  }

  parameters(): Partial<ModelParameters> {
    return {}
  }

  snapshot({ at, gradient, expectedCounts }: BlockPoint): KeptBlock {
    const metric = this.#metric?.slice()
    return { at: at.slice(), gradient: gradient.slice(), expected: expectedCounts.slice(), metric, age: this.#age }
  }

  restore(point: BlockPoint, { at, gradient, expected, metric, age }: KeptBlock): void {
    point.at.set(at)
    point.gradient.set(gradient)
    if (expected?.length !== point.expectedCounts.length)
      throw new DataError(
        'the checkpoint is damaged (an item has other labels): remove it, and the run starts from the beginning',
      )
    point.expectedCounts.set(expected)
    this.computeTable(point)
    this.#metric = metric?.slice()
    this.#age = age
  }
}

/** A class with a smaller share is projected as if it had this one. */
const LEAST_SHARE = 1e-9

/** What blocks need of the data. */
type ItemData = Pick<Counts, 'shape' | 'total' | 'marginals'>

/** A block for every item with parameters of its own. */
export const itemBlocks = (items: readonly (ItemSetting | undefined)[], rank: number, data: ItemData): ItemBlock[] =>
  items.flatMap((item, n) =>
    item === undefined ? [] : [new ItemBlock(itemModel(item.spec, item.labels, rank), n, data)],
  )
