import { describe, expect, it } from 'vitest'
import { innerWorkers } from '../../../../../test/inner-workers.ts'
import { values } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { randomStart } from '../../model/random.ts'
import { mStepSettings } from '../descent/m-step.ts'
import { performReplicate, type Replicate } from '../search/replicate.ts'
import type { TaskSetting } from '../search/tasks.ts'
import { TaskRunner } from './task-runner.ts'
import { taskThread } from './task-thread.ts'

const stopping = { tolerance: 1e-10, stationarity: 1e-6, minGain: 0, maxPasses: 500 }
const setting: TaskSetting = { rank: 2, seed: 3, algorithm: 'accelerated', steps: mStepSettings(values.modes, {}) }
/** For all tests: none of them ends it. */
const inner: Session = { ...(await referenceEngine.open(values)), close: async () => {} }

describe('the replicates of a runner', () => {
  const replicates = [1, 2, 3].map(
    (number): Replicate => ({
      number,
      seed: 5,
      misfit: false,
      fits: [{ setting, from: randomStart(values.shape, 2, 3, 0), starts: 1, stopping }],
    }),
  )

  it('are made one after the other, until they are stopped', async () => {
    const expected = await Promise.all(replicates.map(each => performReplicate(inner, each)))
    const runner = await TaskRunner.of(inner)
    const seen: unknown[] = []
    let results = 0
    expect(
      await runner.replicate(replicates, {
        onReplicate: (at, result) => seen.push([at, result]),
        onResult: () => results++,
      }),
    ).toEqual(expected)
    expect([seen, results]).toEqual([expected.map((result, i) => [i, result]), 3])
    expect(await runner.replicate(replicates)).toEqual(expected)
    const controller = new AbortController()
    const some = await runner.replicate(replicates, { signal: controller.signal, onResult: () => controller.abort() })
    expect(some).toEqual(expected.slice(0, 1))
    expect(await runner.replicate(replicates, { signal: AbortSignal.abort() })).toEqual([])
  })

  it('are made on threads if there are any', async () => {
    const threads = innerWorkers(taskThread)
    const { parallelRuns: _, ...session } = await wasmEngine({ threads: 1 }).open(values)
    const runner = await TaskRunner.of({
      ...session,
      parallelRuns: { threads: 2, sharedMemory: true, workers: threads.workers },
    })
    const expected = await Promise.all(replicates.map(each => performReplicate(session, each)))
    let results = 0
    expect(await runner.replicate(replicates, { onResult: () => results++ })).toEqual(expected)
    expect([results, threads.seen.made]).toEqual([3, 2])
    await runner.close()
  })
})
