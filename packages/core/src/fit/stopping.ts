import { nonNegativeNumber } from '../options.ts'

/** When a run counts as converged: both must hold. */
export interface StoppingOptions {
  /** The change of the loss from one step to the next, relative to the loss, that counts as none. Default 1e-12. */
  readonly tolerance?: number
  /** The stationarity residual that counts as stationary. Default 1e-6. */
  readonly stationarity?: number
}

export interface Stopping {
  readonly tolerance: number
  readonly stationarity: number
  /** The most passes of the run. */
  readonly maxPasses: number
}

/** What a single run may take, whatever the limits of the search: none has been seen to need as much. */
const MAX_PASSES_PER_RUN = 100_000

export const stoppingOptions = (options: StoppingOptions): Stopping => ({
  tolerance: nonNegativeNumber('tolerance', options.tolerance ?? 1e-12),
  stationarity: nonNegativeNumber('stationarity', options.stationarity ?? 1e-6),
  maxPasses: MAX_PASSES_PER_RUN,
})

/**
 * Why a run ended: it converged; the limit of passes was reached; it was told to stop; it would not have come below
 * what was known already. Only 'stationary' is convergence.
 */
export type Reason = 'stationary' | 'passes' | 'stopped' | 'abandoned'

/** Whether a change of the loss is within the tolerance, relative to the loss or to 1 where that is larger. */
export const isSettled = (previous: number, loss: number, { tolerance }: Stopping): boolean =>
  Math.abs(previous - loss) <= tolerance * Math.max(1, Math.abs(loss))
