import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import { fit } from '../../fit/fit.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fitGroups } from './groups.ts'
import { type AssignedCombinations, fitMembership } from './membership-step.ts'
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
    countries.map(country => fit(tensorOf(survey.filter(row => row.country === country), ...items), exact)), // biome-ignore format: one call
  )
  const sum = alone.reduce((all, { logLikelihood }) => all + logLikelihood, 0)

  it('are compared with each by itself', async () => {
    const { groups, explained } = await fitted([...items, 'country'], { groups: 'country', free: [{ mode: 'd' }] })
    expect(groups).toMatchObject({ mode: 'country', identified: true, dropped: 0 })
    expect(groups!.models.map(({ name, parameters }) => [name, parameters])).toEqual([['pooled', 9], ['probabilities equal', 11], ['partial', 15], ['free', 27]]) // biome-ignore format: rows
    expect(groups!.models[3].logLikelihood).toBeCloseTo(sum, 3)
    expect(groups!.models[2].logLikelihood).toBeCloseTo(explained!.logLikelihood, 8)
    const pooled = await fit(tensorOf(survey, ...items), exact)
    expect(groups!.models[0].logLikelihood).toBeCloseTo(pooled.logLikelihood, 4)
    expect(groups!.tests.map(({ model, within, degreesOfFreedom }) => [model, within, degreesOfFreedom])).toEqual([['pooled', 'probabilities equal', 2], ['probabilities equal', 'partial', 4], ['partial', 'free', 12]]) // biome-ignore format: rows
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

  it('are those of the table too, without anything else', async () => {
    const { comparison, result, tensor } = await fitGroups(tensorOf(survey, ...items, 'country'), { ...exact, groups: 'country' }) // biome-ignore format: one call
    expect(comparison.models.map(({ name, parameters }) => [name, parameters])).toEqual([['pooled', 9], ['probabilities equal', 11], ['free', 27]]) // biome-ignore format: rows
    expect(comparison.models[2].logLikelihood).toBeCloseTo(sum, 3)
    // Of the joint table, less that of the groups.
    const n = tensor.modes.findIndex(({ name }) => name === 'country')
    const ofGroups = tensor.marginals[n].reduce((all, y) => all + y * Math.log(y / 360), 0)
    expect(comparison.models[1].logLikelihood).toBeCloseTo(result.logLikelihood - ofGroups, 6)
    comparison.shares.forEach(({ group, total, shares, freeShares, similarity }, g) => {
      expect([group, total]).toEqual([countries[g], tensor.marginals[n][g]])
      // By Bayes: π·P[group | class] over their sum.
      const joint = result.model.shares.map((share, k) => share * result.model.profile('country', k)[g])
      shares.forEach((share, k) => void expect(share).toBeCloseTo(joint[k] / joint.reduce((x, y) => x + y), 8))
      expect(freeShares.reduce((x, y) => x + y)).toBeCloseTo(1, 8)
      for (const each of similarity) expect(each).toBeGreaterThan(0.5)
    })
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
    expect(groups!.models.map(({ name, parameters }) => [name, parameters])).toEqual([['pooled', 9], ['probabilities equal', 11], ['free', 27]]) // biome-ignore format: rows
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
    expect(direct!.models.map(({ name, parameters }) => [name, parameters])).toEqual([['without direct effects', 10], ['with direct effects', 11]]) // biome-ignore format: rows
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
      ...{ classes: 2, counts: Float64Array.from(counts), classification, corrected: inverseOf(classification, 2)! },
      design: { terms: [{ name: 'intercept', factors: [] }, { name: 'x', factors: [] }], patterns: 2, values: Float64Array.of(1, 0, 1, 1), counts: Float64Array.of(100, 60), covariates: [] }, // biome-ignore format: one design
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
