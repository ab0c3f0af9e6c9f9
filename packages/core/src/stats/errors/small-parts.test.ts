import { describe, expect, it } from 'vitest'
import { Model } from '../../model/model.ts'
import { chiSquareTail, fisherTail } from '../../numeric/special.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { comparedModel, nestedTest } from '../fit-statistics/nested.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import { identify } from '../identification/identification.ts'
import { categoryShares } from './category-shares.ts'
import { covarianceOf, degreesOf, unidentified } from './covariance.ts'
import { holding, valueAt } from './fixed-parameter.ts'
import { rowClusters } from './row-clusters.ts'
import { designVariance, indexDesign } from './survey-design.ts'
import { waldTest } from './wald.ts'

describe("Wald's test", () => {
  const estimates = Float64Array.of(3, 1, -1)
  const covariance = Float64Array.of(2, 0.5, 0, 0.5, 1, 0, 0, 0, 4)

  it('is the square of a difference over its variance, or a quadratic form', () => {
    // 2² / (2 + 1 − 2·0.5) = 2.
    expect(waldTest([[1, -1, 0]], estimates, covariance)).toEqual({
      statistic: expect.closeTo(2, 12),
      degreesOfFreedom: 1,
      pValue: expect.closeTo(chiSquareTail(2, 1), 12),
    })
    // Of the first two together: (3, 1)·V⁻¹·(3, 1) with V⁻¹ = (1, −0.5; −0.5, 2)/1.75.
    const two = waldTest(
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      estimates,
      covariance,
    )!
    expect(two.statistic).toBeCloseTo((9 - 3 + 2) / 1.75, 12)
    expect(two.degreesOfFreedom).toBe(2)
    // What follows from others adds nothing.
    const three = waldTest(
      [
        [1, 0, 0],
        [0, 1, 0],
        [1, -1, 0],
      ],
      estimates,
      covariance,
    )!
    expect([three.statistic, three.degreesOfFreedom]).toEqual([expect.closeTo(two.statistic, 8), 2])
  })

  it('is of Fisher under a design, if there are enough clusters', () => {
    const contrasts = [
      [1, 0, 0],
      [0, 1, 0],
    ]
    const { statistic } = waldTest(contrasts, estimates, covariance)!
    expect(waldTest(contrasts, estimates, covariance, 5)!.pValue).toBeCloseTo(
      fisherTail((statistic * 4) / 10, 2, 4),
      12,
    )
    expect(waldTest(contrasts, estimates, covariance, 2)!.pValue).toBeCloseTo(fisherTail((statistic * 1) / 4, 2, 1), 12)
    expect(waldTest(contrasts, estimates, covariance, 1)).toBeUndefined()
  })

  it('is none if nothing varies, or what does not vary is not zero', () => {
    const none = new Float64Array(9)
    expect(waldTest([[1, -1, 0]], estimates, none)).toBeUndefined()
    const first = Float64Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0)
    expect(
      waldTest(
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
        estimates,
        first,
      ),
    ).toBeUndefined()
    // Zero up to rounding, relative to the largest of the estimates whatever its sign.
    const rounded = Float64Array.of(-3e6, 1e-4, 0)
    expect(
      waldTest(
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
        rounded,
        first,
      ),
    ).toMatchObject({ degreesOfFreedom: 1 })
    expect(
      waldTest(
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
        Float64Array.of(-3e3, 1e-4, 0),
        first,
      ),
    ).toBeUndefined()
  })
})

describe('rows in clusters', () => {
  it('have a variance between clusters within strata, whatever the order of the rows', () => {
    const clusters = ['b', 'a', 'a', 10, 9, 9]
    const strata = ['s', 's', 's', 't', 't', 't']
    const scores = [1, 2, 4, 3, 5, 7]
    const variance = (order: readonly number[]) => {
      const drawn = rowClusters(
        6,
        order.map(i => clusters[i]),
        order.map(i => strata[i]),
      )
      expect(drawn).toMatchObject({ clusters: 4, strata: 2, degreesOfFreedom: 2 })
      const all = order.map((_, i) => i)
      return drawn.variance(all, 1, (row, into) => {
        into[0] += scores[order[row]]
      })[0]
    }
    // Sums 1 and 6, means 3.5; 3 and 12, mean 7.5; times n/(n − 1) = 2.
    expect(variance([0, 1, 2, 3, 4, 5])).toBeCloseTo(2 * (2 * 2.5 ** 2) + 2 * (2 * 4.5 ** 2), 12)
    expect(variance([5, 2, 0, 4, 1, 3])).toBe(variance([0, 1, 2, 3, 4, 5]))
    // The same name is another cluster in another stratum, and clusters without a row count.
    const same = rowClusters(4, [1, 2, 1, 2], ['s', 's', 't', 't'])
    expect(same.clusters).toBe(4)
    const one = same.variance([0, 2], 1, (_, into) => {
      into[0] += 1
    })
    expect(one[0]).toBeCloseTo(2 * (2 * 0.5 ** 2) * 2, 12)
  })

  it('are refused if a variance cannot be seen, or the lists do not fit', () => {
    expect(() => rowClusters(2, [1, 1], undefined)).toThrow(
      'all rows are from one cluster: its variance cannot be estimated',
    )
    expect(() => rowClusters(3, [1, 2, 3], ['s', 's', 't'])).toThrow(
      'stratum "t" has one cluster: its variance cannot be estimated; join it with another',
    )
    expect(() => rowClusters(2, [1], undefined)).toThrow('clusters must have 2 entries, one per row (got 1)')
    expect(() => rowClusters(2, [1, 2], ['s'])).toThrow('strata must have 2 entries, one per row (got 1)')
    const rows = { categories: 2, category: [0, 1], weights: [1, 1], squares: [1, 1], counts: [1] }
    expect(() => categoryShares(rows)).toThrow('counts must have 2 numbers (got 1)')
  })
})

describe('a parameter that is held', () => {
  const model = () => ({
    rank: 2,
    shares: Float64Array.of(0.25, 0.75),
    factors: [Float64Array.of(0.2, 0.1, 0.3, 0.4, 0.5, 0.5)],
  })

  it('has its value, and the others of its column share the rest in proportion', () => {
    const place = { mode: 0, class: 1, label: 2 }
    const some = model()
    expect(valueAt(some, place)).toBe(0.5)
    holding(place, 0.8).project(some)
    ;[0.2, 0.04, 0.3, 0.16, 0.5, 0.8].forEach((p, i) => void expect(some.factors[0][i]).toBeCloseTo(p, 14))
    const share = { mode: -1, class: 0, label: 0 }
    expect(valueAt(some, share)).toBe(0.25)
    holding(share, 0.4).project(some)
    expect([...some.shares]).toEqual([0.4, expect.closeTo(0.6, 14)])
    // Evenly if the others are all zero; and what is right stays to the bit.
    const alone = { ...model(), factors: [Float64Array.of(0.2, 0, 0.3, 0, 0.5, 1)] }
    holding(place, 0.5).project(alone)
    expect([...alone.factors[0]]).toEqual([0.2, 0.25, 0.3, 0.25, 0.5, 0.5])
    const kept = model()
    holding(place, 0.5).project(kept)
    expect(kept).toEqual(model())
    // Also at zero, with others that sum to 1 but for rounding.
    const zero = { rank: 1, shares: Float64Array.of(1), factors: [Float64Array.of(0, 0.7, 0.2, 0.1)] }
    holding({ mode: 0, class: 0, label: 0 }, 0).project(zero)
    expect([...zero.factors[0]]).toEqual([0, 0.7, 0.2, 0.1])
  })

  it('takes its part of what was gathered', () => {
    const gathered = () => ({
      rank: 2,
      sizes: Float64Array.of(30, 70),
      factors: [Float64Array.of(6, 10, 9, 30, 15, 30)],
      logLikelihood: 0,
    })
    const pooled = (place: { mode: number; class: number; label: number }, value: number) => {
      const some = gathered()
      holding(place, value).pool(some)
      return some
    }
    // What the others have gathered stays: 40 are the 0.2 that is left of 200.
    const { factors } = pooled({ mode: 0, class: 1, label: 2 }, 0.8)
    ;[6, 10, 9, 30, 15, 160].forEach((count, i) => void expect(factors[0][i]).toBeCloseTo(count, 10))
    const { factors: certain } = pooled({ mode: 0, class: 1, label: 2 }, 1)
    ;[6, 0, 9, 0, 15, 70].forEach((count, i) => void expect(certain[0][i]).toBeCloseTo(count, 10))
    const { sizes } = pooled({ mode: -1, class: 0, label: 0 }, 0.5)
    expect([...sizes]).toEqual([50, 50])
  })
})

describe('a model within another', () => {
  it('is tested by twice the difference of the log-likelihoods', () => {
    const [small, large] = [comparedModel('small', -110, 4, 100), comparedModel('large', -105, 7, 100)]
    expect(nestedTest(small, large)).toEqual({
      model: 'small',
      within: 'large',
      statistic: 10,
      degreesOfFreedom: 3,
      pValue: chiSquareTail(10, 3),
    })
    expect(nestedTest(large, small)).toMatchObject({ statistic: 0, degreesOfFreedom: -3, pValue: undefined })
    expect(nestedTest(small, comparedModel('same', -110, 4, 100)).pValue).toBeUndefined()
    expect(Object.keys(small)).toEqual(['name', 'logLikelihood', 'parameters', 'aic', 'aic3', 'bic', 'sabic', 'caic'])
    expect(small.aic).toBe(228)
  })
})

describe('strata that the data has nothing of', () => {
  it('count if clusters were drawn from them, and only then', () => {
    const data = tensorFromRows(
      [
        ['n', 1, 'a'],
        ['n', 2, 'b'],
        ['s', 3, 'a'],
        ['s', 4, 'b'],
      ],
      { modes: ['region', 'school', 'x'] },
    )
    const varianceWith = (sizes: Record<string, number>) => {
      const designIndex = indexDesign(data, { cluster: 'school', stratum: 'region', sizes })
      return designVariance(
        data,
        1,
        (cell, into) => {
          into[0] += data.indices[2][cell]
        },
        designIndex,
      )
    }
    // In each region sums of 0 and 1: 2·(2·0.5²).
    expect(varianceWith({ n: 2, s: 2 })).toEqual({ matrix: Float64Array.of(2), clusters: 4, strata: 2 })
    expect(varianceWith({ n: 2, s: 2, w: 0 })).toMatchObject({ clusters: 4, strata: 2 })
    expect(varianceWith({ n: 2, s: 2, w: 5 })).toMatchObject({ clusters: 9, strata: 3 })
    // A cluster without cells has a sum of zero: sums of 0, 1 and 0 about 1/3, times 3/2.
    expect(varianceWith({ n: 3, s: 2 }).matrix[0]).toBeCloseTo(1 + 1.5 * (2 / 3), 12)
    expect(() => varianceWith({ n: 2, s: 2, w: 1 })).toThrow('stratum "w" has one cluster')
  })
})

describe('standard errors that cannot be computed', () => {
  const modes = [new Mode('a', ['x', 'y'])]
  const model = new Model(modes, { rank: 1, sizes: Float64Array.of(10), factors: [Float64Array.of(0.3, 0.7)] })
  const free = freeParameters(model.parameters)
  const session = { can: [], data: { cells: 2 } } as never
  const designIndex = { design: { cluster: 'c' }, cluster: 1, stratum: -1 }

  it('say which ability of the engine they need', async () => {
    const reason = (drawn: object) =>
      covarianceOf(session, model, free, 'sandwich', { designIndex: undefined, squares: undefined, ...drawn })
    expect(await reason({})).toMatch(/^standard errors need .*, which the engine of this data does not provide$/)
    expect(await reason({ squares: Float64Array.of(1, 1) })).toMatch(/^standard errors of weighted data need /)
    expect(await reason({ designIndex })).toMatch(/^clusters of a sample need /)
  })

  it('say if there are too many parameters, or too few cells', () => {
    const large = new Model([new Mode('a', 4000)], {
      rank: 2,
      sizes: Float64Array.of(1, 1),
      factors: [new Float64Array(8000).fill(1 / 4000)],
    })
    expect(unidentified(1e9, large, freeParameters(large.parameters), 'observed')).toMatch(
      /^8002 shares and probabilities are too many: at most \d+; the bootstrap has no such limit$/,
    )
    expect(unidentified(1, model, free, 'empirical')).toBe(
      '1 distinct cells are too few for standard errors of 1 free parameters from the scores: use observed standard errors',
    )
    expect(unidentified(2, model, free, 'empirical')).toBeUndefined()
    expect(unidentified(1, model, free, 'sandwich')).toBeUndefined()
  })

  it('have the degrees of freedom of clusters or replicates, or none', () => {
    expect(degreesOf({ clusters: 9, strata: 2 })).toBe(7)
    expect(degreesOf({ clusters: undefined, strata: undefined, replicates: { kind: 'brr', count: 8 } })).toBe(7)
    expect(degreesOf({ clusters: undefined, strata: undefined })).toBeUndefined()
    expect(degreesOf({ clusters: 9, strata: undefined })).toBeUndefined()
  })
})

describe('a model too large to be checked', () => {
  it('has no more dimensions than its table', () => {
    expect(identify([5, 5, 5], 50)).toEqual({
      parameters: 649,
      rank: 124,
      degreesOfFreedom: 0,
      verdict: 'not checked',
      method: 'none',
    })
  })
})
