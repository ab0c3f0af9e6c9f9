import { expect, it } from 'vitest'
import { randomTensor } from '../../engine/random-tensor.ts'
import { AbortError, attempt } from '../../errors.ts'
import { fit } from '../../fit/fit.ts'
import { evaluate, evaluateLikelihood, unknownEvaluation } from './evaluate.ts'

it('what the likelihood alone tells is what an evaluation says', async () => {
  const tensor = randomTensor({ shape: [3, 3, 3], cells: 27, seed: 1 })
  const constraints = { fixed: [{ mode: tensor.modes[0].name, label: 0, class: 1, probability: 0.5 }] }
  for (const more of [undefined, constraints]) {
    const { model, logLikelihood } = await fit(tensor, {
      rank: 2,
      seed: 1,
      starts: 2,
      ...(more && { constraints: more }),
    })
    const whole = await evaluate(tensor, model, more && { constraints: more })
    const { bic, aic, gSquared, pValue, parameters, degreesOfFreedom, loss, divergence, ...rest } = evaluateLikelihood(
      tensor,
      model,
      logLikelihood,
      more,
    )
    expect([bic, aic, gSquared, pValue, loss, divergence].every(Number.isFinite)).toBe(true)
    expect(bic).toBeCloseTo(whole.bic, 8)
    expect(aic).toBeCloseTo(whole.aic, 8)
    expect(gSquared).toBeCloseTo(whole.gSquared!, 8)
    expect(pValue).toBeCloseTo(whole.pValue!, 8)
    expect(loss).toBeCloseTo(whole.loss, 8)
    expect([parameters, degreesOfFreedom]).toEqual([whole.parameters, whole.degreesOfFreedom])
    expect([rest.entropy, rest.cressieRead, rest.averagePosteriors]).toEqual([
      undefined,
      undefined,
      [undefined, undefined],
    ])
    const unknown = unknownEvaluation(tensor, model, logLikelihood)
    expect([unknown.bic, unknown.degreesOfFreedom, unknown.classificationError]).toEqual([NaN, NaN, NaN])
    expect(unknown.smallestClass).toBe(Math.min(...model.shares))
    expect(unknown.identification.verdict).toBe('not checked')
  }
})

it('a figure that cannot be computed is left out with a warning that says why', async () => {
  const warnings: string[] = []
  expect(await attempt('BIC', warnings, () => 3)).toBe(3)
  expect(warnings).toEqual([])
  const fails = (error: unknown) => () => Promise.reject(error)
  expect(await attempt('BIC', warnings, fails(new Error('no cells')))).toBeUndefined()
  expect(await attempt('AIC', warnings, fails(new AbortError()))).toBeUndefined()
  expect(warnings).toEqual(['BIC could not be computed: no cells', 'AIC left out: the run was stopped first'])
})
