import { expect, it } from 'vitest'
import { separation } from './separation.ts'

it('is the information that an answer has about the class', () => {
  const half = Float64Array.of(0.5, 0.5)
  const found = separation({
    rank: 2,
    shares: [0.5, 0.5],
    // All alike; each class has its own answer; one in ten answers otherwise.
    factors: [Float64Array.of(0.5, 0.5, 0.5, 0.5), Float64Array.of(1, 0, 0, 1), Float64Array.of(0.9, 0.1, 0.1, 0.9)],
    marginals: [half, half, half],
  })
  expect(found[0]).toBe(0)
  expect(found[1]).toBe(1)
  // 1 minus the entropy of 0.1, which is 0.4689955935892812.
  expect(found[2]).toBeCloseTo(0.5310044064107188, 12)
})
