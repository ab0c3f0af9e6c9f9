import { describe, expect, it } from 'vitest'
import { carcinoma } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import type { PlacedDescents } from '../../engine/placed-descent.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { SweepPool } from '../../engine/sweeps/sweeps.ts'
import { AbortError } from '../../errors.ts'
import { lossOffset } from '../../model/loss.ts'
import { randomStart } from '../../model/random.ts'
import { deviceEvaluator } from './device-evaluator.ts'
import { mStepOf } from './m-step.ts'
import { newPoint, setParameters, statisticsOf, takeStatistics } from './point.ts'
import { run } from './run.ts'
import type { RunOptions } from './run-options.ts'
import { stationarity } from './stationarity.ts'

const plain = await referenceEngine.open(carcinoma)
const traits = { ...plain.traits, precision: 1e-7 }
const steps = carcinoma.shape.map(() => mStepOf({ added: 0, width: 0 }))
const stopping = { tolerance: 1e-10, stationarity: 1e-5, minGain: 0, maxPasses: 400 }
const options: RunOptions = { stopping, algorithm: 'accelerated', steps, rough: true }
const start = randomStart(carcinoma.shape, 3, 1, 2)

/** Descents that keep their points themselves, in memory: what an engine elsewhere does, by the same arithmetic. */
const placed = () => {
  const opened: [number, number][] = []
  const descents: PlacedDescents = {
    async open(rank, pairs) {
      opened.push([rank, pairs])
      const sweeps = new SweepPool().borrow(carcinoma.shape, rank, pairs)
      const points = [newPoint(sweeps, 0), newPoint(sweeps, 1)]
      const statistics = statisticsOf(sweeps)
      return {
        rank,
        pairs,
        begin: (which, parameters) => setParameters(points[which], parameters),
        shares: which => points[which].shares,
        emUpdate: (from, to) => points[to].values.set(points[from].update),
        pass: async which => {
          await plain.pass(points[which].parameters, statistics)
          takeStatistics(points[which], sweeps, statistics, carcinoma.total, steps)
          return statistics.logLikelihood
        },
        residual: async which => stationarity(points[which]),
        read: async which => {
          const { shares, factors } = points[which].parameters
          return { rank, shares: shares.slice(), factors: factors.map(each => each.slice()) }
        },
        recordStep: (to, ...rest) => sweeps.recordStep(points[to], points[1 - to].shares, ...rest),
        addChanges: (...all) => sweeps.addChanges(...all),
        addSteps: (...all) => sweeps.addSteps(...all),
        stepAlong: (length, from, to) => sweeps.stepAlong(length, points[from], points[to]),
      }
    },
  }
  return { descents, opened }
}

describe('a descent whose points the engine keeps', () => {
  it('takes the same course as one whose points are at hand', async () => {
    for (const algorithm of ['accelerated', 'em'] as const) {
      const { descents, opened } = placed()
      const here: Session = { ...plain, traits }
      const passes: [number, number][] = []
      const onPass = (pass: number, loss: number) => void passes.push([pass, loss])
      const there = await run({ ...here, descents }, start, { ...options, algorithm, onPass })
      expect(there).toEqual(await run(here, start, { ...options, algorithm }))
      expect(there.passes).toBeGreaterThan(15)
      expect(passes.map(([pass]) => pass)).toEqual(Array.from({ length: there.passes }, (_, i) => i + 1))
      expect(passes[0][1]).toBe(there.trace[0])
      const { logLikelihood } = await plain.pass(there.parameters)
      expect(there.loss).toBeCloseTo(lossOffset(carcinoma.total) - logLikelihood, 9)
      // Plain EM remembers no steps.
      expect(opened).toEqual([[3, algorithm === 'em' ? 0 : expect.any(Number)]])
      expect(algorithm === 'em' || opened[0][1] > 0).toBe(true)
    }
  })

  it('remembers no more steps than it may', async () => {
    const { descents, opened } = placed()
    await run({ ...plain, traits, descents }, start, { ...options, pairs: 4 })
    expect(opened).toEqual([[3, 4]])
  })

  it('is not for runs in double precision, or with a prior', async () => {
    const { descents, opened } = placed()
    await run({ ...plain, descents }, start, { ...options, rough: false, stopping: { ...stopping, maxPasses: 5 } })
    const prior = carcinoma.shape.map(() => mStepOf({ added: 0.1, width: 0 }))
    await run({ ...plain, descents }, start, { ...options, steps: prior, stopping: { ...stopping, maxPasses: 5 } })
    expect(opened).toEqual([])
  })

  it('is stopped before a pass, with the last model whose loss is known', async () => {
    const controller = new AbortController()
    const session: Session = { ...plain, traits, descents: placed().descents }
    const onPass = (pass: number) => void (pass === 7 && controller.abort())
    const { reason, passes, trace } = await run(session, start, { ...options, onPass, signal: controller.signal })
    expect([reason, passes, trace.length]).toEqual(['stopped', 7, 7])
    await expect(run(session, start, { ...options, signal: AbortSignal.abort() })).rejects.toThrow(AbortError)
  })

  it('knows how much the objective may seem to rise by rounding', async () => {
    const descent = await placed().descents.open(3, 0)
    const evaluator = deviceEvaluator(descent, carcinoma, 1e-7, options)
    const [point] = evaluator.points
    expect([point.objective, point.loss, evaluator.count]).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      0,
    ])
    point.objective = -2000
    expect(evaluator.rounding(point)).toBeCloseTo(2e-4, 15)
    point.objective = 0.5
    expect(evaluator.rounding(point)).toBe(1e-7)
    const small = deviceEvaluator(descent, { ...carcinoma, total: 0.25 } as never, 1e-7, options)
    expect(small.rounding({ ...point, objective: 0 })).toBe(0.25e-7)
  })
})
