import type { Metric, Point } from './point.ts'

/** Steps that are kept to learn from. */
const MEMORY = 20

/** Steps that were taken and how the gradient changed over them (limited-memory BFGS). */
export class History {
  readonly #pairs: { step: Float64Array; change: Float64Array; curvature: number }[] = []

  forget(): void {
    this.#pairs.length = 0
  }

  learn(from: Point, to: Point): void {
    const step = to.at.map((value, i) => value - from.at[i])
    const change = to.gradient.map((value, i) => value - from.gradient[i])
    const curvature = dot(step, change)
    if (!(curvature > 0)) return
    this.#pairs.push({ step, change, curvature })
    if (this.#pairs.length > MEMORY) this.#pairs.shift()
  }

  direction({ gradient }: Point, metric: Metric): Float64Array {
    const direction = gradient.map(value => -value)
    const taken: number[] = []
    for (let j = this.#pairs.length - 1; j >= 0; j--) {
      const { step, change, curvature } = this.#pairs[j]
      taken[j] = dot(step, direction) / curvature
      for (let i = 0; i < direction.length; i++) direction[i] -= taken[j] * change[i]
    }
    metric(direction)
    this.#pairs.forEach(({ step, change, curvature }, j) => {
      const back = dot(change, direction) / curvature
      for (let i = 0; i < direction.length; i++) direction[i] += (taken[j] - back) * step[i]
    })
    return direction
  }
}

export const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
