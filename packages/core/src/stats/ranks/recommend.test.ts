import { describe, expect, it } from 'vitest'
import { CRITERIA } from '../fit-statistics/criteria.ts'
import { type RankedFit, recommend } from './recommend.ts'

/** Fits that differ by nothing but their rank and their criteria. */
const fitOf = (rank: number, value: number): RankedFit =>
  ({
    ...Object.fromEntries(CRITERIA.map(({ key }) => [key, key === 'heldOut' ? -value : value])),
    rank,
    degreesOfFreedom: 5,
    identification: { verdict: 'identified' },
    result: { verdict: { ambiguous: false, reached: 3 }, reason: 'converged', converged: true },
  }) as unknown as RankedFit

it('at the edge of what was tried it says what to try', () => {
  const falling = [1, 2, 3, 4, 5, 6].map(rank => fitOf(rank, 1300 - rank))
  expect(recommend(falling, 'bic').reason).toMatch(/; 6 is the largest number tried: try up to 8$/)
  const rising = [3, 4, 5].map(rank => fitOf(rank, 1300 + rank))
  expect(recommend(rising, 'bic').reason).toMatch(/; 3 is the smallest number tried: try fewer$/)
  const [first] = rising
  expect(recommend([fitOf(1, 1200), first], 'bic').reason).not.toMatch(/tried/)
  expect(recommend([first], 'bic').reason).not.toMatch(/tried/)
})

it.each(['bic', 'heldOut'] as const)('a lead by rounding only goes to the smaller rank (%s)', by => {
  const level = [fitOf(1, 1300), fitOf(2, 1200), fitOf(3, 1200 - 1e-9), fitOf(4, 1200 - 2e-9)]
  expect(recommend(level, by).recommended).toBe(2)
  expect(recommend(level, by).reason).toMatch(/best with 2 classes, equal to that of 3 classes$/)
  expect(recommend(level.toReversed(), by).recommended).toBe(2)
  const ahead = [fitOf(1, 1300), fitOf(2, 1200), fitOf(3, 1200 - 1e-3), fitOf(4, 1250)]
  expect(recommend(ahead, by).recommended).toBe(3)
})

describe('the reason of a recommendation', () => {
  type More = Partial<Omit<RankedFit, 'result' | 'identification'>> & {
    readonly identification?: string
    readonly result?: object
    readonly verdict?: object
  }
  const judged = (rank: number, value: number, { identification, result, verdict, ...more }: More = {}): RankedFit => {
    const fit = fitOf(rank, value)
    return {
      ...fit,
      ...more,
      ...(identification && { identification: { verdict: identification } }),
      result: { ...fit.result, ...result, verdict: { ...fit.result.verdict, ...verdict } },
    } as unknown as RankedFit
  }
  const reasonOf = (fits: readonly RankedFit[], by: Parameters<typeof recommend>[1] = 'bic') =>
    recommend(fits, by).reason
  /** Between two others, so that it is at no edge. */
  const between = (more: More) => [judged(1, 1300), judged(2, 1200, more), judged(3, 1250)]

  it('is the lead over the next', () => {
    expect(recommend(between({}), 'bic')).toEqual({
      recommended: 2,
      reason: 'BIC is best with 2 classes, 50.0 ahead of 3 classes',
    })
    expect(reasonOf(between({}), 'heldOut')).toBe(
      'the held-out log-likelihood is best with 2 classes, 50.0000 ahead of 3 classes',
    )
    expect(reasonOf([judged(2, 1300), judged(1, 1200)], 'aic3')).toMatch(
      /^AIC3 is best with 1 class, 100.0 ahead of 2 classes/,
    )
    expect(reasonOf([judged(2, 1200)])).toBe('BIC is best with 2 classes')
  })

  it('is that nothing can be judged', () => {
    const nothing = { recommended: undefined, reason: 'no number of classes could be judged by BIC' }
    expect(recommend([], 'bic')).toEqual(nothing)
    expect(recommend([judged(1, Number.NaN), judged(2, Number.POSITIVE_INFINITY)], 'bic')).toEqual(nothing)
  })

  it('is what was set aside, and why', () => {
    const stopped = { result: { reason: 'stopped', converged: false } }
    expect(reasonOf([...between({}), judged(4, 1100, stopped)])).toBe(
      'BIC is best with 2 classes, 50.0 ahead of 3 classes; 4 classes not judged: the fit was stopped before it converged',
    )
    expect(
      reasonOf([judged(1, 1300), judged(2, 1200), judged(3, 1250), judged(4, 1000, stopped), judged(5, 1000, stopped)]),
    ).toContain('; 4, 5 classes not judged:')
    // If all were stopped, they are all there is.
    expect(recommend([judged(1, 1300, stopped), judged(2, 1200, stopped)], 'bic').recommended).toBe(2)
    for (const more of [
      { verdict: { ambiguous: true } },
      { identification: 'not identified' },
      { gSquared: 3, degreesOfFreedom: 0 },
    ]) {
      expect(reasonOf([...between({}), judged(4, 1100, more)])).toContain(
        '; 4 classes set aside: the data does not determine the classes',
      )
      expect(recommend([judged(1, 1300, more), judged(2, 1200, more)], 'bic')).toMatchObject({ recommended: 2 })
      expect(reasonOf([judged(1, 1300, more), judged(2, 1200, more)])).toMatch(
        /; but the data does not determine the classes$/,
      )
    }
    expect(reasonOf([...between({}), judged(4, 1100, { gSquared: 3, degreesOfFreedom: 1 })])).not.toContain('set aside')
    expect(reasonOf([...between({}), judged(4, 1100, { degreesOfFreedom: 0 })])).not.toContain('set aside')
  })

  it('is which other criteria prefer another number', () => {
    const other = (more: object) => [judged(1, 1300), judged(2, 1200), { ...judged(3, 1250), ...more }, judged(4, 1260)]
    expect(reasonOf(other({ aic: 1 }))).toMatch(/; AIC prefers 3$/)
    expect(reasonOf(other({ aic: 1, aic3: 1 }))).toMatch(/; AIC and AIC3 prefer 3$/)
    expect(reasonOf(other({ aic: 1, aic3: 1, sabic: 1 }))).toMatch(/; AIC, AIC3 and adjusted BIC prefer 3$/)
    const both = other({ aic: 1 }).map(fit => (fit.rank === 4 ? { ...fit, icl: 1 } : fit)) as RankedFit[]
    expect(reasonOf(both)).toMatch(/; AIC prefers 3; ICL prefers 4$/)
    // A criterion that some fits lack has compared nothing.
    expect(
      reasonOf(other({ heldOut: 1e6 }).map(fit => (fit.rank === 1 ? { ...fit, heldOut: undefined } : fit))),
    ).not.toContain('prefer')
  })

  it('is what to beware of', () => {
    const rest = (more: More) => reasonOf(between(more)).split('; ').slice(1).join('; ')
    expect(rest({})).toBe('')
    expect(rest({ pValue: 0.0004 })).toBe('but G² rejects the model (p < 0.001): it misses something in the data')
    expect(rest({ pValue: 0.001 })).toBe('but G² rejects the model (p = 0.001): it misses something in the data')
    expect([rest({ pValue: 0.0499 }), rest({ pValue: 0.05 })]).toEqual([
      'but G² rejects the model (p = 0.050): it misses something in the data',
      '',
    ])
    const sparse = 'G² is unreliable here: the table averages fewer than 5 observations per cell'
    expect([rest({ pValue: 0.01, sparse: true }), rest({ sparse: true })]).toEqual([sparse, ''])
    expect(rest({ result: { converged: false } })).toBe('but the fit has not converged')
    expect(rest({ result: { converged: false, reason: 'settled' } })).toBe('')
    expect(rest({ verdict: { reached: 1 } })).toBe(
      'but only one run reached the best solution: treat it as provisional',
    )
    expect(reasonOf([judged(1, 1200, { verdict: { reached: 1 } }), judged(2, 1300)])).not.toContain('provisional')
    expect(rest({ identification: 'not checked' })).toBe('the model is too large to check whether it is identified')
  })
})
