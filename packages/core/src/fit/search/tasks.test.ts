import { describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { AbortError, throwIfStopped } from '../../errors.ts'
import { lossOffset } from '../../model/loss.ts'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { random } from '../../numeric/philox.ts'
import { soften, union } from '../closed-form/merge.ts'
import { principalParameters } from '../closed-form/principal-component.ts'
import { randomCoefficients } from '../covariates/coefficients.ts'
import { mStepSettings } from '../descent/m-step.ts'
import { offspring } from './offspring.ts'
import { performTask, singleFor, type Task, type TaskHooks, type TaskSetting } from './tasks.ts'

const inner = await referenceEngine.open(values)
const stopping = { tolerance: 1e-10, stationarity: 1e-6, minGain: 0, maxPasses: 500 }
const setting: TaskSetting = { rank: 2, seed: 3, algorithm: 'accelerated', steps: mStepSettings(values.modes, {}) }
const startOf = (start: number, rank = 2) => randomStart(values.shape, rank, 3, start)

/** A session that knows the models of its passes; at the pass of a number, something happens. */
const watched = (at = 0, happens = () => {}, nanos = 1000) => {
  const models: Parameters[] = []
  const session: Session = {
    ...inner,
    traits: { ...inner.traits, nanosPerPass: () => nanos },
    pass: async (parameters, into, signal) => {
      models.push({
        ...parameters,
        shares: parameters.shares.slice(),
        factors: parameters.factors.map(each => each.slice()),
      })
      if (models.length === at) happens()
      throwIfStopped(signal)
      return inner.pass(parameters, into)
    },
  }
  return { session, models, ranks: () => models.map(({ rank }) => rank) }
}

const performed = async (task: Task, hooks: TaskHooks = {}, own: Partial<TaskSetting> = {}) => {
  const { session, models, ranks } = watched()
  return { ...(await performTask(session, { ...setting, ...own }, task, hooks)), models, ranks: ranks() }
}

const lossAt = async (parameters: Parameters) => lossOffset(values.total) - (await inner.pass(parameters)).logLikelihood
const near = (own: Parameters, other: Parameters) => {
  expect(own.rank).toBe(other.rank)
  ;[own.shares, ...own.factors].forEach((table, n) => {
    const against = [other.shares, ...other.factors][n]
    for (let i = 0; i < table.length; i++) expect(table[i]).toBeCloseTo(against[i], 12)
  })
}

describe('a task', () => {
  it('from a random start begins there, and costs its passes', async () => {
    const { run, cost, models, ranks } = await performed({ kind: 'start', start: 4, wide: 1, stopping })
    near(models[0], startOf(4))
    expect([cost, run.passes, new Set(ranks)]).toEqual([ranks.length, ranks.length, new Set([2])])
    expect(run.reason).toBe('stationary')
    expect(run.loss).toBeCloseTo(await lossAt(run.parameters), 9)
    const from = await performed({ kind: 'from', from: startOf(4), stopping })
    expect(from.run).toEqual(run)
  })

  it('from a wide start has sixteen passes with more classes, which count by how many there are', async () => {
    const { run, cost, models, ranks } = await performed({ kind: 'start', start: 4, wide: 2.5, stopping })
    near(models[0], startOf(4, 5))
    expect(ranks.slice(0, 17)).toEqual([...new Array(16).fill(5), 2])
    expect(ranks.length).toBe(16 + run.passes)
    expect(cost).toBe((16 * 5) / 2 + run.passes)
    // Half a class is a whole one.
    expect((await performed({ kind: 'start', start: 0, wide: 1.25, stopping })).ranks[0]).toBe(3)
  })

  it('from a child begins between its parents', async () => {
    const [one, other] = [startOf(0), startOf(1)]
    const task: Task = { kind: 'child', one, other, child: 6, target: 1e9, stopping }
    const { models, run, cost } = await performed(task)
    near(models[0], offspring(one, other, principalParameters(values).factors, random(3, 'child', 6)))
    expect(cost).toBe(run.passes)
    expect((await performed({ ...task, target: -1e9 })).run.reason).toBe('abandoned')
  })

  it('from a cross has four passes with the classes of both, and is abandoned above its target', async () => {
    const [one, other] = [startOf(0), startOf(1)]
    const task: Task = { kind: 'cross', one, other, target: 1e9, stopping }
    const { models, ranks, run, cost } = await performed(task)
    near(models[0], soften(union(one, other), 1e-4))
    expect(ranks.slice(0, 5)).toEqual([4, 4, 4, 4, 2])
    expect(cost).toBe(2 * 4 + run.passes)
    expect((await performed({ ...task, target: -1e9 })).run.reason).toBe('abandoned')
  })

  it('from a cross with a fresh start gives that fifteen passes, and keeps it if it is better already', async () => {
    const task: Task = {
      kind: 'cross',
      one: startOf(0),
      other: { start: 5 },
      target: -1e9,
      stopping: { ...stopping, tolerance: 0 },
    }
    const { models, ranks, cost, run } = await performed(task)
    near(models[0], startOf(5))
    expect(ranks.slice(0, 20)).toEqual([...new Array(15).fill(2), 4, 4, 4, 4, 2])
    expect(cost).toBe(15 + 2 * 4 + run.passes)
    // By plain EM, where nothing depends on when acceleration begins.
    const em = await performed(task, {}, { algorithm: 'em' })
    const partner = await performed(
      { kind: 'from', from: startOf(5), stopping: { ...task.stopping, maxPasses: 15 } },
      {},
      { algorithm: 'em' },
    )
    near(em.models[15], soften(union(startOf(0), partner.run.parameters), 1e-4))
    const better = await performed({ ...task, target: 1e9 })
    expect([better.cost, better.run.reason, better.ranks]).toEqual([15, 'passes', new Array(15).fill(2)])
    const few = await performed({ ...task, stopping: { ...stopping, tolerance: 0, maxPasses: 6 } })
    expect(few.ranks.slice(0, 7)).toEqual([2, 2, 2, 2, 2, 2, 4])
  })

  it('is plain EM at first, for fewer passes if it does not begin from nothing', async () => {
    /** How many models are the same with acceleration as without. */
    const alike = async (task: Task) => {
      const [fast, slow] = [await performed(task), await performed(task, {}, { algorithm: 'em' })]
      return fast.models.findIndex((each, i) => [...each.factors[0]].join() !== [...slow.models[i].factors[0]].join())
    }
    const [one, other] = [startOf(0), startOf(1)]
    expect(await alike({ kind: 'start', start: 4, wide: 1, stopping })).toBe(20)
    expect(await alike({ kind: 'start', start: 4, wide: 2.5, stopping })).toBe(16 + 5)
    expect(await alike({ kind: 'child', one, other, child: 6, target: 1e9, stopping })).toBe(5)
    expect(await alike({ kind: 'cross', one, other, target: 1e9, stopping })).toBe(4 + 3)
    expect(await alike({ kind: 'cross', one, other: { start: 5 }, target: 1e9, stopping })).toBe(5)
  })

  it('whose membership is explained has no share in the last mode, and slopes in every other start', async () => {
    const terms = ['intercept', 'x'].map(name => ({ name, factors: [] }))
    const explained = { terms, patterns: 2, values: Float64Array.of(1, -1, 1, 1), counts: values.marginals[3] }
    const passed = async (start: number) => {
      const { models, run } = await performed({ kind: 'start', start, wide: 1, stopping }, {}, { explained })
      expect(run.parameters.factors).toHaveLength(3)
      expect(run.parameters.coefficients).toHaveLength(4)
      return models[0].factors[3]
    }
    const even = await passed(2)
    // Without slopes the memberships of both combinations are the shares.
    const from = randomStart(values.shape.slice(0, 3), 2, 3, 2)
    for (const [i, share] of [...from.shares, ...from.shares].entries()) expect(even[i]).toBeCloseTo(share, 12)
    const odd = await passed(3)
    const [a, b, p, q] = randomCoefficients(2, 2, random(3, 'slopes', 3).uniform)
    const second = [-1, 1].map(x => 1 / (1 + Math.exp(a + p * x - b - q * x)))
    for (const [i, share] of second.flatMap(each => [1 - each, each]).entries()) expect(odd[i]).toBeCloseTo(share, 12)
    expect(Math.abs(odd[0] - odd[2])).toBeGreaterThan(0.01)
  })
})

describe('a task that is stopped', () => {
  const wide: Task = { kind: 'start', start: 4, wide: 2.5, stopping }
  const stoppedAt = (pass: number, task: Task, hooks: TaskHooks, nanos?: number) => {
    const controller = new AbortController()
    const { session, ranks } = watched(pass, () => controller.abort(), nanos)
    return { work: performTask(session, setting, task, { ...hooks, signal: controller.signal }), ranks }
  }

  it('ends with the last model of its rank', async () => {
    const { work, ranks } = stoppedAt(
      30,
      { kind: 'start', start: 4, wide: 1, stopping: { ...stopping, tolerance: 0 } },
      {},
    )
    const { run, cost } = await work
    expect([run.reason, run.passes, cost, ranks().length]).toEqual(['stopped', 29, 29, 30])
    expect(run.loss).toBeCloseTo(await lossAt(run.parameters), 9)
  })

  it('has none while it has other classes, unless any model is better than none', async () => {
    await expect(stoppedAt(5, wide, {}).work).rejects.toThrow(AbortError)
    const { work, ranks } = stoppedAt(5, wide, { salvage: true })
    const { run, cost } = await work
    expect(run.parameters.rank).toBe(2)
    expect(run.reason).toBe('stopped')
    // Four passes of five classes, one that was stopped, and one of two.
    expect(cost).toBe((4 * 5) / 2 + 1)
    expect(ranks()).toEqual([5, 5, 5, 5, 5, 2])
    expect(run.loss).toBeCloseTo(await lossAt(run.parameters), 9)
  })

  it('makes no last pass if that takes long', async () => {
    await expect(stoppedAt(5, wide, { salvage: true }, 150_000_001).work).rejects.toThrow(AbortError)
    expect((await stoppedAt(5, wide, { salvage: true }, 150_000_000).work).run.reason).toBe('stopped')
  })
})

describe('single precision', () => {
  it('is where runs begin if it is asked for, and suits the rank', () => {
    const single = { ...inner, suits: (rank: number) => rank > 3 }
    const session: Session = { ...inner, single }
    expect(singleFor(session, setting)).toBeUndefined()
    expect(singleFor(session, { ...setting, single: true })).toBeUndefined()
    expect(singleFor(session, { ...setting, single: true, rank: 4 })).toBe(single)
    expect(singleFor({ ...inner, single: inner }, { ...setting, single: true })).toBe(inner)
    expect(singleFor(inner, { ...setting, single: true })).toBeUndefined()
  })
})
