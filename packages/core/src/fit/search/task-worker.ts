import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { type ShippedTensor, unshipTensor } from '../../tensor/ship-tensor.ts'
import { serveTasks } from '../../thread/task-server.ts'
import { pacer } from './pace.ts'
import { type Task, type TaskResult, TaskRunner, type TaskSetting } from './tasks.ts'

/** What a thread is told once: the data, and what all tasks share. */
export interface TaskSetup {
  readonly tensor: ShippedTensor
  readonly setting: TaskSetting
}

/** What a task says of itself on the way. */
export interface TaskNews {
  readonly pass: number
  readonly loss: number
}

/** The script of the threads that perform whole tasks of a search side by side. */
serveTasks<TaskSetup, Task, TaskResult, TaskNews>(async ({ tensor: shipped, setting }) => {
  const tensor = unshipTensor(shipped)
  const runner = new TaskRunner(wasmEngine({ threads: 1 }), tensor, setting)
  const pace = pacer(tensor.cells * tensor.shape.length * setting.rank)
  return (task, { signal, tell }) =>
    runner.perform(task, {
      signal,
      onPass: (pass, loss) => {
        if (pace.due()) tell({ pass, loss })
      },
    })
})
