import { describe, expect, it } from 'vitest'
import { carcinoma, gss82 } from '../../../../test/tables.ts'
import type { Engine } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { OptionError } from '../errors.ts'
import { modelToJson } from '../file/model-json.ts'
import { Model } from '../model/model.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { principalComponent } from './closed-form/principal-component.ts'
import { fit } from './fit.ts'
import type { Progress } from './fit-options.ts'

describe('fit', () => {
  it('gives the same bits for the same seed, and others for another', async () => {
    const run = async (seed: number) => {
      const { model, trace, attempts } = await fit(carcinoma, { rank: 3, seed, starts: 3 })
      return JSON.stringify([modelToJson(model), trace, attempts])
    }
    expect(await run(4)).toBe(await run(4))
    expect(await run(5)).not.toBe(await run(4))
  })

  it('keeps the best of its starts, in descending weight, and says what it saw', async () => {
    const result = await fit(gss82, { rank: 3, starts: 20 })
    expect(result.loss).toBe(Math.min(...result.attempts.map(({ loss }) => loss)))
    expect(result.attempts).toHaveLength(20)
    expect(result.totalPasses).toBe(result.attempts.reduce((sum, { passes }) => sum + passes, 0))
    expect([...result.model.sizes].sort((a, b) => b - a)).toEqual([...result.model.sizes])
    expect(result.trace.length).toBeLessThanOrEqual(result.passes)
    expect(result.trace.at(-1)).toBe(result.loss)
    expect(result.verdict.reached).toBeGreaterThan(5)
    expect(result.verdict.text).toMatch(
      /^\d+ of 20 starts reached the best solution; estimated chance that a better one exists: [\d.]+%; stationary to \de-\d+$/,
    )
    const alone = await fit(gss82, { rank: 3, starts: 1 })
    expect(alone.verdict.advice).toEqual(['one start says nothing about other optima: raise starts'])
  })

  it('says so when the passes run out', async () => {
    const result = await fit(gss82, { rank: 4, starts: 1, maxPasses: 10 })
    expect(result.converged).toBe(false)
    expect(result.reason).toBe('passes')
    expect(result.passes).toBe(10)
    expect(result.verdict.advice[0]).toMatch(/raise maxPasses/)
  })

  it('starts from a model that is given, and goes on from where it stood', async () => {
    const early = await fit(gss82, { rank: 2, starts: 1, maxPasses: 5 })
    const late = await fit(gss82, { rank: 2, init: early.model })
    expect(late.trace[0]).toBeCloseTo(early.loss, 9)
    expect(late.logLikelihood).toBeCloseTo(-2783.26801, 5)
    const closed = await fit(gss82, { rank: 1 })
    expect(closed.model.parameters).toEqual(principalComponent(gss82).parameters)
    expect(closed.verdict.text).toMatch(/^closed form/)
  })

  it('stops at the next pass when told to, with the best it has, and closes its session', async () => {
    const controller = new AbortController()
    let passes = 0
    let closed = 0
    const engine: Engine = {
      name: 'counting',
      async open(tensor) {
        const session = await referenceEngine.open(tensor)
        return {
          ...session,
          pass: (parameters, into) => {
            if (++passes === 700) controller.abort()
            return session.pass(parameters, into)
          },
          close: async () => {
            closed++
          },
        }
      },
    }
    const result = await fit(gss82, { rank: 4, starts: 50, engine, signal: controller.signal })
    expect(passes).toBe(700)
    expect(closed).toBe(1)
    expect(result.attempts.at(-1)?.reason).toBe('stopped')
    expect(result.attempts.length).toBeLessThan(50)
    expect(result.loss).toBe(Math.min(...result.attempts.map(({ loss }) => loss)))
    await expect(fit(gss82, { rank: 2, signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('a timer can stop it: the event loop gets its turn', async () => {
    const signal = AbortSignal.timeout(30)
    const result = await fit(gss82, { rank: 8, starts: 1_000_000, tolerance: 0, stationarity: 0, signal })
    expect(result.attempts.length).toBeLessThan(1_000_000)
  })

  it('reports its progress', async () => {
    const events: Progress[] = []
    const result = await fit(gss82, { rank: 3, starts: 4, onProgress: event => events.push(event) })
    expect(events.length).toBeGreaterThanOrEqual(4)
    expect(events.at(-1)).toMatchObject({ rank: 3, runs: 4, phase: 'starts', best: result.loss })
    events.slice(1).forEach(({ best }, i) => {
      expect(best).toBeLessThanOrEqual(events[i].best)
    })
  })

  it.each<[string, object, RegExp]>([
    ['rank 0', { rank: 0 }, /rank must be a whole number ≥ 1 \(got 0\)/],
    ['no rank', {}, /rank must be a whole number ≥ 1 \(got undefined\)/],
    ['half a start', { rank: 2, starts: 0.5 }, /starts must be 'auto' or a whole number ≥ 1 \(got 0.5\)/],
    ['a negative seed', { rank: 2, seed: -1 }, /seed must be a whole number ≥ 0 \(got -1\)/],
    ['a negative tolerance', { rank: 2, tolerance: -1 }, /tolerance must be a number ≥ 0 \(got -1\)/],
    ['a misspelt option', { rank: 2, start: 5 }, /fit has no option "start"; it takes rank/],
    [
      'a model of another rank',
      { rank: 2, init: principalComponent(gss82) },
      /init must have 2 classes, as many as are asked for \(got 1\)/,
    ],
    [
      'a model of other modes',
      { rank: 1, init: principalComponent(carcinoma) },
      /the data and init must have the same modes: only the data has "PURPOSE"/,
    ],
    ['something that is no model', { rank: 1, init: {} }, /init must be a Model/],
    ['more classes than cells', { rank: 1000 }, /rank must be at most 33, the number of distinct cells.*\(got 1000\)/],
    ['an engine that is none', { rank: 2, engine: 'wasm' }, /engine must be an engine with a function open/],
    ['a signal that is none', { rank: 2, signal: {} }, /signal must be an AbortSignal \(got an object\)/],
    ['no function for progress', { rank: 2, onProgress: 5 }, /onProgress must be a function \(got 5\)/],
    ['a rank beyond memory', { rank: 1e9 }, /rank must be at most 33/],
  ])('refuses %s', async (_, options, message) => {
    await expect(fit(gss82, options as never)).rejects.toThrow(OptionError)
    await expect(fit(gss82, options as never)).rejects.toThrow(message)
  })

  it('goes on from a start with zeros under a prior, which allows none', async () => {
    const { model } = await fit(carcinoma, { rank: 2, threads: 1 })
    const zeros = model.parameters.factors.map(factor => factor.slice())
    zeros[0].set([1, 0.5, 0, 0.5])
    const init = new Model(carcinoma.modes, { rank: 2, sizes: Float64Array.from(model.sizes), factors: zeros })
    const result = await fit(carcinoma, { rank: 2, init, pseudoCounts: 0.5, threads: 1 })
    expect(result.converged).toBe(true)
    expect(Math.min(...result.model.parameters.factors.flatMap(factor => [...factor]))).toBeGreaterThan(0)
  })

  it('refuses data and options that are none', async () => {
    await expect(fit({} as never, { rank: 2 })).rejects.toThrow(
      'the data must be a tensor or a session (got an object)',
    )
    await expect(fit(gss82, null as never)).rejects.toThrow('fit needs an object of options (got null)')
  })

  it('opens a session on an engine and closes it, also if the fit fails; one that is given stays open', async () => {
    const seen: string[] = []
    const session = { ...(await referenceEngine.open(carcinoma)), close: async () => void seen.push('closed') }
    const engine: Engine = {
      name: 'watched',
      open: async (tensor, signal) => {
        seen.push(`opened ${tensor === carcinoma} ${signal?.aborted}`)
        return session
      },
    }
    const { signal } = new AbortController()
    await fit(carcinoma, { rank: 2, starts: 1, engine, signal })
    expect(seen.splice(0)).toEqual(['opened true false', 'closed'])
    const failing = {
      ...engine,
      open: async () => ({ ...session, pass: () => Promise.reject(new TypeError('a fault')) }),
    }
    await expect(fit(carcinoma, { rank: 2, starts: 1, engine: failing })).rejects.toThrow(TypeError)
    expect(seen.splice(0)).toEqual(['closed'])
    await fit(session, { rank: 2, starts: 1 })
    for (const [more, name] of [
      [{ engine }, 'engine'],
      [{ threads: 2 }, 'threads'],
      [{ engine, threads: 2 }, 'engine'],
    ] as const)
      await expect(fit(session, { rank: 2, ...more })).rejects.toThrow(
        `${name} is for a tensor; a session has been opened on an engine already`,
      )
    expect(seen).toEqual([])
    for (const [data, got] of [
      [null, 'null'],
      [7, '7'],
      ['x', '"x"'],
      [{ indices: [] }, 'an object'],
    ])
      await expect(fit(data as never, { rank: 2 })).rejects.toThrow(
        `the data must be a tensor or a session (got ${got})`,
      )
  })

  it('with a width of smoothing that it chooses is the fit with that width', async () => {
    const modes = ['a', 'b'].map(name => ({ name, labels: [0, 1, 2, 3], ordered: true }))
    const tensor = tensorFromColumns(
      [
        [0, 1, 2, 3, 0, 3],
        [1, 1, 2, 3, 0, 2],
      ],
      [9, 8, 9, 7, 8, 5],
      { modes },
    )
    const { smoothing, ...chosen } = await fit(tensor, { rank: 2, smoothing: 'auto', starts: 2, threads: 1 })
    const plain = await fit(tensor, { rank: 2, smoothing: smoothing!.width, starts: 2, threads: 1 })
    expect(smoothing!.tried.length).toBeGreaterThan(2)
    expect(chosen).toEqual(plain)
    expect(plain).not.toHaveProperty('smoothing')
  })

  it('a closed form has converged, in all that is said of it', async () => {
    const { converged, optima, attempts, reason } = await fit(gss82, { rank: 1 })
    expect([converged, optima[0].converged, attempts[0].reason, reason]).toEqual([
      true,
      true,
      'stationary',
      'stationary',
    ])
  })

  it('keeps to its limit of passes, however many starts', async () => {
    for (const [starts, maxPasses] of [
      [16, 2],
      [30, 40],
      [100, 100],
    ])
      expect((await fit(gss82, { rank: 3, starts, maxPasses, threads: 1 })).totalPasses).toBeLessThanOrEqual(maxPasses)
  })

  it('optima of large counts are told apart by nats, not by parts of the loss', async () => {
    const large = tensorFromColumns(
      gss82.indices,
      gss82.values.map(value => value * 1e7),
      { shape: gss82.shape },
    )
    const { optima, verdict } = await fit(large, { rank: 3, starts: 20, threads: 1 })
    expect(optima.length).toBeGreaterThan(2)
    expect(verdict.ambiguous).toBe(false)
  })

  it('keeps no model of an attempt that lost', async () => {
    const result = await fit(gss82, { rank: 3, starts: 5, threads: 1 })
    for (const attempt of result.attempts) expect(Object.keys(attempt)).not.toContain('run')
    for (const optimum of result.optima) expect(optimum.converged).toBe(true)
  })

  it('refuses a start that makes the data impossible', async () => {
    const model = principalComponent(gss82)
    const factors = model.parameters.factors.map(factor => factor.slice())
    factors[1].set([0, 1])
    const init = new Model(gss82.modes, { rank: 1, sizes: Float64Array.of(1), factors })
    await expect(fit(gss82, { rank: 1, init })).rejects.toThrow(/EM cannot leave a zero/)
  })
})
