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

  it.each([
    [20, 0.5],
    [35, 0.3],
    [200, 0.06],
    [3000, 0.2],
  ])('accepts a candidate of Bin(%d, %d) with the ratio of its probability to the hat', (n, p) => {
    // The numbers of Hörmann's hat (1993, algorithm BTRS). A candidate of u is taken if v is up to P[k]/P[mode]·(a/e² + b)/height, or up to a
    // bound that is never above it. So the greatest v that is taken gives the ratio of two probabilities.
    const deviation = Math.sqrt(n * p * (1 - p))
    const b = 1.15 + 2.53 * deviation
    const a = -0.0873 + 0.0248 * b + 0.01 * p
    const height = (2.83 + 5.1 / b) * deviation
    const mode = Math.floor((n + 1) * p)
    for (let u = -0.49; u < 0.49; u += 0.0077) {
      const edge = 0.5 - Math.abs(u)
      const k = Math.floor(((2 * a) / edge + b) * u + n * p + 0.5)
      // This is what is drawn here after a rejection.
      if (k === Math.floor(n * p + 0.5)) continue
      const taken = (v: number): boolean => {
        const numbers = [u + 0.5, v, 0.5, 1e-9]
        return binomial(n, p, { uniform: () => numbers.shift()!, below: () => 0 }) === k
      }
      let ratio = k < 0 || k > n ? 0 : 1
      for (let i = mode; i < k && ratio > 0; i++) ratio *= ((n - i) / (i + 1)) * (p / (1 - p))
      for (let i = mode; i > k && ratio > 0; i--) ratio *= (i / (n - i + 1)) * ((1 - p) / p)
      const bound = (ratio * (a / (edge * edge) + b)) / height
      expect(taken(bound * (1 - 1e-6)), `${k} by ${u}`).toBe(ratio > 0)
      if (bound < 1) expect(taken(bound * (1 + 1e-6) + 1e-300), `${k} by ${u}`).toBe(false)
    }
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
