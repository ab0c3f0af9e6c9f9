import { describe, expect, it } from 'vitest'
import type { Session } from '../../packages/core/src/engine/engine.ts'
import { randomTensor } from '../../packages/core/src/engine/random-tensor.ts'
import { referenceEngine } from '../../packages/core/src/engine/reference.ts'
import { throwIfStopped } from '../../packages/core/src/errors.ts'
import { fit } from '../../packages/core/src/fit/fit.ts'
import type { FitOptions } from '../../packages/core/src/fit/fit-options.ts'
import type { FitResult } from '../../packages/core/src/fit/fit-session.ts'
import { Model } from '../../packages/core/src/model/model.ts'
import { componentsOf } from '../../packages/core/src/model/parameters.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'
import { tensorFromRows } from '../../packages/core/src/tensor/rows.ts'
import type { Tensor } from '../../packages/core/src/tensor/tensor.ts'
import { roundedEngine } from '../rounded-engine.ts'
import { acm, carcinoma, gss82, values } from '../tables.ts'

/** The loss of a result, computed again in double precision. */
const lossAgain = async (tensor: Tensor, { model, logLikelihood, loss }: FitResult) => {
  const { logLikelihood: found } = await (await referenceEngine.open(tensor)).pass(model.parameters)
  return loss + logLikelihood - found
}

const size = (loss: number): number => Math.max(1, Math.abs(loss))

const ordered = tensorFromRows(
  [1, 2, 2, 3, 4, 4, 5, 6, 6, 7].map((age, i) => [age, i % 3 === 0 ? 'a' : 'b', i % 2 ? 'x' : 'y']),
)

describe('precision', () => {
  it('does not change a bit in double, and on small data by itself', async () => {
    const options = { rank: 3, seed: 2, starts: 3 } as const
    const plain = await fit(gss82, { ...options, engine: referenceEngine })
    for (const precision of ['double', 'auto'] as const) {
      const engine = roundedEngine()
      const { model, trace, notes } = await fit(gss82, { ...options, engine, precision })
      expect(engine.passed.single).toBe(0)
      expect(trace).toEqual(plain.trace)
      expect(model.parameters).toEqual(plain.model.parameters)
      expect(notes).toEqual([])
    }
  })

  it.each([
    ['carcinoma', carcinoma, 3],
    ['gss82', gss82, 3],
    ['values', values, 2],
    ['acm', acm, 2],
    ['missing entries', randomTensor({ shape: [6, 5, 7], cells: 120, missing: 0.2, seed: 4 }), 3],
    ['real values', randomTensor({ shape: [12, 9], cells: 70, real: true, seed: 5 }), 4],
    ['five modes', randomTensor({ shape: [3, 4, 2, 3, 5], cells: 150, seed: 6 }), 4],
  ])('a search reaches the optimum of double precision: %s', async (_, tensor, rank) => {
    const engine = roundedEngine()
    // So few passes that starts are preliminary.
    const options = { rank, seed: 1, maxPasses: 4000 } as const
    const single = await fit(tensor, { ...options, engine, precision: 'single' })
    const double = await fit(tensor, { ...options, precision: 'double', threads: 1 })
    expect(engine.passed.single).toBeGreaterThan(2 * engine.passed.double)
    expect(single.loss).toBeLessThanOrEqual(double.loss + 1e-9 * size(double.loss))
    expect(single.converged).toBe(true)
    expect(single.stationarity).toBeLessThanOrEqual(1e-6)
    expect(await lossAgain(tensor, single)).toBeCloseTo(single.loss, 9)
    expect(single.trace.at(-1)).toBe(single.objective)
  })

  it('ends every run where a run in double ends: plain EM, priors, and models that underflow', async () => {
    const first = await fit(gss82, { rank: 3, starts: 1, maxPasses: 30, threads: 1 })
    // In no class more than 1e-50: in single precision a label that was seen is impossible.
    const tiny = randomStart(carcinoma.shape, 3, 1, 0)
    tiny.factors[0].set([1e-50, 1e-51, 1e-50, 1, 1, 1])
    const hidden = new Model(carcinoma.modes, componentsOf(tiny, carcinoma.total))
    for (const [tensor, options] of [
      [gss82, { rank: 3, init: first.model, algorithm: 'em' }],
      [gss82, { rank: 3, init: first.model, pseudoCounts: 0.5 }],
      [gss82, { rank: 3, init: first.model, pseudoCounts: 0.5, algorithm: 'em' }],
      [carcinoma, { rank: 3, init: hidden }],
    ] as const) {
      const engine = roundedEngine()
      const single = await fit(tensor, { ...options, engine, precision: 'single' })
      const double = await fit(tensor, { ...options, engine: referenceEngine })
      expect(engine.passed.single).toBeGreaterThan(0)
      expect(single.converged).toBe(true)
      expect(Math.abs(single.objective - double.objective)).toBeLessThan(1e-9 * size(double.objective))
      expect(single.passes).toBe(engine.passed.single + engine.passed.double)
    }
  })

  it('leaves to double what single precision is not for', async () => {
    const constraints = { fixed: [{ mode: gss82.modes[0].name, label: 0, class: 1, probability: 0.9 }] }
    const cases: readonly (readonly [Tensor, FitOptions])[] = [
      [gss82, { rank: 1 }],
      [gss82, { rank: 2, constraints, starts: 2 }],
      [ordered, { rank: 2, smoothing: 1, starts: 2 }],
    ]
    for (const [tensor, options] of cases) {
      const engine = roundedEngine()
      const { model } = await fit(tensor, { ...options, engine, precision: 'single' })
      expect(engine.passed.single).toBe(0)
      const double = await fit(tensor, { ...options, engine: referenceEngine })
      expect(model.parameters).toEqual(double.model.parameters)
    }
  })

  it.each([0, 1, 7, 40, 150])('goes on in double if single precision fails after %i passes', async failsAfter => {
    for (const starts of ['auto', 3] as const) {
      const engine = roundedEngine({ failsAfter })
      const options = { rank: 3, seed: 2, starts, maxPasses: 4000 } as const
      const { notes, loss, converged } = await fit(gss82, { ...options, engine, precision: 'single' })
      const double = await fit(gss82, { ...options, threads: 1 })
      expect(notes).toEqual(['single precision failed, and the fit went on in double: the device was lost'])
      expect(engine.passed.single).toBeLessThanOrEqual(failsAfter + 2)
      expect(converged).toBe(true)
      expect(Math.abs(loss - double.loss)).toBeLessThan(1e-9 * size(double.loss))
    }
  })

  it.each([2, 20, 60, 130])('gives the loss in double if it is stopped after %i passes', async limit => {
    const looking = ({ pass, ...rest }: Session): Session => ({
      ...rest,
      pass: (parameters, into, signal) => {
        throwIfStopped(signal)
        return pass(parameters, into)
      },
    })
    const stopping = new AbortController()
    for (const options of [{ maxPasses: limit }, { maxPasses: 4000, signal: stopping.signal }]) {
      const engine = roundedEngine()
      const session = await engine.open(gss82)
      const single: Session = {
        ...session.single!,
        pass: (...all) => {
          if ('signal' in options && engine.passed.single + engine.passed.double >= limit) stopping.abort()
          return looking(session.single!).pass(...all)
        },
      }
      const found = await fit({ ...looking(session), single }, { ...options, rank: 3, precision: 'single' })
      expect(await lossAgain(gss82, found)).toBeCloseTo(found.loss, 9)
      expect(found.trace.at(-1)).toBe(found.objective)
      expect(found.stopped).toBe('signal' in options)
    }
  })
})
