import { describe, expect, it } from 'vitest'
import { threeStepRows as rows } from '../../../../../test/three-step-rows.ts'
import { fit } from '../../fit/fit.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { type RegressOptions, regressClasses } from './regress.ts'

const MEAN = rows.reduce((sum, { w }) => sum + w, 0) / rows.length

const MODES = ['q1', 'q2', 'q3', 'q4', 'x', 'g']
const tensorOf = (weight: (w: number) => number, designed = false) =>
  tensorFromRows(
    rows.map(({ answers, x, g, cluster, stratum }) => [...answers, x, g, ...(designed ? [cluster, stratum] : [])]),
    { modes: [...MODES, ...(designed ? ['cluster', 'stratum'] : [])], weights: rows.map(({ w }) => weight(w / MEAN)) },
  )

/**
 * By numpy and scipy: the equations of all three steps solved by root finding. Standard errors are an infinitesimal jackknife of all three:
 * the weight of every row is moved by a thousandth up and down, everything is estimated anew but the assignments, and the squares of the
 * derivatives are added, by rows or by clusters within strata. `known`: with the third step alone estimated anew.
 */
const EXPECTED = {
  ml: {
    estimates: [-0.89261659, 0.37262543, 0.71156856, -0.57572682],
    estimated: [0.28706296, 0.0917752, 0.28493991, 0.32183023],
    known: [0.24817255, 0.09075967, 0.28593112, 0.30897166],
    clusters: [0.27437836, 0.07925343, 0.2831998, 0.37923131],
    wald: 13.96633643,
  },
  bch: {
    estimates: [-0.90114124, 0.37138976, 0.73444632, -0.52479736],
    estimated: [0.30157314, 0.09140762, 0.29721437, 0.29817934],
    known: [0.26126881, 0.09119198, 0.29759753, 0.29562816],
    clusters: [0.28902222, 0.07867778, 0.29678018, 0.35189002],
    wald: 14.92032754,
  },
} as const

const close = (found: readonly (number | undefined)[], expected: readonly number[], digits: number) => {
  expect(found).toHaveLength(expected.length)
  found.forEach((value, i) => {
    expect(value! / expected[i]).toBeCloseTo(1, digits)
  })
}

describe('covariates of classes that were fitted without them', async () => {
  const tensor = tensorOf(w => w)
  const squares = tensorOf(w => w * w).values
  const { model } = await fit(withoutModes(tensor, ['x', 'g']), {
    rank: 2,
    starts: 4,
    tolerance: 1e-14,
    stationarity: 1e-9,
  })
  const options: RegressOptions = { covariates: ['x', 'g'], squares }

  it.each(['ml', 'bch'] as const)('have the coefficients and errors of another program: %s', method => {
    const found = regressClasses(tensor, model, { ...options, method })
    expect(found).toMatchObject({ method, measurement: 'estimated here', measurementReason: undefined })
    const { covariates } = found
    const { estimates, estimated, known, wald } = EXPECTED[method]
    expect(covariates.coefficients.map(({ term }) => term)).toEqual(['intercept', 'x', 'g = b', 'g = c'])
    close(
      covariates.coefficients.map(({ estimate }) => estimate),
      estimates,
      5,
    )
    close(
      covariates.coefficients.map(({ standardError }) => standardError),
      estimated,
      4,
    )
    const [, g] = covariates.tests
    expect(g.test).toMatchObject({ degreesOfFreedom: 2 })
    expect(g.test!.statistic / wald).toBeCloseTo(1, 4)
    close(found.classification.flat(), [0.87978791, 0.12021209, 0.12850747, 0.87149253], 5)
    const alone = regressClasses(tensor, model, { ...options, method, measurement: 'known' })
    expect(alone.measurement).toBe('known')
    close(
      alone.covariates.coefficients.map(({ standardError }) => standardError),
      known,
      4,
    )
  })

  it('have the coefficients of StepMix, of complete rows that all count once', async () => {
    const complete = rows.filter(({ answers, x }) => x !== null && !answers.includes(null))
    const plain = tensorFromRows(
      complete.map(({ answers, x, g }) => [...answers, x, g]),
      { modes: MODES },
    )
    const { model: own } = await fit(withoutModes(plain, ['x', 'g']), { rank: 2, starts: 4, stationarity: 1e-8 })
    // StepMix 3.0.0: structural='covariate', n_steps=3, assignment='modal', correction as named; class 2 less class 1.
    const expected = {
      ml: [-0.87460156, 0.34794912, 0.65299138, -0.62264208],
      bch: [-0.87880548, 0.34619562, 0.67905764, -0.57154121],
    }
    for (const method of ['ml', 'bch'] as const) {
      const { covariates } = regressClasses(plain, own, { covariates: ['x', 'g'], method })
      close(
        covariates.coefficients.map(({ estimate }) => estimate),
        expected[method],
        3,
      )
    }
  })

  it.each(['ml', 'bch'] as const)('allow for clusters: %s', method => {
    const drawn = tensorOf(w => w, true)
    const design = { cluster: 'cluster', stratum: 'stratum' }
    const { covariates, clusters, strata } = regressClasses(drawn, model, { covariates: ['x', 'g'], method, design })
    expect([clusters, strata]).toEqual([40, 2])
    close(
      covariates.coefficients.map(({ standardError }) => standardError),
      EXPECTED[method].clusters,
      4,
    )
  })

  it('do not depend on the reference class or on units', () => {
    const [first, second] = [1, 2].map(reference => regressClasses(tensor, model, { ...options, reference }).covariates)
    first.coefficients.forEach(({ estimate, standardError }, i) => {
      expect(second.coefficients[i].estimate).toBeCloseTo(-estimate, 9)
      expect(second.coefficients[i].standardError).toBeCloseTo(standardError!, 9)
    })
    expect(second.tests[0].test!.statistic).toBeCloseTo(first.tests[0].test!.statistic, 8)
    const named = regressClasses(tensor, model, { ...options, referenceCategories: { g: 'c' }, standardize: true })
    expect(named.covariates.referenceCategories).toEqual({ g: 'c' })
    expect(named.covariates.units).toMatchObject([{ covariate: 'x', by: 'deviation' }])
    const step = named.covariates.coefficients.find(({ term }) => term === 'g = a')!
    expect(step.estimate).toBeCloseTo(-first.coefficients[3].estimate, 8)
  })

  it('are drawn towards zero without correction', () => {
    const none = regressClasses(tensor, model, { ...options, method: 'none' })
    const [, slope] = none.covariates.coefficients
    expect(Math.abs(slope.estimate)).toBeLessThan(0.85 * EXPECTED.ml.estimates[1])
  })

  it('of other rows than the model was fitted to are told apart, and the model has its own share of the variance', async () => {
    const half = tensorFromRows(
      rows.filter((_, i) => i % 2 === 0).map(({ answers, x, g }) => [...answers, x, g]),
      { modes: MODES },
    )
    const other = tensorFromRows(
      rows.filter((_, i) => i % 2 === 1).map(({ answers }) => answers),
      { modes: MODES.slice(0, 4) },
    )
    const { model: elsewhere } = await fit(other, { rank: 2, starts: 4 })
    const errorOf = (more: Partial<RegressOptions>) =>
      regressClasses(half, elsewhere, { covariates: ['x'], ...more }).covariates.coefficients[0].standardError!
    expect(regressClasses(half, elsewhere, { covariates: ['x'] }).measurement).toBe('estimated elsewhere')
    const known = errorOf({ fittedTo: 1e12 })
    expect(errorOf({})).toBeGreaterThan(1.02 * known)
    // Its variance falls with the number of observations that it was fitted to.
    const more = (fittedTo: number) => errorOf({ fittedTo }) ** 2 - known ** 2
    expect(more(400) / more(800)).toBeCloseTo(2, 6)
  })

  it('have the same errors whatever the reference category is, also if it has run off to infinity', () => {
    // Whoever says yes to everything is of one class for certain.
    const alone = tensorFromRows(
      rows.map(({ answers, x, g }) => [...answers, x, answers.every(each => each === 'yes') ? 'z' : g]),
      { modes: MODES },
    )
    const [a, z] = ['a', 'z'].map(
      g => regressClasses(alone, model, { covariates: ['x', 'g'], referenceCategories: { g } }).covariates.coefficients,
    )
    const named = (list: typeof a, term: string) => list.find(each => each.term === term)!
    expect(named(a, 'g = z').standardError).toBeUndefined()
    expect(named(a, 'g = b').standardError).toBeGreaterThan(0)
    for (const g of ['a', 'b', 'c']) expect(named(z, `g = ${g}`).standardError).toBeUndefined()
    expect(named(z, 'x').estimate).toBeCloseTo(named(a, 'x').estimate, 6)
    expect(named(z, 'x').standardError).toBeCloseTo(named(a, 'x').standardError!, 6)
    expect(named(z, 'g = b').estimate - named(z, 'g = a').estimate).toBeCloseTo(named(a, 'g = b').estimate, 5)
  })

  it('are refused if they cannot be estimated', async () => {
    const refused = (more: object) => expect(() => regressClasses(tensor, model, { ...options, ...more }))
    refused({ method: 'lrt' }).toThrow(/method must be one of ml, bch, none/)
    refused({ reference: 3 }).toThrow(/reference must be a whole number from 1 to 2/)
    refused({ covariates: ['z'] }).toThrow(/covariates names no mode of the data: "z"/)
    expect(() => regressClasses(withoutModes(tensor, ['q1']), model, { covariates: ['x'] })).toThrow(/no mode "q1"/)
    const town = tensorFromRows(
      rows.map(({ answers }, i) => [...answers, `town ${i % 60}`]),
      { modes: [...MODES.slice(0, 4), 'town'] },
    )
    expect(() => regressClasses(town, model, { covariates: ['town'] })).toThrow(
      /"town" has 60 categories, and at most 50/,
    )
  })
})
