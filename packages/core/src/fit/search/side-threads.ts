import type { ParallelRuns } from '../../engine/engine.ts'
import { postedTensor, sharedReals } from '../../tensor/posted-tensor.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { TaskPool } from '../../thread/task-pool.ts'
import type { ThreadScript } from '../../thread/thread.ts'
import { type PostedResult, type PostedTask, type TaskNews, type TaskSetup, TENSOR } from './task-messages.ts'

/** From the sources themselves, as under a test runner, it is the built script that can run. */
const script: ThreadScript = {
  url: new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/fit/search/task-worker.js' : './task-worker.js',
    import.meta.url,
  ),
  browser: () => new Worker(new URL('./task-worker.js', import.meta.url), { type: 'module' }),
}

/** The work in nanoseconds after which a search of a small problem is worth starting threads for. */
const WORTH_THREADS = 30_000_000

/** Threads with the cells of a tensor, each for itself, that perform tasks side by side; started when they are worth it. */
export class SideThreads {
  readonly sharedMemory: boolean
  readonly #tensor: Tensor
  readonly #pool: TaskPool<TaskSetup, PostedTask, PostedResult<PostedTask>, TaskNews>
  #started = false
  #keys = TENSOR
  #spent = 0

  constructor(tensor: Tensor, { threads, sharedMemory }: ParallelRuns) {
    this.#tensor = tensor
    this.sharedMemory = sharedMemory
    this.#pool = new TaskPool({ script, threads, sharedMemory })
  }

  /** Counts work that was done, in nanoseconds. */
  spend(nanos: number): void {
    this.#spent += nanos
  }

  get worthIt(): boolean {
    return this.#spent > WORTH_THREADS
  }

  /** Makes other values for the cells known; they go by the key that is returned. */
  addValues(values: Float64Array): number {
    const key = ++this.#keys
    this.#start()
    this.#pool.setUp(key, { values: this.sharedMemory ? sharedReals(values) : values })
    return key
  }

  dropValues(key: number): void {
    this.#pool.forget(key)
  }

  /** Performs tasks; on the signal they end early or, where threads cannot hear of it, those not done are given up. */
  async run<T extends PostedTask>(
    tasks: readonly T[],
    signal: AbortSignal | undefined,
    onResult: (result: PostedResult<T>) => void,
    onNews?: (news: TaskNews) => void,
  ): Promise<PostedResult<T>[]> {
    this.#start()
    const done: PostedResult<T>[] = []
    let giveUp = () => {}
    const givenUp = new Promise<void>(resolve => {
      giveUp = resolve
    })
    const stop = () => (this.sharedMemory ? this.#pool.stop() : giveUp())
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    try {
      const all = this.#pool.run(tasks, {
        onNews,
        onResult: (result, index) => {
          done[index] = result as PostedResult<T>
          onResult(done[index])
        },
      })
      // What is given up may still fail, and nobody cares.
      all.catch(() => {})
      await Promise.race([all, givenUp])
      return Object.values(done)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #start(): void {
    if (!this.#started) this.#pool.setUp(TENSOR, postedTensor(this.#tensor, this.sharedMemory))
    this.#started = true
  }
}
