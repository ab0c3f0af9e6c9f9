import { mStepOf } from './descent/m-step.ts'
import type { FitSetting } from './fit-options.ts'
import { STARTS } from './search/budget.ts'
import { isThorough } from './search/search.ts'

/** How the best solution is looked for. */
export interface SearchPlan {
  /**
   * How the best solution is found: by a formula, by one run from a given model, by one run because one class has one optimum, by a number of random starts,
   * or by a search. A thorough search takes every start to its end; an economical one shares out a limit of passes.
   */
  readonly search: 'closed form' | 'given model' | 'one run' | 'random starts' | 'thorough' | 'economical'
  /** How many random starts there are, at least and at most. */
  readonly starts: { readonly least: number; readonly most: number }
  /** Passes over the data: at most so many in the whole search; undefined if nothing limits them. */
  readonly passes: number | undefined
}

/** Classes that are not alike cannot be recombined: with constraints a search is this many independent starts. */
export const CONSTRAINED_STARTS = 40

const NONE = { least: 0, most: 0 }

/** How a fit searches: `planFit` shows it, and `fit` does it. @param has what the fit was given */
export const planSearch = (
  { task, starts: asked, limits }: FitSetting,
  has: { readonly init: boolean; readonly items: boolean; readonly constraints: boolean },
): SearchPlan => {
  const passes = limits.maxPasses === Number.MAX_SAFE_INTEGER ? undefined : limits.maxPasses
  if (has.init) return { search: 'given model', starts: NONE, passes }
  if (task.rank === 1 && !has.constraints) {
    if (has.items) return { search: 'one run', starts: NONE, passes }
    if (task.steps.every(step => mStepOf(step).plain)) return { search: 'closed form', starts: NONE, passes: 1 }
  }
  const starts = asked === 'auto' && has.constraints ? CONSTRAINED_STARTS : asked
  if (starts !== 'auto') return { search: 'random starts', starts: { least: starts, most: starts }, passes }
  const thorough = isThorough(limits.maxPasses)
  const most = Math.min(STARTS.most, limits.maxStarts)
  return {
    search: thorough ? 'thorough' : 'economical',
    starts: { least: thorough ? most : Math.min(STARTS.least, most), most },
    passes,
  }
}
