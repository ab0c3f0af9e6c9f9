import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensors } from '../../../../../test/arbitrary.ts'
import { carcinoma, values } from '../../../../../test/tables.ts'
import { fit } from '../../fit/fit.ts'
import { evaluate } from './evaluate.ts'
import { oneClass } from './one-class.ts'

describe('one class, by its marginals alone', () => {
  it('has the figures that Python gives for carcinoma', () => {
    // sum(v * math.log(v / 118) for each answer of each item), −2·L + 2·7, −2·L + 7·math.log(118)
    const { logLikelihood, parameters, aic, bic } = oneClass(carcinoma)
    expect(logLikelihood).toBeCloseTo(-524.4648179385778, 9)
    expect(parameters).toBe(7)
    expect(aic).toBeCloseTo(1062.9296358771555, 9)
    expect(bic).toBeCloseTo(1082.3244282484152, 9)
  })

  it('is the fit of one class, with and without missing entries', async () => {
    await fc.assert(
      fc.asyncProperty(tensors({ modes: { min: 1, max: 4 } }), async data => {
        const found = oneClass(data)
        const { model } = await fit(data, { rank: 1 })
        const known = await evaluate(data, model)
        for (const key of ['logLikelihood', 'aic', 'bic', 'icl', 'awe'] as const)
          expect(Math.abs(found[key] - known[key])).toBeLessThan(1e-8 * Math.max(1, Math.abs(known[key])))
      }),
      { numRuns: 40, seed: 3 },
    )
    expect(oneClass(values).parameters).toBe(4)
  })
})
