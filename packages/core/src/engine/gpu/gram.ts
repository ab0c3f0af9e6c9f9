import type { StepSums } from '../sweeps/sweeps.ts'

/** How much of EM's own entry must remain in one step: keeps every share above zero. */
const FLOOR = 1e-3

/** What the card has found of a step to a point: inner products for each class, of what is in the factors. */
export interface Dots {
  /** By the names of the vectors: s the step, y the change of the gradient, g the gradient. */
  readonly ss: Float64Array
  readonly sy: Float64Array
  readonly sg: Float64Array
  readonly yy: Float64Array
  readonly yg: Float64Array
  readonly gg: Float64Array
  /** With a pair that is already known: its step a and change z. */
  readonly known: ReadonlyMap<number, { readonly [dot in 'ag' | 'zg' | 'as' | 'ay' | 'zs' | 'zy']: Float64Array }>
}

/** The shares at a point: few numbers, which stay on this side. */
export interface SharesAt {
  readonly values: Float64Array
  readonly update: Float64Array
}

interface Pair {
  /** Of the shares. */
  readonly step: Float64Array
  readonly change: Float64Array
  /** Its own vectors with those of the pairs before it, and with itself. */
  readonly ss: Map<number, Float64Array>
  readonly yy: Map<number, Float64Array>
  /** Its step with another's change. */
  readonly sy: Map<number, Float64Array>
  sg: Float64Array
  yg: Float64Array
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}

/**
 * L-BFGS by inner products alone. The metric is one number for each class, so inner products that are kept for each class give
 * those in the metric of any point, and a direction is known by its factors before a single long vector is touched.
 * Vectors of the factors are on the card; those of the shares are here, in double precision.
 */
export class Gram {
  readonly #rank: number
  readonly #pairs = new Map<number, Pair>()
  #gradient: { readonly shares: Float64Array; readonly gg: Float64Array }
  #direction: Float64Array
  /** What the direction is made of, as far as it is known. */
  #inverse: Float64Array
  #metric: Float64Array
  #changes = new Map<number, number>()
  #steps = new Map<number, number>()

  constructor(rank: number) {
    const zeros = () => new Float64Array(rank)
    this.#rank = rank
    this.#gradient = { shares: zeros(), gg: zeros() }
    this.#direction = zeros()
    this.#inverse = zeros()
    this.#metric = zeros()
  }

  /** What one class's gradient is multiplied by, and the factors of the changes and the steps: the direction's on the card. */
  get recipe() {
    return { inverse: this.#inverse, changes: this.#changes, steps: this.#steps }
  }

  /** Goes to a point from another, and keeps what changed as a pair. */
  goTo(
    from: SharesAt,
    to: SharesAt,
    slot: number,
    dots: Dots,
    used: readonly number[],
    slopes: Float64Array,
  ): StepSums {
    const gradient = slopesOf(to)
    const before = slopesOf(from)
    const step = to.values.map((value, k) => Math.sqrt(value) - Math.sqrt(from.values[k]))
    const change = before.map((value, k) => value - gradient[k])
    const pair: Pair = {
      ...{ step, change },
      ss: new Map([[slot, dots.ss]]),
      yy: new Map([[slot, dots.yy]]),
      sy: new Map([[slot, dots.sy]]),
      ...{ sg: dots.sg, yg: dots.yg },
    }
    this.#pairs.delete(slot)
    for (const [other, known] of this.#pairs) {
      const found = dots.known.get(other)
      if (found === undefined) {
        this.#pairs.delete(other)
        continue
      }
      pair.ss.set(other, found.as)
      pair.yy.set(other, found.zy)
      pair.sy.set(other, found.zs)
      known.ss.set(slot, found.as)
      known.yy.set(slot, found.zy)
      known.sy.set(slot, found.ay)
      known.sg = found.ag
      known.yg = found.zg
    }
    this.#pairs.set(slot, pair)
    this.#gradient = { shares: gradient, gg: dots.gg }
    const { rank, shares } = { rank: this.#rank, shares: from.values }
    let [curvature, steps, changes] = [dot(step, change), dot(step, step), dot(change, change)]
    for (let k = 0; k < rank; k++) {
      curvature += dots.sy[k]
      steps += shares[k] * dots.ss[k]
      changes += shares[k] > 0 ? dots.yy[k] / shares[k] : 0
    }
    const slopeOf = ({ step, sg }: Pair) => dot(step, gradient) + sg.reduce((sum, value) => sum + value, 0)
    used.forEach((each, j) => {
      slopes[j] = slopeOf(this.#pairs.get(each)!)
    })
    slopes[used.length] = slopeOf(pair)
    return { curvature, steps, changes }
  }

  /** direction = scale · M⁻¹ (gradient + Σ factor · change); its inner products with the changes, and with the gradient. */
  addChanges(
    shares: Float64Array,
    scale: number,
    used: readonly number[],
    factors: Float64Array,
    products: Float64Array,
  ): number {
    const { shares: own, gg } = this.#gradient
    this.#metric = shares.slice()
    this.#inverse = shares.map(share => (share > 0 ? scale / share : 0))
    this.#changes = new Map(used.map((slot, j) => [slot, factors[j]]))
    this.#steps = new Map()
    this.#direction = own.slice()
    for (const [slot, factor] of this.#changes) addTo(this.#direction, factor, this.#pairs.get(slot)!.change)
    for (let k = 0; k < this.#rank; k++) this.#direction[k] *= scale
    const inMetric = (first: Float64Array, others: (pair: number) => Float64Array) => {
      let sum = 0
      for (let k = 0; k < this.#rank; k++) {
        let term = first[k]
        for (const [slot, factor] of this.#changes) term += factor * others(slot)[k]
        sum += this.#inverse[k] * term
      }
      return sum
    }
    used.forEach((slot, j) => {
      const pair = this.#pairs.get(slot)!
      products[j] = dot(pair.change, this.#direction) + inMetric(pair.yg, other => pair.yy.get(other)!)
    })
    return dot(own, this.#direction) + inMetric(gg, other => this.#pairs.get(other)!.yg)
  }

  /** direction += Σ factor · step; the square of its length. */
  addSteps(used: readonly number[], factors: Float64Array): number {
    this.#steps = new Map(used.map((slot, j) => [slot, factors[j]]))
    for (const [slot, factor] of this.#steps) addTo(this.#direction, factor, this.#pairs.get(slot)!.step)
    const { gg } = this.#gradient
    let length = dot(this.#direction, this.#direction)
    for (let k = 0; k < this.#rank; k++) {
      let [change, both, step] = [gg[k], 0, 0]
      for (const [slot, factor] of this.#changes) {
        const pair = this.#pairs.get(slot)!
        change += 2 * factor * pair.yg[k]
        for (const [other, second] of this.#changes) change += factor * second * pair.yy.get(other)![k]
      }
      for (const [slot, factor] of this.#steps) {
        const pair = this.#pairs.get(slot)!
        both += factor * pair.sg[k]
        for (const [other, second] of this.#changes) both += factor * second * pair.sy.get(other)![k]
        for (const [other, second] of this.#steps) step += factor * second * pair.ss.get(other)![k]
      }
      const inverse = this.#inverse[k]
      length += this.#metric[k] * (inverse * inverse * change + 2 * inverse * both + step)
    }
    return Math.max(0, length)
  }

  /** The shares at a length along the direction; undefined where they cannot be normalized. */
  walk(length: number, from: SharesAt): Float64Array | undefined {
    const values = from.values.map((value, k) => {
      const root = Math.sqrt(value) + length * this.#direction[k]
      return Math.max(root * root, FLOOR * from.update[k])
    })
    const total = values.reduce((sum, value) => sum + value, 0)
    if (!(total > 0 && total < Number.POSITIVE_INFINITY)) return undefined
    return values.map(value => value / total)
  }
}

/** The negative gradient by the roots of the shares, per 4M; none at zero. */
const slopesOf = ({ values, update }: SharesAt): Float64Array =>
  values.map((value, k) => (value > 0 ? (update[k] - value) / (2 * Math.sqrt(value)) : 0))

const addTo = (into: Float64Array, factor: number, vector: Float64Array): void => {
  for (let k = 0; k < into.length; k++) into[k] += factor * vector[k]
}
