import { describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { AbortError, EngineError } from '../../errors.ts'
import { type Checkpoint, openCheckpoint } from '../checkpoint/checkpoint.ts'
import { unitsOf } from '../checkpoint/open-checkpoint.ts'
import { mStepSettings } from '../descent/m-step.ts'
import { performReplicate, type Replicate } from '../search/replicate.ts'
import { performTask, type Task, type TaskResult, type TaskSetting } from '../search/tasks.ts'
import { performWithCheckpoint, replicateUnknown } from './checkpointed.ts'
import type { RunnerHooks } from './runner-hooks.ts'

/** For all tests: none of them ends it. */
const inner: Session = { ...(await referenceEngine.open(values)), close: async () => {} }
const stopping = { tolerance: 1e-9, stationarity: 1e-5, minGain: 0, maxPasses: 300 }
const setting: TaskSetting = { rank: 2, seed: 3, algorithm: 'accelerated', steps: mStepSettings(values.modes, {}) }
const tasks = [0, 1, 2].map((start): Task => ({ kind: 'start', start, wide: 1, stopping }))
const alone = await Promise.all(tasks.map(task => performTask(inner, setting, task)))

const opened = () => openCheckpoint({ store: () => {}, every: 1e6 })

/** The tasks with a checkpoint; which of them were performed, and what was told. */
const performed = async (
  checkpoint: Checkpoint,
  some: readonly Task[],
  {
    session = inner,
    hooks = {},
    end = result => result,
  }: { session?: Session; hooks?: RunnerHooks; end?: (result: TaskResult, at: number) => TaskResult } = {},
) => {
  const told = { asked: [] as Task[], known: [] as TaskResult[], results: [] as TaskResult[], hooks: {} as RunnerHooks }
  const results = await performWithCheckpoint(
    { units: unitsOf(checkpoint, session), session, setting },
    some,
    { onResult: result => told.results.push(result), ...hooks },
    {
      known: result => told.known.push(result),
      perform: async (unknown, more) => {
        told.asked.push(...unknown)
        told.hooks = more
        const ends: TaskResult[] = []
        for (const [at, task] of unknown.entries()) {
          const result = end(alone[tasks.indexOf(task)], at)
          more.onTask?.(at, result)
          ends.push(result)
        }
        return ends
      },
    },
  )
  return { results, told }
}

describe('tasks with a checkpoint', () => {
  it('are performed if it does not know them, and all results are in the order of the tasks', async () => {
    const checkpoint = opened()
    const first = await performed(checkpoint, [tasks[1]])
    expect(first.told).toMatchObject({ asked: [tasks[1]], known: [], results: [] })
    const { results, told } = await performed(checkpoint, tasks)
    expect(results).toEqual(alone)
    expect(told).toMatchObject({ asked: [tasks[0], tasks[2]], known: [alone[1]], results: [alone[1]] })
    const again = await performed(checkpoint, [...tasks].reverse())
    expect(again.results).toEqual([...alone].reverse())
    expect(again.told.asked).toEqual([])
    expect(checkpoint.units).toEqual({ found: 4, done: 3 })
  })

  it('are known for the same setting on the same data only', async () => {
    const checkpoint = opened()
    await performed(checkpoint, tasks)
    const units = unitsOf(checkpoint, inner)
    const keys = await units.keys('run', setting, tasks)
    expect(keys.every(key => checkpoint.find(key, value => value) !== undefined)).toBe(true)
    expect(new Set(keys).size).toBe(3)
    for (const other of [
      await units.keys('run', { ...setting, seed: 4 }, tasks),
      await units.keys('replicate', setting, tasks),
      await units.reweighted(values.values).keys('run', setting, tasks),
    ])
      for (const key of other) expect(checkpoint.find(key, value => value)).toBeUndefined()
    expect(await unitsOf(opened(), inner).keys('run', setting, tasks)).toEqual(keys)
  })

  it('that share scans are known all together, or not at all', async () => {
    const session: Session = { ...inner, can: ['several'] }
    const checkpoint = opened()
    await performed(checkpoint, tasks.slice(0, 2), { session })
    const some = await performed(checkpoint, tasks, { session })
    expect(some.told).toMatchObject({ asked: tasks, known: [] })
    const all = await performed(checkpoint, tasks, { session })
    expect(all.told.asked).toEqual([])
    expect(all.results).toEqual(alone)
  })

  it('are not kept if they were stopped, or the engine failed', async () => {
    const kept = async (end: (result: TaskResult) => TaskResult, hooks: RunnerHooks = {}) => {
      const checkpoint = opened()
      await performed(checkpoint, tasks.slice(0, 1), { end, hooks })
      return checkpoint.units.done
    }
    expect(await kept(result => result)).toBe(1)
    expect(await kept(({ run, cost }) => ({ run: { ...run, reason: 'stopped' }, cost }))).toBe(0)
    expect(await kept(({ run, cost }) => ({ run: { ...run, failure: new EngineError('gone') }, cost }))).toBe(0)
    expect(await kept(result => result, { signal: AbortSignal.abort() })).toBe(0)
    expect(await kept(result => result, { signal: new AbortController().signal })).toBe(1)
  })

  it('keep how far they are if passes take five milliseconds or more', async () => {
    const session = (nanos: number): Session => ({ ...inner, traits: { ...inner.traits, nanosPerPass: () => nanos } })
    const checkpoint = opened()
    const short = await performed(checkpoint, [tasks[0]], { session: session(4_999_999) })
    expect(short.told.hooks).not.toHaveProperty('partsOf')
    const long = await performed(checkpoint, [tasks[0], tasks[1]], { session: session(5_000_000) })
    const parts = long.told.hooks.partsOf!(0)!
    const first = parts.next()
    expect([first.ended, first.state(value => value)]).toEqual([undefined, undefined])
    first.keep({ so: 'far' })
    expect(first.state(value => value)).toEqual({ so: 'far' })
    first.end(alone[0].run)
    expect(first.state(value => value)).toBeUndefined()
    // The first descent of the same task is known, its second is not.
    const [once, twice] = [long.told.hooks.partsOf!(0)!.next(), parts.next()]
    expect([once.ended, twice.ended]).toEqual([alone[0].run, undefined])
  })

  it('need a rough model of the first only', async () => {
    const checkpoint = opened()
    const salvage = async (hooks: RunnerHooks) =>
      (await performed(checkpoint, [tasks[0]], { hooks: { signal: AbortSignal.abort(), ...hooks } })).told.hooks.salvage
    expect([await salvage({ salvage: true }), await salvage({ salvage: false }), await salvage({})]).toEqual([
      true,
      false,
      false,
    ])
    await performed(checkpoint, [tasks[0]])
    expect((await performed(checkpoint, tasks, { hooks: { salvage: true } })).told.hooks.salvage).toBe(false)
  })

  it('that end with less have what is known first, and fail only if nothing is', async () => {
    const checkpoint = opened()
    await performed(checkpoint, [tasks[2]])
    const ending = (perform: () => Promise<TaskResult[]>, hooks: RunnerHooks = {}, some = tasks) =>
      performWithCheckpoint({ units: unitsOf(checkpoint, inner), session: inner, setting }, some, hooks, {
        known: () => {},
        perform,
      })
    expect(await ending(async () => [alone[0]])).toEqual([alone[2], alone[0]])
    const failures: string[] = []
    const onFailure = ({ message }: EngineError) => void failures.push(message)
    const cut = () => Promise.reject(new EngineError('cut'))
    expect(await ending(cut, { onFailure })).toEqual([alone[2]])
    expect(failures).toEqual(['cut'])
    expect(await ending(() => Promise.reject(new AbortError()))).toEqual([alone[2]])
    await expect(ending(cut)).rejects.toThrow('cut')
    await expect(ending(() => Promise.reject(new TypeError('a fault')), { onFailure })).rejects.toThrow('a fault')
    await expect(ending(cut, { onFailure }, tasks.slice(0, 2))).rejects.toThrow('cut')
    await expect(ending(() => Promise.reject(new AbortError()), {}, tasks.slice(0, 2))).rejects.toThrow(AbortError)
  })
})

describe('replicates with a checkpoint', () => {
  const { parameters: from } = alone[0].run
  const replicates = [1, 2, 3].map(
    (number): Replicate => ({ number, seed: 5, misfit: true, fits: [{ setting, from, starts: 1, stopping }] }),
  )
  const made = async (checkpoint: Checkpoint, some: readonly Replicate[], signal?: AbortSignal, most = 9) => {
    const asked: number[] = []
    let results = 0
    const found = await replicateUnknown(
      unitsOf(checkpoint, inner),
      values.shape,
      some,
      { signal, onResult: () => results++ },
      async (unknown, { onReplicate }) => {
        for (const [at, each] of unknown.slice(0, most).entries()) {
          asked.push(each.number)
          onReplicate!(at, (await performReplicate(inner, each))!)
        }
      },
    )
    return { found, asked, results }
  }

  it('are made if it does not know them', async () => {
    const expected = await Promise.all(replicates.map(each => performReplicate(inner, each)))
    const checkpoint = opened()
    expect(await made(checkpoint, [replicates[1]])).toEqual({ found: [expected[1]], asked: [2], results: 0 })
    expect(await made(checkpoint, replicates)).toEqual({ found: expected, asked: [1, 3], results: 1 })
    expect(await made(checkpoint, replicates)).toEqual({ found: expected, asked: [], results: 3 })
    const deaf = await replicateUnknown(unitsOf(checkpoint, inner), values.shape, replicates, {}, async () => {})
    expect(deaf).toEqual(expected)
    // Those that were stopped are results, but not kept; those that were not made are not there.
    const other = opened()
    const { found } = await made(other, replicates, AbortSignal.abort(), 2)
    expect([found, other.units.done]).toEqual([expected.slice(0, 2), 0])
  })

  it('of which only a ratio matters are kept without their models', async () => {
    const decided = replicates.map(each => ({ ...each, misfit: false, decisive: 3 }))
    const checkpoint = opened()
    const { found } = await made(checkpoint, decided)
    const again = await made(checkpoint, decided)
    expect(again.asked).toEqual([])
    expect(again.found.map(({ fits }) => fits[0].logLikelihood)).toEqual(found.map(({ fits }) => fits[0].logLikelihood))
    expect(again.found[0].fits[0].parameters).toEqual({ rank: 2, shares: new Float64Array(0), factors: [] })
    expect(found[0].fits[0].parameters.factors).toHaveLength(4)
  })
})
