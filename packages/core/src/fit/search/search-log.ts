import { defined } from '../../defined.ts'
import { AbortError, type EngineError } from '../../errors.ts'
import type { Run } from '../descent/run.ts'
import { type Reason, type Stopping, sizeOf } from '../descent/stopping.ts'
import { type PassBudget, passBudget, reserve } from './budget.ts'
import { Optima } from './optima.ts'
import { type StartTask, type Task, type TaskResult, WIDE_PASSES } from './tasks.ts'

/** How a run started. */
export type Origin = 'random' | 'wide' | 'recombined' | 'given'

export const ORIGINS: readonly Origin[] = ['random', 'wide', 'recombined', 'given']

/** A run and its end. Only the best run keeps its model. */
export interface Attempt {
  readonly origin: Origin
  readonly loss: number
  readonly passes: number
  readonly stationarity: number
  readonly reason: Reason
}

export const attemptOf = (origin: Origin, { loss, passes, stationarity, reason }: Run): Attempt =>
  Object.freeze({ origin, loss, passes, stationarity, reason })

export interface SearchLimits {
  /** The limit of fresh starts. */
  readonly maxStarts: number
  /** The limit of passes, in passes of the rank that was asked for. */
  readonly maxPasses: number
  /** The passes after which it ends if it hardly gains any more; undefined for never. */
  readonly enough?: number
  /** Whether a search whose passes are dear makes starts until most agree, and only then recombines them: where starts mostly agree, that is less. */
  readonly startsFirst?: boolean
}

/** What a search gained in its last passes, in nats. */
export interface Standstill {
  readonly passes: number
  readonly gain: number
}

/** What a search found. */
export interface Search {
  readonly best: Run
  readonly attempts: readonly Attempt[]
  readonly optima: Optima
  /** What the whole search cost, in passes of the rank that was asked for. */
  readonly cost: number
  /** Whether it ended because the limits were reached or it was stopped, not because it was content. */
  readonly exhausted: boolean
  /** Whether recombined attempts are broods. */
  readonly broods: boolean
  /** What it gained last, if it ended because that was so little. */
  readonly standstill?: Standstill | undefined
}

export type Phase = 'starts' | 'recombination' | 'finish'

export interface SearchSetting {
  readonly seed: number
  readonly rank: number
  readonly stopping: Stopping
  readonly limits: SearchLimits
  /** What differences of losses near zero are measured against. */
  readonly unit: number
  /** Of the engine. */
  readonly precision: number
  /** Of preliminary runs, if they are in single precision. */
  readonly rough?: number
  /** What the search keeps, if memory is limited: the lowest ends, which are also the most that are made at once, and whether starts may be wide. */
  readonly room?: { readonly kept: number; readonly wide: boolean } | undefined
  /** Performs tasks, in any order or side by side; the results are in the order of the tasks, the last ones missing where it was stopped; with none it fails. */
  readonly perform: (tasks: readonly Task[], phase: Phase) => Promise<TaskResult[]>
  readonly stopped: () => boolean
  /** Told where the engine failed, and the search ends with what it has. */
  readonly onFailure?: (failure: EngineError) => void
}

// The numbers of the search, those in genetic-search.ts, crossover-search.ts and search.ts too, were chosen on random problems of six kinds
// (bench/src/problems.ts, numbers 1 to 60), on Iris and on Enron's seeds 1 to 8; `npm run bench:verdict` and `npm run bench:search
// ablate` show what they do elsewhere.

/** Tasks that are handed out together: fixed, so that the search takes the same course on any number of threads. */
export const BATCH = { starts: 4, crosses: 2, children: 4, independent: 16 }
/**
 * A brood: how many models it begins with and is cut back to, how many it may have, and after how many children without a better
 * one it ends. Sizes of 5 and 12, and twice as many children, took longer to the best of the most rugged problems.
 */
export const BROOD = { size: 8, most: 16, stale: 60 }
/**
 * Broods that must end at the best, by how many starts do. If many starts had reached what was then the best, right or wrong, two broods
 * in three reached the best of all on every problem that was looked at; if few had, one in four on some; if none had, 2 to 97%, and
 * the verdict does not trust the result however many broods agree.
 */
const AGREEING = { most: 2, many: 5, few: 8, none: 6 }
/** How many times the classes a wide start has, and what that costs before it is merged down. */
export const WIDE = 2.5
const WIDE_OVERHEAD = WIDE * WIDE_PASSES
/** Of more classes than this no start is wide: merging would take longer than the passes. */
export const WIDE_RANKS = 100
/** Where passes are dear, an attempt goes this far first, and only those near the best go to the end. */
export const LOOSE = { tolerance: 1e-6, stationarity: 0.1, minGain: 0, preliminary: true }
const NEAR = 1e-4
/** How much lower an objective must be, relatively, to count as a success. */
const BETTER = 1e-8

/** What a search has tried, what it cost, what was found, and what may still be spent. */
export class SearchLog {
  readonly attempts: Attempt[] = []
  readonly optima: Optima
  cost = 0
  /** Fresh starts drawn so far. */
  fresh = 0
  /** What the search was stopped by, in the middle of a task. */
  aborted: AbortError | undefined
  /** Children so far. */
  children = 0
  /** What it gained last, if that ends it. */
  standstill: Standstill | undefined
  /** The lowest ends, the best first: the founders of a brood, the first partners of a lineage. */
  readonly runnersUp: Run[] = []
  /** How passes are shared out, if they are dear. */
  readonly budget: PassBudget | undefined
  readonly #setting: SearchSetting
  /** Which of the attempts is the best. */
  #bestAttempt = 0

  /** @param economical whether passes are dear */
  constructor(setting: SearchSetting, economical = false) {
    this.#setting = setting
    this.budget = economical ? passBudget(setting.limits.maxPasses, BATCH.starts) : undefined
    this.optima = new Optima(setting.unit, setting.precision)
  }

  get best(): Run | undefined {
    return this.optima.best
  }

  /** How many recombinations have ended at the best. */
  get broodsAtBest(): number {
    return this.optima.timesBest - this.optima.startsBest
  }

  /** Whether enough broods have ended at the best. */
  get confirmed(): boolean {
    return this.broodsAtBest >= AGREEING[this.optima.support]
  }

  get left(): number {
    return this.#setting.limits.maxPasses - this.cost
  }

  /** The passes after which it ends if it hardly gains any more. */
  get enough(): number | undefined {
    return this.#setting.limits.enough
  }

  /** What may be spent on anything but taking the best to its end. */
  get free(): number {
    return this.left - (this.budget?.close ?? reserve(this.#setting.limits.maxPasses))
  }

  get unit(): number {
    return this.#setting.unit
  }

  /** Whether an objective is lower than another, and not by rounding. */
  isBetter(objective: number, than: number): boolean {
    const { unit, rough = 0 } = this.#setting
    return objective < than - Math.max(BETTER, rough) * sizeOf(than, unit)
  }

  /** How many of so many tasks may be made at once. */
  most(tasks: number): number {
    return Math.min(tasks, this.#setting.room?.kept ?? tasks)
  }

  get startsLeft(): number {
    return this.#setting.limits.maxStarts - this.fresh
  }

  get over(): boolean {
    return this.aborted !== undefined || this.#setting.stopped() || this.free < 2 || this.startsLeft <= 0
  }

  /** Performs tasks; none is there if it was stopped before the first had a model. */
  async perform(tasks: readonly Task[], phase: Phase): Promise<Run[]> {
    const results = await this.#setting.perform(tasks, phase).catch((error: unknown) => {
      if (!(error instanceof AbortError)) throw error
      this.aborted = error
      return []
    })
    for (const result of results) this.cost += result.cost
    return results.map(({ run }) => run)
  }

  /** How to stop a run where this many share what is left. */
  limit(stopping: Omit<Stopping, 'maxPasses'>, among: number, most = this.#setting.stopping.maxPasses): Stopping {
    const maxPasses = Math.max(2, Math.min(most, Math.floor(this.free / among)))
    return { ...stopping, maxPasses }
  }

  /** The next fresh starts, every other one wide where that leaves it as many passes as it costs. */
  startTasks(count: number, each: Stopping): StartTask[] {
    const mayBeWide =
      this.#setting.room?.wide !== false && this.#setting.rank <= WIDE_RANKS && each.maxPasses >= 2 * WIDE_OVERHEAD
    return Array.from({ length: count }, () => {
      const start = this.fresh++
      if (start % 2 !== 0 || !mayBeWide) return { kind: 'start', start, wide: 1, stopping: each }
      return { kind: 'start', start, wide: WIDE, stopping: { ...each, maxPasses: each.maxPasses - WIDE_OVERHEAD } }
    })
  }

  /**
   * Puts an attempt with the optimum it belongs to. If it is near the best, it is taken to its end first; if passes are dear only some way,
   * since the best is finished once, when the search closes.
   */
  async settle(origin: Origin, run: Run): Promise<void> {
    const { best, budget } = this
    const near = best === undefined || run.objective - best.objective <= NEAR * sizeOf(best.objective, this.unit)
    const most = budget === undefined ? this.left : Math.min(this.free, budget.settling)
    const end = near ? await this.#further(run, most) : run
    this.attempts.push(attemptOf(origin, end))
    this.runnersUp.push(end)
    this.runnersUp.sort((a, b) => a.objective - b.objective)
    this.runnersUp.splice(this.#setting.room?.kept ?? BROOD.size)
    this.optima.add(end, origin !== 'recombined')
    if (this.best === end) this.#bestAttempt = this.attempts.length - 1
  }

  /** Takes the best to its end with all passes that are left. */
  async finish(): Promise<void> {
    const { best } = this
    if (best === undefined) return
    const end = await this.#further(best, this.left)
    if (end === best) return
    this.attempts[this.#bestAttempt] = attemptOf(this.attempts[this.#bestAttempt].origin, end)
    this.optima.lower(end)
  }

  /** A run taken nearer to its end, unless it is there; the run itself if it came no lower. */
  async #further(run: Run, most: number): Promise<Run> {
    const { stopping, stopped } = this.#setting
    const rough = run.rough !== undefined
    const finished =
      !rough && (run.reason === 'settled' || (run.reason === 'stationary' && run.stationarity <= stopping.stationarity))
    // What is known in single precision only has a last pass in double, even if there is no time for more.
    if (finished || (!rough && (most < 2 || stopped()))) return run
    const maxPasses = Math.max(2, Math.min(stopping.maxPasses, Math.floor(most)))
    const [end]: (Run | undefined)[] = await this.perform(
      [{ kind: 'from', from: run.parameters, stopping: { ...stopping, maxPasses }, whole: rough }],
      'finish',
    )
    return end !== undefined && (rough || end.objective <= run.objective) ? end : run
  }

  close(exhausted: boolean, broods = false): Search {
    const { attempts, optima, cost, standstill } = this
    return { best: optima.best as Run, attempts, optima, cost, exhausted, broods, ...defined({ standstill }) }
  }
}
