import { AbortError, EngineError } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { Run } from '../descent/run.ts'
import { evenShare, STARTS, startsWorth, WORTHWHILE } from './budget.ts'
import { Optima, REPLICATIONS } from './optima.ts'
import { type Attempt, attemptOf, BATCH, LOOSE, type Search, SearchLog, type SearchSetting } from './search-log.ts'
import type { Task } from './tasks.ts'

/** The part of all passes after which no further start is made, if starts come first. */
const FIRST_STARTS = 0.6

/**
 * Looks for the lowest optimum.
 *
 * First independent starts, every other one wide (with more than twice the classes, merged down by the closed form). What comes then goes
 * by what a pass costs.
 *
 * Where passes are cheap, broods: the models at hand have children, which take classes of both parents and now and then a new one;
 * the best are kept, until no child is better. Two broods are enough where the starts agree, five to eight must end at the same
 * optimum where they do not.
 *
 * Where passes are dear, and the starts do not agree, lineages: the best model so far takes the classes of another model to its
 * own, a few passes sort out which are of use, the closed form merges the rest away, and a run takes it from there; a child
 * that is better takes the parent's place. A lineage ends when nothing helps any more, and another begins from nothing. Every run then has a
 * part of the passes, and the best is taken to its end once, at the close.
 * @param given a model that is known to be near a good one: the first of the starts
 */
export const search = async (setting: SearchSetting, given?: Parameters): Promise<Search> => {
  const thorough = isThorough(setting.limits.maxPasses)
  const log = new SearchLog(setting, !thorough)
  try {
    if (given !== undefined) await givenStart(log, setting, given)
    await independentStarts(log, setting, given !== undefined)
    if (thorough) {
      const { geneticSearch } = await loadPart(import('./genetic-search.ts'))
      await geneticSearch(log, setting.seed)
    } else {
      if (!log.optima.agreed) {
        const { crossoverSearch } = await loadPart(import('./crossover-search.ts'))
        await crossoverSearch(log)
      }
      if (log.budget !== undefined) await log.finish()
    }
  } catch (error) {
    // What was found before the engine failed is kept.
    if (!(error instanceof EngineError) || log.best === undefined) throw error
    setting.onFailure?.(error)
  }
  return thorough ? log.close(!log.confirmed, true) : log.close(log.optima.timesBest < REPLICATIONS)
}

/** Whether passes are so cheap, by how many there may be, that every start is taken to its end. */
export const isThorough = (maxPasses: number): boolean => maxPasses >= STARTS.most * STARTS.passesEach

const givenStart = async (log: SearchLog, { stopping }: SearchSetting, from: Parameters): Promise<void> => {
  const { budget } = log
  const first = budget === undefined ? log.limit(stopping, 1) : log.limit(LOOSE, 1, budget.start)
  const [run]: (Run | undefined)[] = await log.perform([{ kind: 'from', from, stopping: first }], 'starts')
  if (run !== undefined) await log.settle('given', run)
}

const independentStarts = async (
  log: SearchLog,
  { limits, stopping }: SearchSetting,
  given: boolean,
): Promise<void> => {
  const thorough = isThorough(limits.maxPasses)
  const { budget } = log
  // Beside a start that is known to be near a good model, one other is enough to begin with.
  const fewest = given ? 2 : STARTS.least
  const startsFirst = limits.startsFirst && budget
  let wanted = startsFirst
    ? STARTS.most
    : Math.max(fewest, Math.min(STARTS.most, Math.floor(limits.maxPasses / STARTS.passesEach)))
  let spent = 0
  const enough = () =>
    log.over ||
    log.attempts.length >= wanted ||
    (budget !== undefined && log.optima.agreed) ||
    (startsFirst && log.cost > FIRST_STARTS * limits.maxPasses)
  while (log.best === undefined || !enough()) {
    const affordable = Math.max(1, Math.floor(log.free / WORTHWHILE))
    // So many that they may agree, with the model that was given.
    const batch = startsFirst && log.attempts.length === 1 ? REPLICATIONS - 1 : BATCH.starts
    const count = Math.min(log.most(batch), log.startsLeft, affordable)
    // With passes for fewer starts there are none for recombination.
    const most = affordable >= BATCH.starts ? budget?.start : undefined
    const tasks = log.startTasks(count, log.limit(thorough ? stopping : LOOSE, count, most))
    const before = log.cost
    const runs = await log.perform(tasks, 'starts')
    spent += log.cost - before
    if (budget !== undefined && !given) wanted = startsWorth(limits.maxPasses, spent / log.fresh, BATCH.starts)
    if (log.best === undefined && log.aborted !== undefined && runs.length === 0) throw log.aborted
    const ends = runs.map((run, i) => ({ origin: tasks[i].wide > 1 ? ('wide' as const) : ('random' as const), run }))
    // The best first: what is not near it then need not be taken to its end.
    for (const { origin, run } of ends.sort((a, b) => a.run.objective - b.run.objective)) await log.settle(origin, run)
  }
}

/** One run from a given model; a single pass where it is a closed form, which has converged as it is. */
export const singleSearch = async (setting: SearchSetting, from: Parameters, closed = false): Promise<Search> => {
  const { limits, stopping, perform } = setting
  const maxPasses = Math.min(stopping.maxPasses, limits.maxPasses)
  const [{ run: ended, cost }] = await perform([{ kind: 'from', from, stopping: { ...stopping, maxPasses } }], 'starts')
  const run: Run = closed ? { ...ended, reason: 'stationary', estimatedGain: 0 } : ended
  const optima = new Optima(setting.unit, setting.precision)
  optima.add(run, true)
  return { best: run, attempts: [attemptOf('given', run)], optima, cost, exhausted: false, broods: false }
}

/** A number of random starts, the first of them from a given model if there is one, each to its end, and the best of them. */
export const startsSearch = async (setting: SearchSetting, starts: number, given?: Parameters): Promise<Search> => {
  const { limits, stopping } = setting
  const attempts: Attempt[] = []
  const optima = new Optima(setting.unit, setting.precision)
  let cost = 0
  let start = 0
  while (start < starts && (start === 0 || (!setting.stopped() && limits.maxPasses - cost >= 2))) {
    const left = limits.maxPasses - cost
    // A run is two passes at the least.
    const count = Math.min(
      BATCH.independent,
      setting.room?.kept ?? BATCH.independent,
      starts - start,
      Math.max(1, Math.floor(left / 2)),
    )
    const maxPasses = Math.min(stopping.maxPasses, evenShare(left, starts - start))
    const tasks = Array.from({ length: count }, (): Task => {
      const each = { ...stopping, maxPasses }
      if (start++ === 0 && given !== undefined) return { kind: 'from', from: given, stopping: each }
      return { kind: 'start', start: start - (given === undefined ? 1 : 2), wide: 1, stopping: each }
    })
    const results = await setting.perform(tasks, 'starts').catch((error: unknown) => {
      if (optima.best === undefined) throw error
      if (error instanceof AbortError) return []
      if (!(error instanceof EngineError)) throw error
      setting.onFailure?.(error)
      return []
    })
    for (const [i, { run, cost: spent }] of results.entries()) {
      cost += spent
      attempts.push(attemptOf(tasks[i].kind === 'from' ? 'given' : 'random', run))
      optima.add(run, true)
    }
  }
  return { best: optima.best as Run, attempts, optima, cost, exhausted: start < starts, broods: false }
}
