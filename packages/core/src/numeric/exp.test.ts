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
