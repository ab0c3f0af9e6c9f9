import { defined } from '../defined.ts'
import type { EngineError } from '../errors.ts'
import { loadPart } from '../load-part.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { SessionUnits } from './checkpoint/session-units.ts'
import { principalParameters } from './closed-form/principal-component.ts'
import { type Reason, type StoppingOptions, stoppingOptions, unitOf } from './descent/stopping.ts'
import type { Progress, SessionFitOptions } from './fit-options.ts'
import type { MemoryPlan } from './memory-plan.ts'
import type { TaskRunner } from './running/task-runner.ts'
import type { Optimum } from './search/optima.ts'
import { search, singleSearch, startsSearch } from './search/search.ts'
import type { Attempt, Search, SearchLimits, SearchSetting } from './search/search-log.ts'
import { singleFor, type TaskSetting } from './search/tasks.ts'
import { type Verdict, verdictOf } from './search/verdict.ts'
import { CONSTRAINED_STARTS } from './search-plan.ts'

/** How a search went, and the run that was kept: the same of every fit, whatever decides the classes of its model. */
export interface SearchSummary {
  /** The loss with the prior's penalty; equal to `loss` without a prior. */
  readonly objective: number
  /** The objective of every model along the run that was kept. */
  readonly trace: readonly number[]
  /** Passes of the run that was kept. */
  readonly passes: number
  /** Passes of the whole search; one of twice the classes counts twice. */
  readonly totalPasses: number
  readonly stationarity: number
  readonly converged: boolean
  /**
   * How much lower the run that was kept might still have come, in nats: an extrapolation of its last steps, not a bound. Near a
   * saddle a run slows down before it falls again, by far more than this. 0 if it converged; undefined if the steps do not tell.
   */
  readonly estimatedGain: number | undefined
  readonly reason: Reason
  /** Whether a signal or the time limit ended the search before it was done. */
  readonly stopped: boolean
  /** Independent starts: runs that did not begin from the solutions of others. */
  readonly starts: number
  /** Every run, in order: independent starts, and recombinations of their solutions. */
  readonly attempts: readonly Attempt[]
  /** The distinct optima that were met, best first. */
  readonly optima: readonly Optimum[]
  /** How far to trust the optimum, with the evidence. */
  readonly verdict: Verdict
  /** What to know about how it was computed: that single precision failed, for instance. Mostly empty. */
  readonly notes: readonly string[]
}

/** How a search begins. */
interface Beginning {
  readonly starts: number | 'auto'
  /** Whether the best model is known in closed form. */
  readonly closed?: boolean
  /** The first of the starts. */
  readonly from?: ModelParameters
  /** Whether it is the only one. */
  readonly only?: boolean
  /** Whether a person gave it. */
  readonly given?: boolean
}

/** The best run of a search, and how it went. The engine may have failed; what was found until then is still the best. */
export interface SearchedModel {
  readonly best: Search['best']
  readonly summary: SearchSummary
  readonly failure: EngineError | undefined
}

/** Searches for the best model of a task, whatever decides its classes. */
export const searchModel = async (
  runner: TaskRunner,
  request: SearchRequest,
  { starts, closed = false, from, only = false, given = false }: Beginning,
): Promise<SearchedModel> => {
  const { task, options, room } = request
  const count = starts === 'auto' && task.constraints !== undefined ? CONSTRAINED_STARTS : starts
  const { found, setting, failed, notes } = await searchOnce(
    runner,
    request,
    closed ? 'closed' : [count, from],
    setting =>
      closed
        ? singleSearch(
            { ...setting, stopping: { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: 1 } },
            principalParameters(runner.session.data),
            true,
          )
        : only
          ? singleSearch(setting, from!)
          : count === 'auto'
            ? search(setting, from)
            : startsSearch(setting, count, from),
  )
  const { best } = found
  const cutShort = setting.stopped()
  const summary = {
    objective: best.objective,
    trace: Object.freeze(best.trace),
    passes: best.passes,
    totalPasses: Math.round(found.cost),
    stationarity: best.stationarity,
    converged: best.reason === 'stationary',
    estimatedGain: best.estimatedGain,
    reason: best.reason,
    stopped: options.signal?.aborted === true,
    starts: found.attempts.filter(({ origin }) => origin !== 'recombined').length,
    attempts: Object.freeze(found.attempts),
    optima: Object.freeze(found.optima.describe()),
    verdict: verdictOf({
      best,
      optima: found.optima,
      closed,
      given,
      stopped: cutShort,
      exhausted: found.exhausted,
      broods: found.broods,
      standstill: found.standstill,
    }),
    notes: Object.freeze([...runner.notes, ...(room?.note === undefined ? [] : [room.note]), ...notes]),
  }
  return { best, summary, failure: failed() }
}

type Watched = Pick<SessionFitOptions, 'signal' | 'onProgress'> & StoppingOptions

interface SearchRequest {
  readonly task: TaskSetting
  readonly limits: SearchLimits
  readonly options: Watched
  readonly room?: MemoryPlan
  /** The unit of work that the search is a part of, for a checkpoint. */
  readonly within?: string | undefined
}

/** What a search has ended with; `failed` says with what the engine did, if it did. */
interface EndedSearch {
  readonly found: Search
  readonly setting: SearchSetting
  readonly failed: () => EngineError | undefined
  readonly notes: readonly string[]
}

/** Searches, unless a checkpoint knows what was found. @param how what the search depends on besides the request */
const searchOnce = async (
  runner: TaskRunner,
  request: SearchRequest,
  how: unknown,
  search: (setting: SearchSetting) => Promise<Search>,
): Promise<EndedSearch> => {
  const { task, limits, options, room, within } = request
  const { data, traits } = runner.session
  const stopping = stoppingOptions(options, data, task.rank, traits.precision)
  const key = await runner.unitKey('fit', task, limits, stopping, room, how)
  const { setting, failed, fallback } = searchSetting(runner, request, key)
  const work = async () => ({ found: await search(setting), fallback: fallback() })
  const once = async (units: SessionUnits, key: string) => {
    const { searchWithCheckpoint } = await loadPart(import('./running/checkpointed.ts'))
    const usable = () => failed() === undefined
    return searchWithCheckpoint(
      units,
      { key, within },
      { signal: options.signal, setting, shape: data.shape, task, usable },
      work,
    )
  }
  const ended = runner.units === undefined || key === undefined ? await work() : await once(runner.units, key)
  if (ended.fallback !== undefined) runner.giveUpSingle()
  const notes =
    ended.fallback === undefined ? [] : [`single precision failed, and the fit went on in double: ${ended.fallback}`]
  return { found: ended.found, setting, failed, notes }
}

/** How a search goes about its tasks on a runner; what comes to be known while it searches can be asked for. */
const searchSetting = (
  runner: TaskRunner,
  { task, limits, options, room }: SearchRequest,
  within: string | undefined,
): {
  readonly setting: SearchSetting
  readonly failed: () => EngineError | undefined
  readonly fallback: () => string | undefined
} => {
  const { data, traits } = runner.session
  const single = singleFor(runner.session, task)
  let fallback: string | undefined
  const onFallback = (reason: string) => {
    fallback ??= reason
  }
  const { signal, onProgress } = options
  const report = reporter(task.rank, limits.maxPasses, onProgress)
  let failure: EngineError | undefined
  const onFailure = (error: EngineError) => {
    failure ??= error
  }
  const setting: SearchSetting = {
    rank: task.rank,
    seed: task.seed,
    stopping: stoppingOptions(options, data, task.rank, traits.precision),
    limits,
    unit: unitOf(data.total),
    precision: traits.precision,
    ...defined({ room }),
    ...(single !== undefined && { rough: single.traits.precision }),
    stopped: () => failure !== undefined || signal?.aborted === true,
    perform: (tasks, phase) =>
      runner.perform(task, tasks, {
        signal,
        onFailure,
        onFallback,
        within,
        salvage: !report.found(),
        ...report.of(phase),
      }),
    onFailure,
  }
  return { setting, failed: () => failure, fallback: () => fallback }
}

/** Keeps count of a search, and reports it. */
const reporter = (rank: number, maxPasses: number, onProgress: SessionFitOptions['onProgress']) => {
  let [runs, passes, best] = [0, 0, Number.POSITIVE_INFINITY]
  const of = (phase: Progress['phase']) => {
    const onPass = (pass: number, loss: number) =>
      onProgress?.({ rank, phase, runs, pass, loss, best, passes: Math.round(passes), maxPasses })
    return {
      onPass,
      onResult: ({ run, cost }: { readonly run: Search['best']; readonly cost: number }) => {
        runs++
        passes += cost
        best = Math.min(best, run.loss)
        onPass(run.passes, run.loss)
      },
    }
  }
  return { of, found: () => runs > 0 }
}
