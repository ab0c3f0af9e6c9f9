import { describe, expect, it } from 'vitest'
import { roundedEngine } from '../../../../../test/rounded-engine.ts'
import { carcinoma } from '../../../../../test/tables.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { fit } from '../fit.ts'

/** Of the engine with errors as single precision has them; the slow tests do it for more data. */
const options = { rank: 2, seed: 1, starts: 3 } as const

describe('single precision', () => {
  it('ends at the optimum of double precision, with the passes of both', async () => {
    const engine = roundedEngine()
    const seen: number[] = []
    const init = (await fit(carcinoma, { ...options, engine: referenceEngine, starts: 1, maxPasses: 3 })).model
    const single = await fit(carcinoma, { rank: 2, init, engine, precision: 'single', onProgress: ({ passes }) => void seen.push(passes) }) // biome-ignore format: one line
    const double = await fit(carcinoma, { rank: 2, init, engine: referenceEngine })
    expect(engine.passed.single).toBeGreaterThan(0)
    expect(engine.passed.double).toBeGreaterThan(0)
    expect(single.passes).toBe(engine.passed.single + engine.passed.double)
    expect(single.converged).toBe(true)
    expect(single.loss).toBeCloseTo(double.loss, 8)
    expect(single.trace.at(-1)).toBe(single.objective)
    expect(seen.every((passes, i) => i === 0 || passes >= seen[i - 1])).toBe(true)
  })

  it('is used throughout preliminary runs, which a search makes many of', async () => {
    const engine = roundedEngine()
    const single = await fit(carcinoma, { rank: 3, seed: 1, maxPasses: 1500, engine, precision: 'single' })
    // Goodman's and Agresti's table: the log-likelihood of three classes is known.
    expect(single.logLikelihood).toBeCloseTo(-293.705, 2)
    expect(engine.passed.single).toBeGreaterThan(engine.passed.double)
  })

  it('that fails leaves the rest to double', async () => {
    for (const failsAfter of [0, 9]) {
      const engine = roundedEngine({ failsAfter })
      const { notes, loss } = await fit(carcinoma, { ...options, engine, precision: 'single' })
      expect(notes).toEqual(['single precision failed, and the fit went on in double: the device was lost'])
      expect(loss).toBeCloseTo((await fit(carcinoma, { ...options, engine: referenceEngine })).loss, 8)
    }
  })

  it('is not for runs of few passes, or with constraints', async () => {
    const constraints = { fixed: [{ mode: carcinoma.modes[0].name, label: carcinoma.modes[0].label(0), class: 1, probability: 0.9 }] } // biome-ignore format: one line
    for (const more of [{ maxPasses: 5 }, { constraints }]) {
      const engine = roundedEngine()
      const { model } = await fit(carcinoma, { ...options, ...more, engine, precision: 'single' })
      expect(engine.passed.single).toBe(0)
      expect(model.parameters).toEqual((await fit(carcinoma, { ...options, ...more, engine: referenceEngine })).model.parameters) // biome-ignore format: one line
    }
  })
})
