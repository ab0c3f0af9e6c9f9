import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  expectAscent,
  expectedCounts,
  expectMaximum,
  expectScores,
  goodnessOf,
  meanLog,
  tableOf,
} from '../../../../../test/item-checks.ts'
import { random } from '../../numeric/philox.ts'
import { cholesky } from '../../numeric/symmetric.ts'
import type { OrdinalSpec } from './item.ts'
import { ordinalItem } from './ordinal.ts'

const scale: OrdinalSpec = { kind: 'ordinal', scores: [1, 2, 3.5, 4] }
const coefficients = (length: number) =>
  fc
    .array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: length, maxLength: length })
    .map(theta => Float64Array.from(theta))

describe('the table of an ordinal item', () => {
  it('is the adjacent-category logit', () => {
    fc.assert(
      fc.property(coefficients(5), theta => {
        const table = tableOf(ordinalItem(scale, 3), theta)
        for (const k of [0, 1, 2]) {
          const slope = k === 0 ? 0 : theta[2 + k]
          const weights = scale.scores.map((score, j) => Math.exp((j === 0 ? 0 : theta[j - 1]) + slope * score))
          const sum = weights.reduce((a, b) => a + b, 0)
          weights.forEach((weight, j) => {
            expect(Math.abs((table[j * 3 + k] * sum) / weight - 1)).toBeLessThan(1e-13)
          })
        }
      }),
    )
  })

  it('has columns that sum to 1, no zeros and finite scores, also with diverged coefficients', () => {
    for (const theta of [
      [0, 0, 0, 0],
      [-1e6, 3, 1e6, 2],
      [1, 2, 3, 1e6],
      [1, 2, 3, -1e6],
    ]) {
      const at = Float64Array.from(theta)
      const item = ordinalItem(scale, 2)
      const table = tableOf(item, at)
      expect(table.every(p => p >= 1e-300)).toBe(true)
      for (const k of [0, 1]) expect(table.reduce((sum, p, i) => (i % 2 === k ? sum + p : sum), 0)).toBeCloseTo(1, 13)
      for (const { scores } of item.scores(at)) expect(scores.every(Number.isFinite)).toBe(true)
      const information = new Float64Array(16)
      item.information(at, Float64Array.of(5, 0, 0, 0, 0, 0, 0, 0), information)
      expect(cholesky(information, 4)).toBeDefined()
      expect(expectAscent(item, at, Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8)).every(Number.isFinite)).toBe(true)
    }
  })
})

it('scores and slopes are the derivatives of the logarithms', () => {
  fc.assert(
    fc.property(coefficients(5), theta => {
      expectScores(ordinalItem(scale, 3), theta)
    }),
  )
})

it('the information is minus the second derivative', () => {
  const item = ordinalItem(scale, 3)
  const theta = Float64Array.of(0.5, -1, 0.2, 1, -0.5)
  const expected = Float64Array.from({ length: 12 }, (_, i) => (i % 4) + 1)
  const information = new Float64Array(25)
  item.information(theta, expected, information)
  for (let i = 0; i < 5; i++) {
    const [above, below] = [1e-5, -1e-5].map(by => {
      const slope = new Float64Array(5)
      item.slope(
        theta.map((each, at) => each + (at === i ? by : 0)),
        expected,
        slope,
      )
      return slope
    })
    for (let j = 0; j < 5; j++) expect(information[i * 5 + j]).toBeCloseTo((below[j] - above[j]) / 2e-5, 5)
  }
})

describe('a step of an ordinal item', () => {
  it('never lowers the expected log-likelihood', () => {
    fc.assert(
      fc.property(coefficients(5), expectedCounts(12), (theta, expected) => {
        expectAscent(ordinalItem(scale, 3), theta, expected)
      }),
    )
  })

  it.each([
    ['of usual size', [1, 2, 3.5, 4]],
    ['that are large and close together', [1990, 1990.01, 1990.02, 1990.05]],
  ])('repeated, it comes to the maximum, with scores %s', (_, scores) => {
    const item = ordinalItem({ kind: 'ordinal', scores }, 2)
    const expected = Float64Array.of(9, 3, 6, 5, 5, 2, 1, 8)
    const start = new Float64Array(4)
    let theta: Float64Array = start
    for (let step = 0; step < 12; step++) theta = expectAscent(item, theta, expected)
    const slope = new Float64Array(4)
    item.slope(theta, expected, slope)
    for (const each of slope) expect(Math.abs(each)).toBeLessThan(1e-11)
    const projected = item.project(expected)
    expect(Math.abs(meanLog(item, projected, expected) - meanLog(item, theta, expected))).toBeLessThan(1e-8)
  })

  it('nothing beside the maximum is better', () => {
    expectMaximum(ordinalItem(scale, 2), new Float64Array(4), Float64Array.of(9, 3, 6, 5, 5, 2, 1, 8), 12, 1e-11)
  })

  it('leaves the slope of a class that nothing is expected of, and stays finite with empty categories', () => {
    const item = ordinalItem(scale, 3)
    const expected = Float64Array.of(5, 1, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0)
    let theta: Float64Array = Float64Array.of(0, 0, 0, 0.5, 0.7)
    for (let step = 0; step < 100; step++) theta = expectAscent(item, theta, expected)
    expect(theta.every(Number.isFinite)).toBe(true)
    expect(theta[4]).toBeCloseTo(0.7, 6)
    const table = tableOf(item, theta)
    expect([table[0], table[6], table[1], table[7]].map(p => Number(p.toFixed(4)))).toEqual([
      0.5556, 0.4444, 0.3333, 0.6667,
    ])
  })
})

it('projects a table of its own onto itself', () => {
  fc.assert(
    fc.property(coefficients(5), theta => {
      const item = ordinalItem(scale, 3)
      const near = theta.map((each, i) => (i > 2 ? each / 2 : each))
      const table = tableOf(item, near)
      const again = tableOf(item, item.project(table))
      table.forEach((p, at) => {
        expect(Math.abs(again[at] - p)).toBeLessThan(1e-5)
      })
    }),
  )
})

it('projects one category, and nothing at all', () => {
  const item = ordinalItem(scale, 2)
  const one = tableOf(item, item.project(Float64Array.of(0, 0, 4, 7, 0, 0, 0, 0)))
  expect(Math.min(one[2], one[3])).toBeGreaterThan(0.99999)
  const none = tableOf(item, item.project(new Float64Array(8)))
  for (const p of none) expect(p).toBeCloseTo(0.25, 12)
})

it('draws positions of categories as often as the table has them', () => {
  const { uniform } = random(4, 'sample')
  const theta = Float64Array.of(0.5, -1, 0.2, 1, -0.5)
  const { pValue, outside } = goodnessOf(ordinalItem(scale, 3), theta, [0, 1, 2, 3], 1, 20_000, uniform)
  expect(pValue).toBeGreaterThan(0.001)
  expect(outside).toBe(0)
})

it('starts at the marginal distribution with random slopes', () => {
  const item = ordinalItem(scale, 3)
  const from = () => item.random(Float64Array.of(4, 2, 0, 1), random(1, 'start').uniform)
  const theta = from()
  expect(theta).toEqual(from())
  const table = tableOf(item, theta)
  expect([0, 3, 6, 9].map(at => table[at] * 7.5)).toEqual([4, 2, 0.5, 1].map(count => expect.closeTo(count, 12)))
  expect(Math.max(Math.abs(theta[3]), Math.abs(theta[4]))).toBeLessThan(1.5 / 1.1)
  expect(theta[3]).not.toBe(theta[4])
})

it('gives the probability of its labels', () => {
  const item = ordinalItem(scale, 2, ['no', 'perhaps', 'yes', 5])
  const theta = Float64Array.of(1, 2, 3, 1)
  const into = new Float64Array(2)
  expect(item.probability('yes', theta, into)).toBe(true)
  expect(into).toEqual(tableOf(item, theta).slice(4, 6))
  expect(item.probability('5', theta, into)).toBe(true)
  expect(item.probability('maybe', theta, into)).toBe(false)
})

it('names its parameters', () => {
  const item = ordinalItem(scale, 2)
  expect(item.describe(Float64Array.of(1, 2, 3, 4)).map(each => [each.name, each.class, each.at, each.value])).toEqual([
    ['slope', 0, undefined, 0],
    ['slope', 1, 3, 4],
    ['threshold 2', undefined, 0, 1],
    ['threshold 3', undefined, 1, 2],
    ['threshold 4', undefined, 2, 3],
  ])
  const { mean, sd } = item.moments(new Float64Array(4), 1)
  expect([mean, sd]).toEqual([2.625, expect.closeTo(Math.sqrt(1.421875), 14)])
  expect(ordinalItem({ kind: 'ordinal', scores: [0, 1] }, 1).size).toBe(1)
})
