import { estimatedNanos } from '../engine/wasm/pass-time.ts'
import { omit } from '../pick.ts'
import type { Counts } from '../tensor/tensor.ts'
import { checkFitOptions, type FitOptions } from './fit-options.ts'
import { memoryOfFit } from './memory-plan.ts'
import { planSearch, type SearchPlan } from './search-plan.ts'

/** What a fit is going to do, before it does it. */
export interface FitPlan extends SearchPlan {
  readonly rank: number
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
  const { rank, init, items, algorithm, constraints } = options
  const setting = checkFitOptions(data, omit(options, 'constraints'))
  const { starts: asked } = setting
  const has = { init: init !== undefined, items: items !== undefined, constraints: constraints !== undefined }
  return {
    rank,
    ...planSearch(setting, has),
    secondsPerPass: estimatedNanos(data.cells, data.shape.length, rank) / 1e9,
    memory: memoryOfFit(data, { rank, starts: asked, ...(algorithm && { algorithm }), ...(init && { init }) }),
  }
}
