import { expect, it } from 'vitest'
import { binWidth } from './bin-width.ts'

it('a width for bins is round, and makes about ten of them', () => {
  expect(binWidth({ smallest: 20, largest: 55, distinct: 36 })).toBe(5)
  expect(binWidth({ smallest: -0.02, largest: 0.03, distinct: 1000 })).toBe(0.005)
  expect(binWidth({ smallest: 0, largest: 1e6, distinct: 1000 })).toBe(100_000)
})

it('a width for bins makes no more bins than there are values', () => {
  expect(binWidth({ smallest: 1, largest: 5, distinct: 5 })).toBe(1)
  expect(binWidth({ smallest: 0, largest: 100, distinct: 3 })).toBe(50)
  expect(binWidth({ smallest: 7, largest: 7, distinct: 1 })).toBe(1)
})
