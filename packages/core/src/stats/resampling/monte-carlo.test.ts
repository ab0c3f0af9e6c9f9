import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monteCarloTest, quantile, wilsonInterval } from './monte-carlo.ts'

describe('a p-value by simulation', () => {
  it('counts the replicates at least as large, and itself', () => {
    expect(monteCarloTest(3, [1, 2, 3, 4]).pValue).toBe(3 / 5)
    expect(monteCarloTest(9, [1, 2, 3, 4]).pValue).toBe(1 / 5)
    expect(monteCarloTest(9, [])).toMatchObject({ pValue: 1, interval: [0, 1] })
    // A model that fits exactly is not rejected because one of its zeros is 1e-12.
    expect(monteCarloTest(1e-9, [0, 1e-12, 0]).pValue).toBe(1)
  })

  it('is never 0 and within its interval; the interval narrows (property)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (replicates, part) => {
        const b = Math.round(part * replicates)
        const statistics = Array.from({ length: replicates }, (_, i) => (i < b ? 2 : 0))
        const { pValue, interval } = monteCarloTest(1, statistics)
        expect(pValue).toBe((b + 1) / (replicates + 1))
        expect(interval[0]).toBeLessThanOrEqual(b / replicates)
        expect(interval[1]).toBeGreaterThanOrEqual(b / replicates)
        const [low, high] = wilsonInterval(4 * b, 4 * replicates)
        expect(high - low).toBeLessThan(interval[1] - interval[0])
      }),
    )
  })

  it('has the interval of Wilson', () => {
    const [low, high] = wilsonInterval(10, 100)
    expect(low).toBeCloseTo(0.0552, 4)
    expect(high).toBeCloseTo(0.1744, 4)
    expect(wilsonInterval(0, 10)[0]).toBe(0)
    expect(wilsonInterval(10, 10)[1]).toBe(1)
  })
})

it('quantiles lie between the numbers', () => {
  const numbers = Array.from({ length: 99 }, (_, i) => i + 1)
  expect(quantile(numbers, 0.025)).toBeCloseTo(2.5, 12)
  expect(quantile(numbers, 0.975)).toBeCloseTo(97.5, 12)
  expect(quantile([7], 0.1)).toBe(7)
  expect(quantile([1, 2], 0.001)).toBe(1)
})
