import type { PostedTensor } from '../../tensor/posted-tensor.ts'
import type { Replicate, ReplicateResult } from '../search/replicate.ts'
import type { Task, TaskResult, TaskSetting } from '../search/tasks.ts'

/** What a thread is told of the data: first the tensor, then other values for its cells. */
export type TaskSetup = PostedTensor | { readonly values: Float64Array }

/** The key of the set-up that holds the tensor itself. */
export const TENSOR = 0

/** A task of a search on the data of a set-up, or a replicate of the data itself. */
export type PostedTask =
  | { readonly data: number; readonly setting: TaskSetting; readonly task: Task }
  | { readonly replicate: Replicate }

/** What comes back, by the kind of the task; of one that was stopped before it had a result, nothing. */
export type PostedResult<T extends PostedTask> =
  | (T extends { readonly replicate: Replicate } ? ReplicateResult : TaskResult)
  | undefined

/** What a task says of itself on the way. */
export interface TaskNews {
  readonly pass: number
  readonly loss: number
}
