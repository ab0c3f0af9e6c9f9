import type { EngineError } from '../errors.ts'
import { loadPart } from '../load-part.ts'
import { type Losses, lossesOf, lossOffset } from '../model/loss.ts'
import { Model } from '../model/model.ts'
import { componentsOf, type Parameters, sortClasses } from '../model/parameters.ts'
import type { Counts } from '../tensor/tensor.ts'
import type { SessionUnits } from './checkpoint/session-units.ts'
import { principalParameters } from './closed-form/principal-component.ts'
import { mStepOf } from './descent/m-step.ts'
import { type Reason, type StoppingOptions, stoppingOptions, unitOf } from './descent/stopping.ts'
import { checkFitOptions, type Progress, type SessionFitOptions, type WidthChoice } from './fit-options.ts'
import type { MemoryPlan } from './memory-plan.ts'
import type { Optimum } from './search/optima.ts'
import { search, singleSearch, startsSearch } from './search/search.ts'
import type { Attempt, Search, SearchLimits, SearchSetting } from './search/search-log.ts'
import type { TaskRunner } from './search/task-runner.ts'
import { singleFor, type TaskSetting } from './search/tasks.ts'
import { type Verdict, verdictOf } from './search/verdict.ts'

export interface FitResult extends Losses {
  /** Classes in descending weight; with constraints in the order that these name them. */
  readonly model: Model
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
  /** Every attempt at an optimum, in order: independent starts, and what came of recombining models. */
  readonly attempts: readonly Attempt[]
  /** The distinct optima that were met, best first. */
  readonly optima: readonly Optimum[]
  /** How far to trust the optimum, with the evidence. */
  readonly verdict: Verdict
  /** How the width of smoothing was chosen, where it was. */
  readonly smoothing?: WidthChoice
  /** What to know about how it was computed: that single precision failed, for instance. Mostly empty. */
  readonly notes: readonly string[]
}

/** Classes that are not alike cannot be recombined: with constraints a search is this many independent starts. */
export const CONSTRAINED_STARTS = 40

/** A fit to the data of a runner's session, of which only what is known without its cells is used here. */
export const fitSession = async (
  runner: TaskRunner,
  options: SessionFitOptions,
  within?: string,
): Promise<FitResult> => {
  const { data } = runner.session
  const { task, starts, limits, init, plan } = checkFitOptions(data, options)
  const { constraints } = task
  const closed =
    task.rank === 1 && init === undefined && constraints === undefined && task.steps.every(step => mStepOf(step).plain)
  const count = starts === 'auto' && constraints !== undefined ? CONSTRAINED_STARTS : starts
  const { found, setting, failed, notes } = await searchOnce(
    runner,
    { ...{ task, limits, options, within }, ...(plan !== undefined && { room: plan }) },
    closed ? 'closed' : [count, init?.parameters],
    setting =>
      closed
        ? singleSearch(
            { ...setting, stopping: { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: 1 } },
            principalParameters(data),
            true,
          )
        : init !== undefined
          ? singleSearch(setting, init.parameters)
          : count === 'auto'
            ? search(setting)
            : startsSearch(setting, count),
  )
  const model = constraints?.named ? found.best.parameters : sortClasses(found.best.parameters)
  const stopped = options.signal?.aborted === true
  const result = summarize(data, found, model, { closed, given: init !== undefined }, stopped, setting.stopped(), [
    ...runner.notes,
    ...(plan?.note === undefined ? [] : [plan.note]),
    ...notes,
  ])
  const failure = failed()
  if (failure !== undefined) throw failure.with(result)
  return result
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
export const searchOnce = async (
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
    const { searchUnknown } = await loadPart(import('./search/unknown.ts'))
    const usable = () => failed() === undefined
    return searchUnknown(
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
    ...(room !== undefined && { room }),
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

const summarize = (
  data: Counts,
  found: Search,
  parameters: Parameters,
  begun: { readonly closed: boolean; readonly given: boolean },
  stopped: boolean,
  cutShort: boolean,
  notes: readonly string[],
): FitResult => {
  const { best } = found
  return Object.freeze({
    ...lossesOf(data, lossOffset(data.total) - best.loss),
    loss: best.loss,
    objective: best.objective,
    model: new Model(data.modes, componentsOf(parameters, data.total)),
    trace: Object.freeze(best.trace),
    passes: best.passes,
    totalPasses: Math.round(found.cost),
    stationarity: best.stationarity,
    converged: best.reason === 'stationary',
    estimatedGain: best.estimatedGain,
    reason: best.reason,
    stopped,
    attempts: Object.freeze(found.attempts),
    optima: Object.freeze(found.optima.describe()),
    verdict: verdictOf({
      best,
      optima: found.optima,
      ...begun,
      stopped: cutShort,
      exhausted: found.exhausted,
      broods: found.broods,
    }),
    notes: Object.freeze([...notes]),
  })
}
