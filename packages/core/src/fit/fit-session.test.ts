import { describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../test/tables.ts'
import type { Session } from '../engine/engine.ts'
import { referenceEngine } from '../engine/reference.ts'
import { EngineError } from '../errors.ts'
import { lossOffset } from '../model/loss.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import { openCheckpoint } from './checkpoint/checkpoint.ts'
import type { Progress } from './fit-options.ts'
import { fitSession } from './fit-session.ts'
import { memoryOfFit } from './memory-plan.ts'
import { TaskRunner } from './running/task-runner.ts'
import { CONSTRAINED_STARTS } from './search-plan.ts'

/** For all tests: none of them ends it. */
const inner: Session = { ...(await referenceEngine.open(carcinoma)), close: async () => {} }
const fitted = async (options: Parameters<typeof fitSession>[1], session: Session = inner) =>
  fitSession(await TaskRunner.of(session), options)

/** What is told of a fit while it runs. */
const progressOf = async (options: Parameters<typeof fitSession>[1], session: Session = inner) => {
  const events: Progress[] = []
  const result = await fitted({ ...options, onProgress: event => events.push(event) }, session)
  return { events, result }
}

describe('the progress of a fit', () => {
  it('is told with every run that has ended', async () => {
    const { events, result } = await progressOf({ rank: 2, starts: 3 })
    const { attempts } = result
    expect(result.starts).toBe(attempts.filter(({ origin }) => origin !== 'recombined').length)
    expect(events).toEqual(
      attempts.map(({ passes, loss }, i) => ({
        rank: 2,
        phase: 'starts',
        runs: i + 1,
        pass: passes,
        loss,
        best: Math.min(...attempts.slice(0, i + 1).map(each => each.loss)),
        passes: attempts.slice(0, i + 1).reduce((sum, each) => sum + each.passes, 0),
        maxPasses: Number.MAX_SAFE_INTEGER,
      })),
    )
    expect(result.totalPasses).toBe(events[2].passes)
  })

  it('is told within runs too, if passes take long; before the first has ended nothing is best', async () => {
    const slow: Session = { ...inner, traits: { ...inner.traits, nanosPerPass: () => 1e7 } }
    const { events, result } = await progressOf({ rank: 2, starts: 2 }, slow)
    const [first] = result.attempts
    expect(events.slice(0, first.passes).map(({ pass }) => pass)).toEqual(
      Array.from({ length: first.passes }, (_, i) => i + 1),
    )
    for (const { runs, best, passes } of events.slice(0, first.passes))
      expect([runs, best, passes]).toEqual([0, Number.POSITIVE_INFINITY, 0])
    expect(events[first.passes]).toMatchObject({ runs: 1, best: first.loss, passes: first.passes, pass: first.passes })
    expect(events[first.passes + 1]).toMatchObject({ runs: 1, best: first.loss, passes: first.passes, pass: 1 })
  })

  it('has the phases of a search, and whole passes', async () => {
    const { events, result } = await progressOf({ rank: 3, maxPasses: 900, seed: 2 })
    expect(new Set(events.map(({ phase }) => phase))).toEqual(new Set(['starts', 'finish', 'recombination']))
    expect(events.every(({ passes, maxPasses }) => Number.isInteger(passes) && maxPasses === 900)).toBe(true)
    expect(events.at(-1)?.passes).toBe(result.totalPasses)
  })
})

describe('the result of a fit', () => {
  it('is frozen, and of the run that is best', async () => {
    const result = await fitted({ rank: 2, starts: 4 })
    for (const each of [result, result.trace, result.attempts, result.optima, result.notes, result.verdict])
      expect(Object.isFrozen(each)).toBe(true)
    const { logLikelihood } = await inner.pass(result.model.parameters)
    expect(result.loss).toBeCloseTo(lossOffset(carcinoma.total) - logLikelihood, 9)
    expect(result.logLikelihood).toBeCloseTo(logLikelihood, 9)
    expect(result.passes).toBe(result.attempts.find(({ loss }) => loss === result.loss)?.passes)
    expect(result.trace.at(-1)).toBe(result.objective)
    expect([...result.model.shares].sort((a, b) => b - a)).toEqual([...result.model.shares])
    expect([result.stopped, result.converged, result.reason]).toEqual([false, true, 'stationary'])
  })

  it('of one class is a closed form, unless something else is wanted of it', async () => {
    const one = await fitted({ rank: 1 })
    expect([one.passes, one.totalPasses, one.verdict.text]).toEqual([
      1,
      1,
      expect.stringMatching(/^closed form: the global optimum/),
    ])
    const { name } = carcinoma.modes[0]
    for (const more of [
      { init: one.model },
      { pseudoCounts: 0.5 },
      { constraints: { fixed: [{ mode: name, label: 0, probability: 0.3 }] } },
    ])
      expect((await fitted({ rank: 1, starts: 2, ...more })).verdict.text).not.toContain('closed form')
    expect((await fitted({ rank: 1, init: one.model })).verdict.text).toMatch(
      /^one start, from the model that was given/,
    )
  })

  it('with constraints is that of forty starts, whose classes keep the order that these name them in', async () => {
    const { name } = carcinoma.modes[0]
    const of = (label: number, k?: number) =>
      fitted({ rank: 2, constraints: { fixed: [{ mode: name, label, probability: 0.05, ...(k && { class: k }) }] } })
    const [first, second] = [await of(0, 1), await of(0, 2)]
    expect([first.attempts.length, CONSTRAINED_STARTS]).toEqual([40, 40])
    // The same model, with its classes in the other order.
    expect(first.loss).toBeCloseTo(second.loss, 7)
    expect(first.model.shares[0]).toBeCloseTo(second.model.shares[1], 3)
    expect([first.model.profile(name, 0)[0], second.model.profile(name, 1)[0]]).toEqual([0.05, 0.05])
    // Without a class they are sorted.
    const all = await of(0)
    expect(all.model.shares[0]).toBeGreaterThanOrEqual(all.model.shares[1])
    expect(
      (await fitted({ rank: 2, starts: 3, constraints: { zero: [{ mode: name, label: 0, class: 1 }] } })).attempts,
    ).toHaveLength(3)
  })

  it('says what was done otherwise: by the session, for memory', async () => {
    const noted: Session = { ...inner, notes: ['slow today'] }
    expect((await fitted({ rank: 2, starts: 1 }, noted)).notes).toEqual(['slow today'])
    const large = tensorFromColumns(
      [
        [0, 1, 2],
        [0, 1, 1],
      ],
      [3, 4, 5],
      { shape: [300_000, 2] },
    )
    const session = await referenceEngine.open(large)
    const brief = { rank: 2, starts: 1, maxPasses: 2 }
    const { usual } = memoryOfFit(large, brief)
    expect((await fitted({ ...brief, memory: usual - 1 }, session)).notes).toEqual([
      'the memory limit leaves room for 2 of 3 steps of history: the search may take longer or find less',
    ])
  })

  it('comes with the error if the engine fails, and tells what to do', async () => {
    let passes = 0
    const failing: Session = {
      ...inner,
      pass: async (parameters, into) => {
        if (++passes > 9) throw new EngineError('the line is cut')
        return inner.pass(parameters, into)
      },
    }
    const checkpoint = openCheckpoint({ store: () => {}, every: 100 })
    const runner = await TaskRunner.of(failing, checkpoint)
    const error = await fitSession(runner, { rank: 2, starts: 3 }).catch((thrown: unknown) => thrown)
    // What is not whole is not kept.
    expect(checkpoint.units.done).toBe(0)
    await checkpoint.close()
    expect(error).toBeInstanceOf(EngineError)
    const { partial, message } = error as EngineError<Awaited<ReturnType<typeof fitted>>>
    expect(message).toBe('the line is cut')
    expect(partial).toMatchObject({ reason: 'failed', passes: 9, stopped: false, converged: false })
    expect(partial?.verdict.advice).toEqual([
      'the engine failed before it converged: go on from it with init',
      'the search was cut short: give it more time',
    ])
  })

  it('that was stopped says so', async () => {
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const { stopped, attempts, verdict } = await fitted({ rank: 2, starts: 9, signal: controller.signal, onProgress })
    expect([stopped, attempts.length]).toEqual([true, 1])
    expect(verdict.advice).toEqual(['the search was cut short: give it more time'])
  })
})
