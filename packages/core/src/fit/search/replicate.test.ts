import { describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { drawTensor, drawValues } from '../../model/draws.ts'
import { lossOffset } from '../../model/loss.ts'
import { fitBySums, pairMisfits } from '../../model/misfit.ts'
import { random } from '../../numeric/philox.ts'
import { mStepSettings } from '../descent/m-step.ts'
import { fit } from '../fit.ts'
import { performReplicate, type Refit, type Replicate, withMemberships } from './replicate.ts'

const stopping = { tolerance: 1e-10, stationarity: 1e-5, minGain: 0, maxPasses: 500 }
const models = await Promise.all([1, 2].map(async rank => (await fit(values, { rank, threads: 1 })).model))

const refit = (rank: number, starts = 2): Refit => ({
  setting: { rank, seed: 1, algorithm: 'accelerated', steps: mStepSettings(values.modes, {}) },
  from: models[rank - 1].parameters,
  starts,
  stopping,
})

/** A session that counts what is opened, drawn and closed. */
const watched = async () => {
  const session = await referenceEngine.open(values)
  const seen = { passes: 0, closed: 0 }
  const counting = (one: Session): Session => ({
    ...one,
    pass: (...given: Parameters<typeof one.pass>) => {
      seen.passes++
      return one.pass(...given)
    },
    close: async () => void seen.closed++,
  })
  const home: typeof session = {
    ...session,
    reweight: async own => counting(await session.reweight!(own)),
    open: async data => counting(await session.open!(data)),
  }
  return { home, seen }
}

const replicated = async (replicate: Partial<Replicate>) => {
  const { home, seen } = await watched()
  let runs = 0
  const onPass = (pass: number) => {
    if (pass === 1) runs++
  }
  const result = await performReplicate(
    home,
    { number: 3, seed: 5, fits: [refit(2)], misfit: false, ...replicate },
    { onPass },
  )
  return { result: result!, seen, runs }
}

describe('a replicate', () => {
  it('of the observations is fitted from the model of the data, and has its likelihood', async () => {
    const { result, seen } = await replicated({})
    const drawn = await referenceEngine
      .open(values)
      .then(session => session.reweight!(drawValues(values, random(5, 'resample', 3))))
    const [{ parameters, logLikelihood, converged }] = result.fits
    expect(converged).toBe(true)
    expect((await drawn.pass(parameters)).logLikelihood).toBeCloseTo(logLikelihood, 6)
    expect(logLikelihood).toBeGreaterThanOrEqual((await drawn.pass(models[1].parameters)).logLikelihood)
    expect(seen.closed).toBe(1)
    expect(result).not.toHaveProperty('misfit')
    expect(lossOffset(values.total)).not.toBe(0)
  })

  it('of a model is drawn from it, and says how well that fits it', async () => {
    const { result } = await replicated({ from: models[1].parameters, misfit: true })
    const tensor = drawTensor(values, models[1].parameters, random(5, 'replicate', 3))
    const [{ parameters, logLikelihood }] = result.fits
    const session = await referenceEngine.open(tensor)
    expect(logLikelihood).toBeCloseTo((await session.pass(parameters)).logLikelihood, 6)
    const { sumYYOverP } = await session.measure(parameters)
    const found = fitBySums(tensor, { logLikelihood, sumYYOverP })
    expect(result.misfit).toMatchObject({
      gSquared: expect.closeTo(found.gSquared, 6),
      chiSquared: expect.closeTo(found.chiSquared, 6),
      pairs: pairMisfits(tensor, parameters).map(({ chiSquared }) => expect.closeTo(chiSquared, 6)),
    })
    expect(result.misfit!.cressieRead).toBeGreaterThan(0)
  })

  it('has the values that were drawn before', async () => {
    const { result } = await replicated({ values: values.values.map(value => 2 * value) })
    const [{ logLikelihood }] = result.fits
    const { logLikelihood: once } = (await replicated({ values: values.values })).result.fits[0]
    expect(logLikelihood).toBeCloseTo(2 * once, 3)
  })

  it('of two models has a larger one that is no worse', async () => {
    const { result } = await replicated({ fits: [refit(1), refit(2, 4)] })
    expect(result.fits.map(({ parameters }) => parameters.rank)).toEqual([1, 2])
    expect(result.fits[1].logLikelihood).toBeGreaterThan(result.fits[0].logLikelihood)
  })

  it('ends early once a likelihood ratio is decided', async () => {
    const fits = [refit(1), refit(2, 12)]
    const whole = await replicated({ fits })
    const ratio = 2 * (whole.result.fits[1].logLikelihood - whole.result.fits[0].logLikelihood)
    // The first start that reaches it is enough.
    const reached = await replicated({ fits, decisive: ratio / 2 })
    expect(reached.seen.passes).toBeLessThan(whole.seen.passes / 2)
    expect(2 * (reached.result.fits[1].logLikelihood - reached.result.fits[0].logLikelihood)).toBeGreaterThanOrEqual(
      ratio / 2,
    )
    // So is what is far away after nine starts.
    const far = await replicated({ fits, decisive: ratio + 25 })
    expect(far.seen.passes).toBeLessThan(whole.seen.passes)
    // The smaller model in two runs; then nine starts, of which two are wide, which takes two runs.
    expect(far.runs).toBe(2 + 9 + 2)
    expect(2 * (far.result.fits[1].logLikelihood - far.result.fits[0].logLikelihood)).toBeLessThan(ratio + 1)
    // If three starts do not settle it, it is fitted as if they had not been made.
    const unsettled = await replicated({ fits, decisive: 121 })
    expect(unsettled.runs).toBe(2 + 3 + 1 + far.runs)
    expect(unsettled.result).toEqual(far.result)
    // And what is remote after three.
    const remote = await replicated({ fits, decisive: ratio + 1000 })
    expect(remote.runs).toBe(2 + 3 + 1)
    expect(2 * (remote.result.fits[1].logLikelihood - remote.result.fits[0].logLikelihood)).toBeLessThan(ratio + 1)
    expect(remote.result.fits[0].logLikelihood).toBeCloseTo(whole.result.fits[0].logLikelihood, 6)
    // What is near must be known to the end.
    const near = await replicated({ fits, decisive: ratio + 0.01 })
    expect(near.result).toEqual(whole.result)
    expect(near.seen.passes).toBe(whole.seen.passes)
  })

  it('with a prior goes to its end, since the best model need not be the most probable one', async () => {
    const prior = (rank: number): Refit => {
      const own = refit(rank)
      return { ...own, setting: { ...own.setting, steps: mStepSettings(values.modes, { pseudoCounts: 0.2 }) } }
    }
    const fits = [prior(1), prior(2)]
    const [whole, decided] = [await replicated({ fits }), await replicated({ fits, decisive: 0 })]
    expect(decided.result).toEqual(whole.result)
    expect([decided.runs, decided.seen.passes]).toEqual([whole.runs, whole.seen.passes])
  })

  it('is none if it was stopped, and fails with the engine', async () => {
    const { home } = await watched()
    const replicate = { number: 1, seed: 1, fits: [refit(2)], misfit: false }
    expect(await performReplicate(home, replicate, { signal: { aborted: true } as never })).toBeUndefined()
    const controller = new AbortController()
    const stopping_ = {
      ...home,
      reweight: async (own: Float64Array) => {
        controller.abort()
        return home.reweight!(own)
      },
    }
    expect(await performReplicate(stopping_, replicate, { signal: controller.signal })).toBeUndefined()
    const { open: _, ...without } = home
    await expect(
      performReplicate({ ...without, can: [] }, { ...replicate, from: models[1].parameters }),
    ).rejects.toThrow('the parametric bootstrap')
    await expect(performReplicate({ ...without, can: [] }, replicate)).rejects.toThrow('the nonparametric bootstrap')
  })
})

describe('a model whose membership is explained', () => {
  const factors = [Float64Array.of(0.2, 0.7, 0.8, 0.3)]
  const shares = Float64Array.of(0.4, 0.6)

  it('has its memberships for the last mode of the data, and else a mode that tells nothing', () => {
    const plain = { rank: 2, shares, factors: [...factors, Float64Array.of(1, 1)] }
    expect(withMemberships({ rank: 2, shares, factors }, undefined)).toEqual(plain)
    const terms = ['intercept', 'x'].map(name => ({ name, factors: [] }))
    const explained = { terms, patterns: 2, values: Float64Array.of(1, 0, 1, 3), counts: Float64Array.of(1, 1) }
    expect(withMemberships({ rank: 2, shares, factors }, explained)).toEqual(plain)
    const coefficients = Float64Array.of(-0.5, 0.5, 0.1, -0.2)
    const made = withMemberships({ rank: 2, shares, factors, coefficients }, explained)
    expect([...made.shares]).toEqual([1, 1])
    const second = [0, 3].map(x => 1 / (1 + Math.exp(-(1 - 0.3 * x))))
    const expected = second.flatMap(p => [1 - p, p])
    for (const [i, p] of expected.entries()) expect(made.factors[1][i]).toBeCloseTo(p, 12)
  })
})
