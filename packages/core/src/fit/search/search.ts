import { EngineError } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { type Random, random } from '../../numeric/philox.ts'
import type { Run } from '../descent/run.ts'
import { type Reason, type Stopping, sizeOf } from '../descent/stopping.ts'
import { Optima, REPLICATIONS } from './optima.ts'
import { CROSS_OVERHEAD, type Task, type TaskResult, WIDE_PASSES } from './tasks.ts'

/** How an attempt at an optimum was made. */
export type Origin = 'random' | 'wide' | 'recombined' | 'given'

/** An attempt at an optimum and how it ended; its model is kept only where it is the best. */
export interface Attempt {
  readonly origin: Origin
  readonly loss: number
  readonly passes: number
  readonly stationarity: number
  readonly reason: Reason
}

const attemptOf = (origin: Origin, { loss, passes, stationarity, reason }: Run): Attempt =>
  Object.freeze({ origin, loss, passes, stationarity, reason })

export interface SearchLimits {
  /** The limit of fresh starts. */
  readonly maxStarts: number
  /** The limit of passes, in passes of the rank that was asked for. */
  readonly maxPasses: number
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
  /** Performs tasks, in any order or side by side; the results are in the order of the tasks, the last ones missing where it was stopped. */
  readonly perform: (tasks: readonly Task[], phase: Phase) => Promise<TaskResult[]>
  readonly stopped: () => boolean
  /** Told where the engine failed, and the search ends with what it has. */
  readonly onFailure?: (failure: EngineError) => void
}

// The numbers below were chosen on random problems of six kinds (bench/src/problems.ts, numbers 1 to 60), on Iris and on Enron's
// seeds 1 to 8; `npm run bench:verdict` and `npm run bench:search ablate` show what they do elsewhere.

/** Tasks that are handed out together: fixed, so that the search takes the same course on any number of threads. */
const BATCH = { starts: 4, crosses: 2, children: 4, independent: 16 }
/** Crosses in a row without success that end a lineage. Eight missed a few more, twenty-four found nothing further. */
const STALE = 16
/**
 * A brood: how many models it begins with and is cut back to, how many it may have, and after how many children without a better
 * one it ends. Sizes of 5 and 12, and twice as many children, took longer to the best of the most rugged problems.
 */
const BROOD = { size: 8, most: 16, stale: 60 }
/** Broods that must end at the best: where the starts agree, and where they do not. */
const AGREEING = { seen: 1, unseen: 4 }
/** The ends of other starts that a lineage takes its first partners from. */
const KNOWN_PARTNERS = 4
/** The number of starts, from the limit of passes by what an attempt is thought to cost. */
const STARTS = { least: 4, most: 24, passesEach: 750 }
/** How many times the classes a wide start has, and what that costs before it is merged down. */
export const WIDE = 2.5
const WIDE_OVERHEAD = WIDE * WIDE_PASSES
/** Of more classes than this no start is wide: merging would take longer than the passes. */
export const WIDE_RANKS = 100
/** Passes of the starts from which a lineage's founder is chosen. */
const FOUNDER_PASSES = 20
/** Where passes are dear, an attempt goes this far first, and only those near the best go to the end. */
const LOOSE = { tolerance: 1e-6, stationarity: 0.1, gain: 0 }
const NEAR = 1e-4
/** Models of a brood whose objectives differ by less, in nats, are one. */
const TWINS = 1e-4
/** How much lower an objective must be, relatively, to count as a success. */
const BETTER = 1e-8
/** Passes kept back for taking the best to its end: at most this many, and at most this part of all. */
const RESERVE = { most: 60, share: 0.1 }
/** The fewest passes that are worth giving to a start. */
const WORTHWHILE = 60

const lowest = (runs: readonly Run[]): Run => runs.reduce((a, b) => (b.objective < a.objective ? b : a))

/** What a search has tried, what it cost, what was found, and what may still be spent. */
class SearchLog {
  readonly attempts: Attempt[] = []
  readonly optima: Optima
  cost = 0
  /** Fresh starts drawn so far. */
  fresh = 0
  /** Children so far. */
  children = 0
  /** The lowest ends, the best first: the founders of a brood, the first partners of a lineage. */
  readonly runnersUp: Run[] = []
  readonly #setting: SearchSetting

  constructor(setting: SearchSetting) {
    this.#setting = setting
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
    return this.broodsAtBest >= (this.optima.agreed ? AGREEING.seen : AGREEING.unseen)
  }

  get left(): number {
    return this.#setting.limits.maxPasses - this.cost
  }

  /** What may be spent on anything but taking the best to its end. */
  get free(): number {
    return this.left - Math.min(RESERVE.most, RESERVE.share * this.#setting.limits.maxPasses)
  }

  get unit(): number {
    return this.#setting.unit
  }

  get startsLeft(): number {
    return this.#setting.limits.maxStarts - this.fresh
  }

  get over(): boolean {
    return this.#setting.stopped() || this.free < 2 || this.startsLeft <= 0
  }

  async perform(tasks: readonly Task[], phase: Phase): Promise<Run[]> {
    const results = await this.#setting.perform(tasks, phase)
    for (const result of results) this.cost += result.cost
    return results.map(({ run }) => run)
  }

  /** How to stop a run where this many share what is left. */
  limit(stopping: Omit<Stopping, 'maxPasses'>, among: number, most = this.#setting.stopping.maxPasses): Stopping {
    const maxPasses = Math.max(2, Math.min(most, Math.floor(this.free / among)))
    return { ...stopping, maxPasses }
  }

  /** Takes an attempt to its end where it is near the best, and puts it with the optimum it belongs to. */
  async settle(origin: Origin, run: Run): Promise<void> {
    const { stopping, stopped, unit } = this.#setting
    const near =
      this.best === undefined || run.objective - this.best.objective <= NEAR * sizeOf(this.best.objective, unit)
    const finished =
      run.reason === 'settled' || (run.reason === 'stationary' && run.stationarity <= stopping.stationarity)
    let end = run
    if (near && !finished && this.left >= 2 && !stopped()) {
      const maxPasses = Math.min(stopping.maxPasses, Math.floor(this.left))
      const [polished] = await this.perform(
        [{ kind: 'from', from: run.parameters, stopping: { ...stopping, maxPasses } }],
        'finish',
      )
      if (polished.objective <= run.objective) end = polished
    }
    this.attempts.push(attemptOf(origin, end))
    this.runnersUp.push(end)
    this.runnersUp.sort((a, b) => a.objective - b.objective)
    this.runnersUp.splice(BROOD.size)
    this.optima.add(end, origin !== 'recombined')
  }

  close(exhausted: boolean, broods = false): Search {
    const { attempts, optima, cost } = this
    return { best: optima.best as Run, attempts, optima, cost, exhausted, broods }
  }
}

/**
 * Looks for the lowest optimum.
 *
 * First independent starts, every other one wide (with more than twice the classes, merged down by the closed form). What comes then goes
 * by what a pass costs.
 *
 * Where passes are cheap, broods: the models at hand have children, which take classes of both parents and now and then a new one;
 * the best are kept, until no child is better. One brood is enough where the starts agree, several must end at the same
 * optimum where they do not.
 *
 * Where passes are dear, and the starts do not agree, lineages: the best model so far takes the classes of another model to its
 * own, a few passes sort out which are of use, the closed form merges the rest away, and a run takes it from there; a child
 * that is better takes the parent's place. A lineage ends when nothing helps any more, and another begins from nothing.
 */
export const search = async (setting: SearchSetting): Promise<Search> => {
  const log = new SearchLog(setting)
  const thorough = isThorough(setting.limits)
  try {
    await independentStarts(log, setting)
    if (thorough) await broods(log, setting)
    else if (!log.optima.agreed) await lineages(log)
  } catch (error) {
    // What was found before the engine failed is kept.
    if (!(error instanceof EngineError) || log.best === undefined) throw error
    setting.onFailure?.(error)
  }
  return thorough ? log.close(!log.confirmed, true) : log.close(log.optima.timesBest < REPLICATIONS)
}

/** Raises lineages until enough attempts agree: the first from the best of the starts, each further one from its own. */
const lineages = async (log: SearchLog): Promise<void> => {
  if (log.over) return
  const founder = log.best as Run
  const others = log.runnersUp.filter(run => run !== founder)
  const partners = others.slice(0, KNOWN_PARTNERS).map(({ parameters }) => parameters)
  const head = await lineage(log, founder, partners)
  if (head !== founder) await log.settle('recombined', head)
  while (!log.over && log.optima.timesBest < REPLICATIONS) {
    const tasks = Array.from({ length: Math.min(BATCH.starts, log.startsLeft) }, (): Task => {
      const stopping = log.limit(LOOSE, BATCH.starts, FOUNDER_PASSES)
      return { kind: 'start', start: log.fresh++, wide: 1, stopping }
    })
    const runs = await log.perform(tasks, 'recombination')
    await log.settle('recombined', await lineage(log, lowest(runs), []))
  }
}

/** Whether passes are so cheap that every start is taken to its end. */
const isThorough = ({ maxPasses }: SearchLimits): boolean => maxPasses >= STARTS.most * STARTS.passesEach

/**
 * Raises broods until enough of them agree: the first from the starts there are, each further one from its own. Before they are
 * believed, the best of all broods have children with each other.
 */
const broods = async (log: SearchLog, { seed, rank }: SearchSetting): Promise<void> => {
  const draws = random(seed, 'parents')
  const winners: Run[] = []
  let founders: readonly Run[] = log.runnersUp.slice()
  while (founders.length > 0 && !log.over) {
    winners.push(await brood(log, founders, draws))
    await log.settle('recombined', winners[winners.length - 1])
    if (log.confirmed) {
      const best = (log.best as Run).objective
      const reunited = await brood(log, winners, draws)
      if (reunited.objective >= best - BETTER * sizeOf(best, log.unit)) return
      winners.push(reunited)
      await log.settle('recombined', reunited)
    }
    const count = Math.min(BROOD.size, log.startsLeft)
    const stopping = log.limit(LOOSE, count)
    const tasks = Array.from({ length: count }, (_, i): Task => {
      const wide = i % 2 === 0 && rank <= WIDE_RANKS ? WIDE : 1
      return { kind: 'start', start: log.fresh++, wide, stopping }
    })
    founders = await log.perform(tasks, 'recombination')
  }
}

/** Models have children until no child is better than all of them; those that are worst make room. */
const brood = async (log: SearchLog, founders: readonly Run[], draws: Random): Promise<Run> => {
  const kept: Run[] = []
  const add = (run: Run) => {
    if (kept.some(each => Math.abs(each.objective - run.objective) <= TWINS * log.unit)) return
    kept.push(run)
    kept.sort((a, b) => a.objective - b.objective)
    if (kept.length > BROOD.most) kept.splice(BROOD.size)
  }
  founders.forEach(add)
  /** The better of two, so that the best have most children. */
  const parent = () => Math.min(draws.below(kept.length), draws.below(kept.length))
  let stale = 0
  while (stale < BROOD.stale && !log.over) {
    const stopping = log.limit(LOOSE, BATCH.children)
    const target = kept[kept.length - 1].objective
    const tasks = Array.from({ length: BATCH.children }, (): Task => {
      const [one, other] = [kept[parent()].parameters, kept[parent()].parameters]
      return { kind: 'child', one, other, child: log.children++, target, stopping }
    })
    const before = kept[0].objective
    for (const run of await log.perform(tasks, 'recombination')) add(run)
    const better = kept[0].objective < before - BETTER * sizeOf(before, log.unit)
    stale = better ? 0 : stale + tasks.length
  }
  return kept[0]
}

const independentStarts = async (log: SearchLog, { rank, limits, stopping }: SearchSetting): Promise<void> => {
  const thorough = isThorough(limits)
  const least = Math.max(STARTS.least, Math.min(STARTS.most, Math.floor(limits.maxPasses / STARTS.passesEach)))
  while (log.best === undefined || !(log.over || log.attempts.length >= least)) {
    const from = log.fresh
    const affordable = Math.max(1, Math.floor(log.free / WORTHWHILE))
    const count = Math.min(BATCH.starts, log.startsLeft, affordable)
    const each = log.limit(thorough ? stopping : LOOSE, count)
    const mayBeWide = rank <= WIDE_RANKS && each.maxPasses >= 2 * WIDE_OVERHEAD
    const isWide = (start: number) => start % 2 === 0 && mayBeWide
    const tasks = Array.from({ length: count }, (): Task => {
      const start = log.fresh++
      if (!isWide(start)) return { kind: 'start', start, wide: 1, stopping: each }
      return { kind: 'start', start, wide: WIDE, stopping: { ...each, maxPasses: each.maxPasses - WIDE_OVERHEAD } }
    })
    const runs = await log.perform(tasks, 'starts')
    const ends = runs.map((run, i) => ({ origin: isWide(from + i) ? ('wide' as const) : ('random' as const), run }))
    // The best first: what is not near it then need not be taken to its end.
    for (const { origin, run } of ends.sort((a, b) => a.run.objective - b.run.objective)) await log.settle(origin, run)
  }
}

/** Improves a model by crosses until nothing helps; the partners at hand come first, then fresh starts. */
const lineage = async (log: SearchLog, founder: Run, partners: readonly Parameters[]): Promise<Run> => {
  let head = founder
  let stale = 0
  let used = 0
  while (stale < STALE && !log.over && log.free > BATCH.crosses * (CROSS_OVERHEAD + WORTHWHILE / 2)) {
    const count = Math.min(BATCH.crosses, log.startsLeft)
    const { maxPasses, ...loose } = log.limit(LOOSE, count)
    const stopping = { ...loose, maxPasses: Math.max(2, maxPasses - CROSS_OVERHEAD) }
    const tasks = Array.from({ length: count }, (): Task => {
      const other = used < partners.length ? partners[used++] : { start: log.fresh++ }
      return { kind: 'cross', one: head.parameters, other, target: head.objective, stopping }
    })
    const child = lowest(await log.perform(tasks, 'recombination'))
    const success = child.objective < head.objective - BETTER * sizeOf(head.objective, log.unit)
    if (success) head = child
    stale = success ? 0 : stale + count
  }
  return head
}

/** One run from a given model; a single pass where it is a closed form, which has converged as it is. */
export const singleSearch = async (setting: SearchSetting, from: Parameters, closed = false): Promise<Search> => {
  const { limits, stopping, perform } = setting
  const maxPasses = Math.min(stopping.maxPasses, limits.maxPasses)
  const [{ run: ended, cost }] = await perform([{ kind: 'from', from, stopping: { ...stopping, maxPasses } }], 'starts')
  const run: Run = closed ? { ...ended, reason: 'stationary', remaining: 0 } : ended
  const optima = new Optima(setting.unit, setting.precision)
  optima.add(run, true)
  return { best: run, attempts: [attemptOf('given', run)], optima, cost, exhausted: false, broods: false }
}

/** A number of random starts, each to its end, and the best of them. */
export const startsSearch = async (setting: SearchSetting, starts: number): Promise<Search> => {
  const { limits, stopping } = setting
  const attempts: Attempt[] = []
  const optima = new Optima(setting.unit, setting.precision)
  let cost = 0
  let start = 0
  while (start < starts && (start === 0 || (!setting.stopped() && limits.maxPasses - cost >= 2))) {
    // A run is two passes at the least.
    const count = Math.min(BATCH.independent, starts - start, Math.max(1, Math.floor((limits.maxPasses - cost) / 2)))
    const maxPasses = Math.max(2, Math.min(stopping.maxPasses, Math.floor((limits.maxPasses - cost) / count)))
    const tasks = Array.from({ length: count }, (): Task => {
      return { kind: 'start', start: start++, wide: 1, stopping: { ...stopping, maxPasses } }
    })
    const results = await setting.perform(tasks, 'starts').catch((error: unknown) => {
      if (!(error instanceof EngineError) || optima.best === undefined) throw error
      setting.onFailure?.(error)
      return []
    })
    for (const { run, cost: spent } of results) {
      cost += spent
      attempts.push(attemptOf('random', run))
      optima.add(run, true)
    }
  }
  return { best: optima.best as Run, attempts, optima, cost, exhausted: start < starts, broods: false }
}
