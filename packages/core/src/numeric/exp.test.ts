import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exp } from './exp.ts'

it('agrees with the platform to a few units in the last place', () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 700, noNaN: true }), x => {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15)
    }),
    { numRuns: 2000 },
  )
  expect([exp(0), exp(Number.NEGATIVE_INFINITY), exp(800)]).toEqual([1, 0, Number.POSITIVE_INFINITY])
  expect(exp(1)).toBeCloseTo(Math.E, 15)
  expect(exp(Number.NaN)).toBeNaN()
})

it('loses nothing but the last places of numbers below the normal range, and ends where it says', () => {
  for (let x = -739; x < -690; x += 0.37) {
    expect(Math.abs(exp(x) - Math.exp(x))).toBeLessThanOrEqual(1e-15 * Math.exp(x) + 5e-324)
  }
  expect([exp(-740), exp(-741)]).toEqual([0, 0])
  expect(exp(709) / Math.exp(709)).toBeCloseTo(1, 14)
  expect(exp(709.1)).toBe(Number.POSITIVE_INFINITY)
})
