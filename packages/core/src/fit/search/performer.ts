import type { Engine } from '../../engine/engine.ts'
import { type WasmEngine, wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { shipTensor } from '../../tensor/ship-tensor.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { openTaskPool, type TaskPool } from '../../thread/task-pool.ts'
import type { ThreadScript } from '../../thread/thread.ts'
import type { Progress } from '../fit.ts'
import { eventLoopTurn, pacer } from './pace.ts'
import type { Phase } from './search.ts'
import type { TaskNews, TaskSetup } from './task-worker.ts'
import { type Task, type TaskResult, TaskRunner, type TaskSetting } from './tasks.ts'

export interface PerformerOptions {
  readonly engine: Engine | undefined
  readonly threads: number | undefined
  readonly signal: AbortSignal | undefined
  readonly maxPasses: number
  readonly onProgress: ((progress: Progress) => void) | undefined
}

/** Where the tasks of a search are performed. The results do not depend on where; a search that is stopped gets fewer. */
export interface Performer {
  readonly perform: (tasks: readonly Task[], phase: Phase) => Promise<TaskResult[]>
  close(): Promise<void>
}

type Pool = TaskPool<Task, TaskResult, TaskNews>

/** From the sources themselves, as under a test runner, it is the built script that can run. */
const script: ThreadScript = {
  url: new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/fit/search/task-worker.js' : './task-worker.js',
    import.meta.url,
  ),
  browser: () => new Worker(new URL('./task-worker.js', import.meta.url), { type: 'module' }),
}

/** The work (cells × modes × classes × passes) after which a search of a small problem is worth starting threads for. */
const WORTH_THREADS = 3e7

/**
 * Performs tasks one after the other on the calling thread, with an engine that may use others within a pass. Where
 * passes are too short for that and the search turns out to be long, tasks go side by side to threads of their own.
 */
export const openPerformer = (tensor: Tensor, setting: TaskSetting, options: PerformerOptions): Performer => {
  const { rank } = setting
  const { threads, signal, maxPasses, onProgress } = options
  const own = options.engine === undefined ? wasmEngine(threads === undefined ? {} : { threads }) : undefined
  const runner = new TaskRunner((options.engine ?? own) as Engine, tensor, setting)
  const work = tensor.cells * tensor.shape.length * rank
  const pace = pacer(work)
  const poolable = own !== undefined && own.threads > 1 && own.isSmall(tensor, rank)
  let pool: Pool | undefined
  let runs = 0
  let passes = 0
  let best = Number.POSITIVE_INFINITY
  const report = (phase: Phase, pass: number, loss: number) =>
    onProgress?.({ rank, phase, runs, pass, loss, best, passes: Math.round(passes), maxPasses })
  const take = (phase: Phase, result: TaskResult) => {
    runs++
    passes += result.cost
    best = Math.min(best, result.run.loss)
    report(phase, result.run.passes, result.run.loss)
  }

  const inline = async (tasks: readonly Task[], phase: Phase): Promise<TaskResult[]> => {
    const results: TaskResult[] = []
    for (const task of tasks) {
      // One result at least, so that there is something to return.
      if (signal?.aborted && results.length > 0) break
      const result = await runner.perform(task, {
        signal,
        onPass: async (pass, loss) => {
          if (!pace.due()) return
          report(phase, pass, loss)
          await eventLoopTurn()
        },
      })
      results.push(result)
      take(phase, result)
    }
    return results
  }

  const sideBySide = async (tasks: readonly Task[], phase: Phase): Promise<TaskResult[]> => {
    pool ??= openPool(tensor, setting, own as WasmEngine)
    const stop = pool.stop.bind(pool)
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    try {
      return await pool.run(tasks, {
        onNews: ({ pass, loss }) => report(phase, pass, loss),
        onResult: result => take(phase, result),
      })
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    perform: (tasks, phase) =>
      poolable && tasks.length > 1 && passes * work > WORTH_THREADS ? sideBySide(tasks, phase) : inline(tasks, phase),
    async close() {
      await Promise.all([runner.close(), pool?.close()])
    },
  }
}

const openPool = (tensor: Tensor, setting: TaskSetting, { threads, sharedMemory }: WasmEngine): Pool =>
  openTaskPool<TaskSetup, Task, TaskResult, TaskNews>({
    script,
    setup: { tensor: shipTensor(tensor, sharedMemory), setting },
    threads,
    sharedMemory,
  })
