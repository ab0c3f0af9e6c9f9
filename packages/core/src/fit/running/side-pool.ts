import type { ParallelRuns } from '../../engine/engine.ts'
import { TASKS } from '../../thread/task-messages.ts'
import { TaskPool } from '../../thread/task-pool.ts'
import { waysOf } from '../../thread/worker-ways.ts'
import type { PostedResult, PostedTask, TaskNews, TaskSetup } from './thread-messages.ts'

/** Threads that perform tasks of a search side by side. */
export type SidePool = TaskPool<TaskSetup, PostedTask, PostedResult<PostedTask>, TaskNews>

export const newSidePool = ({ threads, sharedMemory, workers = {} }: ParallelRuns): SidePool =>
  new TaskPool({ script: { role: TASKS, ...waysOf(workers) }, threads, sharedMemory })
