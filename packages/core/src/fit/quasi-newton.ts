import type { Point } from './point.ts'

/**
 * Faster steps than EM's, learned from the steps already taken (limited-memory BFGS).
 *
 * The coordinates are the square roots of the parameters. There the complete-data Fisher information, which is the
 * metric in which EM is a gradient step, is flat: 1 for a share, the class's share for an entry of its columns. Zero is
 * an inside point of a square root, so a step may cross it, and the constraint p ≥ 0 needs no care. The metric turns the
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
}

/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR = 1e-3

/** Pairs whose step and change of gradient are nearly at right angles tell more of rounding than of curvature. */
const CURVED = 1e-8

interface Pair {
  readonly step: Float64Array
  readonly change: Float64Array
  /** Their inner product. */
  curvature: number
}

export const quasiNewton = (memory: number, total: number): QuasiNewton => {
  /** Oldest first; those beyond `used` are kept for their arrays. */
  const pairs: Pair[] = []
  let used = 0
  let direction = new Float64Array(0)
  /** The gradient at `known`, and room for the next. */
  let here = new Float64Array(0)
  let there = new Float64Array(0)
  let known: Point | undefined
  let slope = 0
  /** The length of the direction, and the most it may be: what went wrong before is not tried at full length again. */
  let norm = 0
  let reach = Number.POSITIVE_INFINITY

  return {
    get slope() {
      return slope
    },
    aim(from) {
      if (used === 0) return false
      if (direction.length !== here.length) direction = new Float64Array(here.length)
      if (known !== from) descent(from, here)
      known = from
      direction.set(here)
      const taken = new Float64Array(used)
      let along = dot(pairs[used - 1].step, direction)
      for (let j = used - 1; j >= 0; j--) {
        taken[j] = along / pairs[j].curvature
        along = addAndDot(direction, -taken[j], pairs[j].change, j > 0 ? pairs[j - 1].step : here)
      }
      const last = pairs[used - 1]
      toSteps(from, direction, Math.max(1, last.curvature / normOfChange(from, last.change) ** 2))
      along = dot(pairs[0].change, direction)
      for (let j = 0; j < used; j++) {
        const back = along / pairs[j].curvature
        along = addAndDot(direction, taken[j] - back, pairs[j].step, j + 1 < used ? pairs[j + 1].change : here)
      }
      norm = normOfStep(from, direction)
      const scale = norm > reach ? reach / norm : 1
      if (scale < 1) for (let i = 0; i < direction.length; i++) direction[i] *= scale
      norm *= scale
      slope = -4 * total * along * scale
      return slope < 0
    },
    step(from, length, to) {
      for (let i = 0; i < direction.length; i++) {
        const root = Math.sqrt(from.values[i]) + length * direction[i]
        to.values[i] = Math.max(root * root, FLOOR * from.update[i])
      }
    },
    learn(from, to) {
      const size = from.values.length
      if (here.length !== size) {
        here = new Float64Array(size)
        there = new Float64Array(size)
      }
      if (used === memory) {
        pairs.push(pairs.shift() as Pair)
        used--
      } else if (pairs.length === used) {
        pairs.push({ step: new Float64Array(size), change: new Float64Array(size), curvature: 0 })
      }
      const pair = pairs[used]
      if (known !== from) descent(from, here)
      descent(to, there)
      for (let i = 0; i < size; i++) {
        pair.step[i] = Math.sqrt(to.values[i]) - Math.sqrt(from.values[i])
        pair.change[i] = here[i] - there[i]
      }
      pair.curvature = dot(pair.step, pair.change)
      if (pair.curvature > CURVED * normOfStep(from, pair.step) * normOfChange(from, pair.change)) used++
      ;[here, there] = [there, here]
      known = to
    },
    judge(good, length) {
      if (!good) reach = (length * norm) / 4
      else if (length === 1) reach *= 4
    },
    forget() {
      used = 0
      known = undefined
    },
  }
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** Adds a multiple of a vector to `target`, and gives its inner product with the next: one way through memory for both. */
const addAndDot = (target: Float64Array, factor: number, added: Float64Array, next: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < target.length; i++) {
    const value = target[i] + factor * added[i]
    target[i] = value
    sum += value * next[i]
  }
  return sum
}

/** Turns a gradient into a step, in the metric at a point: classes count by their share. */
const toSteps = ({ rank, values }: Point, gradient: Float64Array, scale: number): void => {
  const inverse = Float64Array.from({ length: rank }, (_, k) => (values[k] > 0 ? scale / values[k] : 0))
  for (let k = 0; k < rank; k++) gradient[k] *= scale
  for (let row = rank; row < gradient.length; row += rank) {
    for (let k = 0; k < rank; k++) gradient[row + k] *= inverse[k]
  }
}

const normOfStep = ({ rank, values }: Point, step: Float64Array): number => {
  let sum = 0
  for (let k = 0; k < rank; k++) sum += step[k] * step[k]
  for (let row = rank; row < step.length; row += rank) {
    for (let k = 0; k < rank; k++) sum += values[k] * step[row + k] * step[row + k]
  }
  return Math.sqrt(sum)
}

const normOfChange = ({ rank, values }: Point, change: Float64Array): number => {
  let sum = 0
  for (let k = 0; k < rank; k++) sum += change[k] * change[k]
  for (let row = rank; row < change.length; row += rank) {
    for (let k = 0; k < rank; k++) if (values[k] > 0) sum += (change[row + k] * change[row + k]) / values[k]
  }
  return Math.sqrt(sum)
}

/** The negative gradient of the objective by the square roots, per 4M. */
const descent = ({ rank, shape, values, update, mass }: Point, into: Float64Array): Float64Array => {
  for (let k = 0; k < rank; k++) into[k] = values[k] > 0 ? (update[k] - values[k]) / (2 * Math.sqrt(values[k])) : 0
  let offset = rank
  shape.forEach((labels, n) => {
    const end = offset + labels * rank
    for (let row = offset; row < end; row += rank) {
      for (let k = 0; k < rank; k++) {
        const p = values[row + k]
        into[row + k] = p > 0 ? ((update[row + k] - p) / (2 * Math.sqrt(p))) * mass[n * rank + k] : 0
      }
    }
    offset = end
  })
  return into
}
