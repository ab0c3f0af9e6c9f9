import { describe, expect, it } from 'vitest'
import { binomial } from './binomial.ts'
import { random } from './philox.ts'
import { chiSquareTail } from './special.ts'

const draws = (n: number, p: number, count: number, seed = 3): Float64Array => {
  const source = random(seed, 'data')
  return Float64Array.from({ length: count }, () => binomial(n, p, source))
}

describe('binomial', () => {
  // Exact probabilities by the recurrence P[k + 1] = P[k]·(n − k)/(k + 1)·p/q from P[0] = qⁿ, which shares nothing with the sampler.
  it.each([
    [20, 0.5],
    [40, 0.25],
    [101, 0.1],
    [1000, 0.01],
    [10_001, 0.001],
    [3000, 0.2],
  ])('has the probabilities of Bin(%d, %d)', (n, p) => {
    const exact = new Float64Array(n + 1)
    exact[0] = (1 - p) ** n || Math.exp(n * Math.log1p(-p))
    for (let k = 0; k < n; k++) exact[k + 1] = (((exact[k] * (n - k)) / (k + 1)) * p) / (1 - p)
    expect(exact.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 8)
    const count = 50_000
    const seen = new Float64Array(n + 1)
    for (const k of draws(n, p, count)) seen[k]++
    // Neighbours are taken together until 20 are expected of them.
    let [statistic, groups, observed, expected, left] = [0, 0, 0, 0, count]
    for (let k = 0; k <= n; k++) {
      observed += seen[k]
      expected += count * exact[k]
      left -= count * exact[k]
      if (expected < 20 || left < 20) continue
      statistic += (observed - expected) ** 2 / expected
      groups++
      observed = expected = 0
    }
    if (expected > 0) statistic += (observed - expected) ** 2 / expected
    expect(chiSquareTail(statistic, groups)).toBeGreaterThan(1e-4)
  })

  it.each([1e5, 1e9, 1e12, 1e15])('has the moments of %d observations', n => {
    for (const p of [0.5, 0.2, 0.001]) {
      const count = 10_000
      const all = draws(n, p, count)
      const deviation = Math.sqrt(n * p * (1 - p))
      expect(all.every(k => Number.isInteger(k) && k >= 0 && k <= n)).toBe(true)
      // Standardized about the exact mean: 1e15·0.001 and the like are whole numbers.
      const z = all.map(k => (k - Math.round(n * p)) / deviation)
      const moment = (power: number) => z.reduce((sum, each) => sum + each ** power, 0) / count
      // Five standard errors of the normal distribution's moments, which it has for these n.
      expect(Math.abs(moment(1))).toBeLessThan(5 / Math.sqrt(count))
      expect(Math.abs(moment(2) - 1)).toBeLessThan(5 * Math.sqrt(2 / count))
      expect(Math.abs(moment(3) - (1 - 2 * p) / deviation)).toBeLessThan(5 * Math.sqrt(15 / count))
      expect(Math.abs(moment(4) - 3)).toBeLessThan(5 * Math.sqrt(96 / count))
    }
  })

  it('gives every neighbour its turn where counts are large', () => {
    const odd = draws(1e15, 0.2, 20_000).filter(k => k % 2 === 1).length
    expect(Math.abs(odd - 10_000)).toBeLessThan(5 * Math.sqrt(5000))
  })

  it('repeats exactly', () => {
    expect(draws(1e12, 0.2, 50)).toEqual(draws(1e12, 0.2, 50))
    // Pinned, so that a change of bits is noticed.
    expect([...draws(1e12, 0.2, 3, 1)]).toEqual([200000353372, 199999333448, 199999046236])
  })
})
