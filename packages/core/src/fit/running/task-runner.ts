import type { Session } from '../../engine/engine.ts'
import { linkedNanos } from '../../engine/linked/linked-nanos.ts'
import type { StopSignal } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import { hasCells } from '../../tensor/tensor.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import type { Checkpoint } from '../checkpoint/checkpoint.ts'
import type { UnitKind } from '../checkpoint/journal.ts'
import type { SessionUnits } from '../checkpoint/session-units.ts'
import type { Replicate, ReplicateResult } from '../search/replicate.ts'
import {
  performTask,
  singleFor,
  type Task,
  type TaskHooks,
  type TaskResult,
  type TaskSetting,
} from '../search/tasks.ts'
import { Pace } from './pace.ts'
import { isDone, onlyFailure, type ReplicateHooks, type RunnerHooks } from './runner-hooks.ts'
import { shareScans } from './shared-scans.ts'
import { SideThreads } from './side-threads.ts'
import { TENSOR } from './thread-messages.ts'

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
  /** What is known of the units of work on this data, if there is a checkpoint. */
  readonly units: SessionUnits | undefined

  private constructor(
    session: Session,
    threads: SideThreads | undefined,
    key: number | undefined,
    pace: Pace,
    units: SessionUnits | undefined,
  ) {
    this.session = session
    this.units = units
    this.#threads = threads
    this.#key = key
    this.#pace = pace
  }

  static async of(session: Session, checkpoint?: Checkpoint): Promise<TaskRunner> {
    const { data, parallelRuns } = session
    const threads = parallelRuns !== undefined && hasCells(data) ? new SideThreads(data, parallelRuns) : undefined
    const units =
      checkpoint && (await loadPart(import('../checkpoint/open-checkpoint.ts'))).unitsOf(checkpoint, session)
    return new TaskRunner(session, threads, TENSOR, new Pace(), units)
  }

  /** What had to be done otherwise than asked. */
  get notes(): readonly string[] {
    const { notes = [] } = this.units?.checkpoint ?? {}
    return [...(this.session.notes ?? []), ...(this.#threads?.notes ?? []), ...notes]
  }

  /** Whether lists of tasks of this runner and of those reweighted from it can be under way at once. */
  get concurrent(): boolean {
    return this.#threads !== undefined
  }

  /** A runner on the same cells with other values; to be closed before this one. */
  async reweighted(values: Float64Array): Promise<TaskRunner> {
    const units = this.units?.reweighted(values)
    return new TaskRunner(await this.session.reweight!(values), this.#threads, undefined, this.#pace, units)
  }

  /**
   * Performs tasks; the results are in the order of the tasks, some missing where it was stopped or the engine failed, but never all: with
   * nothing to return it fails, by an `AbortError` if it was stopped.
   */
  async perform(setting: TaskSetting, tasks: readonly Task[], hooks: RunnerHooks): Promise<TaskResult[]> {
    if (this.units === undefined) return this.#performAll(setting, tasks, hooks)
    const { performWithCheckpoint } = await loadPart(import('./checkpointed.ts'))
    return performWithCheckpoint(
      {
        units: this.units,
        session: this.session,
        setting: this.#singleFailed ? { ...setting, single: false } : setting,
      },
      tasks,
      hooks,
      {
        known: result => this.#noteFallback(result, hooks),
        perform: (unknown, more) => this.#performAll(setting, unknown, more),
      },
    )
  }

  async #performAll(setting: TaskSetting, tasks: readonly Task[], hooks: RunnerHooks): Promise<TaskResult[]> {
    const threads = this.#threadsFor(setting)
    if (tasks.length > 1 && this.session.can.includes('several')) return this.#together(setting, tasks, hooks)
    if (tasks.length > 1 && threads?.worthIt(setting.links !== undefined))
      return this.#parallelRuns(threads, setting, tasks, hooks)
    return this.#inTurn(setting, tasks, hooks)
  }

  /** The threads, unless runs begin in single precision and only this session has it. */
  #threadsFor(setting: TaskSetting): SideThreads | undefined {
    const first = this.#singleFailed ? undefined : singleFor(this.session, setting)
    return first === undefined || first.parallelRuns !== undefined ? this.#threads : undefined
  }

  /** Roughly how long a pass takes, in nanoseconds. */
  #nanosPerPass({ rank, links }: TaskSetting): number {
    return links ? linkedNanos(links, rank) : this.session.traits.nanosPerPass(rank)
  }

  /** A task on this thread; single precision is given up with the first failure. */
  async #perform(
    session: Session,
    setting: TaskSetting,
    task: Task,
    hooks: RunnerHooks & Pick<TaskHooks, 'parts'>,
  ): Promise<TaskResult> {
    const nanos = this.#nanosPerPass(setting)
    const result = await performTask(session, this.#singleFailed ? { ...setting, single: false } : setting, task, {
      signal: hooks.signal,
      salvage: hooks.salvage,
      parts: hooks.parts,
      onPass: async (pass, loss) => {
        if (!this.#pace.due(nanos)) return
        hooks.onPass?.(pass, loss)
        await eventLoopTurn()
      },
    })
    this.#noteFallback(result, hooks)
    return result
  }

  #noteFallback({ run: { fallback } }: TaskResult, { onFallback }: RunnerHooks): void {
    if (fallback === undefined || this.#singleFailed) return
    this.#singleFailed = true
    onFallback?.(fallback)
  }

  /** Single precision is not tried again: a part of the work that a checkpoint knows has found that it fails. */
  giveUpSingle(): void {
    this.#singleFailed = true
  }

  /** The key of a unit of work on this data; undefined without a checkpoint. */
  async unitKey(kind: UnitKind, ...parts: readonly unknown[]): Promise<string | undefined> {
    return this.units?.key(kind, ...parts, this.#singleFailed)
  }

  /** Draws replicates of the data and fits them; the results are in the order of the replicates, some missing where it was stopped. */
  async replicate(replicates: readonly Replicate[], hooks: ReplicateHooks = {}): Promise<ReplicateResult[]> {
    if (this.units === undefined) return (await this.#replicateAll(replicates, hooks)).filter(isDone)
    const { replicateUnknown } = await loadPart(import('./checkpointed.ts'))
    return replicateUnknown(this.units, this.session.data.shape, replicates, hooks, (unknown, more) =>
      this.#replicateAll(unknown, more),
    )
  }

  async #replicateAll(
    replicates: readonly Replicate[],
    { signal, onResult, onReplicate }: ReplicateHooks,
  ): Promise<(ReplicateResult | undefined)[]> {
    const done = (result: ReplicateResult | undefined, at: number) => {
      if (result !== undefined) onReplicate?.(at, result)
      onResult?.()
    }
    const settings = replicates.flatMap(({ fits }) => fits.map(({ setting }) => setting))
    if (this.#threads !== undefined && settings.every(setting => this.#threadsFor(setting) !== undefined)) {
      const posted = replicates.map(replicate => ({ replicate }))
      const found = await this.#threads.attempt(() => this.#threads!.run(posted, signal, done))
      if (found !== undefined) return found
    }
    const { performReplicate } = await loadPart(import('./checkpointed.ts'))
    const results: (ReplicateResult | undefined)[] = []
    for (const replicate of replicates) {
      if (signal?.aborted) break
      results.push(await performReplicate(this.session, replicate, { signal }))
      done(results[results.length - 1], results.length - 1)
      await eventLoopTurn()
    }
    return results
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
    const nanos = this.#nanosPerPass(setting)
    for (const task of tasks) {
      if (hooks.signal?.aborted && results.length > 0) break
      const work = this.#perform(this.session, setting, task, {
        ...hooks,
        salvage: hooks.salvage === true && results.length === 0,
        parts: hooks.partsOf?.(results.length),
      })
      const result = await work.catch((error: unknown) => onlyFailure(error, results.length > 0, hooks))
      if (result === undefined) break
      this.#threads?.spend(result.cost * nanos)
      hooks.onTask?.(results.length, result)
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
    const nanos = this.#nanosPerPass(setting)
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
    if (results.length === tasks.length && !failed) results.forEach((result, i) => void hooks.onTask?.(i, result))
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
        (result, index) => {
          if (result === undefined) return
          hooks.onTask?.(index, result)
          onResult?.(result)
        },
        ({ pass, loss }) => onPass?.(pass, loss),
      ),
    )
    if (ends === undefined) return this.#performAll(setting, tasks, hooks)
    const results = ends.flatMap(result => result ?? [])
    // Where all was given up before anything was done, the first task is begun here, and ends after a pass.
    return results.length > 0 ? results : this.#inTurn(setting, tasks.slice(0, 1), hooks)
  }
}
