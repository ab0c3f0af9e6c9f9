import { describe, expect, it } from 'vitest'
import { admissions, carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { tensorFromArray } from '../../tensor/dense.ts'
import { chooseRank, foldOptions } from './choose-rank.ts'

describe('chooseRank', () => {
  it.each([
    ['carcinoma', carcinoma, [-524.464818, -317.256837, -293.704979, -289.285849]],
    ['survey attitudes', gss82, [-2872.229576, -2783.26801, -2754.545405, -2746.620807]],
  ])('%s: BIC recommends three classes, with the published log-likelihoods', async (_, tensor, published) => {
    const choice = await chooseRank(tensor, { to: 4, threads: 1 })
    expect(choice.recommended).toBe(3)
    expect(choice.reason).toMatch(/^BIC is best with 3 classes, [\d.]+ ahead of 2 classes/)
    expect(choice.stopped).toBe(false)
    published.forEach((logLikelihood, i) => {
      expect(choice.fits[i].rank).toBe(i + 1)
      expect(choice.fits[i].logLikelihood).toBeCloseTo(logLikelihood, 4)
    })
    for (const { icl, bic, heldOut, aic, caic, parameters } of choice.fits) {
      expect(icl).toBeGreaterThanOrEqual(bic - 1e-9)
      expect(caic - bic).toBeCloseTo(parameters, 9)
      expect(heldOut).toBeLessThan(0)
      expect(aic).toBeLessThan(bic)
    }
    expect(choice.fits[0].heldOut).toBeLessThan(choice.fits[2].heldOut as number)
  })

  it('can use another criterion, and warns at the end of the range and of what is not identified', async () => {
    const held = await chooseRank(carcinoma, { to: 3, by: 'heldOut', threads: 1 })
    expect(held.recommended).toBe(3)
    expect(held.reason).toMatch(/largest number tried/)
    const forced = await chooseRank(values, { from: 3, to: 3, folds: 0, threads: 1 })
    expect(forced.reason).toMatch(/the data does not determine the classes/)
    expect(forced.fits[0].heldOut).toBeUndefined()
  })

  it('does not recommend what the data does not determine, and says how the criteria disagree', async () => {
    const { fits, recommended, reason } = await chooseRank(admissions, { to: 4, threads: 1 })
    expect(fits[2].identification).toMatchObject({ verdict: 'not identified', parameters: 23, degreesOfFreedom: 3 })
    expect(fits[3]).toMatchObject({ degreesOfFreedom: 0, pValue: undefined })
    expect(recommended).toBe(2)
    expect(reason).toMatch(/3, 4 classes set aside: the data does not determine the classes/)
    expect(reason).toMatch(/but G² rejects the model/)
    // On a flat ridge every end is another model of the same loss: one optimum, reached every time.
    const { verdict } = fits[3].result
    expect(verdict.ambiguous).toBe(true)
    expect(verdict.unseen).toBeLessThan(0.2)
    const survey = await chooseRank(gss82, { to: 5, threads: 1 })
    expect(survey.reason).toMatch(/AIC.* prefers? 4/)
  })

  it('stops at the number of cells', async () => {
    const few = tensorFromArray([
      [5, 1],
      [2, 9],
    ])
    const { fits, stopped } = await chooseRank(few, { to: 999, folds: 0, threads: 1 })
    expect(fits.length).toBe(4)
    expect(stopped).toBe(false)
  })

  it('speaks only of ranks that could be judged', async () => {
    const one = tensorFromArray([
      [1, 0],
      [0, 0],
    ])
    const choice = await chooseRank(one, { to: 2, by: 'heldOut', threads: 1 })
    expect(choice.recommended).toBeUndefined()
    expect(choice.reason).toMatch(/no number of classes could be judged/)
  })

  it('has one limit of time for all of it', async () => {
    const choice = await chooseRank(gss82, { from: 2, to: 40, maxSeconds: 0.05, threads: 1 })
    expect(choice.stopped).toBe(true)
    expect(choice.fits.length).toBeLessThan(30)
    expect(choice.fits.length).toBeGreaterThan(0)
  })

  it('returns what it has when it is stopped', async () => {
    const controller = new AbortController()
    const seen = new Set<number>()
    const choice = await chooseRank(gss82, {
      to: 30,
      folds: 0,
      threads: 1,
      signal: controller.signal,
      onProgress: ({ rank }) => {
        seen.add(rank)
        if (rank === 3) controller.abort()
      },
    })
    expect(choice.stopped).toBe(true)
    expect(choice.fits.length).toBeGreaterThanOrEqual(2)
    expect(choice.fits.length).toBeLessThanOrEqual(3)
    expect([...seen]).toContain(2)
  })

  it.each<[object, RegExp]>([
    [{ from: 0 }, /from must be a whole number ≥ 1/],
    [{ from: 3, to: 2 }, /to must be a whole number ≥ 3/],
    [{ by: 'luck' }, /by must be one of aic, aic3, bic/],
    [{ folds: 1 }, /folds must be 0 or a whole number from 2/],
    [{ by: 'heldOut', folds: 0 }, /folds must be 2 or more with by 'heldOut'/],
    [{ starst: 3 }, /chooseRank has no option "starst"/],
  ])('refuses %o', async (options, message) => {
    await expect(chooseRank(gss82, options as never)).rejects.toThrow(message)
  })
})

describe('the fits of folds', () => {
  it('are those of a few starts, or of the search of all data if passes are expensive', () => {
    const few = { starts: 5, tolerance: 1e-9, stationarity: 1e-4, minGain: 1e-7 }
    const cheap = { cells: 1_000_000, shape: [1000, 1000, 24] }
    expect(foldOptions(cheap, 10, {})).toEqual(few)
    expect(foldOptions(cheap, 10, { starts: 100 })).toEqual(few)
    expect(foldOptions(cheap, 11, {})).toEqual({})
    expect(foldOptions(cheap, 11, { starts: 'auto' })).toEqual({})
    expect(foldOptions(cheap, 11, { starts: 3 })).toEqual({ starts: 3 })
    expect(foldOptions(cheap, 11, { starts: 100 })).toEqual({ starts: 5 })
  })
})
