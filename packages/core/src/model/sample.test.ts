import { describe, expect, it } from 'vitest'
import { DataError, OptionError } from '../errors.ts'
import { Mode } from '../tensor/mode.ts'
import { Model } from './model.ts'
import { LogitStructure } from './structures/logit.ts'

/** Classes depend on age and region, and the probabilities of vote on region. */
const structure = new LogitStructure({
  reference: 1,
  terms: [
    { name: 'intercept', factors: [] },
    { name: 'age', factors: [{ covariate: 'age' }] },
    { name: 'region = north', factors: [{ covariate: 'region', label: 'north' }] },
  ],
  coefficients: [
    [0, 0, 0],
    [-2, 0.05, 1],
  ],
  given: [
    { name: 'age', labels: [20, 30, 40], numeric: true },
    { name: 'region', labels: ['north', 'south'], numeric: false },
  ],
  splits: [{ mode: 'vote', columns: [['region'], ['region']] }],
  parts: [
    { mode: 'vote', name: 'vote (north)', where: [{ column: 'region', label: 'north' }] },
    { mode: 'vote', name: 'vote (south)', where: [{ column: 'region', label: 'south' }] },
  ],
})
const [trust, north, south] = [
  Float64Array.of(0.9, 0.2, 0.1, 0.8),
  Float64Array.of(0.7, 0.1, 0.3, 0.9),
  Float64Array.of(0.5, 0.3, 0.5, 0.7),
]
const model = new Model(
  [
    new Mode('trust', ['low', 'high']),
    new Mode('vote (north)', ['no', 'yes']),
    new Mode('vote (south)', ['no', 'yes']),
  ],
  { rank: 2, sizes: Float64Array.of(60, 40), factors: [trust, north, south] },
  undefined,
  structure,
)

/** Of rows with this age in this region: how many there are for one, and P[class 2], by hand. */
const patterns = [
  { row: { age: 20, region: 'north' }, weight: 3, second: 1 / (1 + Math.exp(2 - 1 - 1)), vote: north },
  { row: { age: 40, region: 'north' }, weight: 1, second: 1 / (1 + Math.exp(2 - 2 - 1)), vote: north },
  { row: { age: 83, region: 'south' }, weight: 2, second: 1 / (1 + Math.exp(2 - 4.15)), vote: south },
]
const rows = patterns.map(({ row }) => row)
const weights = patterns.map(({ weight }) => weight)

describe('a sample of a model with covariates', () => {
  it('has the columns of the data, and the probabilities that Bayes’ rule gives by hand', () => {
    const count = 60_000
    const { columns, rows: drawn, classes } = model.sample(count, { seed: 3, rows, weights })
    expect(columns).toEqual(['age', 'region', 'trust', 'vote'])
    const seen = new Map<string, number>()
    for (const [i, row] of drawn.entries()) {
      const key = JSON.stringify([...row, classes[i]])
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    let [statistic, cells] = [0, 0]
    for (const { row, weight, second, vote } of patterns)
      for (const k of [0, 1])
        for (const [t, low] of ['low', 'high'].entries())
          for (const [v, no] of ['no', 'yes'].entries()) {
            const p = (weight / 6) * (k === 0 ? 1 - second : second) * trust[2 * t + k] * vote[2 * v + k]
            const n = seen.get(JSON.stringify([row.age, row.region, low, no, k])) ?? 0
            statistic += (n - count * p) ** 2 / (count * p)
            cells++
          }
    expect(cells).toBe(24)
    expect([...seen.values()].reduce((sum, n) => sum + n, 0)).toBe(count)
    // The 99.9% quantile of χ² with 23 degrees of freedom.
    expect(statistic).toBeLessThan(49.73)
  })

  it('draws the same rows with the same seed, and each row counts once without weights', () => {
    const { rows: drawn } = model.sample(3000, { seed: 3, rows })
    expect(model.sample(5, { seed: 3, rows }).rows).toEqual(drawn.slice(0, 5))
    const old = drawn.filter(([age]) => age === 83).length
    expect(Math.abs(old - 1000)).toBeLessThan(4 * Math.sqrt((3000 * 2) / 9))
  })

  it('takes no rows if it has no covariates, and then has the columns of its modes', () => {
    const plain = new Model([new Mode('trust', ['low', 'high'])], {
      rank: 2,
      sizes: Float64Array.of(60, 40),
      factors: [trust],
    })
    expect(plain.sample(3).columns).toEqual(['trust'])
    expect(() => plain.sample(3, { rows: [{ trust: 'low' }] })).toThrow(/only for models with covariates/)
  })

  it.each([
    ['no rows', () => model.sample(3), OptionError, /rows must be given: the model's classes depend on age, region/],
    ['an empty list', () => model.sample(3, { rows: [] }), OptionError, /rows must/],
    [
      'a row without a covariate',
      () => model.sample(3, { rows: [rows[0], { age: 30 }] }),
      DataError,
      /row 2.*region.*"north", "south".*nothing/s,
    ],
    [
      'an unknown category',
      () => model.sample(3, { rows: [{ age: 30, region: 'east' }] }),
      DataError,
      /row 1.*region.*"east"/,
    ],
    [
      'no number',
      () => model.sample(3, { rows: [{ age: 'old', region: 'north' }] }),
      DataError,
      /row 1.*age.*a number/,
    ],
    ['too few weights', () => model.sample(3, { rows, weights: [1] }), OptionError, /weights must/],
    ['weights of nothing', () => model.sample(3, { rows, weights: [0, 0, 0] }), OptionError, /weights must/],
    ['a negative weight', () => model.sample(3, { rows, weights: [1, -1, 3] }), OptionError, /weights must/],
    ['weights alone', () => model.sample(3, { weights: [1] }), OptionError, /rows must be given/],
  ])('refuses %s', (_, act, kind, message) => {
    expect(act).toThrow(kind)
    expect(act).toThrow(message)
  })
})
