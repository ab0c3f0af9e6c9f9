import { describe, expect, it } from 'vitest'
import type { Session } from '../engine/engine.ts'
import { randomTensor } from '../engine/random-tensor.ts'
import { referenceEngine } from '../engine/reference.ts'
import { EngineError, salvaged } from '../errors.ts'
import { chooseRank } from '../stats/ranks/choose-rank.ts'
import { fit } from './fit.ts'
import type { FitResult } from './fit-session.ts'

const tensor = randomTensor({ shape: [5, 6, 7], cells: 150, missing: 0.1 })

/** A session whose passes fail after a number of them, as where a server is gone for good; with `passes`, in shared scans. */
const failingAfter = async (allowed: number, shared: boolean): Promise<Session> => {
  const { reweight: _, open: __, ...session } = await referenceEngine.open(tensor)
  let done = 0
  const allow = () => {
    if (++done > allowed) throw new EngineError('shard 2: connection refused (tried 6 times)')
  }
  return {
    ...session,
    pass: async (parameters, into) => {
      allow()
      return session.pass(parameters, into)
    },
    measure: async parameters => {
      allow()
      return session.measure(parameters)
    },
    ...(shared && {
      passes: async several => {
        allow()
        return Promise.all(several.map(parameters => session.pass(parameters)))
      },
    }),
  }
}

describe.each([
  ['one after the other', false],
  ['in shared scans', true],
])('an engine that fails in the middle of a search, runs %s', (_, shared) => {
  it.each([1, 2, 17, 60, 150])('the best of the first %i passes survives, and can be gone on from', async allowed => {
    for (const starts of ['auto', 40] as const) {
      const error = await fit(await failingAfter(allowed, shared), { rank: 2, seed: 3, starts }).catch(error => error)
      expect(error).toBeInstanceOf(EngineError)
      expect(error.message).toContain('shard 2')
      const found: FitResult | undefined = error.partial
      // A wide start is merged down after passes of a model of another rank: until then there is nothing to return.
      if (found === undefined) {
        expect([allowed, starts, allowed < 18]).toEqual([allowed, 'auto', true])
        continue
      }
      const { logLikelihood } = await (await referenceEngine.open(tensor)).pass(found.model.parameters)
      expect(found.logLikelihood).toBeCloseTo(logLikelihood, 8)
      const further = await fit(tensor, { rank: 2, init: found.model })
      expect(further.loss).toBeLessThanOrEqual(found.loss + 1e-9)
      expect(further.converged).toBe(true)
    }
  })

  it('nothing at all is an error', async () => {
    await expect(fit(await failingAfter(0, shared), { rank: 2 })).rejects.toThrow('shard 2: connection refused')
  })

  it('a choice of rank keeps the ranks before', async () => {
    const chosen = chooseRank(await failingAfter(300, shared), { to: 6, starts: 3, folds: 0 })
    const { found, failure } = await salvaged(chosen)
    expect(found.fits.length).toBeGreaterThan(0)
    expect(found.fits.length).toBeLessThan(6)
    expect(found.stopped).toBe(true)
    expect(failure?.message).toContain('shard 2')
  })
})
