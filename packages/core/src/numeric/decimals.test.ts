import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimals } from './decimals.ts'

it('numbers are written as Intl writes them', () => {
  const exponent = fc.integer({ min: -12, max: 14 })
  const digits = fc.integer({ min: 0, max: 6 })
  const number = fc.tuple(fc.double({ min: -10, max: 10, noNaN: true }), exponent).map(([a, b]) => a * 10 ** b)
  const half = fc
    .tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: 0, max: 4 }))
    .map(([a, b]) => a / 2 ** b)
  fc.assert(
    fc.property(fc.oneof(number, half, fc.integer()), digits, digits, (drawn, a, b) => {
      // Intl tells zero from negative zero.
      const value = drawn === 0 ? 0 : drawn
      const [minimumFractionDigits, maximumFractionDigits] = [Math.min(a, b), Math.max(a, b)]
      const expected = value.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits })
      expect(decimals(value, minimumFractionDigits, maximumFractionDigits)).toBe(expected)
    }),
    { numRuns: 2000 },
  )
})
