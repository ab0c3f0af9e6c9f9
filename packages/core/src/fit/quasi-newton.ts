import type { Point } from './point.ts'

/**
 * Faster steps than EM's, learned from the steps already taken (limited-memory BFGS).
 *
 * The coordinates are the square roots of the parameters. There the complete-data Fisher information, which is the
 * metric in which EM is a gradient step, is flat: 1 for a share, the class's share for an entry of its columns. Zero is
 * an inside point of a square root, so a step may cross it, and the constraint p ≥ 0 needs no care. EM's own direction
 * is the gradient; the pairs of steps and changes of gradient turn it into Newton's.
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
  forget(): void
}

/** How much of EM's own entry must remain in one step: keeps every parameter above zero. */
const FLOOR = 1e-3

/** Pairs whose step and change of gradient are nearly at right angles tell more of rounding than of curvature. */
const CURVED = 1e-8

export const quasiNewton = (memory: number, total: number): QuasiNewton => {
  const steps: Float64Array[] = []
  const changes: Float64Array[] = []
  let direction = new Float64Array(0)
  let scratch = new Float64Array(0)
  let metric = new Float64Array(0)
  let slope = 0
  let used = 0
  /** The length of the direction, and the most it may be: what went wrong before is not tried at full length again. */
  let norm = 0
  let reach = Number.POSITIVE_INFINITY

  /** Takes over the metric at a point: classes count by their share. */
  const measureAt = ({ rank, values }: Point): void => {
    if (metric.length !== values.length) metric = new Float64Array(values.length)
    metric.fill(1, 0, rank)
    for (let row = rank; row < metric.length; row += rank) for (let k = 0; k < rank; k++) metric[row + k] = values[k]
  }

  /** The inner product in that metric. */
  const inner = (a: Float64Array, b: Float64Array): number => {
    let sum = 0
    for (let i = 0; i < metric.length; i++) sum += metric[i] * a[i] * b[i]
    return sum
  }

  const addTo = (target: Float64Array, factor: number, other: Float64Array): void => {
    for (let i = 0; i < target.length; i++) target[i] += factor * other[i]
  }

  return {
    get slope() {
      return slope
    },
    aim(from) {
      if (used === 0) return false
      if (direction.length !== from.values.length) direction = new Float64Array(from.values.length)
      measureAt(from)
      descent(from, direction)
      const curvature = new Array<number>(used)
      const taken = new Array<number>(used)
      for (let j = used - 1; j >= 0; j--) {
        curvature[j] = inner(steps[j], changes[j])
        if (!(curvature[j] > 0)) continue
        taken[j] = inner(steps[j], direction) / curvature[j]
        addTo(direction, -taken[j], changes[j])
      }
      const last = used - 1
      const scale = curvature[last] > 0 ? curvature[last] / inner(changes[last], changes[last]) : 1
      if (scale > 1) for (let i = 0; i < direction.length; i++) direction[i] *= scale
      for (let j = 0; j < used; j++) {
        if (!(curvature[j] > 0)) continue
        const back = inner(changes[j], direction) / curvature[j]
        addTo(direction, taken[j] - back, steps[j])
      }
      norm = Math.sqrt(inner(direction, direction))
      if (norm > reach) {
        for (let i = 0; i < direction.length; i++) direction[i] *= reach / norm
        norm = reach
      }
      slope = -4 * total * inner(direction, descent(from, scratch))
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
      if (scratch.length !== size) scratch = new Float64Array(size)
      measureAt(from)
      if (used === memory) {
        steps.push(steps.shift() as Float64Array)
        changes.push(changes.shift() as Float64Array)
        used--
      } else if (steps.length === used) {
        steps.push(new Float64Array(size))
        changes.push(new Float64Array(size))
      }
      const [step, change] = [steps[used], changes[used]]
      for (let i = 0; i < size; i++) step[i] = Math.sqrt(to.values[i]) - Math.sqrt(from.values[i])
      descent(from, change)
      addTo(change, -1, descent(to, scratch))
      const across = Math.sqrt(inner(step, step) * inner(change, change))
      if (inner(step, change) > CURVED * across) used++
    },
    judge(good, length) {
      if (!good) reach = (length * norm) / 4
      else if (length === 1) reach *= 4
    },
    forget() {
      used = 0
    },
  }
}

/** The direction of steepest descent in the metric, per unit of 4M: EM's own, to first order. */
const descent = ({ rank, shape, values, update, mass }: Point, into: Float64Array): Float64Array => {
  for (let k = 0; k < rank; k++) into[k] = values[k] > 0 ? (update[k] - values[k]) / (2 * Math.sqrt(values[k])) : 0
  let offset = rank
  shape.forEach((labels, n) => {
    const end = offset + labels * rank
    for (let row = offset; row < end; row += rank) {
      for (let k = 0; k < rank; k++) {
        const p = values[row + k]
        const share = values[k]
        const live = p > 0 && share > 0
        into[row + k] = live ? (((update[row + k] - p) / (2 * Math.sqrt(p))) * mass[n * rank + k]) / share : 0
      }
    }
    offset = end
  })
  return into
}
