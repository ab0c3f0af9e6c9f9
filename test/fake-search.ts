import type { Run } from '../packages/core/src/fit/descent/run.ts'
import type { Stopping } from '../packages/core/src/fit/descent/stopping.ts'
import type { SearchSetting } from '../packages/core/src/fit/search/search-log.ts'

/** Searches without data: runs that end as a test wants, and what a search is asked with. */

export const STOPPING: Stopping = { tolerance: 1e-12, stationarity: 1e-6, minGain: 0, maxPasses: 1000 }

export const PARAMETERS = {
  rank: 2,
  shares: Float64Array.of(0.5, 0.5),
  factors: [Float64Array.of(0.2, 0.8, 0.8, 0.2)],
}

/** A run that has converged at an objective. */
export const runAt = (objective: number, more: Partial<Run> = {}): Run => ({
  parameters: PARAMETERS,
  loss: objective,
  objective,
  trace: [objective],
  passes: 10,
  stationarity: 1e-8,
  estimatedGain: 0,
  reason: 'stationary',
  ...more,
})

export const SETTING: Omit<SearchSetting, 'perform'> = {
  seed: 1,
  rank: 4,
  stopping: STOPPING,
  limits: { maxStarts: 100, maxPasses: 1000 },
  unit: 1,
  precision: 1e-15,
  stopped: () => false,
}
