import { describe, expect, it } from 'vitest'
import { acm, gss82 } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { AbortError, EngineError, throwIfStopped } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { tensorFromArray } from '../../tensor/dense.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { constraintProjector } from './constraint-projector.ts'
import { mStepOf } from './m-step.ts'
import { isHopeless, notBegun, run } from './run.ts'
import type { RunOptions } from './run-options.ts'

const stopping = { tolerance: 1e-12, stationarity: 1e-7, minGain: 0, maxPasses: 5000 }
const runOn = async (
  tensor: Tensor,
  start: Parameters,
  more: Partial<RunOptions> = {},
  change: (session: Session) => Session = session => session,
) => {
  const steps = tensor.shape.map(() => mStepOf({ added: 0, width: 0 }))
  const session = change(await referenceEngine.open(tensor))
  return run(session, start, { stopping, algorithm: 'accelerated', steps, ...more })
}

/** A session whose pass of a number says what it is told to. */
const atPass =
  (number: number, happens: (logLikelihood: number) => number) =>
  (session: Session): Session => {
    let passes = 0
    return {
      ...session,
      pass: async (...given) => {
        const found = await session.pass(...given)
        if (++passes === number) found.logLikelihood = happens(found.logLikelihood)
        return found
      },
    }
  }

describe('a run above its target', () => {
  it('is hopeless if twelve more steps at its present speed would not get it there', () => {
    // Ten entries, the last four steps come down by 1 each.
    const trace = [90, 80, 70, 60, 50, 44, 43, 42, 41, 40]
    expect([27.9, 28, 28.1].map(target => isHopeless(trace, target))).toEqual([true, false, false])
    expect(isHopeless(trace, 41)).toBe(false)
    expect(isHopeless(trace.slice(1), 0)).toBe(false)
    expect(isHopeless(trace, undefined)).toBe(false)
    // One that stands still is where it is.
    expect([40, 39.9].map(target => isHopeless(new Array(10).fill(40), target))).toEqual([false, true])
    // The speed is that of the last four steps.
    expect(isHopeless([90, 80, 70, 60, 50, 60, 43, 42, 41, 40], -19)).toBe(false)
  })
})

describe('classes that are alike at the end of a run', () => {
  const alike = (tensor: Tensor, rank: number): Parameters => ({
    rank,
    shares: new Float64Array(rank).fill(1 / rank),
    factors: tensor.marginals.map(sums =>
      Float64Array.from([...sums].flatMap(sum => new Array<number>(rank).fill(sum / tensor.total))),
    ),
  })

  it('stay if nothing tells them apart, and what that took is counted', async () => {
    const flat = tensorFromArray([
      [2, 4],
      [3, 6],
    ])
    const { parameters, trace, passes } = await runOn(flat, alike(flat, 2))
    for (const factor of parameters.factors) expect([factor[0], factor[2]]).toEqual([factor[1], factor[3]])
    expect(trace.length).toBeLessThan(passes)
  })

  it('are moved apart if that helps, and the course of both parts is one', async () => {
    const { objective, trace, passes } = await runOn(acm, alike(acm, 2))
    expect(trace.at(-1)).toBe(objective)
    expect(trace.length).toBeGreaterThan(10)
    expect(trace.every((each, i) => i === 0 || each <= trace[i - 1])).toBe(true)
    expect(passes).toBeGreaterThan(trace.length)
  })

  it('are a result too if the run is stopped before they were moved apart', async () => {
    const reasons = new Set<string>()
    for (let number = 1; number <= 6; number++) {
      const controller = new AbortController()
      const listening = (session: Session): Session => ({
        ...session,
        pass: async (parameters, into, signal) => {
          throwIfStopped(signal)
          return session.pass(parameters, into)
        },
      })
      const onPass = (pass: number) => void (pass === number && controller.abort())
      const { reason, loss } = await runOn(acm, alike(acm, 2), { onPass, signal: controller.signal }, listening)
      expect(Number.isFinite(loss)).toBe(true)
      reasons.add(reason)
    }
    expect(reasons).toEqual(new Set(['stopped', 'stationary']))
  })

  it('stay if constraints are what makes them so', async () => {
    const tied = acm.shape.map((_, mode) => [0, 1].map(k => ({ mode, class: k, labels: [0, 1] })))
    const { passes, reason } = await runOn(acm, alike(acm, 2), {
      projector: constraintProjector({ named: false, fixed: [], tied }),
    })
    const free = await runOn(acm, alike(acm, 2))
    expect(reason).toBe('stationary')
    expect(passes).toBeLessThanOrEqual(4)
    expect(free.passes).toBeGreaterThan(10)
  })
})

describe('the passes of a run', () => {
  it('are one for each model without zeros and equal classes', async () => {
    const { passes, trace, reason } = await runOn(gss82, randomStart(gss82.shape, 2, 1, 0), {
      algorithm: 'em',
      stopping: { ...stopping, tolerance: 1e-9, stationarity: 1e-4 },
    })
    expect([passes, reason]).toEqual([trace.length, 'stationary'])
  })

  it("are EM's own if a single mode is smoothed: then there is no objective that falls", async () => {
    const steps = gss82.shape.map((_, n) => mStepOf({ added: 0, width: n === 0 ? 0.5 : 0 }))
    const start = randomStart(gss82.shape, 2, 1, 0)
    const smoothed = (algorithm: 'em' | 'accelerated') =>
      runOn(gss82, start, { steps, algorithm, stopping: { ...stopping, maxPasses: 60 } })
    const { trace, parameters } = await smoothed('accelerated')
    expect(trace.length).toBeGreaterThan(30)
    expect({ trace, parameters }).toEqual(
      await smoothed('em').then(em => ({ trace: em.trace, parameters: em.parameters })),
    )
  })

  it('are never above their limit, also where zeros are checked', async () => {
    const good = await runOn(acm, randomStart(acm.shape, 2, 1, 0))
    const factors = good.parameters.factors.map(factor => factor.slice())
    factors[0].set([1, 0.5, 0, 0.5])
    const limited = (maxPasses: number) =>
      runOn(
        acm,
        { ...good.parameters, factors },
        { stopping: { ...stopping, tolerance: 1e-3, stationarity: 1, maxPasses } },
      )
    const { passes: most } = await limited(5000)
    expect(most).toBeGreaterThan(4)
    for (let maxPasses = 2; maxPasses <= most + 4; maxPasses++)
      expect((await limited(maxPasses)).passes).toBeLessThanOrEqual(maxPasses)
  })
})

describe('a run in single precision', () => {
  const start = randomStart(gss82.shape, 2, 1, 0)

  it('ends where the loss seems to rise by more than rounding, before that', async () => {
    const rough = { rough: true, stopping: { ...stopping, maxPasses: 15 } }
    const whole = await runOn(gss82, start, rough)
    expect(whole.reason).toBe('passes')
    const risen = await runOn(
      gss82,
      start,
      rough,
      atPass(9, found => found - 1000),
    )
    expect([risen.reason, risen.passes, risen.trace]).toEqual(['stalled', 9, whole.trace.slice(0, 8)])
    expect(risen.loss).toBe(whole.trace[7])
    // What is within rounding is none, and neither is a rise in double precision, where EM's own step has none.
    expect(
      (
        await runOn(
          gss82,
          start,
          rough,
          atPass(9, found => found * (1 + 1e-17)),
        )
      ).reason,
    ).toBe('passes')
    expect(
      (
        await runOn(
          gss82,
          start,
          { stopping: { ...stopping, maxPasses: 15 } },
          atPass(9, found => found - 1000),
        )
      ).passes,
    ).toBe(15)
  })

  it('ends once ten steps tell no more than rounding', async () => {
    const single = (session: Session): Session => ({ ...session, traits: { ...session.traits, precision: 1e-4 } })
    const { reason, trace } = await runOn(gss82, start, { rough: true, algorithm: 'em' }, single)
    expect(reason).toBe('stalled')
    const fall = (from: number) => trace[from] - trace[from + 10]
    const rounding = (at: number) => 1e-4 * Math.max(1, Math.abs(trace[at]))
    expect(fall(trace.length - 11)).toBeLessThanOrEqual(rounding(trace.length - 1))
    for (let i = 0; i < trace.length - 11; i++) expect(fall(i)).toBeGreaterThan(rounding(i + 10))
  })

  it('that begins with what cannot be is none, and is no error', async () => {
    const zeros = {
      ...start,
      factors: start.factors.map((factor, n) => (n === 0 ? Float64Array.of(0, 0, 0.5, 0.5, 0.5, 0.5) : factor)),
    }
    expect(await runOn(gss82, zeros, { rough: true })).toEqual(notBegun(zeros, 1, 'stalled'))
    await expect(runOn(gss82, zeros)).rejects.toThrow(
      'init makes a cell of the data impossible, and EM cannot leave a zero: start from a model without zeros there',
    )
    const projector = constraintProjector({ named: false, fixed: [], tied: [] })
    await expect(runOn(gss82, zeros, { projector })).rejects.toThrow(
      'constraints make a cell of the data impossible in every class: it was seen, so one of them is wrong',
    )
    expect(notBegun(zeros, 3, 'failed')).toMatchObject({
      loss: Number.POSITIVE_INFINITY,
      trace: [],
      passes: 3,
      estimatedGain: undefined,
      reason: 'failed',
    })
  })
})

describe('a run whose pass fails', () => {
  const start = randomStart(gss82.shape, 2, 1, 0)
  const throwing = (number: number, error: Error) =>
    atPass(number, () => {
      throw error
    })

  it('ends with the last model whose loss is known', async () => {
    const whole = await runOn(gss82, start)
    for (const [error, reason] of [
      [new EngineError('cut'), 'failed'],
      [new AbortError(), 'stopped'],
    ] as const) {
      // biome-ignore format: a table
      const ended = await runOn(gss82, start, {}, throwing(12, error))
      expect([ended.reason, ended.passes, ended.trace]).toEqual([reason, 11, whole.trace.slice(0, 11)])
      expect(ended.loss).toBe(whole.trace[10])
      expect(Number.isFinite(ended.stationarity)).toBe(true)
      expect(ended.failure).toBe(reason === 'failed' ? error : undefined)
      // Without one it fails itself.
      await expect(runOn(gss82, start, {}, throwing(1, error))).rejects.toBe(error)
    }
    await expect(runOn(gss82, start, {}, throwing(12, new TypeError('a fault')))).rejects.toThrow(TypeError)
  })
})
