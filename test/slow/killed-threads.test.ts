import { Worker, type WorkerOptions } from 'node:worker_threads'
import { bootstrap, chooseRank, EngineError, type FitResult, fit, testRanks } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { afterEach, describe, expect, it } from 'vitest'
import { randomTensor } from '../../packages/core/src/engine/conformance.ts'
import { gss82 } from '../tables.ts'

/** Real threads that come to their end in the middle of the work: an error that says what to do, never a hang, and nothing found is lost. */

const script = new URL('../../packages/core/bundle/worker.js', import.meta.url)
const started: Worker[] = []
afterEach(() => {
  for (const worker of started.splice(0)) void worker.terminate()
})

/** Makes threads that are known here, so that they can be ended. */
const threads = (options: WorkerOptions = {}) => ({
  engine: wasmEngine({
    threads: 2,
    workerFactory: () => {
      const worker = new Worker(script, { execArgv: [], ...options })
      started.push(worker)
      return worker
    },
  }),
})
const endAll = () => {
  for (const worker of started) void worker.terminate()
}

/** Passes that are long enough for threads to share them. */
const large = randomTensor({ shape: [900, 300, 200], cells: 200_000 })
const ENDED =
  /^a worker thread ended with exit code 1 before its work was done: fit again, or without other threads \(threads: 1\)/

describe('threads that are ended', () => {
  const work: Record<string, () => Promise<unknown>> = {
    'runs side by side': () =>
      fit(gss82, { rank: 4, starts: 1e6, ...threads(), onProgress: ({ runs }) => runs > 9 && endAll() }),
    'passes that they share': () =>
      fit(large, { rank: 8, starts: 1e6, ...threads(), onProgress: ({ pass }) => pass > 3 && endAll() }),
    'a choice of rank': () =>
      chooseRank(gss82, { to: 9, starts: 1e5, ...threads(), onProgress: ({ runs }) => runs > 9 && endAll() }),
    'a test of ranks': () =>
      testRanks(gss82, { rank: 2, starts: 3, replicates: 1e5, all: true, ...threads(), onReplicate: endAll }),
    'a bootstrap': async () => {
      const { model } = await fit(gss82, { rank: 2, starts: 2, threads: 1 })
      return bootstrap(gss82, model, { replicates: 1e6, ...threads(), onReplicate: endAll })
    },
  }

  it.each(Object.entries(work))('%s: an EngineError that says what to do', async (name, run) => {
    const error: unknown = await run().then(() => 'no error', reason => reason) // biome-ignore format: one chain
    expect(error).toBeInstanceOf(EngineError)
    const { message, partial } = error as EngineError<Partial<FitResult>>
    expect(message).toMatch(ENDED)
    // The best model of the runs before is not lost.
    if (name.startsWith('runs')) expect(partial?.model?.rank).toBe(4)
  })

  it('say that memory has run out', async () => {
    const small = { resourceLimits: { maxOldGenerationSizeMb: 3, maxYoungGenerationSizeMb: 1 } }
    const error = await fit(large, { rank: 8, starts: 3, ...threads(small) }).catch(reason => reason)
    expect(error).toBeInstanceOf(EngineError)
    expect(error.message).toMatch(/^a worker thread ran out of memory: lower threads, or use fewer classes or labels/)
  })
})
