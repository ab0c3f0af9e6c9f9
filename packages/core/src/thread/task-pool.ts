import { EngineError } from '../errors.ts'
import { type CarriedError, startThread, type Thread, type ThreadScript } from './thread.ts'

/** What a pool says to its threads. */
export type ToTaskThread<Setup, Task> =
  | { readonly kind: 'setup'; readonly setup: Setup; readonly stop: Int32Array | undefined }
  | { readonly kind: 'task'; readonly task: Task }

/** What a thread says to its pool. */
export type FromTaskThread<Result, News> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'news'; readonly news: News }
  | { readonly kind: 'failed'; readonly error: CarriedError }

export interface TaskHooks<Result, News> {
  /** Called with every task's result as it comes, in whatever order the threads finish. */
  readonly onResult?: ((result: Result, task: number) => void) | undefined
  /** Called with what tasks report on the way. */
  readonly onNews?: ((news: News, task: number) => void) | undefined
}

/**
 * Threads that do whole tasks side by side: something is set up once in each, then every task goes to the next thread that
 * is free. A task's result must depend on the task alone; then the results do not depend on the number of threads.
 */
export interface TaskPool<Task, Result, News> {
  /** Does all tasks; gives their results in the order of the tasks. */
  run(tasks: readonly Task[], hooks?: TaskHooks<Result, News>): Promise<Result[]>
  /** Asks tasks that are under way to end early; they end with whatever they then return. Without shared memory they cannot hear it. */
  stop(): void
  /** Ends all threads; tasks under way fail. */
  close(): Promise<void>
}

export interface TaskPoolOptions<Setup> {
  readonly script: ThreadScript
  /** Sent to every thread: copied, or shared where it lies in shared memory. */
  readonly setup: Setup
  readonly threads: number
  readonly sharedMemory: boolean
}

export const openTaskPool = <Setup, Task, Result, News = never>(
  options: TaskPoolOptions<Setup>,
): TaskPool<Task, Result, News> => {
  const stop = options.sharedMemory ? new Int32Array(new SharedArrayBuffer(4)) : undefined
  const threads: Thread[] = []
  /** For each thread the task it does. */
  const current: (number | undefined)[] = []
  let run: Run<Task, Result, News> | undefined
  let failure: EngineError | undefined

  const fail = (error: EngineError) => {
    failure ??= error
    for (const thread of threads.splice(0)) void thread.end()
    run?.reject(failure)
    run = undefined
  }
  const receive = (index: number, message: FromTaskThread<Result, News>) => {
    const task = current[index]
    if (message.kind === 'failed') {
      const cause = Object.assign(new Error(message.error.message), { stack: message.error.stack })
      fail(new EngineError(`a worker thread failed: ${message.error.message}`, { cause }))
    } else if (run === undefined || task === undefined) return
    else if (message.kind === 'news') run.hooks.onNews?.(message.news, task)
    else {
      run.results[task] = message.result
      run.hooks.onResult?.(message.result, task)
      feed(index)
      if (run !== undefined && ++run.done === run.tasks.length) {
        run.resolve(run.results)
        run = undefined
      }
    }
  }
  /** Gives a thread its next task, and starts the thread where there was none. */
  const feed = (index: number) => {
    if (run === undefined || run.next >= run.tasks.length) {
      current[index] = undefined
      threads[index]?.hold(false)
      return
    }
    threads[index] ??= hire(index)
    const task = run.next++
    current[index] = task
    threads[index].hold(true)
    threads[index].post({ kind: 'task', task: run.tasks[task] } satisfies ToTaskThread<Setup, Task>)
  }
  const hire = (index: number): Thread => {
    const thread = startThread(options.script, {
      message: message => {
        try {
          receive(index, message as FromTaskThread<Result, News>)
        } catch (error) {
          // A hook of the caller's threw: that is what the run ends with.
          run?.reject(error)
          run = undefined
        }
      },
      failure: fail,
    })
    thread.post({ kind: 'setup', setup: options.setup, stop } satisfies ToTaskThread<Setup, Task>)
    return thread
  }

  return {
    async run(tasks, hooks = {}) {
      if (failure !== undefined) throw failure
      if (run !== undefined) throw new EngineError('the pool is at work, and does one list of tasks at a time')
      if (tasks.length === 0) return []
      if (stop !== undefined) Atomics.store(stop, 0, 0)
      return new Promise<Result[]>((resolve, reject) => {
        run = { tasks, hooks, results: new Array(tasks.length), next: 0, done: 0, resolve, reject }
        try {
          for (let index = 0; index < Math.min(options.threads, tasks.length); index++) feed(index)
        } catch (cause) {
          fail(
            cause instanceof EngineError ? cause : new EngineError('the worker threads cannot be started', { cause }),
          )
        }
      })
    },
    stop() {
      if (stop !== undefined) Atomics.store(stop, 0, 1)
    },
    async close() {
      failure ??= new EngineError('the pool is closed')
      run?.reject(failure)
      run = undefined
      await Promise.all(threads.splice(0).map(thread => thread.end()))
    },
  }
}

interface Run<Task, Result, News> {
  readonly tasks: readonly Task[]
  readonly hooks: TaskHooks<Result, News>
  readonly results: Result[]
  next: number
  done: number
  readonly resolve: (results: Result[]) => void
  readonly reject: (error: unknown) => void
}
