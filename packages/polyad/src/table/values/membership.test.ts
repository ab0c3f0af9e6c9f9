import { describe, expect, it } from 'vitest'
import { membership } from './membership.ts'

describe('the prior of a row', () => {
  const shares = Float64Array.of(0.5, 0.3, 0.2)
  const of = (...rows: number[][]) => [...membership(rows, rows[0].length - 1, shares, new Float64Array(3))]

  it('follows from its predictors', () => {
    const [first, second, third] = of([7, 0], [7, Math.log(2)], [7, Math.log(5)])
    expect(first).toBeCloseTo(1 / 8, 14)
    expect(second).toBeCloseTo(2 / 8, 14)
    expect(third).toBeCloseTo(5 / 8, 14)
  })

  it('does not depend on a constant, however large', () => {
    const [first, second, third] = of([1000], [1000 + Math.log(3)], [0])
    expect([first, second, third].map(p => p.toFixed(12))).toEqual(['0.250000000000', '0.750000000000', '0.000000000000']) // biome-ignore format: one line
  })

  it('is the shares of the classes if a covariate is missing, or a predictor has no bound', () => {
    expect(of([0], [Number.NaN], [1])).toEqual([0.5, 0.3, 0.2])
    expect(of([0], [Number.POSITIVE_INFINITY], [1])).toEqual([0.5, 0.3, 0.2])
    const into = new Float64Array(3)
    expect(membership([[Number.NaN], [0], [0]], 0, shares, into)).toBe(into)
    expect(membership([[0], [0], [0]], 0, shares, into)).toBe(into)
  })
})
