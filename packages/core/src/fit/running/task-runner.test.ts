import { describe, expect, it } from 'vitest'
import { innerWorkers } from '../../../../../test/inner-workers.ts'
import { roundedEngine } from '../../../../../test/rounded-engine.ts'
import { values } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { EngineError } from '../../errors.ts'
import { mStepSettings } from '../descent/m-step.ts'
import { performTask, type Task, type TaskResult, type TaskSetting } from '../search/tasks.ts'
import type { RunnerHooks } from './runner-hooks.ts'
import { TaskRunner } from './task-runner.ts'
import { taskThread } from './task-thread.ts'

const stopping = { tolerance: 1e-10, stationarity: 1e-6, minGain: 0, maxPasses: 500 }
const setting: TaskSetting = { rank: 2, seed: 3, algorithm: 'accelerated', steps: mStepSettings(values.modes, {}) }
const tasks = [0, 1, 2, 3].map((start): Task => ({ kind: 'start', start, wide: 1, stopping }))
/** For all tests: none of them ends it. */
const inner: Session = { ...(await referenceEngine.open(values)), close: async () => {} }
const alone = await Promise.all(tasks.map(task => performTask(inner, setting, task)))
const lossesOf = (results: readonly TaskResult[]) => results.map(({ run }) => run.loss)

/** A session whose passes fail once there were so many. */
const failingAfter = (most: number, error: Error = new EngineError('the line is cut')): Session => {
  let passes = 0
  return {
    ...inner,
    pass: async (parameters, into) => {
      if (++passes > most) throw error
      return inner.pass(parameters, into)
    },
  }
}

/** Hooks that write down what they are told. */
const watching = (more: Partial<RunnerHooks> = {}) => {
  const told = {
    results: [] as number[],
    tasks: [] as [number, number][],
    failures: [] as string[],
    passes: [] as number[],
  }
  const hooks: RunnerHooks = {
    onResult: ({ run }) => told.results.push(run.loss),
    onTask: (at, { run }) => told.tasks.push([at, run.loss]),
    onFailure: ({ message }) => told.failures.push(message),
    onPass: pass => told.passes.push(pass),
    ...more,
  }
  return { told, hooks }
}

describe('tasks one after the other', () => {
  it('end as each does alone, and are told of in order', async () => {
    const runner = await TaskRunner.of(inner)
    const { told, hooks } = watching()
    expect(await runner.perform(setting, tasks, hooks)).toEqual(alone)
    expect(told.results).toEqual(lossesOf(alone))
    expect(told.tasks).toEqual(lossesOf(alone).map((loss, i) => [i, loss]))
    expect([runner.concurrent, runner.notes, await runner.unitKey('fit')]).toEqual([false, [], undefined])
    expect((await TaskRunner.of({ ...inner, notes: ['slow today'] })).notes).toEqual(['slow today'])
  })

  it('say how far they are now and then, by the work done', async () => {
    const passesOf = async (nanos: number) => {
      const session = { ...inner, traits: { ...inner.traits, nanosPerPass: () => nanos } }
      const { told, hooks } = watching()
      await (await TaskRunner.of(session)).perform(setting, tasks.slice(0, 1), hooks)
      return told.passes
    }
    const all = Array.from({ length: alone[0].run.passes }, (_, i) => i + 1)
    expect(await passesOf(4e6)).toEqual(all)
    // A pass of 1.995 ms, with what is around it, makes two.
    expect(await passesOf(1_995_000)).toEqual(all.filter(pass => pass % 2 === 0))
    expect(await passesOf(1_994_999)).toEqual(all.filter(pass => pass % 3 === 0))
  })

  it('that are stopped end with what there is: with the first, if there is nothing', async () => {
    const runner = await TaskRunner.of(inner)
    const controller = new AbortController()
    const { hooks } = watching({ signal: controller.signal, onTask: at => void (at === 1 && controller.abort()) })
    expect(lossesOf(await runner.perform(setting, tasks, hooks))).toEqual(lossesOf(alone).slice(0, 2))
    const [only, ...none] = await runner.perform(setting, tasks, hooks)
    expect([only.run.reason, only.run.passes, none.length]).toEqual(['stopped', 1, 0])
  })

  it('end with what there is if the engine fails', async () => {
    const passes = alone.slice(0, 2).reduce((sum, { cost }) => sum + cost, 0)
    for (const more of [0, 3]) {
      const { told, hooks } = watching()
      const results = await (await TaskRunner.of(failingAfter(passes + more))).perform(setting, tasks, hooks)
      expect(results.slice(0, 2)).toEqual(alone.slice(0, 2))
      expect(told.failures).toEqual(['the line is cut'])
      // The third has a model as soon as it has had a pass.
      expect(results.slice(2).map(({ run }) => run.reason)).toEqual(more === 0 ? [] : ['failed'])
      expect(told.tasks).toHaveLength(results.length)
    }
    const { hooks } = watching()
    await expect((await TaskRunner.of(failingAfter(0))).perform(setting, tasks, hooks)).rejects.toThrow(
      'the line is cut',
    )
    const fault = failingAfter(passes, new TypeError('a fault'))
    await expect((await TaskRunner.of(fault)).perform(setting, tasks, hooks)).rejects.toThrow(TypeError)
    const { onFailure: _, ...deaf } = hooks
    await expect((await TaskRunner.of(failingAfter(passes))).perform(setting, tasks, deaf)).rejects.toThrow(EngineError)
  })

  it('give up single precision with its first failure, and say so once', async () => {
    const engine = roundedEngine({ failsAfter: 5 })
    const runner = await TaskRunner.of(await engine.open(values))
    const reasons: string[] = []
    const single = { ...setting, single: true }
    const { hooks } = watching({ onFallback: reason => reasons.push(reason) })
    await runner.perform(single, tasks, hooks)
    await runner.perform(single, tasks, hooks)
    expect([reasons, engine.passed.single]).toEqual([['the device was lost'], 6])
    const other = roundedEngine()
    const given = await TaskRunner.of(await other.open(values))
    given.giveUpSingle()
    await given.perform(single, tasks, hooks)
    expect(other.passed.single).toBe(0)
  })
})

describe('tasks in shared scans', () => {
  const scanning = (most = Number.POSITIVE_INFINITY) => {
    const seen = { scans: 0, most: 0 }
    const session: Session = {
      ...inner,
      can: ['several'],
      passes: async several => {
        seen.scans++
        seen.most = Math.max(seen.most, several.length)
        if (seen.scans > most) throw new EngineError('the line is cut')
        return Promise.all(several.map(each => inner.pass(each)))
      },
    }
    return { session, seen }
  }

  it('end as each does alone, in as many scans as the longest has passes', async () => {
    const { session, seen } = scanning()
    const { told, hooks } = watching()
    expect(await (await TaskRunner.of(session)).perform(setting, tasks, hooks)).toEqual(alone)
    expect(seen).toEqual({ scans: Math.max(...alone.map(({ cost }) => cost)), most: 4 })
    expect(told.tasks).toEqual(lossesOf(alone).map((loss, i) => [i, loss]))
    expect(told.results.sort()).toEqual(lossesOf(alone).sort())
    // One task alone shares with nobody.
    await (await TaskRunner.of(session)).perform(setting, tasks.slice(0, 1), {})
    expect(seen.scans).toBe(Math.max(...alone.map(({ cost }) => cost)))
  })

  it('all end if one fails, each with what it has; a checkpoint is told of none', async () => {
    const { session } = scanning(4)
    const { told, hooks } = watching()
    const results = await (await TaskRunner.of(session)).perform(setting, tasks, hooks)
    expect(results.map(({ run }) => [run.reason, run.passes])).toEqual(new Array(4).fill(['failed', 4]))
    expect([told.tasks, told.failures]).toEqual([[], new Array(4).fill('the line is cut')])
    const { session: dead } = scanning(0)
    await expect((await TaskRunner.of(dead)).perform(setting, tasks, hooks)).rejects.toThrow('the line is cut')
  })

  it('that are stopped have what was found', async () => {
    const { session, seen } = scanning()
    const controller = new AbortController()
    const { hooks } = watching({ signal: controller.signal })
    const passes = session.passes!
    const stopping_: Session = {
      ...session,
      passes: async several => {
        if (seen.scans === 6) controller.abort()
        return passes(several)
      },
    }
    const results = await (await TaskRunner.of(stopping_)).perform(setting, tasks, hooks)
    expect(results.map(({ run }) => [run.reason, run.passes])).toEqual(new Array(4).fill(['stopped', 7]))
  })
})

/** A session of its own for every test. */
const openPlain = async (): Promise<Session> => {
  const { parallelRuns: _, ...plain } = await wasmEngine({ threads: 1 }).open(values)
  return plain
}
const plain = await openPlain()
const own = await Promise.all(tasks.map(task => performTask(plain, setting, task)))

describe('tasks on threads', () => {
  const opened = async (nanos = 1e9) => {
    const threads = innerWorkers(taskThread)
    const session = await openPlain()
    const traits = { ...session.traits, nanosPerPass: () => nanos }
    const runs = { threads: 2, sharedMemory: true, workers: threads.workers }
    const runner = await TaskRunner.of({ ...session, traits, parallelRuns: runs })
    return { ...threads, runner, session }
  }

  it('are done there once they are worth it, with the same bits', async () => {
    const { runner, seen, told: posted } = await opened()
    expect(runner.concurrent).toBe(true)
    const { told, hooks } = watching()
    expect(await runner.perform(setting, tasks.slice(0, 2), hooks)).toEqual(own.slice(0, 2))
    expect(seen.made).toBe(0)
    // One task is not worth a thread.
    await runner.perform(setting, tasks.slice(0, 1), {})
    expect(seen.made).toBe(0)
    expect(await runner.perform(setting, tasks, hooks)).toEqual(own)
    expect(seen.made).toBe(2)
    expect(posted.filter(({ kind }) => kind === 'task').map(({ task }) => task)).toEqual(
      tasks.map(task => ({ data: 0, setting, task })),
    )
    expect(told.results.slice(2).sort()).toEqual(lossesOf(own).sort())
    expect(told.tasks.slice(2).sort(([a], [b]) => a - b)).toEqual(lossesOf(own).map((loss, i) => [i, loss]))
    await runner.close()
    expect(seen.ended).toBe(2)
    const { runner: small, seen: none } = await opened(10)
    await small.perform(setting, tasks, {})
    await small.perform(setting, tasks, {})
    expect(none.made).toBe(0)
    await small.close()
  })

  it('have the values of a runner that was reweighted from another, until that is closed', async () => {
    const { runner, told, session } = await opened()
    await runner.perform(setting, tasks.slice(0, 2), {})
    const other = values.values.map((value, i) => value + (i % 3))
    const reweighted = await runner.reweighted(other)
    const there = await session.reweight!(other)
    const expected = await Promise.all(tasks.map(task => performTask(there, setting, task)))
    expect(await reweighted.perform(setting, tasks, {})).toEqual(expected)
    await reweighted.perform(setting, tasks, {})
    expect(told.flatMap(({ kind, key }) => (kind === 'setup' ? [key] : [])).sort()).toEqual([0, 0, 1, 1])
    await reweighted.close()
    // One that was never on threads is nothing that they could forget.
    await (await runner.reweighted(other)).close()
    expect(await runner.perform(setting, tasks, {})).toEqual(own)
    expect(told.flatMap(({ kind, key }) => (kind === 'forget' ? [key] : []))).toEqual([1, 1])
    await runner.close()
    await there.close()
  })

  it('that are stopped before anything was done begin here, and end after a pass', async () => {
    const { runner, seen } = await opened()
    await runner.perform(setting, tasks.slice(0, 2), {})
    const [only, ...none] = await runner.perform(setting, tasks, { signal: AbortSignal.abort() })
    expect([only.run.reason, only.run.passes, none.length, seen.made]).toEqual(['stopped', 1, 0, 0])
    await runner.close()
  })

  it('fail with the engine', async () => {
    const { runner } = await opened()
    await runner.perform(setting, tasks.slice(0, 2), {})
    // Of a model that makes the data impossible there is no run.
    const zeros = {
      rank: 2,
      shares: Float64Array.of(0.5, 0.5),
      factors: values.shape.map(() => Float64Array.of(0, 0, 1, 1)),
    }
    const bad: Task = { kind: 'from', from: zeros, stopping }
    await expect(runner.perform(setting, [tasks[0], bad], {})).rejects.toThrow(
      /^a web worker failed: init makes a cell of the data impossible/,
    )
    await runner.close()
  })
})
