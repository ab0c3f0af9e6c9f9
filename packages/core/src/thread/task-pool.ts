import { EngineError } from '../errors.ts'
import type { FromTaskThread, ToTaskThread } from './task-messages.ts'
import { startThread, type Thread, type ThreadScript } from './thread.ts'

export interface TaskHooks<Result, News> {
  /** Called with every task's result as it comes, in whatever order the threads finish. */
  readonly onResult?: ((result: Result, task: number) => void) | undefined
  /** Called with what tasks report on the way. */
  readonly onNews?: ((news: News, task: number) => void) | undefined
}

export interface TaskPoolOptions {
  readonly script: ThreadScript
  readonly threads: number
  readonly sharedMemory: boolean
}

interface Job<Task, Result, News> {
  readonly task: Task
  readonly onNews: (news: News) => void
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Threads that do whole tasks side by side: every task goes to the next thread that is free, and threads are started as they
 * are needed. A task's result must depend on the task and the set-ups alone; then it does not depend on the number of threads.
 */
export class TaskPool<Setup, Task, Result, News = never> {
  readonly #options: TaskPoolOptions
  readonly #flag: Int32Array | undefined
  readonly #setups = new Map<number, Setup>()
  readonly #threads: Thread[] = []
  /** What each thread is doing. */
  readonly #current: (Job<Task, Result, News> | undefined)[] = []
  readonly #waiting: Job<Task, Result, News>[] = []
  #failure: EngineError | undefined

  constructor(options: TaskPoolOptions) {
    this.#options = options
    this.#flag = options.sharedMemory ? new Int32Array(new SharedArrayBuffer(4)) : undefined
  }

  /** Sends something to every thread, those yet to be started too: copied, or shared where it lies in shared memory. */
  setUp(key: number, setup: Setup): void {
    this.#setups.set(key, setup)
    this.#tell({ kind: 'setup', key, setup })
  }

  forget(key: number): void {
    if (this.#setups.delete(key)) this.#tell({ kind: 'forget', key })
  }

  /** Does all tasks; gives their results in the order of the tasks. Several lists may be under way at once. */
  async run(tasks: readonly Task[], hooks: TaskHooks<Result, News> = {}): Promise<Result[]> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#flag !== undefined && this.#current.every(job => job === undefined)) Atomics.store(this.#flag, 0, 0)
    const results = tasks.map(async (task, index) => {
      const result = await new Promise<Result>((resolve, reject) => {
        this.#waiting.push({ task, onNews: news => hooks.onNews?.(news, index), resolve, reject })
      })
      hooks.onResult?.(result, index)
      return result
    })
    this.#feed()
    return Promise.all(results)
  }

  /**
   * Asks tasks that are under way or waiting to end early; they end with whatever they then return. Without shared memory
   * they cannot hear it.
   */
  stop(): void {
    if (this.#flag !== undefined) Atomics.store(this.#flag, 0, 1)
  }

  /** Ends all threads; tasks under way fail. */
  async close(): Promise<void> {
    const threads = this.#threads.splice(0)
    this.#fail(new EngineError('the pool is closed'))
    await Promise.all(threads.map(thread => thread.end()))
  }

  #tell(message: ToTaskThread<Setup, Task>): void {
    for (const thread of this.#threads) thread.post(message)
  }

  /** Gives waiting tasks to threads that are free, and starts threads where there are too few. */
  #feed(): void {
    for (let index = 0; index < this.#options.threads && this.#waiting.length > 0; index++) {
      if (this.#current[index] !== undefined) continue
      try {
        this.#threads[index] ??= this.#hire(index)
      } catch (cause) {
        this.#fail(
          cause instanceof EngineError ? cause : new EngineError('the worker threads cannot be started', { cause }),
        )
        return
      }
      const job = this.#waiting.shift()!
      this.#current[index] = job
      this.#threads[index].hold(true)
      this.#threads[index].post({ kind: 'task', task: job.task } satisfies ToTaskThread<Setup, Task>)
    }
  }

  #hire(index: number): Thread {
    const thread = startThread(this.#options.script, {
      message: message => this.#receive(index, message as FromTaskThread<Result, News>),
      failure: error => this.#fail(error),
    })
    thread.post({ kind: 'stop', flag: this.#flag } satisfies ToTaskThread<Setup, Task>)
    for (const [key, setup] of this.#setups) {
      thread.post({ kind: 'setup', key, setup } satisfies ToTaskThread<Setup, Task>)
    }
    return thread
  }

  #receive(index: number, message: FromTaskThread<Result, News>): void {
    const job = this.#current[index]
    if (job === undefined) return
    if (message.kind === 'news') {
      try {
        job.onNews(message.news)
      } catch (error) {
        // A hook of the caller's threw: that is what the list of tasks ends with.
        job.reject(error)
      }
      return
    }
    this.#current[index] = undefined
    this.#threads[index].hold(false)
    job.resolve(message.result)
    this.#feed()
  }

  #fail(error: EngineError): void {
    this.#failure ??= error
    for (const thread of this.#threads.splice(0)) void thread.end()
    for (const job of [...this.#current.splice(0), ...this.#waiting.splice(0)]) job?.reject(this.#failure)
  }
}
