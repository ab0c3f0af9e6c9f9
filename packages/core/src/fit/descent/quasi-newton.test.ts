import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SharedSweeps, SweepPool, sharedSweeps } from '../../engine/sweeps/sweeps.ts'
import { random } from '../../numeric/philox.ts'
import { newPoint, type Point } from './point.ts'
import { quasiNewton } from './quasi-newton.ts'

/** L-BFGS as it stands in the books, on the roots of the parameters: the oracle. */
const naiveStep = (path: readonly Path[], pairs: number, length: number): number[] | undefined => {
  const slopes = path.map(({ values, update, mass, rank, rows }) =>
    values.map((p, i) => {
      const mode = rows[Math.floor(i / rank)]
      return p > 0 ? ((update[i] - p) / (2 * Math.sqrt(p))) * (mode < 0 ? 1 : mass[mode * rank + (i % rank)]) : 0
    }),
  )
  const { rank, rows } = path[0]
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0)
  const all = path.slice(1).map((to, j) => {
    const step = to.values.map((p, i) => Math.sqrt(p) - Math.sqrt(path[j].values[i]))
    const change = slopes[j].map((g, i) => g - slopes[j + 1][i])
    const metric = step.map((_, i) => (i < rank ? 1 : path[j].values[i % rank]))
    const curvature = dot(step, change)
    return {
      step,
      change,
      curvature,
      scale:
        curvature /
        dot(
          change,
          change.map((c, i) => c / metric[i]),
        ),
    }
  })
  // A new pair takes the place of the oldest, even if it is not used itself.
  const kept: typeof all = []
  for (const each of all) {
    if (kept.length === pairs) kept.shift()
    if (each.curvature > 0) kept.push(each)
  }
  if (kept.length === 0) return undefined
  const last = path[path.length - 1]
  let q = [...slopes[slopes.length - 1]]
  const taken: number[] = []
  for (let j = kept.length - 1; j >= 0; j--) {
    taken[j] = dot(kept[j].step, q) / kept[j].curvature
    q = q.map((x, i) => x - taken[j] * kept[j].change[i])
  }
  q = q.map((x, i) => (x * Math.max(1, kept[kept.length - 1].scale)) / (i < rank ? 1 : last.values[i % rank]))
  kept.forEach(({ step, change, curvature }, j) => {
    const back = dot(change, q) / curvature
    q = q.map((x, i) => x + (taken[j] - back) * step[i])
  })
  const to = q.map((d, i) => Math.max((Math.sqrt(last.values[i]) + length * d) ** 2, 1e-3 * last.update[i]))
  const sums = new Map<string, number>()
  const column = (i: number) => (i < rank ? 'shares' : `${rows[Math.floor(i / rank)]} ${i % rank}`)
  to.forEach((x, i) => {
    sums.set(column(i), (sums.get(column(i)) ?? 0) + x)
  })
  return to.map((x, i) => x / sums.get(column(i))!)
}

interface Path {
  readonly rank: number
  /** The mode of every row; that of the shares is −1. */
  readonly rows: readonly number[]
  readonly values: number[]
  readonly update: number[]
  readonly mass: number[]
}

const fill = ({ values, update, mass, shape, rank }: Point, uniform: () => number): Path => {
  for (const array of [values, update, mass]) for (let i = 0; i < array.length; i++) array[i] = 0.1 + uniform()
  const rows = [-1, ...shape.flatMap((labels, mode) => new Array<number>(labels).fill(mode))]
  return { rank, rows, values: [...values], update: [...update], mass: [...mass] }
}

const problems = fc.record({
  shape: fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 200, max: 600 })), {
    minLength: 1,
    maxLength: 4,
  }),
  rank: fc.integer({ min: 1, max: 7 }),
  pairs: fc.integer({ min: 1, max: 4 }),
  steps: fc.integer({ min: 1, max: 7 }),
  seed: fc.nat(),
})

describe('acceleration', () => {
  it('goes where L-BFGS over whole vectors goes', () => {
    fc.assert(
      fc.property(problems, ({ shape, rank, pairs, steps, seed }) => {
        const { uniform } = random(seed % 1000, 'data')
        const sweeps = new SweepPool().borrow(shape, rank, pairs)
        const newton = quasiNewton<Point>(sweeps, 1)
        let [from, to] = [newPoint(sweeps, 0), newPoint(sweeps, 1)]
        const path = [fill(from, uniform)]
        for (let i = 0; i < steps; i++) {
          path.push(fill(to, uniform))
          newton.learn(from, to)
          ;[from, to] = [to, from]
        }
        const expected = naiveStep(path, pairs, 0.01)
        const aimed = newton.aim(from)
        if (expected === undefined) return
        expect(aimed).toBe(true)
        expect(newton.step(from, 0.01, to)).toBe(true)
        to.values.forEach((x, i) => {
          expect(Math.abs(x - expected[i])).toBeLessThan(1e-7 * Math.max(expected[i], 1e-3))
        })
      }),
      // Here the second pair is not used, and the first has made room for it.
      { numRuns: 30, examples: [[{ shape: [4, 3], rank: 1, pairs: 1, steps: 2, seed: 13961534 }]] },
    )
  })

  it('gives the same bits with threads that help', () => {
    const shape = [12_000, 3, 14_001]
    const walk = (pool: SweepPool): Float64Array => {
      const { uniform } = random(7, 'data')
      const sweeps = pool.borrow(shape, 5, 3)
      const newton = quasiNewton<Point>(sweeps, 1)
      let [from, to] = [newPoint(sweeps, 0), newPoint(sweeps, 1)]
      fill(from, uniform)
      for (let i = 0; i < 5; i++) {
        sweeps.statistics.forEach((_, j) => {
          sweeps.statistics[j] = uniform()
        })
        fill(to, uniform)
        sweeps.maximize(to, [0, 1, 0.5], 10)
        newton.learn(from, to)
        ;[from, to] = [to, from]
      }
      newton.aim(from)
      newton.step(from, 0.5, to)
      return Float64Array.of(newton.slope, ...to.values.slice(-9999), ...from.update.slice(-9999), ...from.mass)
    }
    let helper: SharedSweeps | undefined
    let calls = 0
    const helped = new SweepPool({
      join: memory => {
        helper = sharedSweeps(memory)
      },
      call: () => {
        calls++
        helper?.help()
      },
    })
    expect(walk(helped)).toEqual(walk(new SweepPool()))
    expect(calls).toBeGreaterThan(10)
  })
})
