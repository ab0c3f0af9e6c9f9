import type { PostedTensor } from '../../tensor/posted-tensor.ts'
import type { Task, TaskSetting } from './tasks.ts'

/** What a thread is told of the data: first the tensor, then other values for its cells. */
export type TaskSetup = PostedTensor | { readonly values: Float64Array }

/** The key of the set-up that holds the tensor itself. */
export const TENSOR = 0

/** A task on the data of a set-up. */
export interface PostedTask {
  readonly data: number
  readonly setting: TaskSetting
  readonly task: Task
}

/** What a task says of itself on the way. */
export interface TaskNews {
  readonly pass: number
  readonly loss: number
}
