import fc from 'fast-check'
import { expect, it } from 'vitest'
import { largest } from './largest.ts'

it('the largest values are those that a stable sort of all puts first', () => {
  // Few different values, so that there are many ties.
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(Infinity, Number.NaN, 0.5), fc.double())
  const values = fc.oneof(fc.array(value), fc.array(value, { minLength: 200, maxLength: 500 }))
  const above = fc.constantFrom(Number.NEGATIVE_INFINITY, -1, 0)
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 120 }), above, (values, limit, above) => {
      const sorted = [...values.keys()]
        .filter(i => values[i] > above)
        .sort((a, b) => (values[a] === values[b] ? 0 : values[b] > values[a] ? 1 : -1))
      expect(largest(values.length, limit, i => values[i], above)).toEqual(sorted.slice(0, limit))
    }),
    { numRuns: 500 },
  )
})

it('rising values are all taken in turn', () => {
  expect(largest(10_000, 3, i => i)).toEqual([9999, 9998, 9997])
  expect(largest(10_000, 3, () => 1)).toEqual([0, 1, 2])
  expect(largest(2, Number.POSITIVE_INFINITY, i => i)).toEqual([1, 0])
})
