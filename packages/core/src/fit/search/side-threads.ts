import type { ParallelRuns } from '../../engine/engine.ts'
import { oneThread } from '../../engine/wasm/place-lanes.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { postedTensor, sharedReals } from '../../tensor/posted-tensor.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { TASKS } from '../../thread/task-messages.ts'
import { TaskPool } from '../../thread/task-pool.ts'
import { NoThreadsError } from '../../thread/thread.ts'
import { waysOf } from '../../thread/worker-options.ts'
import { type PostedResult, type PostedTask, type TaskNews, type TaskSetup, TENSOR } from './task-messages.ts'

/** The work in nanoseconds after which a search of a small problem is worth starting threads for. */
const WORTH_THREADS = 30_000_000

/** Threads with the cells of a tensor, each for itself, that perform tasks side by side; started when they are worth it. */
export class SideThreads {
  readonly sharedMemory: boolean
  /** Why there are no threads, once it is known that there are none. */
  notes: readonly string[] = []
  readonly #tensor: Tensor
  readonly #pool: TaskPool<TaskSetup, PostedTask, PostedResult<PostedTask>, TaskNews>
  #started = false
  #keys = TENSOR
  #spent = 0

  constructor(tensor: Tensor, { threads, sharedMemory, workers = {} }: ParallelRuns) {
    this.#tensor = tensor
    this.sharedMemory = sharedMemory
    const script = { role: TASKS, ...waysOf(workers) }
    this.#pool = new TaskPool({ script, threads, sharedMemory })
  }

  /** Counts work that was done, in nanoseconds. */
  spend(nanos: number): void {
    this.#spent += nanos
  }

  get worthIt(): boolean {
    return this.notes.length === 0 && this.#spent > WORTH_THREADS
  }

  /** Does work on the threads; undefined, and a note, if none can be started. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.notes.length > 0) return undefined
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoThreadsError)) throw error
      this.notes = [oneThread(error)]
      return undefined
    }
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
    signal: PlatformSignal | undefined,
    onResult: (result: PostedResult<T>, index: number) => void,
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
          onResult(done[index], index)
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
