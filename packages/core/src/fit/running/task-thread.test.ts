import { describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { mStepSettings } from '../descent/m-step.ts'
import type { Task, TaskResult, TaskSetting } from '../search/tasks.ts'
import { taskThread } from './task-thread.ts'

const stopping = { tolerance: 1e-10, stationarity: 1e-6, minGain: 0, maxPasses: 500 }
const setting: TaskSetting = { rank: 2, seed: 3, algorithm: 'accelerated', steps: mStepSettings(values.modes, {}) }
const first: Task = { kind: 'start', start: 0, wide: 1, stopping }
const { traits } = await wasmEngine({ threads: 1 }).open(values)

describe('a thread that performs tasks', () => {
  it('tells of passes by the work done, ends with nothing if it is stopped, and forgets what it is told to', async () => {
    const thread = taskThread()
    const news: unknown[] = []
    const context = { signal: { aborted: false }, tell: (each: unknown) => news.push(each) }
    const { modes, indices, values: counts } = values
    await thread.setUp(0, {
      modes: modes.map(({ name, size, ordered }) => ({ name, size, ordered })),
      indices,
      values: counts,
    })
    await thread.setUp(1, { values: counts.map(count => 2 * count) })
    const work = async (data: number, task = first) =>
      ((await thread.work({ data, setting, task }, context)) as TaskResult).run
    // Every 4 ms, of passes that are thought to take so long, and 5 µs around each: of all tasks together.
    const every = Math.ceil(4e6 / (traits.nanosPerPass(2) + 5000))
    const expected: object[] = []
    for (let passes = 0, start = 0; passes < 2 * every; start++) {
      const own: Task = { kind: 'start', start, wide: 1, stopping: { ...stopping, maxPasses: 15 } }
      const { trace } = await work(0, own)
      trace.forEach((loss, i) => void (++passes % every === 0 && expected.push({ pass: i + 1, loss })))
    }
    expect(expected.length).toBeGreaterThan(1)
    expect(news).toEqual(expected)
    expect((await work(1)).loss).not.toBe((await work(0)).loss)
    const wide: Task = { kind: 'start', start: 0, wide: 2.5, stopping }
    const aborted = { ...context, signal: { aborted: true } }
    expect(await thread.work({ data: 0, setting, task: wide }, aborted)).toBeUndefined()
    const { parameters: from } = await work(0)
    const replicate = { number: 1, seed: 1, fits: [{ setting, from, starts: 1, stopping }], misfit: false }
    expect(await thread.work({ replicate }, aborted)).toBeUndefined()
    expect(await thread.work({ replicate }, context)).toMatchObject({ fits: [{ converged: true }] })
    await thread.forget(1)
    await thread.forget(7)
    await expect(work(1)).rejects.toThrow(TypeError)
    await thread.forget(0)
  })
})
