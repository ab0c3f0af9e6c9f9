import type { Point } from './point.ts'

/**
 * Faster steps than EM's, learned from the steps already taken (limited-memory BFGS).
 *
 * The coordinates are the square roots of the parameters. In them the complete-data Fisher information, which is the
 * metric in which EM is a gradient step, is flat: 1 for a share, the class's share for an entry of its columns. Zero is
 * an interior point of a square root, so a step may cross it, and the constraint p ≥ 0 needs no care. The metric turns the
 * gradient into EM's own direction; the pairs of steps and changes of gradient turn that into Newton's.
 */
export interface QuasiNewton {
  /** Makes the direction from a point; false where nothing is known yet or it would not descend. */
  aim(from: Point): boolean
  /** Writes the point at a length along the direction into `to`, not yet normalized. */
  step(from: Point, length: number, to: Point): void
  /** The slope of the objective along the direction, at its start. */
  readonly slope: number
  /** Learns from a step that was taken. */
  learn(from: Point, to: Point): void
  /** Says how the direction did: the length along it that was good, or the shortest that was not. */
  judge(good: boolean, length: number): void
  /** Starts afresh; also to be called where a point was changed in between. */
  forget(): void
  /** Forgets everything, as if it were new. */
  reset(): void
}

/** Keeps what a run has learned with for the next one: a search then makes no garbage of it. One run at a time. */
export class NewtonRoom {
  #kept:
    | { readonly memory: number; readonly total: number; readonly size: number; readonly newton: QuasiNewton }
    | undefined

  /** As good as new, whatever it was used for before. @param size how many parameters there are */
  take(memory: number, total: number, size: number): QuasiNewton {
    const kept = this.#kept
    if (kept?.memory === memory && kept.total === total && kept.size === size) kept.newton.reset()
    else this.#kept = { memory, total, size, newton: quasiNewton(memory, total) }
    return this.#kept!.newton
  }
}

/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR = 1e-3

/** Pairs whose step and change of gradient are nearly at right angles tell more of rounding than of curvature. */
const CURVED = 1e-8

/** A step that was taken, and how the gradient changed over it. */
interface Pair {
  readonly step: Float64Array
  readonly change: Float64Array
  /** Their inner product. */
  curvature: number
  /** How much longer than EM's the steps along this change of gradient should be. */
  scale: number
}

/** A point's square roots, and its gradient by them. */
interface Slope {
  roots: Float64Array
  gradient: Float64Array
}

const newSlope = (size: number): Slope => ({ roots: new Float64Array(size), gradient: new Float64Array(size) })

export const quasiNewton = (memory: number, total: number): QuasiNewton => {
  /** Oldest first; those beyond `used` are kept for their arrays. */
  const pairs: Pair[] = []
  let used = 0
  let direction = new Float64Array(0)
  /** The slope at `known`, and space for the next. */
  let here = newSlope(0)
  let there = newSlope(0)
  let known: Point | undefined
  let slope = 0
  /** The limit on the direction's length: what went wrong before is not tried at full length again. */
  let reach = Number.POSITIVE_INFINITY

  /** Makes sure that `here` is the slope at a point. */
  const stand = (point: Point): void => {
    if (known === point) return
    const size = point.values.length
    if (direction.length !== size) {
      direction = new Float64Array(size)
      here = newSlope(size)
      there = newSlope(size)
    }
    slopeAt(point, here)
    known = point
  }

  return {
    get slope() {
      return slope
    },
    aim(from) {
      if (used === 0) return false
      stand(from)
      direction.set(here.gradient)
      const taken = new Float64Array(used)
      let along = dot(pairs[used - 1].step, direction)
      for (let j = used - 1; j >= 0; j--) {
        taken[j] = along / pairs[j].curvature
        along = addAndDot(direction, -taken[j], pairs[j].change, j > 0 ? pairs[j - 1].step : here.gradient)
      }
      toSteps(from, direction, Math.max(1, pairs[used - 1].scale))
      along = dot(pairs[0].change, direction)
      for (let j = 0; j < used; j++) {
        const back = along / pairs[j].curvature
        along = addAndDot(direction, taken[j] - back, pairs[j].step, j + 1 < used ? pairs[j + 1].change : here.gradient)
      }
      if (reach < Number.POSITIVE_INFINITY) {
        const scale = Math.min(1, reach / lengthOf(from, direction))
        for (let i = 0; i < direction.length; i++) direction[i] *= scale
        along *= scale
      }
      slope = -4 * total * along
      return slope < 0
    },
    step(from, length, to) {
      const { roots } = here
      for (let i = 0; i < direction.length; i++) {
        const root = roots[i] + length * direction[i]
        to.values[i] = Math.max(root * root, FLOOR * from.update[i])
      }
    },
    learn(from, to) {
      stand(from)
      const size = from.values.length
      if (used === memory) {
        pairs.push(pairs.shift() as Pair)
        used--
      } else if (pairs.length === used) {
        pairs.push({ step: new Float64Array(size), change: new Float64Array(size), curvature: 0, scale: 1 })
      }
      slopeAt(to, there)
      if (fillPair(pairs[used], from, here, there)) used++
      ;[here, there] = [there, here]
      known = to
    },
    judge(good, length) {
      if (!good) reach = (length * lengthOf(known as Point, direction)) / 4
      else if (length === 1) reach *= 4
    },
    forget() {
      used = 0
      known = undefined
    },
    reset() {
      used = 0
      known = undefined
      slope = 0
      reach = Number.POSITIVE_INFINITY
    },
  }
}

/** Sets a pair to the way from one slope to another; false where it tells nothing of the curvature. */
const fillPair = (pair: Pair, { rank, values }: Point, from: Slope, to: Slope): boolean => {
  const { step, change } = pair
  let [curvature, steps, changes] = [0, 0, 0]
  // The first row holds the shares themselves, for which the metric is 1.
  for (let row = 0; row < step.length; row += rank) {
    for (let k = 0; k < rank; k++) {
      const i = row + k
      const s = to.roots[i] - from.roots[i]
      const c = from.gradient[i] - to.gradient[i]
      const metric = row === 0 ? 1 : values[k]
      step[i] = s
      change[i] = c
      curvature += s * c
      steps += metric * s * s
      if (metric > 0) changes += (c * c) / metric
    }
  }
  pair.curvature = curvature
  pair.scale = curvature / changes
  return curvature > CURVED * Math.sqrt(steps * changes)
}

// Both sums below are kept in four parts, since a processor can add to one while it waits for another.

const dot = (a: Float64Array, b: Float64Array): number => {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  const whole = a.length - (a.length % 4)
  for (let i = 0; i < whole; i += 4) {
    s0 += a[i] * b[i]
    s1 += a[i + 1] * b[i + 1]
    s2 += a[i + 2] * b[i + 2]
    s3 += a[i + 3] * b[i + 3]
  }
  for (let i = whole; i < a.length; i++) s0 += a[i] * b[i]
  return s0 + s1 + (s2 + s3)
}

/** Adds a multiple of a vector to `target`, and gives its inner product with the next: one trip through memory for both. */
const addAndDot = (target: Float64Array, factor: number, added: Float64Array, next: Float64Array): number => {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  const whole = target.length - (target.length % 4)
  for (let i = 0; i < whole; i += 4) {
    const v0 = target[i] + factor * added[i]
    const v1 = target[i + 1] + factor * added[i + 1]
    const v2 = target[i + 2] + factor * added[i + 2]
    const v3 = target[i + 3] + factor * added[i + 3]
    target[i] = v0
    target[i + 1] = v1
    target[i + 2] = v2
    target[i + 3] = v3
    s0 += v0 * next[i]
    s1 += v1 * next[i + 1]
    s2 += v2 * next[i + 2]
    s3 += v3 * next[i + 3]
  }
  for (let i = whole; i < target.length; i++) {
    target[i] += factor * added[i]
    s0 += target[i] * next[i]
  }
  return s0 + s1 + (s2 + s3)
}

/** Turns a gradient into a step, in the metric at a point: classes count by their share. */
const toSteps = ({ rank, values }: Point, gradient: Float64Array, scale: number): void => {
  const inverse = Float64Array.from({ length: rank }, (_, k) => (values[k] > 0 ? scale / values[k] : 0))
  for (let k = 0; k < rank; k++) gradient[k] *= scale
  for (let row = rank; row < gradient.length; row += rank) {
    for (let k = 0; k < rank; k++) gradient[row + k] *= inverse[k]
  }
}

/** The length of a step in the metric at a point. */
const lengthOf = ({ rank, values }: Point, step: Float64Array): number => {
  let sum = 0
  for (let k = 0; k < rank; k++) sum += step[k] * step[k]
  for (let row = rank; row < step.length; row += rank) {
    for (let k = 0; k < rank; k++) sum += values[k] * step[row + k] * step[row + k]
  }
  return Math.sqrt(sum)
}

/** The square roots of a point's parameters, and the negative gradient of the objective by them, per 4M. */
const slopeAt = ({ rank, shape, values, update, mass }: Point, { roots, gradient }: Slope): void => {
  const set = (i: number, weight: number) => {
    const p = values[i]
    const root = Math.sqrt(p)
    roots[i] = root
    gradient[i] = p > 0 ? ((update[i] - p) / (2 * root)) * weight : 0
  }
  for (let k = 0; k < rank; k++) set(k, 1)
  let offset = rank
  shape.forEach((labels, n) => {
    const end = offset + labels * rank
    for (let row = offset; row < end; row += rank) for (let k = 0; k < rank; k++) set(row + k, mass[n * rank + k])
    offset = end
  })
}
