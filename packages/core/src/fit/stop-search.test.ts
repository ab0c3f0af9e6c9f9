import { describe, expect, it } from 'vitest'
import { gss82 } from '../../../../test/tables.ts'
import type { Engine } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { throwIfStopped } from '../errors.ts'
import { lossOffset } from '../model/loss.ts'
import { fit } from './fit.ts'

/** An engine that looks at the signal within a pass; the signal fires within the pass of this number. */
const stoppedWithin = (number: number, controller: AbortController): Engine => {
  let passes = 0
  return {
    name: 'stopping',
    async open(tensor) {
      const { open: _, reweight: __, ...session } = await referenceEngine.open(tensor)
      return {
        ...session,
        can: [],
        pass: async (parameters, into, signal) => {
          const found = await session.pass(parameters, into)
          if (++passes !== number) return found
          // What was to be written into is worthless.
          for (const table of [found.sizes, ...found.factors]) table.fill(Number.NaN)
          controller.abort('enough')
          throwIfStopped(signal)
          return found
        },
      }
    },
  }
}

describe('a search that is stopped within a pass', () => {
  const outcome = (number: number, options: object) => {
    const controller = new AbortController()
    return fit(gss82, {
      rank: 3,
      seed: 1,
      ...options,
      engine: stoppedWithin(number, controller),
      signal: controller.signal,
    })
  }

  it('fails with an AbortError if no model has been evaluated', async () => {
    for (const options of [{}, { starts: 3 }, { algorithm: 'em' }])
      await expect(outcome(1, options)).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
  })

  it.each([
    ['a thorough search', {}],
    ['a search of few passes', { maxPasses: 600 }],
    ['random starts', { starts: 12 }],
  ])('gives the best model so far: %s', async (_, options) => {
    const session = await referenceEngine.open(gss82)
    let before = Number.POSITIVE_INFINITY
    for (const number of [2, 3, 9, 17, 18, 40, 90, 200, 260, 310]) {
      const { stopped, loss, model, attempts } = await outcome(number, options)
      expect(stopped).toBe(true)
      const { logLikelihood } = await session.pass(model.parameters)
      expect(lossOffset(gss82.total) - logLikelihood).toBeCloseTo(loss, 8)
      expect(loss).toBe(Math.min(...attempts.map(each => each.loss)))
      // What was found earlier is never lost, as soon as a start has come to its end.
      if (number >= 200) {
        expect(loss).toBeLessThanOrEqual(before)
        before = loss
      }
    }
    await session.close()
  })

  it('is the search itself if the signal never fires', async () => {
    const { signal } = new AbortController()
    const plain = await fit(gss82, { rank: 3, seed: 1, starts: 4, engine: referenceEngine })
    const watched = await fit(gss82, { rank: 3, seed: 1, starts: 4, engine: referenceEngine, signal })
    expect(watched).toStrictEqual(plain)
    expect(plain.stopped).toBe(false)
  })
})
