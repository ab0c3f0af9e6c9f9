import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type CovariateFit, fitCovariates } from '../structure/deprecated.ts'

/** Park and Miller's generator: a few lines in any language, so that another program can draw the same data. */
const parkMiller = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

const YES = [
  [0.9, 0.85, 0.8, 0.75],
  [0.2, 0.15, 0.3, 0.1],
]

interface Respondent {
  readonly age: number
  readonly income: number
  readonly answers: readonly number[]
}

/** 1500 respondents, whose class depends on age, on income and on their product. */
const respondents = (() => {
  const uniform = parkMiller(12345)
  return Array.from({ length: 1500 }, (): Respondent => {
    const [age, income] = [20 + Math.floor(60 * uniform()), 10 + Math.floor(90 * uniform())]
    const [a, b] = [age - 50, income - 55]
    const k = uniform() < 1 / (1 + Math.exp(-(-0.2 + 0.05 * a - 0.02 * b + 0.0015 * a * b))) ? 1 : 0
    return { age, income, answers: YES[k].map(p => (uniform() < p ? 1 : 0)) }
  })
})()

const survey = (age: (years: number) => number, income: (thousands: number) => number): Tensor =>
  tensorFromRows(
    respondents.map(each => [...each.answers.map(String), age(each.age), income(each.income)]),
    {
      modes: ['a', 'b', 'c', 'd', 'age', 'income'],
    },
  )

const tests = ({ covariates }: CovariateFit) =>
  Object.fromEntries(covariates.tests.map(each => [each.covariate, each.test]))

describe('effects of covariates', () => {
  /**
   * By direct maximization of the likelihood (scipy's BFGS), scores by finite differences in standardized units, and the inverse of
   * the sum of their squares (numpy).
   */
  const EXPECTED = {
    logLikelihood: -3379.558446,
    age: 161.66805,
    income: 94.28746,
    estimates: [2.14198, -0.0312858, -0.0824239, 0.001377424],
    errors: [0.460682, 0.00865999, 0.00859515, 0.000158705],
  }

  it.each([
    ['years and thousands', 1, 0, 1, 0],
    ['years and dollars', 1, 0, 1e3, 0],
    ['billionths', 1e-9, 0, 1e-9, 0],
    ['billions', 1e9, 0, 1e9, 0],
    ['one huge, one tiny', 1e9, 0, 1e-9, 0],
    ['far from zero', 1, 1e6, 1, -1e6],
    ['far from zero in units of their own', 0.01, 1e6, 1e3, 1e6],
  ])('are those of another program in %s', async (_, years, from, thousands, above) => {
    const data = survey(
      age => from + years * age,
      income => above + thousands * income,
    )
    const found = await fitCovariates(data, { rank: 2, covariates: ['age*income'], starts: 1 })
    expect(found.logLikelihood).toBeCloseTo(EXPECTED.logLikelihood, 5)
    for (const name of ['age', 'income'] as const) {
      expect(tests(found)[name]?.degreesOfFreedom).toBe(2)
      expect(tests(found)[name]!.statistic / EXPECTED[name]).toBeCloseTo(1, 5)
    }
    const { coefficients, reference } = found.covariates
    // The class that says no is the second here; which is larger does not matter.
    const sign = found.model.profile('a', 0)[1] > 0.5 === (reference === 1) ? 1 : -1
    const product = coefficients.at(-1)!
    expect((sign * product.estimate * years * thousands) / EXPECTED.estimates[3]).toBeCloseTo(1, 4)
    expect((product.standardError! * years * thousands) / EXPECTED.errors[3]).toBeCloseTo(1, 4)
    if (from !== 0 || above !== 0) return
    const units = [1, years, thousands, years * thousands]
    coefficients.forEach(({ estimate, standardError }, p) => {
      expect((sign * estimate * units[p]) / EXPECTED.estimates[p]).toBeCloseTo(1, 4)
      expect((standardError! * units[p]) / EXPECTED.errors[p]).toBeCloseTo(1, 4)
    })
  })

  it('are those of another program with one covariate, however far from zero its values are', async () => {
    for (const from of [0, 1e6, -1e9]) {
      const data = withoutModes(
        survey(age => from + age, Number),
        ['income'],
      )
      const found = await fitCovariates(data, { rank: 2, covariates: ['age'], starts: 1 })
      expect(found.logLikelihood).toBeCloseTo(-3431.740964, 5)
      expect(tests(found).age?.statistic).toBeCloseTo(119.1529, 2)
      expect(Math.abs(found.covariates.coefficients[1].estimate)).toBeCloseTo(0.0398348, 5)
      expect(found.covariates.coefficients[1].standardError).toBeCloseTo(0.0036493, 5)
    }
  })

  it('are the same of rows that are counted and of rows one by one', async () => {
    const rows = respondents.slice(0, 400).map(each => ({
      ...Object.fromEntries(each.answers.map((y, n) => [`q${n}`, `${y}`])),
      age: 1e5 + (each.age % 5),
    }))
    const options = { rank: 2, covariates: ['age'], starts: 1 } as const
    const once = await fitCovariates(tensorFromRows(rows), options)
    const counted = await fitCovariates(
      tensorFromRows(
        rows.map(row => ({ ...row, n: 1e6 })),
        { count: 'n' },
      ),
      options,
    )
    expect(tests(counted).age!.statistic / tests(once).age!.statistic / 1e6).toBeCloseTo(1, 4)
  })

  it('do not mistake a number that varies little for its size for a constant', async () => {
    const { uniform } = random(6, 'data')
    const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
    const rows = Array.from({ length: 300 }, (_, i) => ({
      ...Object.fromEntries(YES[i % 2].map((p, n) => [`q${n}`, uniform() < p ? 'yes' : 'no'])),
      x: 1e5 + 2 * normal() + (i % 2),
      month: 202001 + (i % 12),
    }))
    const { covariates } = await fitCovariates(tensorFromRows(rows), {
      rank: 2,
      covariates: ['x', 'month'],
      starts: 1,
    })
    expect(covariates.terms.map(({ name }) => name)).toEqual(['intercept', 'x', 'month'])
    for (const { test } of covariates.tests) expect(test?.degreesOfFreedom).toBe(1)
  })

  it('make curves: the mean of the memberships of all respondents, each as if of that age', async () => {
    const { covariates } = await fitCovariates(survey(Number, Number), {
      rank: 2,
      covariates: ['age*income'],
      starts: 1,
    })
    const [b0, b1, b2, b3] = covariates.coefficients.map(({ estimate }) => estimate)
    const [age, income] = covariates.curves
    expect([age.numeric, age.points.length, income.points.length]).toEqual([true, 9, 9])
    for (const { value, probabilities } of age.points) {
      const x = Number(value)
      const mean =
        respondents.reduce((sum, { income: y }) => sum + 1 / (1 + Math.exp(-(b0 + b1 * x + b2 * y + b3 * x * y))), 0) /
        1500
      expect(probabilities[1]).toBeCloseTo(mean, 9)
      expect(probabilities[0] + probabilities[1]).toBeCloseTo(1, 12)
    }
  })

  it('leave out categories that never occur', async () => {
    const rows = respondents
      .slice(0, 200)
      .map(({ answers, age }) => [...answers.map(String), age < 50 ? 'young' : 'old'])
    const labels = [...'abcd'].map(name => ({ name, labels: ['0', '1'] }))
    const data = tensorFromRows(rows, {
      modes: [...labels, { name: 'age', labels: ['never', 'old', 'young', 'nor'] }] as never,
    })
    const { covariates } = await fitCovariates(data, { rank: 2, covariates: ['age'], starts: 1 })
    expect(covariates.terms.map(({ name }) => name)).toEqual(['intercept', 'age = young'])
  })

  it('name a product once, in whichever order it is asked for', async () => {
    const data = tensorFromRows(
      respondents.map(({ answers, age, income }, i) => [...answers.map(String), age, income, i % 3]),
    )
    const { covariates } = await fitCovariates(data, {
      rank: 2,
      covariates: ['mode5*mode6', 'mode7*mode6*mode5'],
      starts: 1,
    })
    expect(covariates.terms).toHaveLength(8)
  })

  it('are shown in units in which they can be read, and stay per 1 in the coefficients', async () => {
    const dollars = survey(
      age => age,
      income => 1000 * income,
    )
    const fitted = async (options: object) =>
      (await fitCovariates(dollars, { rank: 2, covariates: ['age', 'income'], starts: 1, ...options })).covariates
    const plain = await fitted({})
    const deviation = plain.units[1].deviation
    expect(plain.units).toMatchObject([
      { covariate: 'age', unit: 1, by: 'one' },
      { covariate: 'income', unit: 10_000, by: 'automatic' },
    ])
    const incomes = respondents.map(each => 1000 * each.income)
    const mean = incomes.reduce((a, b) => a + b) / incomes.length
    expect(deviation).toBeCloseTo(Math.sqrt(incomes.reduce((sum, x) => sum + (x - mean) ** 2, 0) / incomes.length), 6)
    const incomeOf = ({ coefficients }: typeof plain) => coefficients.find(({ term }) => term === 'income')!
    const { estimate, standardError, interval, shown } = incomeOf(plain)
    expect(shown.estimate).toBe(10_000 * estimate)
    expect(shown.standardError).toBe(10_000 * standardError!)
    expect(shown.oddsRatio).toBeCloseTo(Math.exp(10_000 * estimate), 12)
    expect(shown.interval![0]).toBeCloseTo(interval![0] ** 10_000, 8)
    const given = await fitted({ per: { income: 5000 } })
    expect(given.units[1]).toEqual({ covariate: 'income', unit: 5000, by: 'given', deviation })
    expect(incomeOf(given)).toMatchObject({ estimate, shown: { unit: 5000, estimate: 5000 * estimate } })
    const standardized = await fitted({ standardize: true, per: { age: 10 } })
    expect(standardized.units.map(({ unit, by }) => [unit, by])).toEqual([
      [10, 'given'],
      [deviation, 'deviation'],
    ])
    await expect(fitted({ per: { incom: 1 } })).rejects.toThrow(/per has "incom", which is not a covariate/)
    await expect(fitted({ per: { income: 0 } })).rejects.toThrow(/per must be a number > 0 for "income" \(got 0\)/)
    await expect(fitted({ categories: ['age'], per: { age: 2 } })).rejects.toThrow(/"age" has \d+ categories/)
  })

  it('of categories do not depend on the reference category, which is named', async () => {
    const kinds = tensorFromRows(
      respondents.map(each => [
        ...each.answers.map(String),
        each.age < 40 ? 'young' : each.age < 60 ? 'middle' : 'old',
      ]),
      { modes: ['a', 'b', 'c', 'd', 'age'] },
    )
    const fitted = (options: object) => fitCovariates(kinds, { rank: 2, covariates: ['age'], starts: 1, ...options })
    const [first, other] = [await fitted({}), await fitted({ referenceCategories: { age: 'young' } })]
    expect(first.covariates.referenceCategories).toEqual({ age: 'middle' })
    expect(other.covariates.referenceCategories).toEqual({ age: 'young' })
    expect(other.logLikelihood).toBeCloseTo(first.logLikelihood, 6)
    const of = (found: CovariateFit, term: string) => found.covariates.coefficients.find(each => each.term === term)!
    expect(of(other, 'age = middle').estimate).toBeCloseTo(-of(first, 'age = young').estimate, 4)
    expect(tests(other).age!.statistic).toBeCloseTo(tests(first).age!.statistic, 3)
  })
})
