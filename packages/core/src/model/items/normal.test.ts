import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  expectAscent,
  expectedCounts,
  expectMaximum,
  expectScores,
  goodnessOf,
  tableOf,
} from '../../../../../test/item-checks.ts'
import { random } from '../../numeric/philox.ts'
import type { ItemModel, NormalSpec } from './item.ts'
import { normalItem } from './normal.ts'

const free: NormalSpec = { kind: 'normal', step: 1, variances: 'free' }
const grid = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step)

/** The integral of the density over the interval, by Simpson's rule. */
const integral = (x: number, step: number, mean: number, sd: number) => {
  const parts = 2000
  let sum = 0
  for (let i = 0; i <= parts; i++) {
    const z = (x - step / 2 + (step * i) / parts - mean) / sd
    sum += (i === 0 || i === parts ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp((-z * z) / 2)
  }
  return (sum * step) / parts / 3 / sd / Math.sqrt(2 * Math.PI)
}

const means = fc.double({ min: -6, max: 16, noNaN: true })
const sds = fc.double({ min: -3, max: 4, noNaN: true }).map(Math.exp)
const thetas = fc.tuple(means, means, sds, sds).map(theta => Float64Array.from(theta))

describe('the table of a normal item', () => {
  it('is the integral of the density, whether intervals are narrow or wide', () => {
    const item = normalItem({ ...free, step: 0.5 }, grid(-4, 4, 0.5), 1)
    for (const sd of [0.5, 1, 3, 4.9, 5.1, 12, 400])
      for (const mean of [0, 0.3, -2.25, 7]) {
        const table = tableOf(item, Float64Array.of(mean, sd))
        table.forEach((p, j) => {
          const expected = integral(-4 + j / 2, 0.5, mean, sd)
          if (expected > 1e-290) expect(Math.abs(p / expected - 1)).toBeLessThan(2e-10)
        })
      }
  })

  // mpmath 1.3 with 60 digits: the difference of two complementary error functions.
  it.each([
    [0, 0.099, 0.03947916279866187],
    [0.7, 0.0999, 0.03118755291951072],
    [0.7, 0.1001, 0.03124996389867973],
    [5, 0.0199, 2.9597435738679556e-8],
    [5, 0.0201, 2.989513651651039e-8],
    [-5, 0.0201, 2.989513651651039e-8],
    [20, 0.0049, 2.70634467584394e-90],
    [-36, 0.002, 3.014459957766984e-285],
    [-32.71022208915822, 0.0031268778711023427, 5.723291288472361e-236],
    [1.6, 1.2, 0.14475180641795843],
    [8.5, 0.2, 1.8338127010032336e-17],
    [12, 3, 4.3190063178092293e-26],
  ])('at z = %d with a width of %d', (z, step, expected) => {
    const item = normalItem({ ...free, step }, [z], 1)
    expect(Math.abs(tableOf(item, Float64Array.of(0, 1))[0] / expected - 1)).toBeLessThan(1e-13)
  })

  it('has columns that sum to 1 over a grid that holds everything', () => {
    fc.assert(
      fc.property(thetas, theta => {
        const item = normalItem(free, grid(-800, 800), 2)
        const table = tableOf(item, theta)
        for (const k of [0, 1])
          expect(table.filter((_, at) => at % 2 === k).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
      }),
      { numRuns: 30 },
    )
  })

  it('has no zeros, and finite scores, however far a value is', () => {
    for (const [mean, sd] of [
      [0, 0.05],
      [1e5, 1],
      [40, 1],
      [0, 1e6],
    ]) {
      const item = normalItem(free, [3, 0, 40, -1e5, 1e5], 1)
      const theta = Float64Array.of(mean, sd)
      expect(tableOf(item, theta).every(p => p >= 1e-300 && p <= 1)).toBe(true)
      expect(item.scores(theta)[0].scores.every(Number.isFinite)).toBe(true)
    }
  })

  it('has all in one interval at the least standard deviation', () => {
    expect([...tableOf(normalItem(free, [2, 3, 4], 1), Float64Array.of(3, 0.05))].map(p => p > 0.999)).toEqual([
      false,
      true,
      false,
    ])
  })
})

it('scores and slopes are the derivatives of the logarithms', () => {
  fc.assert(
    fc.property(thetas, theta => {
      // Beyond 25 standard deviations the difference quotients have no digits.
      const near = grid(-3, 14).filter(x =>
        [0, 1].every(k => Math.abs(x - theta[k]) / Math.min(theta[2], theta[3]) < 25),
      )
      if (near.length === 0) return
      expectScores(normalItem(free, near, 2), theta)
      expectScores(normalItem({ ...free, variances: 'equal' }, near, 2), theta.slice(0, 3))
    }),
  )
})

describe('a step of a normal item', () => {
  it.each(['free', 'equal'] as const)('never lowers the expected log-likelihood, with %s variances', variances => {
    const values = grid(0, 11)
    const item = normalItem({ ...free, variances }, values, 2)
    fc.assert(
      fc.property(thetas, expectedCounts(values.length * 2), (at, expected) => {
        // Values that are impossible have a floor in the table, and a parabola in the step.
        const theta = at.map((each, i) => (i > 1 ? Math.max(each, 0.7) : each)).slice(0, item.size)
        expectAscent(item, theta, expected)
      }),
    )
  })

  it.each(['free', 'equal'] as const)('repeated, it comes to the maximum, with %s variances', variances => {
    const values = [4, 0, 1, 2, 3, 5]
    const expected = Float64Array.of(1, 9, 3, 1, 8, 0.5, 9, 2, 4, 4, 0.25, 7)
    const item = normalItem({ ...free, variances }, values, 2)
    expectMaximum(item, item.project(expected), expected, 300, 1e-9)
  })

  it('leaves a class that nothing is expected of as it is, and keeps a floor for one with a single value', () => {
    const item = normalItem(free, [0, 1, 2], 2)
    const expected = Float64Array.of(0, 0, 7, 0, 0, 0)
    let theta: Float64Array = Float64Array.of(0.2, 5, 3, 2)
    for (let step = 0; step < 200; step++) theta = expectAscent(item, theta, expected)
    expect([theta[1], theta[3]]).toEqual([5, 2])
    expect(theta[0]).toBeCloseTo(1, 2)
    expect(theta[2]).toBeGreaterThanOrEqual(0.05)
    expect(tableOf(item, theta)[2]).toBeGreaterThan(0.999)
  })

  it('comes back from far away', () => {
    const item = normalItem(free, [0, 1, 2], 1)
    const expected = Float64Array.of(1, 2, 1)
    const [slope, theta] = [new Float64Array(2), new Float64Array(2)]
    item.slope(Float64Array.of(1e5, 0.05), expected, slope)
    item.maximize(Float64Array.of(1e5, 0.05), expected, slope, theta)
    expect(theta[0]).toBeCloseTo(1, 6)
  })
})

it('projects a table of its own onto itself, nearly', () => {
  const item = normalItem({ ...free, step: 0.5 }, grid(-20, 30, 0.5), 2)
  fc.assert(
    fc.property(fc.tuple(means, means, sds, sds), ([a, b, c, d]) => {
      const theta = Float64Array.of(a, b, Math.min(3, Math.max(0.4, c)), Math.min(3, Math.max(0.4, d)))
      item.project(tableOf(item, theta)).forEach((each, i) => {
        expect(Math.abs(each - theta[i])).toBeLessThan(0.01)
      })
    }),
  )
})

it('projects nothing onto the values', () => {
  expect([...normalItem(free, [0, 1, 2, 5], 1).project(new Float64Array(4))]).toEqual([2, Math.sqrt(3.5)])
  const equal = normalItem({ ...free, variances: 'equal' }, [0, 1, 2, 5], 2).project(new Float64Array(8))
  expect([...equal]).toEqual([2, 2, Math.sqrt(3.5)])
})

it('the information is that of exact normal data, and is positive definite with an empty class', () => {
  const expected = Float64Array.of(5, 0, 3, 0)
  const information = new Float64Array(16)
  normalItem(free, [0, 1], 2).information(Float64Array.of(0, 1, 2, 4), expected, information)
  expect([0, 5, 10, 15].map(i => information[i])).toEqual([2, 8e-8 / 16, 4, 8e-8 / 8])
  const equal = new Float64Array(9)
  normalItem({ ...free, variances: 'equal' }, [0, 1], 2).information(Float64Array.of(0, 1, 2), expected, equal)
  expect([...equal.filter(each => each > 0)]).toEqual([2, 8e-8 / 4, 4 + 4e-8])
})

it('draws values of the grid as often as the table has them', () => {
  const values = grid(4, 8, 0.1).map(value => Number(value.toFixed(1)))
  const item = normalItem({ ...free, step: 0.1 }, values, 2)
  const theta = Float64Array.of(5, 6, 0.4, 0.3)
  const { uniform } = random(1, 'sample')
  const { pValue, outside } = goodnessOf(item, theta, values, 1, 20_000, uniform)
  expect(pValue).toBeGreaterThan(0.001)
  expect(outside).toBe(0)
})

it('starts around the data, and at the same place with the same numbers', () => {
  const item = normalItem(free, [0, 10, 20], 3)
  const from = (seed: number) => item.random(Float64Array.of(1, 0, 3), random(seed, 'start').uniform)
  expect(from(1)).toEqual(from(1))
  expect(from(1)).not.toEqual(from(2))
  for (let seed = 0; seed < 50; seed++) {
    const theta = from(seed)
    for (const k of [0, 1, 2]) {
      expect(Math.min(Math.abs(theta[k]), Math.abs(theta[k] - 20))).toBeLessThanOrEqual(0.5)
      expect(theta[3 + k]).toBeGreaterThan(0.29 * Math.sqrt(75))
      expect(theta[3 + k]).toBeLessThan(1.01 * Math.sqrt(75))
    }
  }
})

it('gives the probability of any number, also as a text', () => {
  const item = normalItem(free, [0, 1], 2)
  const theta = Float64Array.of(0, 1, 1, 2)
  const into = new Float64Array(2)
  expect(item.probability('1', theta, into)).toBe(true)
  expect(into).toEqual(tableOf(item, theta).slice(2))
  expect(item.probability(7.3, theta, into)).toBe(true)
  expect(into[1]).toBeCloseTo(integral(7.3, 1, 1, 2), 14)
  for (const text of ['', ' ', 'one', 'Infinity', Number.NaN]) expect(item.probability(text, theta, into)).toBe(false)
})

it('names its parameters', () => {
  const names = (item: ItemModel) =>
    item.describe(Float64Array.from({ length: item.size }, (_, i) => i)).map(each => [each.name, each.class, each.at])
  expect(names(normalItem(free, [0, 1], 2))).toEqual([
    ['mean', 0, 0],
    ['mean', 1, 1],
    ['sd', 0, 2],
    ['sd', 1, 3],
  ])
  const equal = normalItem({ ...free, variances: 'equal' }, [0, 1], 2)
  expect(names(equal)[2]).toEqual(['sd', undefined, 2])
  expect(equal.positive).toEqual([false, false, true])
  expect(equal.moments(Float64Array.of(3, 4, 5), 1)).toEqual({ mean: 4, sd: 5 })
})
