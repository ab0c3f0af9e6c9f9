import { describe, expect, it } from 'vitest'
import { covariateData } from '../../fit/covariates/design.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { chiSquareTail, studentQuantile, studentTail } from '../../numeric/special.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { byShare } from '../model-data/placed-model.ts'
import { effectsOf } from './covariate-effects.ts'

/** A number of three values and a category of two, with their product; 60 observations of six combinations. */
const rows = [0, 1, 3].flatMap((x, i) =>
  ['u', 'v'].flatMap((g, j) => [0, 1].map(a => ({ a, b: (a + i) % 2, x, g, n: 2 + i + 2 * j + a }))),
)
const data = covariateData(tensorFromRows(rows, { count: 'n' }), { covariates: ['x*g'] })
const total = rows.reduce((sum, { n }) => sum + n, 0)
const center = rows.reduce((sum, { x, n }) => sum + (n * x) / total, 0)
const scale = Math.sqrt(rows.reduce((sum, { x, n }) => sum + (n * (x - center) ** 2) / total, 0))

const RANK = 3
const TERMS = ['intercept', 'x', 'g = v', 'x × g = v']
/** By term, of the classes in the order in which they were found. */
const found = {
  rank: RANK,
  shares: Float64Array.of(0.2, 0.5, 0.3),
  factors: [Float64Array.of(0.1, 0.2, 0.3, 0.9, 0.8, 0.7)],
  coefficients: Float64Array.of(0, 0.4, -0.3, 0, 0.7, 0.2, 0, -0.5, 0.6, 0, 0.1, -0.2),
}
/** The coefficients of a class against a reference, as the terms are named, from those of the standardized number. */
const namedOf = (k: number, reference: number) => {
  const [b0, b1, b2, b3] = [0, 1, 2, 3].map(
    p => found.coefficients[p * RANK + k] - found.coefficients[p * RANK + reference],
  )
  return [b0 - (b1 * center) / scale, b1 / scale, b2 - (b3 * center) / scale, b3 / scale]
}
const size = RANK * TERMS.length
/** A covariance of all coefficients: positive definite, in which no two entries are alike. */
const covariance = Float64Array.from({ length: size * size }, (_, at) => {
  const [i, j] = [Math.floor(at / size), at % size]
  return 0.04 * (1 + Math.min(i, j)) ** 0.5 * 0.6 ** Math.abs(i - j)
})
const errors = {
  ofCoefficients: covariance,
  coefficients: Float64Array.from({ length: size }, (_, i) => Math.sqrt(covariance[i * (size + 1)])),
  sample: undefined,
}

describe('classes by their share', () => {
  it('come with the largest first, and coefficients against the reference', () => {
    const { parameters, coefficients, memberships } = byShare(found, 1)
    expect([...parameters.shares]).toEqual([0.5, 0.3, 0.2])
    expect([...parameters.factors[0]]).toEqual([0.2, 0.3, 0.1, 0.8, 0.7, 0.9])
    // The reference is the second in order, which was found third.
    for (const [k, was] of [1, 2, 0].entries())
      for (let p = 0; p < 4; p++)
        expect(coefficients[k * 4 + p]).toBeCloseTo(found.coefficients[p * 3 + was] - found.coefficients[p * 3 + 2], 14)
    const { design } = data
    const pi = memberships(design)
    for (let z = 0; z < design.patterns; z++) {
      const odds = [1, 2, 0].map(was =>
        Math.exp([0, 1, 2, 3].reduce((sum, p) => sum + found.coefficients[p * 3 + was] * design.values[z * 4 + p], 0)),
      )
      const all = odds.reduce((a, b) => a + b)
      for (const k of [0, 1, 2]) expect(pi[z * 3 + k]).toBeCloseTo(odds[k] / all, 12)
    }
    // Classes that are named keep their numbers, and so do those of the same size.
    expect([...byShare(found, 0, true).parameters.shares]).toEqual([0.2, 0.5, 0.3])
    const level = { ...found, shares: Float64Array.of(0.25, 0.5, 0.25) }
    expect([...byShare(level, 0).parameters.factors[0].subarray(0, 3)]).toEqual([0.2, 0.1, 0.3])
  })
})

describe('what is said of covariates', () => {
  const ordered = byShare(found, 0, true)
  const effects = effectsOf(data, ordered, errors, 0, 0.9)

  it('are coefficients of the terms as they are named, with their errors', () => {
    expect(effects).toMatchObject({
      reference: 1,
      confidence: 0.9,
      names: ['x', 'g'],
      referenceCategories: { g: 'u' },
      dropped: 0,
    })
    expect(effects.terms.map(({ name }) => name)).toEqual(TERMS)
    expect(effects.coefficients.map(({ class: k, term }) => `${k} ${term}`)).toEqual(
      [2, 3].flatMap(k => TERMS.map(term => `${k} ${term}`)),
    )
    // By rows: intercept, x, g and product as sums of the standardized ones.
    const map = [
      [1, -center / scale, 0, 0],
      [0, 1 / scale, 0, 0],
      [0, 0, 1, -center / scale],
      [0, 0, 0, 1 / scale],
    ]
    effects.coefficients.forEach(({ class: k, estimate, standardError, z, pValue, oddsRatio, interval }, i) => {
      const p = i % 4
      expect(estimate).toBeCloseTo(namedOf(k - 1, 0)[p], 10)
      const at = (q: number, r: number) => covariance[((k - 1) * 4 + q) * size + (k - 1) * 4 + r]
      const variance = map[p].reduce((sum, a, q) => sum + map[p].reduce((own, b, r) => own + a * b * at(q, r), 0), 0)
      expect(standardError).toBeCloseTo(Math.sqrt(variance), 10)
      expect(z).toBeCloseTo(estimate / Math.sqrt(variance), 9)
      expect(pValue).toBeCloseTo(chiSquareTail(estimate ** 2 / variance, 1), 9)
      expect(oddsRatio).toBeCloseTo(Math.exp(estimate), 9)
      // The normal distribution has 5% above 1.6448536.
      expect(interval![0]).toBeCloseTo(Math.exp(estimate - 1.644853627 * Math.sqrt(variance)), 7)
      expect(interval![1]).toBeCloseTo(Math.exp(estimate + 1.644853627 * Math.sqrt(variance)), 7)
    })
  })

  it('are tests that all terms with a covariate are zero', () => {
    for (const [c, terms] of [
      [0, [1, 3]],
      [1, [2, 3]],
    ] as const) {
      const places = [1, 2].flatMap(k => terms.map(p => k * 4 + p))
      const V = inverseOf(Float64Array.from(places.flatMap(a => places.map(b => covariance[a * size + b]))), 4)!
      const own = places.map(at => ordered.coefficients[at])
      const statistic = V.reduce((sum, v, at) => sum + v * own[Math.floor(at / 4)] * own[at % 4], 0)
      const { covariate, test } = effects.tests[c]
      expect(covariate).toBe(['x', 'g'][c])
      expect(test).toEqual({
        statistic: expect.closeTo(statistic, 8),
        degreesOfFreedom: 4,
        pValue: expect.closeTo(chiSquareTail(statistic, 4), 8),
      })
    }
  })

  it('are curves over the others as they were observed', () => {
    const [x, g] = effects.curves
    expect([x.covariate, x.numeric, g.covariate, g.numeric]).toEqual(['x', true, 'g', false])
    const meanOf = (at: (row: (typeof rows)[number]) => { x: number; g: string }, k: number) =>
      rows.reduce((sum, row) => {
        const own = at(row)
        const odds = [0, 1, 2].map(l => {
          const b = namedOf(l, 0)
          const v = own.g === 'v' ? 1 : 0
          return Math.exp(b[0] + b[1] * own.x + b[2] * v + b[3] * own.x * v)
        })
        return sum + ((row.n / total) * odds[k]) / odds.reduce((a, b) => a + b)
      }, 0)
    expect([x.points.map(({ value }) => value), g.points.map(({ value }) => value)]).toEqual([
      [0, 1, 3],
      ['u', 'v'],
    ])
    for (const k of [0, 1, 2]) {
      for (const { value, probabilities } of x.points)
        expect(probabilities[k]).toBeCloseTo(
          meanOf(({ g: own }) => ({ x: value as number, g: own }), k),
          10,
        )
      for (const { value, probabilities } of g.points)
        expect(probabilities[k]).toBeCloseTo(
          meanOf(({ x: own }) => ({ x: own, g: value as string }), k),
          10,
        )
    }
    // Thirteen values of a number are shown at nine points, twelve at their own; labels are ordered as numbers.
    const curveOf = (count: number) => {
      const many = covariateData(
        tensorFromRows(
          Array.from({ length: count }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: ((7 * i) % count) * 2 })),
        ),
        { covariates: ['x'] },
      )
      const plain = byShare({ ...found, coefficients: Float64Array.of(0, 1, 2, 0, 0.5, 0) }, 0, true)
      return effectsOf(many, plain, undefined, 0, 0.95).curves[0].points.map(({ value }) => value)
    }
    expect(curveOf(13)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24])
    expect(curveOf(12)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22])
  })

  it('are shown per unit', () => {
    const [, x] = effectsOf(data, ordered, errors, 0, 0.9, { per: { x: 10 } }).coefficients
    expect(x).toMatchObject({
      estimate: effects.coefficients[1].estimate,
      standardError: effects.coefficients[1].standardError,
    })
    expect(x.shown).toEqual({
      unit: 10,
      estimate: 10 * x.estimate,
      standardError: 10 * x.standardError!,
      oddsRatio: expect.closeTo(x.oddsRatio ** 10, 6),
      interval: [expect.closeTo(x.interval![0] ** 10, 8), expect.closeTo(x.interval![1] ** 10, 4)],
    })
  })

  it('have the degrees of freedom of a design', () => {
    const drawn = effectsOf(
      data,
      ordered,
      { ...errors, sample: { clusters: 9, strata: 2, simple: new Float64Array(0) } },
      0,
      0.9,
    )
    const [, x] = drawn.coefficients
    expect(x.pValue).toBeCloseTo(studentTail(x.z!, 7), 12)
    expect(Math.log(x.interval![1])).toBeCloseTo(x.estimate + studentQuantile(0.9, 7) * x.standardError!, 9)
    expect(drawn.tests[0].test!.pValue).toBeGreaterThan(effects.tests[0].test!.pValue)
  })

  it('have no errors where none are known, or where an estimate runs off', () => {
    const nothing = { standardError: undefined, z: undefined, pValue: undefined, interval: undefined }
    const unknown = effectsOf(data, ordered, undefined, 0, 0.9)
    for (const [i, each] of unknown.coefficients.entries()) {
      expect(each).toMatchObject({ ...nothing, estimate: effects.coefficients[i].estimate })
      expect(each.shown).toMatchObject({ standardError: undefined, interval: undefined })
      expect(each.shown.oddsRatio).toBeCloseTo(Math.exp(each.shown.unit * each.estimate), 12)
    }
    expect(unknown.tests.map(({ test }) => test)).toEqual([undefined, undefined])
    // The slope of the second class: its error is a thousand times 1 and its size, and then a little more.
    const at = (error: number) =>
      effectsOf(
        data,
        ordered,
        { ...errors, coefficients: errors.coefficients.map((each, i) => (i === 5 ? error : each)) },
        0,
        0.9,
      )
    const most = 1000 * (1 + Math.abs(ordered.coefficients[5]))
    expect(at(most).coefficients[1].standardError).toBe(effects.coefficients[1].standardError)
    const beyond = at(most * 1.0001)
    // The intercept is at the mean of the number: it runs off with it, and nothing of the third class does.
    expect(beyond.coefficients.map(({ standardError }) => standardError === undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
    expect(beyond.coefficients.map(({ limit }) => limit).slice(0, 3)).toEqual([
      'undetermined',
      'undetermined',
      'finite',
    ])
    // The slope of the third class is tested all the same.
    const degrees = ({ tests }: typeof effects) => tests.map(({ test }) => test!.degreesOfFreedom)
    expect(degrees(beyond)[0]).toBe(degrees(effects)[0] - 1)
    expect(beyond.tests.map(({ untested }) => untested)).toEqual([1, 0])
  })
})
