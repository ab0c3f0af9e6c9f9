import type { Engine, Session } from '../../engine/engine.ts'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mergeDown, soften, union } from '../closed-form/merge.ts'
import { type Prior, type PriorOptions, priorOf } from '../descent/prior.ts'
import { type Algorithm, type Run, run } from '../descent/run.ts'
import type { Stopping } from '../descent/stopping.ts'

/** What all tasks of a fit share; plain data, so that it can be sent to a worker. */
export interface TaskSetting {
  readonly rank: number
  readonly seed: number
  readonly algorithm: Algorithm
  readonly prior: PriorOptions
}

/**
 * One piece of a search: from somewhere to a model, by a number of passes. A pure function of the data, the setting and
 * itself, so that tasks may run in any place and in any order.
 */
export type Task =
  /** From a random start; where `wide` is above 1, from so many times the classes, merged down after a few passes. */
  | { readonly kind: 'start'; readonly start: number; readonly wide: number; readonly stopping: Stopping }
  /** From a model. */
  | { readonly kind: 'from'; readonly from: Parameters; readonly stopping: Stopping }
  /** From the classes of two models together, merged down; the second may be a fresh start of its own. */
  | {
      readonly kind: 'cross'
      readonly one: Parameters
      readonly other: Parameters | { readonly start: number }
      /** A loss that must be beaten: a run that will not is abandoned. */
      readonly target: number
      readonly stopping: Stopping
    }

/** A run, and what it cost in passes of the rank that was asked for (a pass of twice the classes counts twice). */
export interface TaskResult {
  readonly run: Run
  readonly cost: number
}

/** As much of an AbortSignal as a run looks at. */
export type Stoppable = Pick<AbortSignal, 'aborted'>

export interface TaskHooks {
  readonly signal?: Stoppable | undefined
  readonly onPass?: ((pass: number, loss: number) => void | Promise<void>) | undefined
}

/** Runs tasks on one engine, with a session for every rank it has met. */
export class TaskRunner {
  readonly #tensor: Tensor
  readonly #setting: TaskSetting
  readonly #engine: Engine
  readonly #prior: Prior
  readonly #sessions = new Map<number, Promise<Session>>()

  constructor(engine: Engine, tensor: Tensor, setting: TaskSetting) {
    this.#engine = engine
    this.#tensor = tensor
    this.#setting = setting
    this.#prior = priorOf(tensor.modes, setting.prior)
  }

  async perform(task: Task, hooks: TaskHooks = {}): Promise<TaskResult> {
    const { rank } = this.#setting
    switch (task.kind) {
      case 'from':
        return this.#run(task.from, task.stopping, {}, hooks)
      case 'start': {
        if (task.wide <= 1) return this.#run(this.#random(task.start, rank), task.stopping, {}, hooks)
        const wide = await this.#brief(this.#random(task.start, Math.round(rank * task.wide)), WIDE_PASSES, hooks)
        const narrow = await this.#run(mergeDown(wide.run.parameters, rank), task.stopping, { warmUp: EARLY }, hooks)
        return { ...narrow, cost: narrow.cost + wide.cost }
      }
      case 'cross': {
        let cost = 0
        let partner = task.other as Parameters
        if ('start' in task.other) {
          const stopping = { ...task.stopping, maxPasses: Math.min(PARTNER_PASSES, task.stopping.maxPasses) }
          const fresh = await this.#run(this.#random(task.other.start, rank), stopping, { warmUp: EARLY }, hooks)
          cost += fresh.cost
          // A start that is already better than both needs no partner.
          if (fresh.run.objective < task.target) return fresh
          partner = fresh.run.parameters
        }
        const both = await this.#brief(soften(union(task.one, partner), SOFTEN), CROSS_PASSES, hooks)
        const child = await this.#run(
          mergeDown(both.run.parameters, rank),
          task.stopping,
          { warmUp: 3, target: task.target },
          hooks,
        )
        return { run: child.run, cost: cost + both.cost + child.cost }
      }
    }
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    for (const session of sessions) await (await session).close()
  }

  #random(start: number, rank: number): Parameters {
    return randomStart(this.#tensor.shape, rank, this.#tensor.total, this.#setting.seed, start)
  }

  #brief(from: Parameters, passes: number, hooks: TaskHooks): Promise<TaskResult> {
    return this.#run(from, { tolerance: 0, stationarity: 0, maxPasses: passes }, { algorithm: 'em' }, hooks)
  }

  async #run(
    from: Parameters,
    stopping: Stopping,
    options: { warmUp?: number; target?: number; algorithm?: Algorithm },
    hooks: TaskHooks,
  ): Promise<TaskResult> {
    const session = await this.#session(from.rank)
    const result = await run(session, from, {
      total: this.#tensor.total,
      work: this.#tensor.cells * this.#tensor.shape.length * from.rank,
      stopping,
      algorithm: this.#setting.algorithm,
      prior: this.#prior,
      ...options,
      ...hooks,
    })
    return { run: result, cost: (result.passes * from.rank) / this.#setting.rank }
  }

  #session(rank: number): Promise<Session> {
    let session = this.#sessions.get(rank)
    if (session === undefined) {
      session = this.#engine.open(this.#tensor, rank)
      this.#sessions.set(rank, session)
    }
    return session
  }
}

/** Passes with too many classes, before they are merged down. */
export const WIDE_PASSES = 20
/** Passes with the classes of two models together, before they are merged down. */
const CROSS_PASSES = 4
/** Passes of the fresh partner of a cross: enough to have found classes of its own. */
const PARTNER_PASSES = 60
/** Passes of plain EM before acceleration, where the run does not start from nothing. */
const EARLY = 5
const SOFTEN = 1e-4

/** What a cross costs beside the run at its end. */
export const CROSS_OVERHEAD = PARTNER_PASSES + 2 * CROSS_PASSES
