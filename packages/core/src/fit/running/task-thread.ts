import type { Session } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { orStopped } from '../../errors.ts'
import { receivedTensor } from '../../tensor/posted-tensor.ts'
import type { TaskServer } from '../../thread/task-server.ts'
import { performReplicate } from '../search/replicate.ts'
import { performTask } from '../search/tasks.ts'
import { Pace } from './pace.ts'
import { type PostedResult, type PostedTask, type TaskNews, type TaskSetup, TENSOR } from './thread-messages.ts'

/** What a thread does that performs whole tasks of a search: it has the cells, and other values for them, by key. */
export const taskThread = (): TaskServer<TaskSetup, PostedTask, PostedResult<PostedTask>, TaskNews> => {
  const sessions = new Map<number, Session>()
  const pace = new Pace()
  return {
    async setUp(key, setup) {
      const opened =
        'modes' in setup
          ? wasmEngine({ threads: 1 }).open(receivedTensor(setup))
          : sessions.get(TENSOR)!.reweight!(setup.values)
      sessions.set(key, await opened)
    },
    async forget(key) {
      await sessions.get(key)?.close()
      sessions.delete(key)
    },
    async work(posted, { signal, tell }) {
      if ('replicate' in posted) return performReplicate(sessions.get(TENSOR)!, posted.replicate, { signal })
      const { data, setting, task } = posted
      const session = sessions.get(data)!
      const nanos = session.traits.nanosPerPass(setting.rank)
      const onPass = (pass: number, loss: number) => {
        if (pace.due(nanos)) tell({ pass, loss })
      }
      const result = await orStopped(performTask(session, setting, task, { signal, onPass }))
      if (result === undefined) return undefined
      // An error that is a part of a result would not arrive as what it is.
      if (result.run.failure !== undefined) throw result.run.failure
      return result
    },
  }
}
