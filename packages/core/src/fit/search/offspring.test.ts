import { describe, expect, it } from 'vitest'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { random } from '../../numeric/philox.ts'
import { offspring } from './offspring.ts'

const SHAPE = [3, 5, 2]
const marginals = [
  [0.5, 0.3, 0.2],
  [0.1, 0.1, 0.2, 0.25, 0.35],
  [0.6, 0.4],
].map(each => Float64Array.from(each))

/** How much of the independence model is in every class: the rest must be a class of a parent, or new. */
const unmixed = ({ factors, rank }: Parameters, k: number, amount: number): number[][] =>
  factors.map((factor, n) => Array.from(marginals[n], (p, j) => (factor[j * rank + k] - amount * p) / (1 - amount)))

describe('offspring', () => {
  it('is a model: shares and columns sum to 1, and nothing that occurs is impossible', () => {
    for (let child = 0; child < 200; child++) {
      const [one, other] = [randomStart(SHAPE, 4, 1, 2 * child), randomStart(SHAPE, 4, 1, 2 * child + 1)]
      const { rank, shares, factors } = offspring(one, other, marginals, random(1, 'child', child))
      expect(rank).toBe(4)
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      factors.forEach((factor, n) => {
        expect(factor.length).toBe(SHAPE[n] * 4)
        expect(Math.min(...factor)).toBeGreaterThan(0)
        for (let k = 0; k < 4; k++) {
          const column = factor.filter((_, i) => i % 4 === k)
          expect(column.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
        }
      })
    }
  })

  it('takes every class from one parent or the other, but for one that is new in every other child', () => {
    const [one, other] = [randomStart(SHAPE, 3, 1, 1), randomStart(SHAPE, 3, 1, 2)]
    const classes = [one, other].flatMap(model =>
      [0, 1, 2].map(k => JSON.stringify(unmixed(model, k, 0).map(column => column.map(p => p.toFixed(6))))),
    )
    let [fromOne, fromOther, fresh] = [0, 0, 0]
    for (let child = 0; child < 400; child++) {
      const made = offspring(one, other, marginals, random(7, 'child', child))
      const origins = [0, 1, 2].map(k =>
        classes.indexOf(JSON.stringify(unmixed(made, k, 0.15).map(column => column.map(p => p.toFixed(6))))),
      )
      fromOne += origins.filter(at => at >= 0 && at < 3).length
      fromOther += origins.filter(at => at >= 3).length
      fresh += origins.filter(at => at < 0).length
      expect(origins.filter(at => at < 0).length).toBeLessThanOrEqual(1)
      expect(new Set(origins).size).toBe(3)
    }
    expect(fresh).toBeGreaterThan(150)
    expect(fresh).toBeLessThan(250)
    expect(fromOne / (fromOne + fromOther)).toBeCloseTo(0.5, 1)
  })

  it('is a function of its number', () => {
    const [one, other] = [randomStart(SHAPE, 3, 1, 1), randomStart(SHAPE, 3, 1, 2)]
    expect(offspring(one, other, marginals, random(1, 'child', 5))).toEqual(
      offspring(one, other, marginals, random(1, 'child', 5)),
    )
  })

  it('takes what explains a class with the class, unless it is huge', () => {
    // The parents' classes are alike, and known by their coefficients: 1, 2, 3 and 10, 20, 30 of a single term.
    const one = { ...randomStart(SHAPE, 3, 1, 1), coefficients: Float64Array.of(0, 0, 0, 1, 2, 3) }
    const other = { ...one, coefficients: Float64Array.of(0, 0, 0, 10, 20, 30) }
    for (let child = 0; child < 100; child++) {
      const { coefficients } = offspring(one, other, marginals, random(7, 'child', child))
      const drawn = [0, 1, 2].filter(k => ![0.85 * (k + 1), 4].includes(coefficients![3 + k]))
      // At most one is new, and its slope is random.
      expect(drawn.length).toBeLessThanOrEqual(1)
      for (const k of drawn) expect(Math.abs(coefficients![3 + k])).toBeLessThanOrEqual(8)
    }
    const { coefficients, ...plain } = one
    expect(offspring(plain, plain, marginals, random(7, 'child', 1)).coefficients).toBeUndefined()
    expect(coefficients).toHaveLength(6)
  })
})
