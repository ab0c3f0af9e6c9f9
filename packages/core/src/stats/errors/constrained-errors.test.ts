import { describe, expect, it } from 'vitest'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { fit } from '../../fit/fit.ts'
import type { Model } from '../../model/model.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { standardErrors } from './standard-errors.ts'

/** Two classes, four questions of two answers and one of three; some answers are missing. */
const data = (() => {
  const { uniform } = random(11, 'data')
  const pick = (yes: number) => (uniform() < 0.05 ? undefined : uniform() < yes ? 'yes' : 'no')
  return tensorFromRows(
    Array.from({ length: 900 }, () => {
      const one = uniform() < 0.55
      const u = uniform()
      const e = one ? (u < 0.6 ? 'low' : u < 0.8 ? 'middle' : 'top') : u < 0.1 ? 'low' : u < 0.4 ? 'middle' : 'top'
      return {
        a: pick(one ? 0.85 : 0.25),
        b: pick(one ? 0.8 : 0.3),
        c: pick(one ? 0.7 : 0.2),
        d: pick(one ? 0.9 : 0.4),
        e,
      }
    }),
  )
})()

/** A model by free numbers of its own: what is equal has one number, what is fixed has none. */
interface Plan {
  readonly constraints: Constraints
  readonly size: number
  /** The share of the second class, and P[label | class] of every mode, class and label. */
  readonly probabilities: (theta: readonly number[]) => { readonly share: number; readonly of: number[][][] }
  /** The numbers of a model. */
  readonly start: (model: Model) => number[]
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x))
const logit = (p: number) => Math.log(p / (1 - p))
const three = (x: number, y: number) => {
  const sum = 1 + Math.exp(x) + Math.exp(y)
  return [1 / sum, Math.exp(x) / sum, Math.exp(y) / sum]
}
const two = (x: number) => [1 - logistic(x), logistic(x)]

const plans: Record<string, Plan> = {
  'equal questions': {
    constraints: {
      equal: [
        [
          { mode: 'a', class: 1 },
          { mode: 'b', class: 1 },
        ],
        [
          { mode: 'a', class: 2 },
          { mode: 'b', class: 2 },
        ],
      ],
    },
    size: 11,
    probabilities: t => ({
      share: logistic(t[0]),
      of: [
        [two(t[1]), two(t[2])],
        [two(t[1]), two(t[2])],
        [two(t[3]), two(t[4])],
        [two(t[5]), two(t[6])],
        [three(t[7], t[8]), three(t[9], t[10])],
      ],
    }),
    start: ({ parameters: { shares, factors } }) => [
      logit(shares[1]),
      ...[0, 2, 3].flatMap(n => [logit(factors[n][2]), logit(factors[n][3])]),
      ...[0, 1].flatMap(k => [1, 2].map(j => Math.log(factors[4][2 * j + k] / factors[4][k]))),
    ],
  },
  'a known probability of three': {
    constraints: { fixed: [{ mode: 'e', class: 1, label: 'low', probability: 0.6 }] },
    size: 12,
    probabilities: t => ({
      share: logistic(t[0]),
      of: [
        ...[0, 1, 2, 3].map(n => [two(t[1 + 2 * n]), two(t[2 + 2 * n])]),
        [[0.6, 0.4 * (1 - logistic(t[9])), 0.4 * logistic(t[9])], three(t[10], t[11])],
      ],
    }),
    start: ({ parameters: { shares, factors } }) => [
      logit(shares[1]),
      ...[0, 1, 2, 3].flatMap(n => [logit(factors[n][2]), logit(factors[n][3])]),
      logit(factors[4][4] / 0.4),
      ...[1, 2].map(j => Math.log(factors[4][2 * j + 1] / factors[4][1])),
    ],
  },
}

/** The log-likelihood of a cell, by the plain formula. */
const cellLog = (plan: Plan, theta: readonly number[], cell: number): number => {
  const { share, of } = plan.probabilities(theta)
  const parts = [1 - share, share].map((own, k) =>
    of.reduce((product, mode, n) => {
      const j = data.indices[n][cell]
      return j < 0 ? product : product * mode[k][j]
    }, own),
  )
  return Math.log(parts[0] + parts[1])
}

const moved = (theta: readonly number[], ...steps: readonly (readonly [number, number])[]) => {
  const to = [...theta]
  for (const [i, by] of steps) to[i] += by
  return to
}

const transform = (map: number[][], matrix: number[][]): number[][] =>
  map.map(a =>
    map.map(b => a.reduce((sum, x, i) => sum + x * b.reduce((inner, y, j) => inner + y * matrix[i][j], 0), 0)),
  )

const inverse = (matrix: number[][]): number[][] => {
  const n = matrix.length
  const flat = inverseOf(Float64Array.from(matrix.flat()), n)!
  return matrix.map((_, i) => [...flat.subarray(i * n, (i + 1) * n)])
}

describe('standard errors under constraints', () => {
  it.each(Object.keys(plans))('%s: as by differences of the log-likelihood', async name => {
    const plan = plans[name]
    const { constraints, size } = plan
    const { model } = await fit(data, {
      rank: 2,
      constraints,
      starts: 4,
      seed: 3,
      stationarity: 1e-10,
      tolerance: 1e-14,
    })
    const theta = plan.start(model)
    const all = (at: readonly number[]) => data.values.reduce((sum, y, cell) => sum + y * cellLog(plan, at, cell), 0)
    const h = 1e-3
    const indices = Array.from({ length: size }, (_, i) => i)
    const curvature = indices.map(i =>
      indices.map(j => {
        const at = (a: number, b: number) => all(moved(theta, [i, a * h], [j, b * h]))
        return -(at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h)
      }),
    )
    const outer = indices.map(() => indices.map(() => 0))
    for (let cell = 0; cell < data.cells; cell++) {
      const score = indices.map(
        i => (cellLog(plan, moved(theta, [i, 1e-5]), cell) - cellLog(plan, moved(theta, [i, -1e-5]), cell)) / 2e-5,
      )
      for (const i of indices) for (const j of indices) outer[i][j] += data.values[cell] * score[i] * score[j]
    }
    // Shares, and then P[label | class] of every mode.
    const listed = (at: readonly number[]) => {
      const { share, of } = plan.probabilities(at)
      return [1 - share, share, ...of.flat(2)]
    }
    const slopes = listed(theta).map(() => indices.map(() => 0))
    for (const i of indices) {
      const [up, down] = [listed(moved(theta, [i, 1e-5])), listed(moved(theta, [i, -1e-5]))]
      for (const row of slopes.keys()) slopes[row][i] = (up[row] - down[row]) / 2e-5
    }
    const bread = inverse(curvature)
    const expected = { observed: bread, empirical: inverse(outer), sandwich: transform(bread, outer) }
    for (const kind of ['observed', 'empirical', 'sandwich'] as const) {
      const errors = await standardErrors(data, model, { kind, constraints })
      expect(errors.free).toBe(size)
      const covariance = transform(slopes, expected[kind])
      const found = [...errors.shares!, ...errors.factors!.flat(2)]
      found.forEach((error, i) => {
        expect(error).not.toBeUndefined()
        expect(Math.abs(error! - Math.sqrt(Math.max(0, covariance[i][i])))).toBeLessThan(2e-5)
      })
    }
    // What is fixed is known, and what is equal is known better than apart.
    const alone = await standardErrors(data, model, { kind: 'observed' })
    const together = await standardErrors(data, model, { kind: 'observed', constraints })
    if (constraints.fixed !== undefined) {
      expect(together.factors![4][0][0]).toBe(0)
      expect(together.intervals!.factors[4][0][0]).toEqual([0.6, 0.6])
    } else {
      expect(together.factors![0][0]).toEqual(together.factors![1][0])
      expect(together.factors![0][0][0]!).toBeLessThan(0.9 * alone.factors![0][0][0]!)
    }
  })
})
