import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models } from '../../../../../test/arbitrary.ts'
import type { Parameters } from '../../model/parameters.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { mergeCost, mergeDown, mergeSmallest, mergeSteps, pick, soften, union } from './merge.ts'
import { principalComponent } from './principal-component.ts'

/** Every cell of a model's table, with what the model expects there. */
const tableOf = ({ rank, shares, factors }: Parameters) => {
  const shape = factors.map(factor => factor.length / rank)
  const cells: number[][] = [[]]
  for (const size of shape)
    cells.splice(0, cells.length, ...cells.flatMap(cell => [...Array(size).keys()].map(j => [...cell, j])))
  const values = cells.map(cell =>
    Array.from(shares, (share, k) => cell.reduce((p, j, n) => p * factors[n][j * rank + k], share)).reduce(
      (a, b) => a + b,
    ),
  )
  return { cells, values, shape }
}

const divergence = (y: number[], m: number[]) =>
  y.reduce((sum, v, i) => sum + (v > 0 ? v * Math.log(v / m[i]) : 0) - v + m[i], 0)

describe('merging classes', () => {
  it('is the principal component of their sum, and costs at most what the formula says', () => {
    fc.assert(
      fc.property(models([3, 4, 2], 3, 50), ({ parameters }) => {
        const pair = pick(parameters, [0, 2])
        const merged = mergeDown(pair, 1)
        const { cells, values, shape } = tableOf(pair)
        const tensor = tensorFromColumns(
          shape.map((_, n) => cells.map(cell => cell[n])),
          values,
          { shape },
        )
        const closed = principalComponent(tensor).parameters
        expect(merged.shares[0]).toBeCloseTo(pair.shares[0] + pair.shares[1], 12)
        merged.factors.forEach((factor, n) => {
          factor.forEach((p, j) => {
            expect(p).toBeCloseTo(closed.factors[n][j], 10)
          })
        })
        const cost = mergeCost(parameters, 0, 2)
        expect(divergence(values, tableOf(merged).values)).toBeLessThanOrEqual(cost + 1e-9)
        expect(mergeCost(parameters, 2, 0)).toBeCloseTo(cost, 9)
        expect(cost).toBeGreaterThanOrEqual(-1e-9)
      }),
    )
  })

  it('puts alike classes together, and keeps the total', () => {
    fc.assert(
      fc.property(models([4, 3], 2, 90), models([4, 3], 1, 10), ({ parameters }, { parameters: extra }) => {
        // Each class twice: merging down to as many as there were must undo the doubling exactly.
        const doubled = union(parameters, parameters)
        const back = mergeDown(doubled, 2)
        const order =
          back.shares[0] >= back.shares[1] === parameters.shares[0] >= parameters.shares[1] ? [0, 1] : [1, 0]
        expect(back.shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
        if (mergeCost(parameters, 0, 1) > 0.01) {
          order.forEach((k, i) => {
            expect(back.shares[k]).toBeCloseTo(parameters.shares[i], 9)
          })
        }
        const both = union(parameters, extra)
        expect(both.rank).toBe(3)
        expect(mergeDown(both, 1).shares[0]).toBeCloseTo(1, 12)
      }),
    )
  })

  it('of very many classes looks at the nearest only, and still finds what belongs together', () => {
    // Forty classes twice, each pair slightly apart: merging must put every pair together.
    const rank = 80
    const factors = [30, 40].map((size, n) => {
      const factor = new Float64Array(size * rank)
      for (let k = 0; k < rank; k++) {
        const centre = ((k % 40) * (7 + n)) % size
        for (let j = 0; j < size; j++) {
          const spread = 0.001 + (j === centre ? 1 : 0) + (j === (centre + 3) % size ? 0.3 + (k >= 40 ? 0.01 : 0) : 0)
          factor[j * rank + k] = spread
        }
        let sum = 0
        for (let j = 0; j < size; j++) sum += factor[j * rank + k]
        for (let j = 0; j < size; j++) factor[j * rank + k] /= sum
      }
      return factor
    })
    const merged = mergeDown({ rank, shares: new Float64Array(rank).fill(1 / rank), factors }, 40)
    for (const share of merged.shares) expect(share).toBeCloseTo(1 / 40, 12)
  })

  it('softening keeps the sums and leaves no lone zero', () => {
    const model: Parameters = { rank: 2, shares: Float64Array.of(0.5, 0.5), factors: [Float64Array.of(1, 0, 0, 1)] }
    const [factor] = soften(model, 0.01).factors
    expect([...factor].every(p => p > 0)).toBe(true)
    expect(factor[0] + factor[2]).toBeCloseTo(1, 14)
  })

  it('takes the cheapest pair each time, as a search of all pairs does', () => {
    /** As short as the rule: of all pairs the one that costs least, and of those the first. */
    const plainly = (model: Parameters, rank: number): Parameters => {
      if (model.rank === rank) return model
      const pairs = Array.from({ length: model.rank }, (_, a) => a).flatMap(a =>
        Array.from({ length: model.rank - a - 1 }, (_, i) => [a, a + 1 + i]),
      )
      const costs = pairs.map(([a, b]) => mergeCost(model, a, b))
      const [a, b] = pairs[costs.indexOf(Math.min(...costs))]
      const one = mergeDown(pick(model, [a, b]), 1)
      const others = Array.from({ length: model.rank }, (_, k) => k).filter(k => k !== b)
      const left = pick(model, others)
      left.shares[a] = one.shares[0]
      left.factors.forEach((factor, n) => {
        one.factors[n].forEach((p, j) => {
          factor[j * left.rank + a] = p
        })
      })
      return plainly(left, rank)
    }
    fc.assert(
      fc.property(models([3, 4, 2], 6, 60), ({ parameters }) => {
        const [quick, plain] = [mergeDown(parameters, 2), plainly(parameters, 2)]
        expect(quick.rank).toBe(2)
        quick.shares.forEach((share, k) => void expect(share).toBeCloseTo(plain.shares[k], 9))
        quick.factors.forEach((factor, n) => {
          factor.forEach((p, i) => void expect(p).toBeCloseTo(plain.factors[n][i], 9))
        })
      }),
    )
  })

  it('costs nothing if a class is empty, and leaves what it was given as it was', () => {
    const model: Parameters = {
      rank: 3,
      shares: Float64Array.of(0.6, 0, 0.4),
      factors: [Float64Array.of(0.9, 0.5, 0.1, 0.1, 0.5, 0.9)],
    }
    expect([mergeCost(model, 0, 1), mergeCost(model, 1, 2), mergeCost(model, 1, 1)]).toEqual([0, 0, 0])
    // Two classes of a coin: Σ λp·log(p/q), with q = (0.6·0.9 + 0.4·0.1, …).
    const part = (p: number, q: number) => p * Math.log(p / q)
    const expected = 0.6 * (part(0.9, 0.58) + part(0.1, 0.42)) + 0.4 * (part(0.1, 0.58) + part(0.9, 0.42))
    expect(mergeCost(model, 0, 2)).toBeCloseTo(expected, 14)
    const copy = structuredClone(model)
    const steps = [...mergeSteps(model, 1)]
    // For each class what it takes to compare it, and after each merge for those that are left: 10 ns a label and class.
    expect(steps).toEqual([60, 60, 60, 40, 20])
    expect(mergeSmallest(model, 2).shares).toEqual(Float64Array.of(0.6, 0.4))
    expect(model).toEqual(copy)
    const empty: Parameters = { ...model, shares: new Float64Array(3) }
    expect(mergeDown(empty, 1).factors[0].every(Number.isFinite)).toBe(true)
  })

  it('of the smallest classes makes one, and keeps the largest in their order', () => {
    const model: Parameters = {
      rank: 4,
      shares: Float64Array.of(0.1, 0.4, 0.1, 0.4),
      factors: [Float64Array.of(1, 0.2, 0, 0.3, 0, 0.8, 1, 0.7)],
    }
    const { rank, shares, factors } = mergeSmallest(model, 2)
    expect([rank, shares[0], shares.length]).toEqual([2, 0.4, 2])
    expect(shares[1]).toBeCloseTo(0.6, 12)
    const [factor] = factors
    ;[0.2, (0.3 * 0.4 + 0.1) / 0.6, 0.8, (0.7 * 0.4 + 0.1) / 0.6].forEach((p, i) => {
      expect(factor[i]).toBeCloseTo(p, 12)
    })
  })

  it('softens by the average of the classes, by their shares', () => {
    const model: Parameters = {
      rank: 2,
      shares: Float64Array.of(0.25, 0.75),
      factors: [Float64Array.of(1, 0.2, 0, 0.8)],
    }
    const [factor] = soften(model, 0.1).factors
    ;[0.9 + 0.1 * 0.4, 0.18 + 0.1 * 0.4, 0.1 * 0.6, 0.72 + 0.1 * 0.6].forEach((p, i) => {
      expect(factor[i]).toBeCloseTo(p, 14)
    })
  })

  it('puts the classes of two models side by side, each half as large', () => {
    const one: Parameters = { rank: 1, shares: Float64Array.of(1), factors: [Float64Array.of(0.3, 0.7)] }
    const other = { rank: 2, shares: Float64Array.of(0.2, 0.8), factors: [Float64Array.of(0.1, 0.5, 0.9, 0.5)] }
    expect(union(one, other)).toEqual({
      rank: 3,
      shares: Float64Array.of(0.5, 0.1, 0.4),
      factors: [Float64Array.of(0.3, 0.1, 0.5, 0.7, 0.9, 0.5)],
    })
  })
})
