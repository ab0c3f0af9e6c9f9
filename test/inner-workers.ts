import type { TaskServer } from '../packages/core/src/thread/task-server.ts'
import type { WorkerLike } from '../packages/core/src/thread/worker-options.ts'

/** What a pool says to a thread. */
export interface Told {
  readonly kind: 'stop' | 'setup' | 'forget' | 'task'
  readonly key?: number
  readonly setup?: unknown
  readonly task?: unknown
  readonly flag?: Int32Array
}

type Heard = ((event: { readonly data: unknown }) => void) | undefined

/**
 * Workers of a pool that are in this thread, so that tests see what they are told. Messages are copied, as between threads, and handled one after
 * the other.
 */
export const innerWorkers = <Setup, Task, Result, News>(server: () => TaskServer<Setup, Task, Result, News>) => {
  const told: Told[] = []
  const seen = { made: 0, ended: 0 }
  const workerFactory = (): WorkerLike => {
    const own = server()
    let flag: Int32Array | undefined
    let queue = Promise.resolve()
    let over = false
    seen.made++
    const worker = {
      onmessage: undefined as Heard,
      onerror: undefined as unknown as (event: { readonly message: string }) => void,
      postMessage(message: unknown) {
        if (typeof message === 'object' && message !== null && 'role' in message) return
        const copy = structuredClone(message) as Told
        told.push(copy)
        queue = queue
          .then(() => (over ? undefined : handle(copy)))
          .catch((error: Error) => worker.onerror({ message: error.message }))
      },
      terminate() {
        over = true
        seen.ended++
      },
    }
    const say = (message: unknown) => {
      if (!over) worker.onmessage?.({ data: structuredClone(message) })
    }
    const signal = {
      get aborted() {
        return flag !== undefined && Atomics.load(flag, 0) === 1
      },
    }
    const handle = async (message: Told): Promise<void> => {
      if (message.kind === 'stop') flag = message.flag
      else if (message.kind === 'setup') await own.setUp(message.key!, message.setup as Setup)
      else if (message.kind === 'forget') await own.forget(message.key!)
      else {
        const result = await own.work(message.task as Task, { signal, tell: news => say({ kind: 'news', news }) })
        say({ kind: 'result', result })
      }
    }
    return worker
  }
  return { told, seen, workers: { workerFactory } }
}
