import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import { fit } from '../../fit/fit.ts'
import { FIT_TESTS } from '../../model/misfit.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { bivariateResiduals, residualsWithin } from '../fit-statistics/residuals.ts'
import { bootstrap } from '../resampling/bootstrap.ts'
import { type AssignedCombinations, fitMembership } from '../three-steps/membership-step.ts'
import { fitStructured, type StructuredFitOptions } from './structured.ts'

const survey = surveyRows().slice(0, 360)
type Row = (typeof survey)[number]
const countries = ['at', 'ch', 'de']
const tensorOf = (rows: readonly Row[], ...names: (keyof Row)[]) =>
  tensorFromRows(rows.map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
const exact = { rank: 2, starts: 2, threads: 1, stationarity: 1e-8, tolerance: 1e-13, minGain: 0 } as const
const fitted = (names: readonly (keyof Row)[], options: Omit<StructuredFitOptions, 'rank'>) =>
  fitStructured(tensorOf(survey, ...names), { ...exact, ...options })
const items = ['a', 'b', 'd', 'e'] as const

describe('groups of a small survey', async () => {
  const alone = await Promise.all(
    countries.map(country =>
      fit(
        tensorOf(
          survey.filter(row => row.country === country),
          ...items,
        ),
        exact,
      ),
    ),
  )
  const sum = alone.reduce((all, { logLikelihood }) => all + logLikelihood, 0)

  it('are compared with each by itself', async () => {
    const { groups, explained } = await fitted([...items, 'country'], { groups: 'country', free: [{ mode: 'd' }] })
    expect(groups).toMatchObject({ mode: 'country', identified: true, dropped: 0 })
    expect(groups!.models.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['pooled', 9],
      ['probabilities equal', 11],
      ['partial', 15],
      ['free', 27],
    ])
    expect(groups!.models[3].logLikelihood).toBeCloseTo(sum, 3)
    expect(groups!.models[2].logLikelihood).toBeCloseTo(explained!.logLikelihood, 8)
    const pooled = await fit(tensorOf(survey, ...items), exact)
    expect(groups!.models[0].logLikelihood).toBeCloseTo(pooled.logLikelihood, 4)
    expect(groups!.tests.map(({ model, within, degreesOfFreedom }) => [model, within, degreesOfFreedom])).toEqual([
      ['pooled', 'probabilities equal', 2],
      ['probabilities equal', 'partial', 4],
      ['partial', 'free', 12],
    ])
    const [curve] = explained!.covariates.curves
    groups!.shares.forEach(({ group, total, shares, freeShares, similarity }, g) => {
      expect([group, total]).toEqual([countries[g], survey.filter(({ country }) => country === countries[g]).length])
      // The sizes of the classes in a group are its memberships.
      shares.forEach((share, k) => void expect(share).toBeCloseTo(curve.points[g].probabilities[k], 8))
      // Its own classes, in the order of those that they are most like.
      const order = [...alone[g].model.shares].toSorted((x, y) => x - y)
      expect(freeShares.toSorted((x, y) => x - y)).toEqual(order.map(x => expect.closeTo(x, 3)))
      for (const each of similarity) expect(each).toBeGreaterThan(0.5)
    })
  })

  it('have the figures of the table with the group in it, less how frequent the groups are', async () => {
    const data = tensorOf(survey, ...items, 'country')
    const { groups, result, explained } = await fitted([...items, 'country'], { groups: 'country', starts: 4 })
    expect(groups!.models.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['pooled', 9],
      ['probabilities equal', 11],
      ['free', 27],
    ])
    expect(groups!.models[2].logLikelihood).toBeCloseTo(sum, 3)
    // The group as one more variable of a plain fit.
    const joint = await fit(data, { ...exact, starts: 8 })
    const ofTable = await evaluate(data, joint.model)
    const n = data.modes.findIndex(({ name }) => name === 'country')
    const ofGroups = data.marginals[n].reduce((all, y) => all + y * Math.log(y / 360), 0)
    expect(result.logLikelihood).toBeCloseTo(joint.logLikelihood - ofGroups, 6)
    expect(groups!.models[1].logLikelihood).toBe(result.logLikelihood)
    expect(explained!.evaluation.gSquared).toBeUndefined()
    expect(explained!.evaluation.entropy).toBeCloseTo(ofTable.entropy!, 3)
    groups!.shares.forEach(({ group, total, shares, freeShares, similarity }, g) => {
      expect([group, total]).toEqual([countries[g], data.marginals[n][g]])
      // By Bayes: π·P[group | class] over their sum.
      const bayes = joint.model.shares.map((share, k) => share * joint.model.profile('country', k)[g])
      shares.forEach((share, k) => void expect(share).toBeCloseTo(bayes[k] / bayes.reduce((x, y) => x + y), 5))
      expect(freeShares.reduce((x, y) => x + y)).toBeCloseTo(1, 8)
      for (const each of similarity) expect(each).toBeGreaterThan(0.5)
    })
    // A question that groups answer differently within classes: the pair of the question and the group in that table.
    const { pairs } = await residualsWithin(explained!.data, result.model)
    const residual = new Map(pairs.map(({ modes, chiSquared }) => [modes.join(), chiSquared]))
    for (const { modes, chiSquared, degreesOfFreedom } of bivariateResiduals(data, joint.model)) {
      const other = modes[0] === 'country' ? modes[1] : modes[0]
      if (!modes.includes('country') || other === 'd') continue
      expect(degreesOfFreedom).toBe(2)
      expect(residual.get(`${other},country`)).toBeCloseTo(chiSquared, 3)
    }
    expect(residual.has('d,country')).toBe(true)
    // The model knows the group of a row.
    const row = { a: 1, b: 0, d: 1, e: 0, country: 'ch' }
    const own = result.model.posterior(row).probabilities
    joint.model.posterior(row).probabilities.forEach((p, k) => void expect(own[k]).toBeCloseTo(p, 5))
  })

  it.each([
    ['groups', { groups: 'country' }],
    ['a covariate with categories', { covariates: ['country'] }],
  ])('are fitted to the table that the answers have for each: %s', async (_, options) => {
    const { explained } = await fitted(['a', 'b', 'e', 'country'], { ...options, starts: 4 })
    const { gSquared, chiSquared, cressieRead, degreesOfFreedom, pValue, sparse } = explained!.evaluation
    // By their definitions, over every cell of every country.
    const { model } = explained!
    const each = countries.flatMap(country => {
      const rows = survey.filter(row => row.country === country)
      return [0, 1, 2, 3, 4, 5, 6, 7].map(cell => {
        const row = { a: cell & 1, b: (cell >> 1) & 1, e: cell >> 2 }
        const p = model.probability({ ...row, country })
        const y = rows.filter(({ a, b, e }) => a === row.a && b === row.b && e === row.e).length
        return { y, m: rows.length * p }
      })
    })
    const total = (of: (cell: { y: number; m: number }) => number) => each.reduce((all, cell) => all + of(cell), 0)
    expect(total(({ m }) => m)).toBeCloseTo(360, 8)
    expect(gSquared).toBeCloseTo(2 * total(({ y, m }) => (y > 0 ? y * Math.log(y / m) : 0)), 6)
    expect(chiSquared).toBeCloseTo(
      total(({ y, m }) => (y - m) ** 2 / m),
      6,
    )
    expect(cressieRead).toBeCloseTo((9 / 5) * total(({ y, m }) => y * ((y / m) ** (2 / 3) - 1)), 6)
    // Three tables of eight cells; six probabilities, and a share for each country.
    expect(degreesOfFreedom).toBe(3 * 7 - 9)
    expect(pValue).toBeCloseTo(chiSquareTail(gSquared!, 12), 12)
    expect(sparse).toBe(false)
    // The replicates are tested with the same statistics.
    const drawn = await bootstrap(explained!.data, model, { replicates: 20, threads: 1 })
    for (const test of FIT_TESTS) expect(drawn[test]!.pValue).toBeGreaterThan(0)
  })

  it('may have a table of one variable, and one class', async () => {
    const { groups } = await fitted(['a', 'country'], { groups: 'country' })
    const alike = [...groups!.models].map(({ logLikelihood }) => logLikelihood)
    // Saturated: the frequencies in each country.
    const saturated = countries.reduce((all, country) => {
      const own = survey.filter(row => row.country === country)
      return own.reduce((log, { a }) => log + Math.log(own.filter(row => row.a === a).length / own.length), all)
    }, 0)
    expect(alike[1]).toBeCloseTo(saturated, 5)
    expect(alike[2]).toBeCloseTo(saturated, 5)
    const one = await fitStructured(tensorOf(survey, ...items, 'country'), { ...exact, rank: 1, groups: 'country' })
    expect(one.groups!.models.map(({ parameters }) => parameters)).toEqual([4, 4, 12])
  })

  it('are no covariates that are the same in every row, and may be many', async () => {
    await expect(
      fitted(['a', 'b', 'country'], { groups: 'country' }).then(() =>
        fitStructured(
          tensorOf(
            survey.filter(({ country }) => country === 'ch'),
            'a',
            'b',
            'country',
          ),
          { ...exact, groups: 'country' },
        ),
      ),
    ).rejects.toThrow('groups must name a column with two groups or more: country has one')
    const rows = survey.map(({ a, b }, i) => ({ a, b, school: `school ${i % 60}` }))
    const { groups } = await fitStructured(tensorFromRows(rows), { rank: 1, groups: 'school', threads: 1 })
    expect(groups!.shares).toHaveLength(60)
  })

  it('say if the answers alone do not identify the classes', async () => {
    const { groups } = await fitted(['a', 'b', 'country'], { groups: 'country', free: [{ mode: 'b' }] })
    expect(groups!.identified).toBe(false)
    // A table of two by two has three dimensions, whatever classes there are.
    expect([groups!.models[0].parameters, groups!.models[3].parameters]).toEqual([3, 9])
  })

  it('with known classes are fitted together, if all is free too', async () => {
    const { groups } = await fitted([...items, 'known', 'country'], { groups: 'country', known: 'known' })
    // Three logits, and in each of three groups four probabilities of two classes.
    expect(groups!.models.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['pooled', 9],
      ['probabilities equal', 11],
      ['free', 27],
    ])
    expect(groups!.models[2].logLikelihood).toBeGreaterThan(groups!.models[1].logLikelihood)
  })

  it('may have covariates alone and in a product with the group', async () => {
    const both = await fitted(['a', 'b', 'd', 'x', 'country'], { groups: 'country', covariates: ['x', 'x*country'] })
    const product = await fitted(['a', 'b', 'd', 'x', 'country'], { groups: 'country', covariates: ['x*country'] })
    expect(both.groups!.models).toEqual(product.groups!.models)
    expect(both.groups!.models.map(({ parameters }) => parameters)).toEqual([8, 12, 24])
  })

  it('have a class of its own direct effect in the model that is compared', async () => {
    const options = { covariates: ['party'], direct: [{ covariate: 'party', mode: 'd', class: 1 }] }
    const { direct, explained } = await fitted([...items, 'party'], options)
    expect(direct!.effects).toEqual(options.direct)
    expect(direct!.models.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['without direct effects', 10],
      ['with direct effects', 11],
    ])
    expect(direct!.models[1].logLikelihood).toBeCloseTo(explained!.logLikelihood, 8)
    const [red, blue] = ['red', 'blue'].map(party => `d (party = ${party})`)
    const { model } = explained!
    expect(model.profile(red, 1)).toEqual(model.profile(blue, 1))
    expect(model.profile(red, 0)[0]).not.toBeCloseTo(model.profile(blue, 0)[0], 3)
  })
})

describe('memberships by weights', () => {
  it('have no solution if a combination has fewer than none of a class', () => {
    const classification = Float64Array.of(0.8, 0.2, 0.2, 0.8)
    const data = (counts: number[]): AssignedCombinations => ({
      classes: 2,
      counts: Float64Array.from(counts),
      classification,
      corrected: inverseOf(classification, 2)!,
      design: {
        terms: [
          { name: 'intercept', factors: [] },
          { name: 'x', factors: [] },
        ],
        patterns: 2,
        values: Float64Array.of(1, 0, 1, 1),
        counts: Float64Array.of(100, 60),
        covariates: [],
      },
    })
    expect(() => fitMembership(data([50, 50, 0, 60]), 'bch')).toThrow(
      /^the regression has no solution: corrected weights are negative for some combinations of covariates; use method 'ml', or fewer terms$/,
    )
    // By hand: 15 and 45 are assigned; of the classes 15·W and 45·W with W = D⁻¹ are 5 and 55.
    const { memberships, coefficients } = fitMembership(data([50, 50, 15, 45]), 'bch')
    expect([...memberships]).toEqual([0.5, 0.5, 5 / 60, 55 / 60].map(p => expect.closeTo(p, 8)))
    expect([...coefficients]).toEqual([0, 0, expect.closeTo(0, 8), expect.closeTo(Math.log(11), 7)])
    // The likelihood has its maximum at the boundary, where all are of the second class.
    expect(fitMembership(data([50, 50, 0, 60]), 'ml').memberships[2]).toBeLessThan(1e-6)
  })
})
