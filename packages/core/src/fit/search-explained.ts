import type { Parameters } from '../model/parameters.ts'
import type { LogitDesign } from './covariates/logit.ts'
import type { Explained } from './descent/membership.ts'
import type { Run } from './descent/run.ts'
import type { StoppingOptions } from './descent/stopping.ts'
import type { FitOptions } from './fit-options.ts'
import { CONSTRAINED_STARTS, searchOnce } from './fit-session.ts'
import { search, startsSearch } from './search/search.ts'
import type { Search } from './search/search-log.ts'
import type { TaskRunner } from './search/task-runner.ts'
import type { TaskSetting } from './search/tasks.ts'
import { type Verdict, verdictOf } from './search/verdict.ts'

export interface ExplainedSearchOptions
  extends StoppingOptions,
    Pick<FitOptions, 'rank' | 'seed' | 'starts' | 'maxStarts' | 'signal' | 'onProgress'> {
  readonly maxPasses: number
  /** What is wanted of the answers' probabilities besides. */
  readonly answers: Pick<TaskSetting, 'steps' | 'constraints'>
}

/** What a search found, whose runs are of models with explained membership. */
export interface ExplainedSearch extends Search {
  readonly best: Run & { readonly parameters: Required<Explained> }
  readonly verdict: Verdict
}

/**
 * Looks for the best model whose membership is explained. The data has one mode more than the model, the last: which combination of the
 * covariates a cell has. It is the search of plain fits, and the fit without covariates is the first of its starts.
 */
export const searchExplained = async (
  runner: TaskRunner,
  design: LogitDesign,
  plain: Parameters,
  options: ExplainedSearchOptions,
): Promise<ExplainedSearch> => {
  const { rank, seed = 1, starts = 'auto', maxStarts = 10_000, maxPasses, answers } = options
  const { terms, patterns, values, counts } = design
  const explained = { terms, patterns, values, counts }
  const task: TaskSetting = { rank, seed, algorithm: 'accelerated', ...answers, explained }
  const count = starts === 'auto' && answers.constraints !== undefined ? CONSTRAINED_STARTS : starts
  const { found, setting, failed } = await searchOnce(
    runner,
    { task, limits: { maxStarts, maxPasses }, options },
    [count, plain],
    each => (count === 'auto' ? search(each, plain) : startsSearch(each, count, plain)),
  )
  const failure = failed()
  if (failure !== undefined) throw failure
  const best = found.best as ExplainedSearch['best']
  return { ...found, best, verdict: verdictOf({ ...found, closed: false, stopped: setting.stopped() }) }
}
