import type { FromTaskThread, ToTaskThread } from './task-pool.ts'
import { carryError, threadPort } from './thread.ts'

/** What a task is given besides itself. */
export interface TaskContext<News> {
  /** Whether the pool asks tasks to end early; it changes while a task is running. Shaped like an `AbortSignal`. */
  readonly signal: { readonly aborted: boolean }
  /** Reports something to the pool's owner. */
  tell(news: News): void
}

/**
 * The other end of a task pool: called once in a thread's script with the function that sets up what all tasks need and returns
 * the one that does a task.
 */
export const serveTasks = <Setup, Task, Result, News = never>(
  open: (setup: Setup) => Promise<(task: Task, context: TaskContext<News>) => Promise<Result>>,
): void => {
  const port = threadPort()
  const post = (message: FromTaskThread<Result, News>) => port.post(message)
  let stop: Int32Array | undefined
  let work: ((task: Task, context: TaskContext<News>) => Promise<Result>) | undefined
  const context: TaskContext<News> = {
    signal: {
      get aborted() {
        return stop !== undefined && Atomics.load(stop, 0) === 1
      },
    },
    tell: news => post({ kind: 'news', news }),
  }
  const handle = async (message: ToTaskThread<Setup, Task>): Promise<void> => {
    if (message.kind === 'setup') {
      stop = message.stop
      work = await open(message.setup)
    } else post({ kind: 'result', result: await work!(message.task, context) })
  }
  let queue = Promise.resolve()
  port.receive(message => {
    queue = queue
      .then(() => handle(message as ToTaskThread<Setup, Task>))
      .catch(error => post({ kind: 'failed', error: carryError(error) }))
  })
}
