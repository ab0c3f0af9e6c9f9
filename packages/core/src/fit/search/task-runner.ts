import type { Session } from '../../engine/engine.ts'
import { AbortError, EngineError, type StopSignal } from '../../errors.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { hasCells } from '../../tensor/tensor.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { Pace } from './pace.ts'
import { performReplicate, type Replicate, type ReplicateResult } from './replicate.ts'
import { SideThreads } from './side-threads.ts'
import { TENSOR } from './task-messages.ts'
import { performTask, singleFor, type Task, type TaskResult, type TaskSetting } from './tasks.ts'
import { shareScans } from './together.ts'

export interface RunnerHooks {
  readonly signal?: PlatformSignal | undefined
  /** Called now and then with the pass and the loss of a task under way. */
  readonly onPass?: ((pass: number, loss: number) => void) | undefined
  /** Whether nothing was found before: a task that is stopped then ends with a rough model, if it has one at all. */
  readonly salvage?: boolean | undefined
  /** Called with every result as it comes. */
  readonly onResult?: ((result: TaskResult) => void) | undefined
  /** Called where the engine failed but something was found before: the results are then what there is. */
  readonly onFailure?: ((failure: EngineError) => void) | undefined
  /** Called if single precision failed: that run and all others go on in double. */
  readonly onFallback?: ((reason: string) => void) | undefined
}

/**
 * Where the tasks of searches are performed: one after the other, in scans that they share, or side by side on threads of their
 * own, whichever suits the session. The results do not depend on it; a search that is stopped gets fewer.
 */
export class TaskRunner {
  readonly session: Session
  readonly #threads: SideThreads | undefined
  /** The key of the session's data in those threads. */
  #key: number | undefined

  readonly #pace: Pace
  /** Whether single precision has failed. */
  #singleFailed = false

  private constructor(session: Session, threads: SideThreads | undefined, key: number | undefined, pace: Pace) {
    this.session = session
    this.#threads = threads
    this.#key = key
    this.#pace = pace
  }

  static of(session: Session): TaskRunner {
    const { data, parallelRuns } = session
    const threads = parallelRuns !== undefined && hasCells(data) ? new SideThreads(data, parallelRuns) : undefined
    return new TaskRunner(session, threads, TENSOR, new Pace())
  }

  /** What had to be done otherwise than asked. */
  get notes(): readonly string[] {
    return [...(this.session.notes ?? []), ...(this.#threads?.notes ?? [])]
  }

  /** Whether lists of tasks of this runner and of those reweighted from it can be under way at once. */
  get concurrent(): boolean {
    return this.#threads !== undefined
  }

  /** A runner on the same cells with other values; to be closed before this one. */
  async reweighted(values: Float64Array): Promise<TaskRunner> {
    return new TaskRunner(await this.session.reweight!(values), this.#threads, undefined, this.#pace)
  }

  /**
   * Performs tasks; the results are in the order of the tasks, some missing where it was stopped or the engine failed, but never all: with
   * nothing to return it fails, by an `AbortError` if it was stopped.
   */
  async perform(setting: TaskSetting, tasks: readonly Task[], hooks: RunnerHooks): Promise<TaskResult[]> {
    const threads = this.#threadsFor(setting)
    if (tasks.length > 1 && this.session.can.includes('several')) return this.#together(setting, tasks, hooks)
    if (tasks.length > 1 && threads?.worthIt) return this.#parallelRuns(threads, setting, tasks, hooks)
    return this.#inTurn(setting, tasks, hooks)
  }

  /** The threads, unless runs begin in single precision and only this session has it. */
  #threadsFor(setting: TaskSetting): SideThreads | undefined {
    const first = this.#singleFailed ? undefined : singleFor(this.session, setting)
    return first === undefined || first.parallelRuns !== undefined ? this.#threads : undefined
  }

  /** A task on this thread; single precision is given up with the first failure. */
  async #perform(session: Session, setting: TaskSetting, task: Task, hooks: RunnerHooks): Promise<TaskResult> {
    const nanos = session.traits.nanosPerPass(setting.rank)
    const result = await performTask(session, this.#singleFailed ? { ...setting, single: false } : setting, task, {
      signal: hooks.signal,
      salvage: hooks.salvage,
      onPass: async (pass, loss) => {
        if (!this.#pace.due(nanos)) return
        hooks.onPass?.(pass, loss)
        await eventLoopTurn()
      },
    })
    const { fallback } = result.run
    if (fallback !== undefined && !this.#singleFailed) {
      this.#singleFailed = true
      hooks.onFallback?.(fallback)
    }
    return result
  }

  /** Draws replicates of the data and fits them; the results are in the order of the replicates, some missing where it was stopped. */
  async replicate(
    replicates: readonly Replicate[],
    { signal, onResult }: { readonly signal?: PlatformSignal | undefined; readonly onResult?: () => void } = {},
  ): Promise<ReplicateResult[]> {
    const isDone = (result: ReplicateResult | undefined): result is ReplicateResult => result !== undefined
    const settings = replicates.flatMap(({ fits }) => fits.map(({ setting }) => setting))
    if (this.#threads !== undefined && settings.every(setting => this.#threadsFor(setting) !== undefined)) {
      const posted = replicates.map(replicate => ({ replicate }))
      const found = await this.#threads.attempt(() => this.#threads!.run(posted, signal, () => onResult?.()))
      if (found !== undefined) return found.filter(isDone)
    }
    const results: (ReplicateResult | undefined)[] = []
    for (const replicate of replicates) {
      if (signal?.aborted) break
      results.push(await performReplicate(this.session, replicate, { signal }))
      onResult?.()
      await eventLoopTurn()
    }
    return results.filter(isDone)
  }

  /** Ends what the runner has begun; the session is the caller's unless the runner was reweighted from another. */
  async close(): Promise<void> {
    if (this.#key === TENSOR) await this.#threads?.close()
    else {
      if (this.#key !== undefined) this.#threads?.dropValues(this.#key)
      await this.session.close()
    }
  }

  async #inTurn(setting: TaskSetting, tasks: readonly Task[], hooks: RunnerHooks): Promise<TaskResult[]> {
    const results: TaskResult[] = []
    const nanos = this.session.traits.nanosPerPass(setting.rank)
    for (const task of tasks) {
      if (hooks.signal?.aborted && results.length > 0) break
      const work = this.#perform(this.session, setting, task, {
        ...hooks,
        salvage: hooks.salvage === true && results.length === 0,
      })
      const result = await work.catch((error: unknown) => onlyFailure(error, results.length > 0, hooks))
      if (result === undefined) break
      this.#threads?.spend(result.cost * nanos)
      results.push(result)
      hooks.onResult?.(result)
      if (result.run.failure !== undefined) {
        hooks.onFailure?.(result.run.failure)
        break
      }
    }
    return results
  }

  async #together(setting: TaskSetting, tasks: readonly Task[], hooks: RunnerHooks): Promise<TaskResult[]> {
    const { onPass, onResult } = hooks
    const nanos = this.session.traits.nanosPerPass(setting.rank)
    const group = shareScans(this.session, tasks.length, hooks.signal)
    let failed = false
    // Where one run fails, the others end too.
    const signal: StopSignal = {
      get aborted() {
        return failed || hooks.signal?.aborted === true
      },
      get reason() {
        return hooks.signal?.reason
      },
    }
    const ends = await Promise.allSettled(
      tasks.map(async (task, i) => {
        const { session, leave } = group[i]
        try {
          const result = await performTask(session, setting, task, {
            signal,
            salvage: hooks.salvage,
            onPass: async (pass, loss) => {
              if (!this.#pace.due(nanos)) return
              onPass?.(pass, loss)
              await eventLoopTurn()
            },
          })
          onResult?.(result)
          if (result.run.failure !== undefined) failed = true
          return result
        } catch (error) {
          failed = true
          throw error
        } finally {
          leave()
        }
      }),
    )
    const results = ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []))
    for (const end of ends) if (end.status === 'rejected') onlyFailure(end.reason, results.length > 0, hooks)
    for (const { run } of results) if (run.failure !== undefined) hooks.onFailure?.(run.failure)
    return results
  }

  async #parallelRuns(
    threads: SideThreads,
    setting: TaskSetting,
    tasks: readonly Task[],
    hooks: RunnerHooks,
  ): Promise<TaskResult[]> {
    const { signal, onPass, onResult } = hooks
    if (this.#key === undefined && hasCells(this.session.data)) this.#key = threads.addValues(this.session.data.values)
    const data = this.#key!
    const posted = tasks.map(task => ({ data, setting, task }))
    const ends = await threads.attempt(() =>
      threads.run(
        posted,
        signal,
        result => result && onResult?.(result),
        ({ pass, loss }) => onPass?.(pass, loss),
      ),
    )
    if (ends === undefined) return this.perform(setting, tasks, hooks)
    const results = ends.flatMap(result => result ?? [])
    // Where all was given up before anything was done, the first task is begun here, and ends after a pass.
    return results.length > 0 ? results : this.#inTurn(setting, tasks.slice(0, 1), hooks)
  }
}

/** Where something was found, an engine that fails is told of, and a stop needs no word; where nothing was, and for every other error, it is thrown. */
const onlyFailure = (error: unknown, found: boolean, { onFailure }: RunnerHooks): undefined => {
  if (found && error instanceof AbortError) return
  if (!found || onFailure === undefined || !(error instanceof EngineError)) throw error
  onFailure(error)
}
