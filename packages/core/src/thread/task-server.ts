import { threadPort } from './port.ts'
import { type FromTaskThread, TASKS, type ToTaskThread } from './task-messages.ts'

/** What a task is given besides itself. */
export interface TaskContext<News> {
  /** Whether the pool asks tasks to end early; it changes while a task is running. Shaped like an `AbortSignal`. */
  readonly signal: { readonly aborted: boolean }
  /** Reports something to the pool's owner. */
  tell(news: News): void
}

/** What the script of a pool's thread does. */
export interface TaskServer<Setup, Task, Result, News> {
  setUp(key: number, setup: Setup): Promise<void> | void
  forget(key: number): Promise<void> | void
  work(task: Task, context: TaskContext<News>): Promise<Result>
}

/** The other end of a task pool: called once in a thread's script. */
export const serveTasks = <Setup, Task, Result, News = never>(server: TaskServer<Setup, Task, Result, News>): void => {
  const port = threadPort(TASKS)
  const post = (message: FromTaskThread<Result, News>) => port.post(message)
  let flag: Int32Array | undefined
  const context: TaskContext<News> = {
    signal: {
      get aborted() {
        return flag !== undefined && Atomics.load(flag, 0) === 1
      },
    },
    tell: news => post({ kind: 'news', news }),
  }
  port.serve(async received => {
    const message = received as ToTaskThread<Setup, Task>
    if (message.kind === 'stop') flag = message.flag
    else if (message.kind === 'setup') await server.setUp(message.key, message.setup)
    else if (message.kind === 'forget') await server.forget(message.key)
    else post({ kind: 'result', result: await server.work(message.task, context) })
  })
}
