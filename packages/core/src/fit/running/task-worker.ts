/** The threads that perform whole tasks of a search side by side. */
import { serveTasks } from '../../thread/task-server.ts'
import { taskThread } from './task-thread.ts'

serveTasks(taskThread())
