import { describe, expect, it } from 'vitest'
import { chiSquareTail } from '../../numeric/special.ts'
import { CRITERIA, type Criteria, criteria, criterionValue } from './criteria.ts'
import { certaintyOf, goodnessOfFit } from './goodness.ts'

describe('criteria', () => {
  it('are the deviance and what parameters and uncertainty cost', () => {
    const size = Math.log(100)
    const found = criteria(-100, 5, 100, 3)
    expect(found.aic).toBe(210)
    expect(found.aic3).toBe(215)
    expect(found.bic).toBeCloseTo(200 + 5 * size, 12)
    // Sclove: (n + 2)/24 in place of n.
    expect(found.sabic).toBeCloseTo(200 + 5 * Math.log(4.25), 12)
    expect(found.caic).toBeCloseTo(200 + 5 * (size + 1), 12)
    expect(found.icl).toBeCloseTo(206 + 5 * size, 12)
    expect(found.awe).toBeCloseTo(206 + 5 * (3 + 2 * size), 12)
    expect(criteria(-100, 5, 100).icl).toBe(found.bic)
    // Less than one observation counts as one.
    expect(criteria(-1, 10, 0.01)).toMatchObject({ bic: 2, caic: 12, icl: 2, awe: 32 })
  })

  it('are compared by values of which the lower is better', () => {
    const fit = { ...criteria(-100, 5, 100), heldOut: -2.5 }
    expect(criterionValue(fit, 'heldOut')).toBe(2.5)
    expect(criterionValue({ ...fit, heldOut: undefined } as Criteria, 'heldOut')).toBe(Number.POSITIVE_INFINITY)
    expect(criterionValue(fit, 'aic')).toBe(210)
  })

  it('have names in sentences and titles in tables', () => {
    expect(CRITERIA.map(({ key, name, title }) => `${key}: ${name}, ${title}`)).toEqual([
      ...['aic: AIC, AIC', 'aic3: AIC3, AIC3', 'bic: BIC, BIC', 'sabic: adjusted BIC, aBIC', 'caic: CAIC, CAIC'],
      ...['icl: ICL, ICL', 'awe: AWE, AWE', 'heldOut: the held-out log-likelihood, held-out'],
    ])
  })
})

describe('how certain a classification is', () => {
  const measures = (entropy: number, ...assigned: number[]) =>
    ({ logLikelihood: -1, sumYYOverP: 1, entropy, assigned: Float64Array.from(assigned) }) as never

  it('is told by the posteriors of those assigned to each class', () => {
    // 60 are assigned to the first class, with posteriors that sum to 54 and 6; 40 to the second, with 8 and 32.
    expect(certaintyOf(measures(30, 54, 6, 8, 32), 100, 2)).toEqual({
      entropy: 30,
      relativeEntropy: expect.closeTo(1 - 30 / (100 * Math.LN2), 12),
      classificationError: expect.closeTo(0.14, 12),
      averagePosteriors: [
        [0.9, 0.1],
        [0.2, 0.8],
      ],
    })
    // Nobody is assigned to the second class; rounding is not below zero.
    expect(certaintyOf(measures(-1e-12, 100 + 1e-9, 0, 0, 0), 100, 2)).toMatchObject({
      entropy: 0,
      classificationError: 0,
      averagePosteriors: [[1, 0], undefined],
    })
  })

  it('is unknown where a cell is impossible, and nothing to ask of one class', () => {
    expect(certaintyOf(measures(Number.NaN, 1, 0, 0, 1), 2, 2)).toMatchObject({
      entropy: undefined,
      relativeEntropy: undefined,
    })
    expect(certaintyOf(measures(0, 7), 7, 1)).toEqual({
      entropy: 0,
      relativeEntropy: undefined,
      classificationError: 0,
      averagePosteriors: [[1]],
    })
  })
})

describe('goodness of fit', () => {
  const data = { total: 20, shape: [2, 2], missing: [false, false], constants: { yLogY: 30 } } as never
  const measures = { logLikelihood: -35, sumYYOverP: 500 }

  it('is tested if there are degrees of freedom that can be counted', () => {
    const found = goodnessOfFit(data, measures, { cressieRead: 4 }, 1)
    expect(found.cressieRead).toBe(4)
    // G² = 2·(Σ y·log y − N·log N − L).
    expect(found.gSquared).toBeCloseTo(2 * (30 - 20 * Math.log(20) + 35), 12)
    expect(found.pValue).toBeCloseTo(chiSquareTail(found.gSquared!, 1), 12)
    for (const df of [0, -1, Number.POSITIVE_INFINITY])
      expect(goodnessOfFit(data, measures, { cressieRead: 4 }, df).pValue).toBeUndefined()
    expect(
      goodnessOfFit(data, { ...measures, sumYYOverP: Number.NaN }, { cressieRead: 4 }, 1).chiSquared,
    ).toBeUndefined()
    // X² = Σ y²/(N·p) − N.
    expect(found.chiSquared).toBeCloseTo(500 / 20 - 20, 12)
  })

  it('is of a table that is not sparse from five observations per cell on', () => {
    expect(goodnessOfFit(data, measures, { cressieRead: 4 }, 1).sparse).toBe(false)
    expect(goodnessOfFit({ ...(data as object), total: 19.9 } as never, measures, { cressieRead: 4 }, 1).sparse).toBe(
      true,
    )
    const gaps = { ...(data as object), missing: [false, true] } as never
    expect(goodnessOfFit(gaps, measures, { cressieRead: 4 }, 1)).toEqual({
      gSquared: undefined,
      chiSquared: undefined,
      cressieRead: undefined,
      pValue: undefined,
      sparse: false,
    })
  })
})
