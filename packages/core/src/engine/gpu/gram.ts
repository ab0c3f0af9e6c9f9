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

/**
 * L-BFGS by inner products alone. The metric is one number for each class, so inner products that are kept for each class give
 * those in the metric of any point, and a direction is known by its factors before a single long vector is touched.
 * Vectors of the factors are on the card; those of the shares are here, in double precision.
 */
export class Gram {
  readonly #rank: number
  readonly #slots: number
  /** Inner products of two pairs' vectors, for each class: at (a · slots + b) · rank. Of `sy` the first is the step. */
  readonly #ss: Float64Array
  readonly #sy: Float64Array
  readonly #yy: Float64Array
  /** Those with the gradient, at a · rank. */
  readonly #sg: Float64Array
  readonly #yg: Float64Array
  readonly #gg: Float64Array
  /** Steps and changes of the shares, at a · rank. */
  readonly #steps: Float64Array
  readonly #changes: Float64Array
  #gradient: Float64Array
  readonly #direction: Float64Array
  readonly #metric: Float64Array
  readonly #inverse: Float64Array
  /** What the direction is made of, besides the gradient: pairs, and their factors. */
  #used: readonly number[] = []
  #ofChanges: readonly number[] = []
  #ofSteps: readonly number[] = []

  /** @param slots how many pairs there are at most */
  constructor(rank: number, slots: number) {
    const room = (count: number) => new Float64Array(count * rank)
    this.#rank = rank
    this.#slots = slots
    ;[this.#ss, this.#sy, this.#yy] = [room(slots * slots), room(slots * slots), room(slots * slots)]
    ;[this.#sg, this.#yg, this.#steps, this.#changes] = [room(slots), room(slots), room(slots), room(slots)]
    ;[this.#gg, this.#gradient, this.#direction] = [room(1), room(1), room(1)]
    ;[this.#metric, this.#inverse] = [room(1), room(1)]
  }

  /** What one class's gradient is multiplied by, and the factors of the changes and the steps: the direction's on the card. */
  get recipe() {
    return { inverse: this.#inverse, used: this.#used, changes: this.#ofChanges, steps: this.#ofSteps }
  }

  /** Goes to a point from another, and keeps what changed as a pair. */
  recordStep(
    from: SharesAt,
    to: SharesAt,
    slot: number,
    dots: Dots,
    used: readonly number[],
    slopes: Float64Array,
  ): StepSums {
    const rank = this.#rank
    const gradient = slopesOf(to)
    const before = slopesOf(from)
    const at = slot * rank
    for (let k = 0; k < rank; k++) {
      this.#steps[at + k] = Math.sqrt(to.values[k]) - Math.sqrt(from.values[k])
      this.#changes[at + k] = before[k] - gradient[k]
    }
    this.#gradient = gradient
    this.#gg.set(dots.gg)
    this.#sg.set(dots.sg, at)
    this.#yg.set(dots.yg, at)
    this.#ss.set(dots.ss, this.#at(slot, slot))
    this.#sy.set(dots.sy, this.#at(slot, slot))
    this.#yy.set(dots.yy, this.#at(slot, slot))
    for (const [other, { ag, zg, as, ay, zs, zy }] of dots.known) {
      if (other === slot) continue
      this.#sg.set(ag, other * rank)
      this.#yg.set(zg, other * rank)
      for (const place of [this.#at(slot, other), this.#at(other, slot)]) {
        this.#ss.set(as, place)
        this.#yy.set(zy, place)
      }
      this.#sy.set(ay, this.#at(other, slot))
      this.#sy.set(zs, this.#at(slot, other))
    }
    let [curvature, steps, changes] = [0, 0, 0]
    for (let k = 0; k < rank; k++) {
      const [share, step, change] = [from.values[k], this.#steps[at + k], this.#changes[at + k]]
      curvature += step * change + dots.sy[k]
      steps += step * step + share * dots.ss[k]
      changes += change * change + (share > 0 ? dots.yy[k] / share : 0)
    }
    used.forEach((each, j) => {
      slopes[j] = this.#slopeAlong(each)
    })
    slopes[used.length] = this.#slopeAlong(slot)
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
    const rank = this.#rank
    this.#used = used.slice()
    this.#ofChanges = used.map((_, j) => factors[j])
    this.#ofSteps = used.map(() => 0)
    const direction = this.#direction
    for (let k = 0; k < rank; k++) {
      this.#metric[k] = shares[k]
      this.#inverse[k] = shares[k] > 0 ? scale / shares[k] : 0
      direction[k] = this.#gradient[k]
      for (let j = 0; j < used.length; j++) direction[k] += factors[j] * this.#changes[used[j] * rank + k]
      direction[k] *= scale
    }
    // What a vector's inner products for each class come to with the direction.
    const along = (
      withGradient: Float64Array,
      first: number,
      withChange: Float64Array,
      place: (j: number) => number,
    ) => {
      let sum = 0
      for (let k = 0; k < rank; k++) {
        let term = withGradient[first + k]
        for (let j = 0; j < used.length; j++) term += factors[j] * withChange[place(j) + k]
        sum += this.#inverse[k] * term
      }
      return sum
    }
    for (let i = 0; i < used.length; i++) {
      const at = used[i] * rank
      products[i] = along(this.#yg, at, this.#yy, j => this.#at(used[i], used[j]))
      for (let k = 0; k < rank; k++) products[i] += this.#changes[at + k] * direction[k]
    }
    let product = along(this.#gg, 0, this.#yg, j => used[j] * rank)
    for (let k = 0; k < rank; k++) product += this.#gradient[k] * direction[k]
    return product
  }

  /** direction += Σ factor · step; the square of its length. */
  addSteps(used: readonly number[], factors: Float64Array): number {
    const rank = this.#rank
    this.#ofSteps = used.map((_, j) => factors[j])
    const [changes, steps] = [this.#ofChanges, this.#ofSteps]
    const [ss, sy, yy, slots] = [this.#ss, this.#sy, this.#yy, this.#slots]
    let length = 0
    for (let k = 0; k < rank; k++) {
      for (let j = 0; j < used.length; j++) this.#direction[k] += steps[j] * this.#steps[used[j] * rank + k]
      length += this.#direction[k] ** 2
      let [change, both, step] = [this.#gg[k], 0, 0]
      for (let i = 0; i < used.length; i++) {
        const at = used[i] * rank + k
        change += 2 * changes[i] * this.#yg[at]
        both += steps[i] * this.#sg[at]
        for (let j = 0; j < used.length; j++) {
          const place = (used[i] * slots + used[j]) * rank + k
          change += changes[i] * changes[j] * yy[place]
          both += steps[i] * changes[j] * sy[place]
          step += steps[i] * steps[j] * ss[place]
        }
      }
      const inverse = this.#inverse[k]
      length += this.#metric[k] * (inverse * inverse * change + 2 * inverse * both + step)
    }
    return Math.max(0, length)
  }

  /** The shares at a length along the direction; undefined where they cannot be normalized. */
  stepAlong(length: number, from: SharesAt): Float64Array | undefined {
    const values = from.values.map((value, k) => {
      const root = Math.sqrt(value) + length * this.#direction[k]
      return Math.max(root * root, FLOOR * from.update[k])
    })
    const total = values.reduce((sum, value) => sum + value, 0)
    if (!(total > 0 && total < Number.POSITIVE_INFINITY)) return undefined
    return values.map(value => value / total)
  }

  #at(a: number, b: number): number {
    return (a * this.#slots + b) * this.#rank
  }

  /** The inner product of a pair's step and the gradient. */
  #slopeAlong(slot: number): number {
    let sum = 0
    for (let k = 0, at = slot * this.#rank; k < this.#rank; k++, at++)
      sum += this.#steps[at] * this.#gradient[k] + this.#sg[at]
    return sum
  }
}

/** The negative gradient by the roots of the shares, per 4M; none at zero. */
const slopesOf = ({ values, update }: SharesAt): Float64Array =>
  values.map((value, k) => (value > 0 ? (update[k] - value) / (2 * Math.sqrt(value)) : 0))
