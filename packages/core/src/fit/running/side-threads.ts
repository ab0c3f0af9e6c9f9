import type { ParallelRuns } from '../../engine/engine.ts'
import { oneThread } from '../../engine/wasm/place-lanes.ts'
import { loadPart } from '../../load-part.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { postedTensor, sharedReals } from '../../tensor/posted-tensor.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { NoThreadsError } from '../../thread/machine.ts'
import type { SidePool } from './side-pool.ts'
import { type PostedResult, type PostedTask, type TaskNews, TENSOR } from './thread-messages.ts'

/** The work in nanoseconds after which a search of a small problem is worth starting threads for. */
const WORTH_THREADS = 30_000_000

/** The same if rows are linked: each task then takes along what links them, and places it anew. At 50,000 persons at 6 waves threads took longer than they saved. */
const WORTH_LINKED = 500_000_000

/** How long, in milliseconds, tasks that were stopped are waited for: threads that are still starting hear of it late. */
const PATIENCE = 300

/** Threads with the cells of a tensor, each for itself, that perform tasks side by side; started when they are worth it. */
export class SideThreads {
  readonly sharedMemory: boolean
  /** Why there are no threads, once it is known that there are none. */
  notes: readonly string[] = []
  readonly #tensor: Tensor
  readonly #runs: ParallelRuns
  /** Once they are wanted: with all that they have been told so far. */
  #pool: Promise<SidePool> | undefined
  #keys = TENSOR
  #spent = 0

  constructor(tensor: Tensor, runs: ParallelRuns) {
    this.#tensor = tensor
    this.#runs = runs
    this.sharedMemory = runs.sharedMemory
  }

  /** Counts work that was done, in nanoseconds. */
  spend(nanos: number): void {
    this.#spent += nanos
  }

  /** @param linked whether rows are linked */
  worthIt(linked: boolean): boolean {
    return this.notes.length === 0 && this.#spent > (linked ? WORTH_LINKED : WORTH_THREADS)
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

  /** Makes other values for the cells known; the key that is returned names them. */
  addValues(values: Float64Array): number {
    const key = ++this.#keys
    const shared = this.sharedMemory ? sharedReals(values) : values
    this.#tell(pool => pool.setUp(key, { values: shared }))
    return key
  }

  dropValues(key: number): void {
    if (this.#pool !== undefined) this.#tell(pool => pool.forget(key))
  }

  /** Performs tasks; on the signal they end early, and those that do not end soon are given up. */
  async run<T extends PostedTask>(
    tasks: readonly T[],
    signal: PlatformSignal | undefined,
    onResult: (result: PostedResult<T>, index: number) => void,
    onNews?: (news: TaskNews) => void,
  ): Promise<PostedResult<T>[]> {
    // Starting threads takes longer than ending may.
    if (signal?.aborted) return []
    const pool = await this.#started()
    if (signal?.aborted) return []
    const done: PostedResult<T>[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let giveUp = () => {}
    const givenUp = new Promise<void>(resolve => {
      giveUp = resolve
    })
    const stop = () => {
      if (this.sharedMemory) pool.stop()
      timer = setTimeout(giveUp, this.sharedMemory ? PATIENCE : 0)
    }
    signal?.addEventListener('abort', stop)
    try {
      const all = pool.run(tasks, {
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
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined)
    await pool?.close()
  }

  #started(): Promise<SidePool> {
    this.#pool ??= this.#start()
    return this.#pool
  }

  async #start(): Promise<SidePool> {
    const { newSidePool } = await loadPart(import('./side-pool.ts'))
    const pool = newSidePool(this.#runs)
    pool.setUp(TENSOR, postedTensor(this.#tensor, this.sharedMemory))
    return pool
  }

  /** Tells the threads something before any task that is asked for later. */
  #tell(something: (pool: SidePool) => void): void {
    this.#pool = this.#started().then(pool => {
      something(pool)
      return pool
    })
    // Whoever runs tasks hears of a failure.
    this.#pool.catch(() => {})
  }
}
