import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { chiSquareTail, fisherTail, studentQuantile, studentTail } from '../../numeric/special.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { regressClasses } from './regress.ts'
import { regressOutcome } from './regress-outcome.ts'

/**
 * If the classes are certain, the third step is a plain regression on known groups: estimates and robust errors are compared with those of normal
 * equations and of Newton's steps, written from the formulas.
 */

/** The first answer tells the class, and the others do not matter. */
const model = new Model(
  ['q1', 'q2', 'q3'].map(name => new Mode(name, ['no', 'yes'])),
  {
    rank: 2,
    sizes: Float64Array.of(30, 20),
    factors: [Float64Array.of(1, 0, 0, 1), Float64Array.of(0.8, 0.3, 0.2, 0.7), Float64Array.of(0.6, 0.5, 0.4, 0.5)],
  },
)

const rows = Array.from({ length: 60 }, (_, i) => {
  const u = (s: number) => ((i * (17 + 12 * s) + i * i * (3 + s)) % 97) / 97
  const [k, x, g] = [u(1) < 0.6 ? 0 : 1, Math.floor(4 * u(2)), u(3) < 0.5 ? 'a' : 'b']
  return {
    k,
    q1: ['no', 'yes'][k],
    q2: u(4) < 0.5 ? 'no' : 'yes',
    q3: u(5) < 0.3 ? null : 'no',
    x,
    g,
    y: Math.round(4 * (2 * k + 0.5 * x + (g === 'b' ? 1 : 0) + 2 * u(6))) / 4,
    town: i % 8,
    region: i % 2,
    kind: u(7) < 0.3 + 0.3 * k ? 'low' : u(8) < 0.5 ? 'mid' : 'top',
  }
})
type Row = (typeof rows)[number]
const tensorOf = (names: readonly (keyof Row)[], more: readonly object[] = []) =>
  tensorFromRows(
    [...rows, ...more].map(row => Object.fromEntries(names.map(name => [name, (row as Row)[name]]))) as never,
  )
const answers = ['q1', 'q2', 'q3'] as const

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, i) => sum + each * b[i], 0)
const quadratic = (matrix: Float64Array, a: readonly number[], b: readonly number[]) =>
  matrix.reduce((sum, v, at) => sum + v * a[Math.floor(at / a.length)] * b[at % a.length], 0)
/** H⁻¹·(Σ over clusters of their sums of scores, squared)·H⁻¹. @param clusters of every row, and their strata */
const robust = (
  H: Float64Array,
  scores: readonly (readonly number[])[],
  clusters?: readonly { town: number; region: number }[],
) => {
  const n = scores[0].length
  const inverse = inverseOf(H, n)!
  let sums = scores.map(each => ({ own: each, times: 1 }))
  if (clusters !== undefined) {
    sums = [0, 1].flatMap(region => {
      const towns = [...new Set(clusters.filter(each => each.region === region).map(({ town }) => town))]
      const totals = towns.map(town =>
        scores[0].map((_, a) => scores.reduce((sum, each, i) => (clusters[i].town === town ? sum + each[a] : sum), 0)),
      )
      const mean = totals[0].map((_, a) => totals.reduce((sum, each) => sum + each[a] / totals.length, 0))
      return totals.map(each => ({ own: each.map((v, a) => v - mean[a]), times: towns.length / (towns.length - 1) }))
    })
  }
  const middle = Float64Array.from({ length: n * n }, (_, at) =>
    sums.reduce((sum, { own, times }) => sum + times * own[Math.floor(at / n)] * own[at % n], 0),
  )
  const column = (matrix: Float64Array, j: number) => Array.from({ length: n }, (_, i) => matrix[i * n + j])
  return Float64Array.from({ length: n * n }, (_, at) =>
    quadratic(middle, column(inverse, Math.floor(at / n)), column(inverse, at % n)),
  )
}
/** Newton's steps to the zero of Σ (T(y) − μ)·v, of a linear or logistic regression. */
const regression = (design: readonly (readonly number[])[], outcome: readonly number[], logit: boolean) => {
  const n = design[0].length
  let beta = new Array<number>(n).fill(0)
  const mu = (v: readonly number[]) => (logit ? 1 / (1 + Math.exp(-dot(v, beta))) : dot(v, beta))
  let H = new Float64Array()
  for (let step = 0; step < 30; step++) {
    H = Float64Array.from({ length: n * n }, (_, at) =>
      design.reduce((sum, v) => sum + (logit ? mu(v) * (1 - mu(v)) : 1) * v[Math.floor(at / n)] * v[at % n], 0),
    )
    const slope = design[0].map((_, a) => design.reduce((sum, v, i) => sum + (outcome[i] - mu(v)) * v[a], 0))
    const inverse = inverseOf(H, n)!
    beta = beta.map((b, a) => b + slope.reduce((sum, each, c) => sum + inverse[a * n + c] * each, 0))
  }
  return { beta, H, scores: design.map((v, i) => v.map(each => each * (outcome[i] - mu(v)))), mu }
}
const wald = (V: Float64Array, beta: readonly number[], places: readonly number[]) => {
  const n = beta.length
  const own = Float64Array.from(places.flatMap(a => places.map(b => V[a * n + b])))
  return quadratic(
    inverseOf(own, places.length)!,
    places.map(a => beta[a]),
    places.map(a => beta[a]),
  )
}

describe('an outcome of certain classes, adjusted for covariates', () => {
  const covariates = ['x', 'g']
  const design = rows.map(({ k, x, g }) => [1 - k, k, x, g === 'b' ? 1 : 0])
  const mean = [2, 3].map(a => design.reduce((sum, v) => sum + v[a] / rows.length, 0))
  const at = (t: number) => [1 - t, t, ...mean]

  it.each([false, true])('is linear, with robust errors; in clusters: %s', clustered => {
    const { beta, H, scores } = regression(
      design,
      rows.map(({ y }) => y),
      false,
    )
    const V = robust(H, scores, clustered ? rows : undefined)
    // Rows without the outcome or a covariate are left out of the third step.
    const more = clustered
      ? []
      : [
          { ...rows[0], y: null },
          { ...rows[1], x: null },
        ]
    const tensor = tensorOf([...answers, 'x', 'g', 'y', ...(clustered ? (['town', 'region'] as const) : [])], more)
    const given = clustered ? { design: { cluster: 'town', stratum: 'region' } } : {}
    const found = regressOutcome(tensor, model, {
      outcome: 'y',
      covariates,
      measurement: 'known',
      confidence: 0.9,
      ...given,
    })
    expect(found).toMatchObject({
      kind: 'number',
      method: 'bch',
      rows: 60,
      missing: clustered ? 0 : 2,
      measurement: 'known',
      measurementReason: undefined,
      confidence: 0.9,
    })
    expect(found.design).toEqual(clustered ? { clusters: 8, strata: 2, degreesOfFreedom: 6 } : undefined)
    expect('design' in found).toBe(clustered)
    const reach = clustered ? studentQuantile(0.9, 6) : 1.644853627
    found.classes.forEach(({ class: k, share, mean: own, probabilities }, t) => {
      expect([k, probabilities, own!.deviation]).toEqual([t + 1, undefined, undefined])
      if (clustered) expect(share).toBeCloseTo(rows.filter(row => row.k === t).length / 60, 10)
      expect(own!.estimate).toBeCloseTo(dot(beta, at(t)), 8)
      const error = Math.sqrt(quadratic(V, at(t), at(t)))
      expect(own!.standardError).toBeCloseTo(error, 8)
      expect(own!.interval![1]).toBeCloseTo(dot(beta, at(t)) + reach * error, 6)
    })
    const { coefficients, tests, names, referenceCategories } = found.adjusted
    expect([names, referenceCategories]).toEqual([covariates, { g: 'a' }])
    coefficients.forEach((each, p) => {
      const [estimate, error] = [beta[2 + p], Math.sqrt(V[(2 + p) * 5])]
      const z = estimate / error
      expect(Object.keys(each)).toEqual(['term', 'estimate', 'standardError', 'z', 'pValue', 'interval'])
      expect(each.term).toBe(['x', 'g = b'][p])
      expect([each.estimate, each.standardError, each.z]).toEqual([estimate, error, z].map(v => expect.closeTo(v, 7)))
      expect(each.pValue).toBeCloseTo(clustered ? studentTail(z, 6) : chiSquareTail(z * z, 1), 7)
      expect(each.interval).toEqual([estimate - reach * error, estimate + reach * error].map(v => expect.closeTo(v, 6)))
      const test = {
        statistic: expect.closeTo(z * z, 5),
        degreesOfFreedom: 1,
        pValue: expect.closeTo(clustered ? fisherTail(z * z, 1, 6) : each.pValue, 7),
      }
      expect(tests[p]).toEqual({ covariate: covariates[p], test })
    })
    const difference = [1, -1, 0, 0]
    const statistic = dot(beta, difference) ** 2 / quadratic(V, difference, difference)
    expect(found.pairs).toEqual([
      { classes: [1, 2], difference: expect.closeTo(beta[0] - beta[1], 8), test: found.overall },
    ])
    expect(found.overall!.statistic).toBeCloseTo(statistic, 5)
    expect(found.classification).toEqual([
      [1, 0],
      [0, 1],
    ])
  })

  it('is a logit of its categories, of which those that no row has are none', () => {
    const two = rows.map(({ kind }) => (kind === 'low' ? 'low' : 'more'))
    const labels = ['never', 'low', 'nor', 'more']
    const tensor = tensorFromRows(
      rows.map((row, i) => [row.q1, row.q2, row.q3, row.x, two[i]]),
      { modes: [...answers, 'x', { name: 'kind', labels }] } as never,
    )
    const plain = design.map(v => v.slice(0, 3))
    const outcome = two.map(each => (each === 'more' ? 1 : 0))
    const { beta, H, scores, mu } = regression(plain, outcome, true)
    const V = robust(H, scores)
    const found = regressOutcome(tensor, model, { outcome: 'kind', covariates: ['x'], measurement: 'known' })
    const of = (t: number) => rows.map(({ x }) => [1 - t, t, x])
    found.classes.forEach(({ mean: own, probabilities }, t) => {
      expect([own, probabilities!.map(({ label }) => label)]).toEqual([undefined, ['low', 'more']])
      const p = of(t).reduce((sum, v) => sum + mu(v) / 60, 0)
      expect(probabilities![1].estimate).toBeCloseTo(p, 8)
      expect(probabilities![0].estimate).toBeCloseTo(1 - p, 8)
      const slope = [0, 1, 2].map(a => of(t).reduce((sum, v) => sum + (mu(v) * (1 - mu(v)) * v[a]) / 60, 0))
      for (const each of probabilities!)
        expect(each.standardError).toBeCloseTo(Math.sqrt(quadratic(V, slope, slope)), 7)
    })
    const [effect] = found.adjusted.coefficients
    expect(effect).toMatchObject({
      label: 'more',
      term: 'x',
      estimate: expect.closeTo(beta[2], 7),
      standardError: expect.closeTo(Math.sqrt(V[8]), 7),
    })
    expect(found.adjusted.tests[0].test!.statistic).toBeCloseTo(wald(V, beta, [2]), 6)
    expect(found.pairs[0].difference).toEqual(
      [0, 1].map(j =>
        expect.closeTo(found.classes[0].probabilities![j].estimate - found.classes[1].probabilities![j].estimate, 12),
      ),
    )
    expect(found.adjusted.referenceCategories).toEqual({})
  })

  it('may be a number whose values are categories, and is refused if it does not vary', () => {
    const tensor = tensorOf([...answers, 'x', 'region'])
    const options = { outcome: 'region', covariates: ['x'], measurement: 'known' } as const
    expect(regressOutcome(tensor, model, options).kind).toBe('number')
    const category = regressOutcome(tensor, model, { ...options, kind: 'category' })
    expect(category.classes[0].probabilities!.map(({ label }) => label)).toEqual([0, 1])
    const constant = tensorFromRows(rows.map(row => ({ q1: row.q1, q2: row.q2, q3: row.q3, x: row.x, y: 3 })))
    expect(() => regressOutcome(constant, model, { outcome: 'y', covariates: ['x'] })).toThrow(
      'the outcome "y" has the same value in every row that is used',
    )
    expect(() => regressOutcome(tensor, model, { ...options, outcome: 'q1' })).toThrow(
      'outcome must not be a mode of the model, from which the classes were made (got "q1")',
    )
    expect(() => regressOutcome(tensor, model, { ...options, kind: 'date' as never })).toThrow(
      'kind must be one of number, category (got "date")',
    )
    expect(() => regressOutcome(tensor, model, { covariates: ['x'] } as never)).toThrow('outcome')
    // A model that the answers do not determine is taken as known, and it is said why.
    const few = new Model(model.modes.slice(0, 2), {
      rank: 2,
      sizes: Float64Array.of(30, 20),
      factors: [Float64Array.of(0.9, 0.1, 0.1, 0.9), Float64Array.of(0.8, 0.3, 0.2, 0.7)],
    })
    const unknown = regressOutcome(tensorOf(['q1', 'q2', 'x', 'y']), few, { outcome: 'y', covariates: ['x'] })
    expect(unknown.measurement).toBe('known')
    expect(unknown.measurementReason).toMatch(/does not determine all parameters/)
  })
})

describe('certain classes by covariates', () => {
  it.each([
    [false, 'ml'],
    [false, 'bch'],
    [false, 'none'],
    [true, 'ml'],
  ] as const)('are a logit of known groups; in clusters: %s, by %s', (clustered, method) => {
    const design = rows.map(({ x, g }) => [1, x, g === 'b' ? 1 : 0])
    const { beta, H, scores } = regression(
      design,
      rows.map(({ k }) => k),
      true,
    )
    const V = robust(H, scores, clustered ? rows : undefined)
    const more = clustered ? [] : [{ ...rows[0], x: null }]
    const tensor = tensorOf([...answers, 'x', 'g', ...(clustered ? (['town', 'region'] as const) : [])], more)
    const given = clustered ? { design: { cluster: 'town', stratum: 'region' } } : {}
    const found = regressClasses(tensor, model, { covariates: ['x', 'g'], method, measurement: 'known', ...given })
    expect(found).toMatchObject({ method, measurement: 'known', measurementReason: undefined, observations: 60 })
    expect([found.clusters, found.strata]).toEqual(clustered ? [8, 2] : [undefined, undefined])
    expect(found.classification).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(found.covariates.dropped).toBe(clustered ? 0 : 1)
    found.covariates.coefficients.forEach(({ class: k, term, estimate, standardError, pValue }, p) => {
      expect([k, term]).toEqual([2, ['intercept', 'x', 'g = b'][p]])
      expect(estimate).toBeCloseTo(beta[p], 6)
      expect(standardError).toBeCloseTo(Math.sqrt(V[4 * p]), 6)
      const z = beta[p] / Math.sqrt(V[4 * p])
      expect(pValue).toBeCloseTo(clustered ? studentTail(z, 6) : chiSquareTail(z * z, 1), 6)
    })
    expect(found.covariates.tests[1].test!.statistic).toBeCloseTo(wald(V, beta, [2]), 5)
  })

  it('have no errors of a category that is of one class, and those of the others without it', () => {
    const alone = Array.from({ length: 5 }, (_, i) => ({ ...rows[i], q1: 'yes', k: 1, g: 'c' }))
    const options = { covariates: ['x', 'g'], measurement: 'known' } as const
    for (const method of ['ml', 'none'] as const) {
      const plain = regressClasses(tensorOf([...answers, 'x', 'g']), model, { ...options, method }).covariates
      const more = regressClasses(tensorOf([...answers, 'x', 'g'], alone), model, { ...options, method }).covariates
      expect(more.coefficients.map(({ term, standardError }) => [term, standardError === undefined])).toEqual([
        ['intercept', false],
        ['x', false],
        ['g = b', false],
        ['g = c', true],
      ])
      plain.coefficients.forEach(({ estimate, standardError }, p) => {
        expect(more.coefficients[p].estimate).toBeCloseTo(estimate, 5)
        expect(more.coefficients[p].standardError).toBeCloseTo(standardError!, 5)
      })
      // What is left of the covariate is tested: the other two categories against each other.
      expect(more.tests[1].test!.statistic).toBeCloseTo(plain.tests[1].test!.statistic, 5)
      expect(more.tests.map(({ test, untested }) => [test!.degreesOfFreedom, untested])).toEqual([
        [1, 0],
        [1, 1],
      ])
    }
  })

  it('say the same of infinite coefficients whatever the reference', () => {
    // Of A and B all are of the second class, of E all of the first; C and D have both.
    const counts = { A: [0, 6], B: [0, 9], C: [12, 8], D: [7, 15], E: [11, 0] } as const
    const tensor = tensorFromRows(
      Object.entries(counts).flatMap(([g, both]) =>
        both.map((n, k) => ({ q1: ['no', 'yes'][k], q2: 'no', q3: 'no', g, n })),
      ),
      { count: 'n' },
    )
    /** Where the logit of each category is: R's glm gives those of C and D, and says of the others that probabilities are 0 or 1. */
    const where = {
      A: Number.POSITIVE_INFINITY,
      B: Number.POSITIVE_INFINITY,
      C: Math.log(8 / 12),
      D: Math.log(15 / 7),
      E: Number.NEGATIVE_INFINITY,
    }
    const limit = (value: number) =>
      Number.isNaN(value) ? 'undetermined' : Number.isFinite(value) ? 'finite' : value > 0 ? 'infinity' : '-infinity'
    const statistic = (where.D - where.C) ** 2 / (1 / 12 + 1 / 8 + 1 / 7 + 1 / 15)
    for (const method of ['ml', 'none'] as const)
      for (const reference of ['A', 'B', 'C', 'D', 'E'] as const) {
        const found = regressClasses(tensor, model, {
          covariates: ['g'],
          measurement: 'known',
          referenceCategories: { g: reference },
          method,
        }).covariates
        const own = found.coefficients.map(each => [
          each.term,
          each.limit,
          each.limit === 'finite' ? each.estimate : undefined,
        ])
        const expected = [
          ['intercept', where[reference]] as const,
          ...Object.entries(where).flatMap(([g, value]) =>
            g === reference ? [] : [[`g = ${g}`, value - where[reference]] as const],
          ),
        ].map(([term, value]) => [term, limit(value), Number.isFinite(value) ? expect.closeTo(value, 5) : undefined])
        expect(own).toEqual(expected)
        expect(found.coefficients.map(({ standardError }) => standardError === undefined)).toEqual(
          own.map(([, each]) => each !== 'finite'),
        )
        expect(found.tests).toEqual([
          {
            covariate: 'g',
            untested: 3,
            test: {
              statistic: expect.closeTo(statistic, 4),
              degreesOfFreedom: 1,
              pValue: expect.closeTo(chiSquareTail(statistic, 1), 6),
            },
          },
        ])
      }
  })

  it('are refused if there is one, or an option is wrong', () => {
    const tensor = tensorOf([...answers, 'x'])
    const one = new Model(model.modes, {
      rank: 1,
      sizes: Float64Array.of(5),
      factors: model.modes.map(() => Float64Array.of(0.5, 0.5)),
    })
    expect(() => regressClasses(tensor, one, { covariates: ['x'] })).toThrow(
      'the model has one class, and covariates predict which class a row is in: fit two or more classes',
    )
    for (const [options, message] of [
      [{ reference: 3 }, 'reference must be a whole number from 1 to 2 (got 3)'],
      [{ method: 'lrt' }, 'method must be one of ml, bch, none (got "lrt")'],
      [{ measurement: 'x' }, 'measurement must be one of estimated, known (got "x")'],
      [{ squares: new Float64Array(2) }, 'squares must have'],
      [{ fittedTo: 0 }, 'fittedTo must be'],
      [{ per: { z: 1 } }, 'per has "z", which is not a covariate'],
      [{ referenceCategories: 3 }, 'referenceCategories must be an object of labels by covariate (got 3)'],
      [{ other: 1 }, 'regressClasses has no option "other"'],
    ] as const)
      expect(() => regressClasses(tensor, model, { covariates: ['x'], ...options } as never)).toThrow(message)
  })
})
