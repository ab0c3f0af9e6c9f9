import { estimatedNanos } from '../engine/wasm/pass-time.ts'
import { omit } from '../pick.ts'
import type { Counts } from '../tensor/tensor.ts'
import { checkFitOptions, type FitOptions } from './fit-options.ts'
import { memoryOfFit } from './memory-plan.ts'
import { STARTS } from './search/budget.ts'
import { isThorough } from './search/search.ts'

/** What a fit is going to do, before it does it. */
export interface FitPlan {
  readonly rank: number
  /**
   * How the best solution is found: by a formula, by one run from a given model, by a number of random starts, or by a search. A thorough search takes every
   * start to its end; an economical one shares out a limit of passes.
   */
  readonly search: 'closed form' | 'given model' | 'random starts' | 'thorough' | 'economical'
  /** How many random starts there are, at least and at most. */
  readonly starts: { readonly least: number; readonly most: number }
  /** Passes over the data: at most so many in the whole search; undefined if nothing limits them. */
  readonly passes: number | undefined
  /** About how long a pass takes on one thread. */
  readonly secondsPerPass: number
  /** About how many bytes it takes besides the cells: usually, and at least. */
  readonly memory: { readonly usual: number; readonly least: number }
}

/**
 * What `fit` would do with these options: they are checked, and nothing is fitted. Models with covariates, groups or persons have searches of their own.
 * @example
 * const planned = planFit(answers, { rank: 2 })
 * planned.search // 'thorough'
 * planned.starts.most // 24
 */
export const planFit = (data: Counts, options: FitOptions): FitPlan => {
  const { rank, init, items, algorithm } = options
  const { starts: asked, limits } = checkFitOptions(data, omit(options, 'constraints'))
  const passes = limits.maxPasses === Number.MAX_SAFE_INTEGER ? undefined : limits.maxPasses
  const known = {
    rank,
    secondsPerPass: estimatedNanos(data.cells, data.shape.length, rank) / 1e9,
    memory: memoryOfFit(data, { rank, starts: asked, ...(algorithm && { algorithm }), ...(init && { init }) }),
  }
  if (rank === 1 && items === undefined) return { ...known, search: 'closed form', starts: NONE, passes: 1 }
  if (init !== undefined) return { ...known, search: 'given model', starts: NONE, passes }
  if (asked !== 'auto') return { ...known, search: 'random starts', starts: { least: asked, most: asked }, passes }
  const thorough = isThorough(limits.maxPasses)
  const most = Math.min(STARTS.most, limits.maxStarts)
  return {
    ...known,
    search: thorough ? 'thorough' : 'economical',
    starts: { least: thorough ? most : Math.min(STARTS.least, most), most },
    passes,
  }
}

const NONE = { least: 0, most: 0 }
