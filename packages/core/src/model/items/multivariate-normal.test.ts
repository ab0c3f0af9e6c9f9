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
import type { MultivariateNormalSpec } from './item.ts'
import { multivariateNormalItem } from './multivariate-normal.ts'
import { normalItem } from './normal.ts'

const spec = (steps: readonly number[], variances: 'free' | 'equal' = 'free'): MultivariateNormalSpec => ({
  kind: 'multivariate-normal',
  variables: steps.map((step, i) => ({ name: 'abc'[i], step })),
  variances,
})

const LABELS = ['1 / 2', '2 / 2.5', '3 / 1', '2 / 4', '0 / 0.5', '5 / 3', '4 / 4.5']
const LACKING = [...LABELS, '2 / NA', 'NA / 1.5', '3 / NA', 'NA / 4']

/** Means of two classes, then two factors, or one. */
const entries = fc.double({ min: -3, max: 3, noNaN: true })
const pivots = fc.double({ min: -2, max: 2, noNaN: true }).map(Math.exp)
const factors = fc.tuple(pivots, entries, pivots)
const means = fc.array(fc.double({ min: -2, max: 6, noNaN: true }), { minLength: 4, maxLength: 4 })
const thetas = fc.tuple(means, factors, factors).map(parts => Float64Array.from(parts.flat()))
const shared = fc.tuple(means, factors).map(parts => Float64Array.from(parts.flat()))

describe('the table of joined numbers', () => {
  // scipy 1.17 multivariate_normal.logpdf with the covariance L·Lᵀ + diag(step²/12), plus the logarithms of the steps; of one number by norm.logpdf.
  it('is the density with the variance of rounding, times the volume', () => {
    const item = multivariateNormalItem(spec([1, 0.5]), ['1 / 2', '2 / 4', '2 / NA', 'NA / 1.5'], 1)
    const table = tableOf(item, Float64Array.of(1.5, 2.2, 1.2, 0.7, 0.4))
    expect([...table].map(Math.log)).toEqual(
      [-2.0513567187545263, -7.632506987923483, -1.211445884102668, -1.7776858258902015].map(each =>
        expect.closeTo(each, 12),
      ),
    )
  })

  it('is nearly that of separate numbers if they are not correlated', () => {
    const item = multivariateNormalItem(spec([1, 0.5]), LABELS, 1)
    const table = tableOf(item, Float64Array.of(2, 2.5, 1.5, 0, 1))
    const [a, b] = [0, 1].map(i => {
      const values = LABELS.map(label => Number(label.split(' / ')[i]))
      return tableOf(
        normalItem({ kind: 'normal', step: [1, 0.5][i], variances: 'free' }, values, 1),
        [Float64Array.of(2, 1.5), Float64Array.of(2.5, 1)][i],
      )
    })
    for (const [j, p] of table.entries()) expect(Math.abs(p / (a[j] * b[j]) - 1)).toBeLessThan(5e-4)
  })

  it('is bounded, has no zeros and has finite scores, however narrow or far a class is', () => {
    for (const theta of [
      [2, 2.5, 1e-9, 0, 1e-9],
      [2, 2.5, 1e-9, 5, 1e-9],
      [2, 2.5, 1e120, 1e120, 1],
      [1e9, 2.5, 1, 0, 1],
      [2, 2.5, 1e200, 0, 1e-200],
    ]) {
      const item = multivariateNormalItem(spec([1, 0.5]), LACKING, 1)
      for (const p of tableOf(item, Float64Array.from(theta))) {
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThan(12 / (2 * Math.PI) + 1e-9)
      }
      for (const each of item.scores(Float64Array.from(theta))[0].scores) expect(Number.isFinite(each)).toBe(true)
    }
  })

  it('gives the probability of values that are not among the labels, and of those that lack some', () => {
    const item = multivariateNormalItem(spec([1, 0.5]), LABELS, 2)
    const theta = Float64Array.of(1, 2, 3, 1, 1, 0.5, 1, 2, -1, 1)
    const other = multivariateNormalItem(spec([1, 0.5]), ['7 / 2', 'NA / 3'], 2)
    const [p, table] = [new Float64Array(2), tableOf(other, theta)]
    expect(item.probability('7 / 2', theta, p)).toBe(true)
    expect([...p]).toEqual([...table.subarray(0, 2)])
    expect(item.probability('NA / 3', theta, p)).toBe(true)
    expect([...p]).toEqual([...table.subarray(2)])
    for (const wrong of ['7', '7 / x', 'NA / NA', '1 / 2 / 3']) expect(item.probability(wrong, theta, p)).toBe(false)
  })

  it('has the derivatives of its logarithms as scores', () => {
    for (const labels of [LABELS, LACKING]) {
      fc.assert(
        fc.property(thetas, theta => expectScores(multivariateNormalItem(spec([1, 0.5]), labels, 2), theta, 1e-4)),
        { numRuns: 20 },
      )
      fc.assert(
        fc.property(shared, theta =>
          expectScores(multivariateNormalItem(spec([1, 0.5], 'equal'), labels, 2), theta, 1e-4),
        ),
        { numRuns: 20 },
      )
    }
  })
})

describe('the M-step of joined numbers', () => {
  it('never lowers the expected log-likelihood', () => {
    for (const variances of ['free', 'equal'] as const)
      fc.assert(
        fc.property(
          variances === 'free' ? thetas : shared,
          expectedCounts(LACKING.length * 2),
          (theta, expected) =>
            void expectAscent(multivariateNormalItem(spec([0.01, 0.02], variances), LACKING, 2), theta, expected),
        ),
        { numRuns: 50 },
      )
  })

  it('is one step if nothing is missing, and comes to the best if something is', () => {
    const expected = Float64Array.from({ length: LACKING.length * 2 }, (_, at) => 1 + ((at * 7) % 11))
    for (const variances of ['free', 'equal'] as const) {
      const item = multivariateNormalItem(spec([0.1, 0.1], variances), LABELS, 2)
      const whole = expected.slice(0, LABELS.length * 2)
      expectMaximum(
        item,
        item.random(new Float64Array(LABELS.length).fill(1), random(1, 'probe').uniform),
        whole,
        1,
        1e-9,
      )
      const lacking = multivariateNormalItem(spec([0.1, 0.1], variances), LACKING, 2)
      expectMaximum(lacking, lacking.project(expected), expected, 400, 1e-6)
    }
  })

  it('gives a class that has one value, or values on a line, the least variance', () => {
    const item = multivariateNormalItem(spec([1, 0.5]), ['1 / 2', '2 / 4', '3 / 6', '4 / 8'], 2)
    const expected = Float64Array.of(1, 0, 1, 0, 1, 5, 1, 0)
    const theta = item.project(expected)
    const parameters = item.describe(theta)
    const parameterOf = (name: string, of: number) =>
      parameters.find(each => each.name === name && each.class === of)!.value
    expect(parameterOf('sd', 1)).toBeCloseTo(1e-4, 12)
    expect(parameterOf('correlation', 1)).toBeCloseTo(0, 12)
    expect(parameterOf('correlation', 0)).toBeGreaterThan(0.99)
    expectAscent(item, theta, expected)
  })
})

describe('the parameters of joined numbers', () => {
  it('are means, standard deviations and correlations, with their derivatives', () => {
    const labels = ['1 / 2 / 3', '2 / 3 / 1', '3 / 1 / 2']
    const item = multivariateNormalItem(spec([1, 1, 1]), labels, 1)
    const theta = Float64Array.of(1, 2, 3, 1.5, 0.4, 0.9, -0.7, 0.3, 1.1)
    const factor = [
      [1.5, 0, 0],
      [0.4, 0.9, 0],
      [-0.7, 0.3, 1.1],
    ]
    const sigma = factor.map(row => factor.map(other => row.reduce((sum, each, j) => sum + each * other[j], 0)))
    const found = item.describe(theta)
    expect(found.map(({ name, of }) => `${name} ${of!.join()}`)).toEqual([
      ...['mean a', 'mean b', 'mean c', 'sd a', 'sd b', 'sd c'],
      ...['correlation a,b', 'correlation a,c', 'correlation b,c'],
    ])
    const r = (i: number, j: number) => sigma[i][j] / Math.sqrt(sigma[i][i] * sigma[j][j])
    const values = [1, 2, 3, ...[0, 1, 2].map(i => Math.sqrt(sigma[i][i])), r(0, 1), r(0, 2), r(1, 2)]
    expect(found.map(({ value }) => value)).toEqual(values.map(each => expect.closeTo(each, 12)))
    found.forEach(({ by }, p) => {
      theta.forEach((value, at) => {
        const moved = (to: number) => item.describe(theta.map((each, i) => (i === at ? to : each)))[p].value
        const slope =
          by === undefined
            ? p === at
              ? 1
              : 0
            : by.rows.reduce((sum, row, i) => sum + (row === at ? by.slopes[i] : 0), 0)
        expect(slope).toBeCloseTo((moved(value + 1e-6) - moved(value - 1e-6)) / 2e-6, 6)
      })
    })
    expect(item.moments(theta, 0, 1)).toEqual({ mean: 2, sd: expect.closeTo(Math.sqrt(sigma[1][1]), 12) })
  })

  it('can be given in another order of classes', () => {
    for (const [variances, length] of [
      ['free', 10],
      ['equal', 7],
    ] as const) {
      const item = multivariateNormalItem(spec([1, 0.5], variances), LABELS, 2)
      const theta = Float64Array.from({ length }, (_, i) => 0.5 + 0.1 * i)
      const [before, after] = [tableOf(item, theta), tableOf(item, item.reorder(theta, [1, 0]))]
      expect([...after]).toEqual([...before.map((_, at) => before[at ^ 1])])
    }
  })

  it('are those of what is drawn', () => {
    const values = Array.from({ length: 41 }, (_, i) => (i - 20) / 2)
    const labels = values.flatMap(a => values.map(b => `${a} / ${b}`))
    const item = multivariateNormalItem(spec([0.5, 0.5]), labels, 1)
    const theta = Float64Array.of(0.3, -0.2, 1.2, 0.8, 0.9)
    const { pValue, outside } = goodnessOf(item, theta, labels, 0, 50_000, random(3, 'probe').uniform)
    expect(pValue).toBeGreaterThan(0.01)
    expect(outside).toBe(0)
  })
})
