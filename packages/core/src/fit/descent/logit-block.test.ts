import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import type { LogitDesign } from '../covariates/logit.ts'
import { type BlockPoint, BlockSteps } from './block.ts'
import { LogitBlock } from './logit-block.ts'

const [RANK, TERMS, PATTERNS] = [3, 2, 4]
const { uniform } = random(2, 'sample')
const values = Float64Array.from({ length: PATTERNS * TERMS }, (_, i) => (i % TERMS === 0 ? 1 : i - 3))
const counts = Float64Array.of(5, 10, 20, 15)
const total = 50
const design: LogitDesign = {
  terms: [
    { name: 'intercept', factors: [] },
    { name: 'x', factors: [] },
  ],
  patterns: PATTERNS,
  values,
  counts,
}
const membership = () => new LogitBlock(design, 7, RANK, total)
const close = (found: ArrayLike<number>, expected: ArrayLike<number>, digits = 10) => {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < found.length; i++) expect(found[i]).toBeCloseTo(expected[i], digits)
}

/** Coefficients that sum to zero over the classes: a row for each term. */
const coefficients = Float64Array.of(0.5, -0.2, -0.3, 0.1, 0.3, -0.4)
const model = { rank: RANK, shares: Float64Array.of(0.2, 0.5, 0.3), factors: [] }

/** A point of a model, with its memberships, and something gathered. */
const begun = (one: LogitBlock, explained: object = { coefficients }): Required<BlockPoint> => {
  const point = one.newPoint()
  one.initialize(point, { ...model, ...explained })
  expect(one.computeTable(point)).toBe(true)
  point.expectedCounts.set(point.table.map((p, i) => counts[Math.floor(i / RANK)] * (0.7 * p + 0.1)))
  one.updateGradient(point)
  return point
}

describe('a logit of membership', () => {
  it('has a point for every model, and gives its coefficients back', () => {
    const one = membership()
    expect(one.size).toBe((RANK - 1) * TERMS)
    const point = begun(one)
    // Differences from the first class, a list of terms for each.
    close(point.at, [-0.7, 0.2, -0.8, -0.5])
    close(one.parameters(point).coefficients, coefficients)
    const memberships = Array.from({ length: PATTERNS * RANK }, (_, i) => {
      const [z, k] = [Math.floor(i / RANK), i % RANK]
      const predictor = (l: number) => coefficients[l] + coefficients[RANK + l] * values[z * TERMS + 1]
      return Math.exp(predictor(k)) / [0, 1, 2].reduce((sum, l) => sum + Math.exp(predictor(l)), 0)
    })
    close(point.table, memberships)
    close(
      point.shares,
      [0, 1, 2].map(k => counts.reduce((sum, count, z) => sum + (count / total) * memberships[z * RANK + k], 0)),
    )
  })

  it('without coefficients has the logits of the shares, and none that is infinite', () => {
    const one = membership()
    const point = begun(one, { coefficients: undefined })
    close(point.shares, model.shares)
    close(point.at, [Math.log(2.5), 0, Math.log(1.5), 0])
    const gone = begun(one, { shares: Float64Array.of(0, 1, 0), coefficients: undefined })
    close(gone.at, [Math.log(1e6), 0, 0, 0])
    // What was there before is gone.
    one.initialize(gone, { ...model, shares: Float64Array.of(1, 0, 0) })
    close(gone.at, [-Math.log(1e6), 0, -Math.log(1e6), 0])
  })

  it('is no model if a coefficient is beyond all bounds', () => {
    const one = membership()
    const point = begun(one)
    for (const [value, is] of [
      [9e11, true],
      [-9e11, true],
      [1e12, false],
      [-1e12, false],
      [Number.NaN, false],
    ] as const) {
      // biome-ignore format: a table
      point.at[3] = value
      expect(one.computeTable(point)).toBe(is)
    }
  })

  it('has the slope of the log-likelihood per 4M, and its size relative to what it is a sum of', () => {
    const one = membership()
    const point = begun(one)
    const slope = Array.from({ length: one.size }, (_, i) => {
      const [k, p] = [Math.floor(i / TERMS) + 1, i % TERMS]
      return counts.reduce(
        (sum, count, z) =>
          sum + (point.expectedCounts[z * RANK + k] - count * point.table[z * RANK + k]) * values[z * TERMS + p],
        0,
      )
    })
    close(
      point.gradient,
      slope.map(each => each / (4 * total)),
    )
    const sizes = [0, 1].map(p => counts.reduce((sum, count, z) => sum + count * Math.abs(values[z * TERMS + p]), 0))
    expect(one.residual(point)).toBeCloseTo(Math.max(...slope.map((each, i) => Math.abs(each) / sizes[i % TERMS])), 12)
  })

  it('measures by the information, which it takes anew after ten points', () => {
    const one = membership()
    const point = begun(one)
    one.refreshMetric(point)
    const vector = Float64Array.from({ length: one.size }, () => uniform() - 0.5)
    const inverse = one.inverse(vector)
    // vᵀ·M⁻¹·v is the square of the length of M⁻¹·v.
    expect(one.square(inverse)).toBeCloseTo(
      vector.reduce((sum, each, i) => sum + each * inverse[i], 0),
      10,
    )
    const before = one.square(vector)
    const other = begun(one, { coefficients: Float64Array.of(2, -1, -1, 0, 0, 0) })
    for (let n = 1; n < 10; n++) {
      one.refreshMetric(other)
      expect(one.square(vector)).toBe(before)
    }
    one.refreshMetric(other)
    const fresh = membership()
    fresh.refreshMetric(other)
    expect(one.square(vector)).toBe(fresh.square(vector))
    expect(one.square(vector)).not.toBe(before)
  })

  it("takes Newton's step, or a part of it", () => {
    const one = membership()
    const [from, to] = [begun(one), one.newPoint()]
    one.refreshMetric(from)
    const step = one.inverse(from.gradient)
    for (const length of [0, 0.5, 1]) {
      one.maximize(from, length, to)
      close(
        to.at,
        from.at.map((at, i) => at + length * step[i]),
      )
    }
    // A coefficient that has run off stays where it is.
    from.gradient.fill(Number.NaN)
    one.maximize(from, 0, to)
    expect([...to.at]).toEqual([...from.at])
  })

  it('goes on from what was kept', () => {
    const one = membership()
    const point = begun(one)
    expect(one.snapshot(point).metric).toBeUndefined()
    for (let n = 0; n < 4; n++) one.refreshMetric(point)
    const kept = one.snapshot(point)
    expect(kept.age).toBe(3)
    const [again, room] = [membership(), membership().newPoint()]
    again.restore(room, kept)
    expect(room.at).toEqual(point.at)
    expect(room.gradient).toEqual(point.gradient)
    expect(room.table).toEqual(point.table)
    expect(again.snapshot(room)).toEqual(kept)
    // What was kept is a copy.
    point.at.fill(9)
    expect(kept.at[0]).toBeCloseTo(-0.7, 12)
  })
})

describe("the coefficients' part of acceleration", () => {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((sum, each, i) => sum + each * b[i], 0)

  /** Three points, gone to one after the other, with the pairs that were learned. */
  const walked = () => {
    const one = membership()
    const points = [0, 0.2, 0.5].map(by =>
      begun(one, { coefficients: coefficients.map((each, i) => each + by * ((i % 3) - 1) * (i + 1)) }),
    )
    one.refreshMetric(points[0])
    const steps = new BlockSteps(one, 2)
    const slopes = new Float64Array(3)
    steps.recordStep(points[0], 0, [], new Float64Array(1))
    steps.recordStep(points[1], 0, [], new Float64Array(1))
    const sums = steps.recordStep(points[2], 1, [0], slopes)
    return { one, points, steps, slopes, sums }
  }
  const difference = (a: Float64Array, b: Float64Array) => a.map((each, i) => each - b[i])

  it('has the sums of the last step and change, and the slopes along all of them', () => {
    const {
      one,
      points: [first, second, third],
      slopes,
      sums,
    } = walked()
    const [before, step] = [difference(second.at, first.at), difference(third.at, second.at)]
    const change = difference(second.gradient, third.gradient)
    expect(sums.curvature).toBeCloseTo(dot(step, change), 12)
    expect(sums.steps).toBeCloseTo(one.square(step), 12)
    expect(sums.changes).toBeCloseTo(dot(change, one.inverse(change)), 10)
    close(slopes, [dot(before, third.gradient), dot(step, third.gradient), 0])
  })

  it('makes the direction of the two loops, and walks along it', () => {
    const {
      one,
      points: [first, second, third],
      steps,
    } = walked()
    const changes = [difference(first.gradient, second.gradient), difference(second.gradient, third.gradient)]
    const moves = [difference(second.at, first.at), difference(third.at, second.at)]
    const [factors, used] = [Float64Array.of(0.3, -0.6), [0, 1]]
    const products = Float64Array.of(1, 1)
    const sum = third.gradient.map((each, i) => each + 0.3 * changes[0][i] - 0.6 * changes[1][i])
    const direction = one.inverse(sum).map(each => 1.5 * each)
    const slope = steps.addChanges(1.5, used, factors, products)
    expect(slope).toBeCloseTo(dot(third.gradient, direction), 10)
    close(
      products,
      changes.map(change => 1 + dot(change, direction)),
    )
    const last = direction.map((each, i) => each + 2 * moves[0][i] - moves[1][i])
    expect(steps.addSteps(used, Float64Array.of(2, -1))).toBeCloseTo(one.square(last), 10)
    const room = one.newPoint()
    steps.stepAlong(0.25, room)
    close(
      room.at,
      third.at.map((at, i) => at + 0.25 * last[i]),
    )
  })

  it('goes on from what was kept', () => {
    const { one, steps, points } = walked()
    const kept = steps.snapshot([1, 0])
    close(kept.at, points[2].at)
    close(kept.gradient, points[2].gradient)
    expect(kept.steps).toHaveLength(2)
    close(kept.steps[0], difference(points[2].at, points[1].at))
    const again = new BlockSteps(one, 2)
    again.restore([1, 0], kept)
    expect(again.snapshot([1, 0])).toEqual(kept)
    expect(again.snapshot([0])).toEqual({ ...kept, steps: [kept.steps[1]], changes: [kept.changes[1]] })
  })
})
