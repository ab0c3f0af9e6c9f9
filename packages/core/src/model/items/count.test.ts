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
import { countItem } from './count.ts'
import { logNegativeBinomial, logPoisson, scoreOfDispersion } from './count-distributions.ts'
import type { CountSpec } from './item.ts'

const poisson: CountSpec = { kind: 'count', distribution: 'poisson' }
const negative: CountSpec = { kind: 'count', distribution: 'negative-binomial' }
const to = (most: number) => Array.from({ length: most + 1 }, (_, i) => i)
const expectClose = (value: number, expected: number, part: number) =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(part * Math.max(1, Math.abs(expected)))

const means = fc.double({ min: -3, max: 3, noNaN: true }).map(Math.exp)
const dispersions = fc.double({ min: -7, max: 3, noNaN: true }).map(Math.exp)
const rates = fc.tuple(means, means).map(theta => Float64Array.from(theta))
const thetas = fc.tuple(means, means, dispersions, dispersions).map(theta => Float64Array.from(theta))

// The numbers are those of mpmath 1.3 with 60 digits.
describe('distributions of counts', () => {
  it.each([
    [0, 3, -3],
    [1, 1e-10, -23.025850930040455],
    [2, 3, -1.4959226032237258],
    [14, 200, -151.01477805106617],
    [100, 99, -3.2273905421044975],
    [100000, 99000, -11.708987449167239],
    [100000, 100000, -6.67540209902312],
    [1000000000, 1000100000, -16.28023814342588],
  ])('Poisson: log P[%d] with the rate %d', (x, rate, expected) => {
    expectClose(logPoisson(x, rate), expected, 1e-13)
  })

  it.each([
    [0, 1, 1, -Math.LN2, 0.19314718055994531],
    [0, 3, 1e-8, -2.9999999550000007, 4.499999820000006],
    [2, 3, 1e-8, -1.495922608223726, -0.5000000099999993],
    [5, 3, 0.0001, -2.294480314432918, -0.5002997426433308],
    [7, 3, 0.5, -3.328919288430409, -0.006265643931951168],
    [40, 30, 0.06, -3.8859868400724364, -0.3668644941368805],
    [40, 30, 0.07, -3.8920275800687274, -0.808537562198055],
    [31, 30, 1e-6, -2.6551197215659985, -14.999555013274604],
    [300, 20, 2, -12.68924265719017, 2.4262039221076184],
    [1, 1e-10, 1000000, -23.025950925040785, -9.999000099490068e-11],
    [100000, 99000, 0.01, -10.135674315096855, -49.52765865719014],
    [100000, 99000, 1e-7, -11.664454396285116, 440707.78578439075],
    [50, 3, 1000000, -17.727560664974963, -9.999738984190892e-7],
  ])(
    'negative binomial: log P[%d] with mean %d and dispersion %d, and its score',
    (x, mean, dispersion, expected, score) => {
      expectClose(logNegativeBinomial(x, mean, dispersion), expected, 1e-13)
      expectClose(scoreOfDispersion(x, mean, dispersion), score, 1e-10)
    },
  )
})

describe('the table of a count', () => {
  it('has columns that sum to 1 over all counts', () => {
    fc.assert(
      fc.property(thetas, theta => {
        const near = theta.map((each, i) => (i > 1 ? Math.min(each, 1) : each))
        for (const [item, at] of [
          [countItem(poisson, to(1500), 2), near.slice(0, 2)],
          [countItem(negative, to(1500), 2), near],
        ] as const) {
          const table = tableOf(item, at)
          for (const k of [0, 1]) {
            const sum = table.reduce((all, p, i) => (i % 2 === k ? all + p : all), 0)
            expect(sum).toBeCloseTo(1, 11)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('has no zeros and finite scores for large counts and at the bounds', () => {
    for (const theta of [
      [1e-10, 1e-8],
      [1e-10, 1e6],
      [1e5, 1e-8],
      [1e5, 1e6],
      [3, 1],
    ]) {
      for (const item of [countItem(negative, [0, 1, 1e5, 1e9], 1), countItem(poisson, [0, 1, 1e5, 1e9], 1)]) {
        const at = Float64Array.from(theta.slice(0, item.size))
        expect(tableOf(item, at).every(p => p >= 1e-300 && p <= 1)).toBe(true)
        expect(item.scores(at)[0].scores.every(Number.isFinite)).toBe(true)
        const information = new Float64Array(item.size ** 2)
        item.information(at, Float64Array.of(1, 1, 1, 1), information)
        for (let i = 0; i < item.size; i++) expect(information[i * (item.size + 1)]).toBeGreaterThan(0)
        expect(item.project(Float64Array.of(0, 0, 1, 1)).every(each => each > 0 && each <= 1e9)).toBe(true)
      }
    }
  })
})

it('scores and slopes are the derivatives of the logarithms', () => {
  fc.assert(
    fc.property(thetas, theta => {
      expectScores(countItem(poisson, [3, 0, 1, 12, 50], 2), theta.slice(0, 2))
      expectScores(countItem(negative, [3, 0, 1, 12, 50], 2), theta)
    }),
  )
})

describe('a step of a count', () => {
  const values = [0, 1, 2, 3, 5, 9, 20]

  it('never lowers the expected log-likelihood', () => {
    fc.assert(
      fc.property(thetas, expectedCounts(values.length * 2), (theta, expected) => {
        expectAscent(countItem(poisson, values, 2), theta.slice(0, 2), expected)
        expectAscent(countItem(negative, values, 2), theta, expected)
      }),
    )
  })

  it('repeated, it comes to the maximum', () => {
    const expected = Float64Array.of(9, 1, 6, 1, 5, 2, 3, 8, 2, 9, 1, 3, 0.5, 1)
    expectMaximum(countItem(poisson, values, 2), Float64Array.of(1, 1), expected, 1, 1e-9)
    expectMaximum(countItem(negative, values, 2), Float64Array.of(3, 1, 1e-3, 50), expected, 20, 1e-6)
    // From the moments there is nothing left to do.
    expectMaximum(countItem(negative, values, 2), countItem(negative, values, 2).project(expected), expected, 0, 1e-6)
  })

  it('goes to the Poisson distribution if the variance is smaller', () => {
    const item = countItem(negative, [0, 1, 2, 3, 4], 1)
    let theta: Float64Array = Float64Array.of(1, 1)
    for (let step = 0; step < 20; step++) theta = expectAscent(item, theta, Float64Array.of(1, 3, 9, 3, 1))
    expect(theta[0]).toBeCloseTo(2, 12)
    expect(theta[1]).toBeLessThan(1e-6)
  })

  it('leaves a class that nothing is expected of as it is, and knows one of zeros', () => {
    const item = countItem(negative, [0, 1], 2)
    const theta = expectAscent(item, Float64Array.of(0.5, 2, 1, 3), Float64Array.of(4, 0, 0, 0))
    expect([...theta.filter((_, i) => i % 2 === 1)]).toEqual([2, 3])
    expect(theta[0]).toBe(1e-10)
    expect(tableOf(item, theta)[0]).toBeCloseTo(1, 9)
  })
})

it('projects a table of its own onto itself', () => {
  fc.assert(
    fc.property(rates, theta => {
      const item = countItem(poisson, to(150), 2)
      item.project(tableOf(item, theta)).forEach((each, k) => void expectClose(each, theta[k], 1e-9))
    }),
    { numRuns: 20 },
  )
  const item = countItem(negative, to(4000), 2)
  for (const theta of [
    [0.5, 8, 0.3, 2],
    [3, 20, 1, 0.05],
  ])
    item.project(tableOf(item, Float64Array.from(theta))).forEach((each, i) => void expectClose(each, theta[i], 1e-5))
})

it('the information is that of the distribution', () => {
  const information = new Float64Array(4)
  countItem(poisson, [0, 1], 2).information(Float64Array.of(2, 4), Float64Array.of(4, 0, 6, 8), information)
  expect([...information]).toEqual([5, 0, 0, 2])
  const item = countItem(negative, to(400), 1)
  const theta = Float64Array.of(4, 0.5)
  item.information(theta, tableOf(item, theta), information)
  expect(information[0]).toBeCloseTo(1 / 12, 10)
  // The mean of the second derivative, by differences.
  expect(information[3]).toBeCloseTo(0.78792, 4)
})

it.each([
  ['Poisson', poisson, [4.3]],
  ['Poisson, with many values', poisson, [180]],
  ['negative binomial', negative, [4, 0.5]],
  ['negative binomial, with many zeros', negative, [3, 4]],
] as const)('draws counts as often as the table has them: %s', (_, spec, theta) => {
  const values = to(1000)
  const item = countItem(spec, values, 1)
  const { uniform } = random(2, 'sample')
  const { pValue } = goodnessOf(item, Float64Array.from(theta), values, 0, 20_000, uniform)
  expect(pValue).toBeGreaterThan(0.001)
})

it('draws from a large mean and a tiny one', () => {
  const { uniform } = random(3, 'sample')
  const item = countItem(negative, [0, 1], 2)
  const theta = Float64Array.of(1e6, 1e-10, 1e-8, 1e6)
  const drawn = Array.from({ length: 400 }, () => Number(item.draw(theta, 0, uniform)))
  expect(drawn.reduce((a, b) => a + b, 0) / 400 / 1e6).toBeCloseTo(1, 3)
  expect(item.draw(theta, 1, uniform)).toBe(0)
})

it('starts around the data, and no two classes alike', () => {
  for (const counts of [
    [9, 0, 0],
    [3, 3, 3],
  ]) {
    const item = countItem(negative, [0, 1, 7], 3)
    const from = () => item.random(Float64Array.from(counts), random(5, 'start').uniform)
    const theta = from()
    expect(theta).toEqual(from())
    expect(theta.every(each => each > 0 && each < 20)).toBe(true)
  }
  const starts = countItem(poisson, [0, 1, 7], 3).random(Float64Array.of(1, 2, 1), random(5, 'start').uniform)
  expect(new Set(starts).size).toBe(3)
})

it('gives the probability of any count, also as a text', () => {
  const into = new Float64Array(1)
  const item = countItem(poisson, [0, 1], 1)
  expect(item.probability('3', Float64Array.of(2), into)).toBe(true)
  expect(into[0]).toBeCloseTo((8 / 6) * Math.exp(-2), 14)
  for (const value of ['three', '', 1.5, -1, Number.POSITIVE_INFINITY])
    expect(item.probability(value, Float64Array.of(2), into)).toBe(false)
})

it('names its parameters', () => {
  const item = countItem(negative, [0, 1], 2)
  expect(item.describe(Float64Array.of(1, 2, 3, 4)).map(each => [each.name, each.class, each.at, each.value])).toEqual([
    ['mean', 0, 0, 1],
    ['mean', 1, 1, 2],
    ['dispersion', 0, 2, 3],
    ['dispersion', 1, 3, 4],
  ])
  expect(countItem(poisson, [0, 1], 1).describe(Float64Array.of(1))[0].name).toBe('rate')
  expect(item.moments(Float64Array.of(1, 2, 3, 4), 1)).toEqual({ mean: 2, sd: Math.sqrt(18) })
  expect(countItem(poisson, [0], 1).moments(Float64Array.of(4), 0)).toEqual({ mean: 4, sd: 2 })
})
