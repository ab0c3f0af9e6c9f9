import { describe, expect, it } from 'vitest'
import { carcinoma, gss82 } from '../../../../test/tables.ts'
import { conformance } from '../engine/conformance.ts'
import type { Engine, Session } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { wasmEngine } from '../engine/wasm/wasm-engine.ts'
import { evaluate } from '../stats/fit-statistics/evaluate.ts'
import { chooseRank } from '../stats/ranks/choose-rank.ts'
import type { Counts, Tensor } from '../tensor/tensor.ts'
import { fit } from './fit.ts'

/** What is known of data without its cells; looking for them is an error. */
const withoutCells = (tensor: Tensor): Counts => {
  const { modes, shape, cells, total, missing, marginals, constants } = tensor
  return new Proxy({ modes, shape, cells, total, missing, marginals, constants } as Counts, {
    get: (target, key) => {
      if (key === 'indices' || key === 'values') throw new Error(`somebody looked at ${key}`)
      return target[key as keyof Counts]
    },
    has: (target, key) => key in target,
  })
}

/** A session as a database would give one: no cells, no other values, several models in one scan. */
const remote = async (tensor: Tensor): Promise<Session & { readonly scans: () => number }> => {
  const { pass, measure, close, traits } = await referenceEngine.open(tensor)
  let scans = 0
  const { parallelRuns: _, ...rest } = { data: withoutCells(tensor), traits, measure, close, parallelRuns: undefined }
  return {
    ...rest,
    can: ['several'],
    scans: () => scans,
    pass: (parameters, into) => {
      scans++
      return pass(parameters, into)
    },
    passes: async several => {
      scans++
      return Promise.all(several.map(each => pass(each)))
    },
  }
}

/** The reference in single precision: every number that comes out of a pass is rounded. */
const single: Engine = {
  name: 'single',
  async open(tensor) {
    const session = await referenceEngine.open(tensor)
    const { reweight: _, ...rest } = session
    const rounded = (array: Float64Array) => {
      for (let i = 0; i < array.length; i++) array[i] = Math.fround(array[i])
    }
    return {
      ...rest,
      traits: { ...session.traits, precision: 1e-7 },
      async pass(parameters, into) {
        const statistics = await session.pass(parameters, into)
        for (const array of [statistics.sizes, ...statistics.factors]) rounded(array)
        statistics.logLikelihood = Math.fround(statistics.logLikelihood)
        return statistics
      },
    }
  },
}

describe('a fit on a session', () => {
  it('never sees cells, and ends where a fit of the tensor ends', async () => {
    const session = await remote(gss82)
    const result = await fit(session, { rank: 3, seed: 2 })
    expect(result.logLikelihood).toBeCloseTo(-2754.545405, 4)
    expect(result.converged).toBe(true)
    // Runs side by side share their scans.
    expect(session.scans()).toBeLessThan(result.totalPasses / 2)
    const found = await evaluate(session, result.model)
    const known = await evaluate(gss82, result.model)
    expect(found.gSquared).toBeCloseTo(known.gSquared as number, 8)
    expect(found.chiSquared).toBeCloseTo(known.chiSquared as number, 8)
    expect(found.relativeEntropy).toBeCloseTo(known.relativeEntropy as number, 8)
  })

  it('may be an object of a class, and stops all runs where one fails', async () => {
    const inner = await referenceEngine.open(gss82)
    let calls = 0
    class Remote implements Session {
      get data() {
        return inner.data
      }
      get traits() {
        return inner.traits
      }
      readonly can = ['several'] as const
      pass = inner.pass
      measure = inner.measure
      async passes(several: Parameters<NonNullable<Session['passes']>>[0]) {
        if (++calls === 30) throw new Error('the line is cut')
        return Promise.all(several.map(each => inner.pass(each)))
      }
      async close() {}
    }
    await expect(fit(new Remote(), { rank: 3, starts: 8 })).rejects.toThrow('the line is cut')
    const made = calls
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(calls).toBe(made)
  })

  it('a limit of time holds where runs share their scans', async () => {
    const session = await remote(gss82)
    const result = await fit(session, { rank: 6, starts: 1_000_000, tolerance: 0, stationarity: 0, maxSeconds: 0.2 })
    expect(result.attempts.length).toBeLessThan(100_000)
  })

  it('chooses a rank without cells too; what needs them is left out', async () => {
    const { recommended, fits } = await chooseRank(await remote(carcinoma), { to: 4 })
    expect(recommended).toBe(3)
    expect(fits.every(({ heldOut }) => heldOut === undefined)).toBe(true)
  })

  it('one session serves several fits of any rank, and stays open', async () => {
    const session = await wasmEngine({ threads: 2 }).open(gss82)
    const alone = await fit(gss82, { rank: 3, threads: 1 })
    for (const rank of [4, 2]) await fit(session, { rank })
    expect((await fit(session, { rank: 3 })).model.parameters).toEqual(alone.model.parameters)
    await expect(fit(session, { rank: 3, threads: 2 })).rejects.toThrow('threads is for a tensor')
    await session.close()
    await expect(fit(session, { rank: 3 })).rejects.toThrow('the session is closed')
  })

  it('several runs in shared scans find what they find alone', async () => {
    const shared = await fit(await remote(gss82), { rank: 3, starts: 6 })
    const alone = await fit(gss82, { rank: 3, starts: 6, engine: referenceEngine })
    expect(shared.attempts).toEqual(alone.attempts)
  })

  it('folds of a choice of the rank are the same bits on any number of threads', async () => {
    const choices = []
    for (const threads of [1, 3]) choices.push(await chooseRank(gss82, { to: 3, threads }))
    const told = choices.map(({ fits }) => fits.map(({ heldOut, bic, result }) => [heldOut, bic, result.loss]))
    expect(told[1]).toEqual(told[0])
  })
})

describe('a single-precision engine', () => {
  const some = conformance.filter(
    ({ name }) => /agrees|measures|alone|closed/.test(name) && !/hundreds|a wide mode/.test(name),
  )
  it.each(some)('conforms at its own precision: $name', async ({ check }) => {
    await check(single)
  })

  it('converges by criteria that it can meet', async () => {
    const result = await fit(carcinoma, { rank: 3, starts: 4, engine: single })
    expect(result.reason).toBe('stationary')
    expect(result.logLikelihood).toBeCloseTo(-293.705, 1)
  })
})
