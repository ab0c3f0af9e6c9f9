import { describe, expect, it } from 'vitest'
import { roundedEngine } from '../../../../../test/rounded-engine.ts'
import { carcinoma } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { throwIfStopped } from '../../errors.ts'
import { lossOffset } from '../../model/loss.ts'
import { randomStart } from '../../model/random.ts'
import { fit } from '../fit.ts'
import { constraintProjector } from './constraint-projector.ts'
import { mStepOf } from './m-step.ts'
import { runByPrecision } from './precision.ts'
import { run } from './run.ts'
import type { RunOptions } from './run-options.ts'

/** Of the engine with errors as single precision has them; the slow tests do it for more data. */
const options = { rank: 2, seed: 1, starts: 3 } as const

describe('single precision', () => {
  it('ends at the optimum of double precision, with the passes of both', async () => {
    const engine = roundedEngine()
    const seen: number[] = []
    const init = (await fit(carcinoma, { ...options, engine: referenceEngine, starts: 1, maxPasses: 3 })).model
    const single = await fit(carcinoma, {
      rank: 2,
      init,
      engine,
      precision: 'single',
      onProgress: ({ passes }) => void seen.push(passes),
    })
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
    const constraints = {
      fixed: [{ mode: carcinoma.modes[0].name, label: carcinoma.modes[0].label(0), class: 1, probability: 0.9 }],
    }
    for (const more of [{ maxPasses: 5 }, { constraints }]) {
      const engine = roundedEngine()
      const { model } = await fit(carcinoma, { ...options, ...more, engine, precision: 'single' })
      expect(engine.passed.single).toBe(0)
      expect(model.parameters).toEqual(
        (await fit(carcinoma, { ...options, ...more, engine: referenceEngine })).model.parameters,
      )
    }
  })
})

describe('a run that begins in single precision', () => {
  const steps = carcinoma.shape.map(() => mStepOf({ added: 0, width: 0 }))
  const start = randomStart(carcinoma.shape, 2, 1, 0)
  const stopping = { tolerance: 1e-12, stationarity: 1e-6, minGain: 0, maxPasses: 500 }
  const runOn = async (
    more: Omit<Partial<RunOptions>, 'stopping'> & { readonly stopping?: object } = {},
    failsAfter = Number.POSITIVE_INFINITY,
    change: (single: Session) => Session = single => single,
  ) => {
    const engine = roundedEngine({ failsAfter })
    const session = await engine.open(carcinoma)
    const passes: number[] = []
    const options: RunOptions = {
      algorithm: 'accelerated',
      steps,
      onPass: pass => void passes.push(pass),
      ...more,
      stopping: { ...stopping, ...more.stopping },
    }
    const found = await runByPrecision(session, session.single && change(session.single), start, options)
    return { found, passed: { ...engine.passed }, passes }
  }
  const counted = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const lossAt = async (parameters: typeof start) =>
    lossOffset(carcinoma.total) - (await (await referenceEngine.open(carcinoma)).pass(parameters)).logLikelihood

  it('stays there if it is preliminary, however few passes it has, and says so', async () => {
    const { found, passed } = await runOn({ stopping: { maxPasses: 6, preliminary: true } })
    expect([found.rough, found.reason, found.passes, passed]).toEqual([1e-7, 'passes', 6, { single: 6, double: 0 }])
    expect(found).not.toHaveProperty('fallback')
    expect(found.loss).toBeCloseTo(await lossAt(found.parameters), 3)
  })

  it('leaves four passes to double, whose loss and trace it has, and counts all', async () => {
    const { found, passed, passes } = await runOn({ stopping: { maxPasses: 30, tolerance: 0 } })
    expect([found.passes, passed, passes]).toEqual([30, { single: 26, double: 4 }, counted(30)])
    expect(found).not.toHaveProperty('rough')
    expect(found.trace).toHaveLength(4)
    expect(found.loss).toBeCloseTo(await lossAt(found.parameters), 10)
    expect(found.trace.at(-1)).toBe(found.objective)
  })

  it('is in double alone with fewer than eight passes, constraints, or if single precision does not suit', async () => {
    const alone = async (...given: Parameters<typeof runOn>) => {
      const { found, passed, passes } = await runOn(...given)
      expect(passes).toEqual(counted(passed.double))
      return [passed.single, found.passes === passed.double]
    }
    expect(await alone({ stopping: { maxPasses: 7 } })).toEqual([0, true])
    expect((await runOn({ stopping: { maxPasses: 8, tolerance: 0 } })).passed).toEqual({ single: 4, double: 4 })
    const projector = constraintProjector({ named: false, fixed: [], tied: [] })
    expect(await alone({ projector })).toEqual([0, true])
    const smooth = carcinoma.shape.map((_, n) => mStepOf({ added: 0, width: n === 2 ? 1 : 0 }))
    expect(await alone({ steps: smooth, stopping: { maxPasses: 20 } })).toEqual([0, true])
    expect(await alone({}, undefined, single => ({ ...single, suits: rank => rank > 2 }))).toEqual([0, true])
    expect(
      (await runOn({}, undefined, single => ({ ...single, suits: rank => rank === 2 }))).passed.single,
    ).toBeGreaterThan(0)
    const plain = await run(await referenceEngine.open(carcinoma), start, { algorithm: 'accelerated', steps, stopping })
    const { found } = await runOn({ projector })
    expect(found.parameters).toEqual(plain.parameters)
  })

  it('goes on in double from the last model if single precision fails, or from the start', async () => {
    const first = await runOn({}, 0)
    const plain = await run(await referenceEngine.open(carcinoma), start, { algorithm: 'accelerated', steps, stopping })
    expect(first.found).toEqual({ ...plain, fallback: 'the device was lost' })
    expect(first.passed.double).toBe(plain.passes)
    const later = await runOn({}, 12)
    expect(later.found.fallback).toBe('the device was lost')
    expect([later.passes, later.found.passes]).toEqual([counted(later.found.passes), 12 + later.passed.double])
    // The models of the twelve passes are not lost.
    expect(later.found.trace[0]).toBeLessThan(plain.trace[9])
    expect(later.found.loss).toBeCloseTo(plain.loss, 8)
    // So is a preliminary run, which is then in double.
    const brief = await runOn({ stopping: { maxPasses: 20, tolerance: 0, preliminary: true } }, 5)
    expect([brief.found.rough, brief.found.passes, brief.passed.double]).toEqual([undefined, 20, 15])
    expect(brief.found.fallback).toBe('the device was lost')
    const short = await runOn({ stopping: { maxPasses: 20, tolerance: 0, preliminary: true } }, 19)
    expect([short.found.passes, short.passed.double]).toEqual([21, 2])
  })

  it('that is stopped has a last pass in double', async () => {
    const controller = new AbortController()
    const engine = roundedEngine()
    const opened = await engine.open(carcinoma)
    const pass: Session['pass'] = async (parameters, into, signal) => {
      throwIfStopped(signal)
      return opened.pass(parameters, into)
    }
    const onPass = (count: number) => void (count === 9 && controller.abort())
    const options: RunOptions = { algorithm: 'accelerated', steps, stopping, signal: controller.signal }
    const found = await runByPrecision({ ...opened, pass }, opened.single, start, { ...options, onPass })
    expect([found.reason, found.passes, engine.passed]).toEqual(['stopped', 10, { single: 9, double: 1 }])
    expect(found.loss).toBeCloseTo(await lossAt(found.parameters), 10)
    // Nobody need listen.
    const { signal: _, ...free } = options
    expect((await runByPrecision(opened, opened.single, start, free)).reason).toBe('stationary')
  })

  it('throws what is no failure of the engine', async () => {
    const faulty = (single: Session): Session => ({ ...single, pass: () => Promise.reject(new RangeError('a fault')) })
    await expect(runOn({}, undefined, faulty)).rejects.toThrow(RangeError)
  })
})
