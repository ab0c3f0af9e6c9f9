import { AbortError, EngineError } from '../../errors.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { ReplicateResult } from '../search/replicate.ts'
import type { TaskHooks, TaskResult } from '../search/tasks.ts'

/** What is looked at and told while tasks are performed. */
export interface RunnerHooks {
  readonly signal?: PlatformSignal | undefined
  /** Called now and then with the pass and the loss of a task under way. */
  readonly onPass?: ((pass: number, loss: number) => void) | undefined
  /** Whether nothing was found before: a task that is stopped then ends with a rough model, if it has one at all. */
  readonly salvage?: boolean | undefined
  /** Called with every result as it comes. */
  readonly onResult?: ((result: TaskResult) => void) | undefined
  /** The descents of a task of the list, for a checkpoint, if it takes long. */
  readonly partsOf?: ((task: number) => TaskHooks['parts']) | undefined
  /** Called with every task of the list and its result, unless it was stopped or failed; by position. */
  readonly onTask?: ((task: number, result: TaskResult) => void) | undefined
  /** The unit of work that the tasks are a part of, for a checkpoint. */
  readonly within?: string | undefined
  /** Called where the engine failed but something was found before: the results are then what there is. */
  readonly onFailure?: ((failure: EngineError) => void) | undefined
  /** Called if single precision failed: that run and all others go on in double. */
  readonly onFallback?: ((reason: string) => void) | undefined
}

export interface ReplicateHooks {
  readonly signal?: PlatformSignal | undefined
  readonly onResult?: (() => void) | undefined
  /** Called with every result as it comes, by the position of the replicate. */
  readonly onReplicate?: ((at: number, result: ReplicateResult) => void) | undefined
  /** The unit of work that the replicates are a part of, for a checkpoint. */
  readonly within?: string | undefined
}

/** Where something was found, an engine that fails is told of, and a stop needs no word; where nothing was, and for every other error, it is thrown. */
export const onlyFailure = (error: unknown, found: boolean, { onFailure }: RunnerHooks): undefined => {
  if (found && error instanceof AbortError) return
  if (!found || onFailure === undefined || !(error instanceof EngineError)) throw error
  onFailure(error)
}

export const isDone = (result: ReplicateResult | undefined): result is ReplicateResult => result !== undefined
