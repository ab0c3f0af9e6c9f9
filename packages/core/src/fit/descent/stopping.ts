import { nonNegativeNumber } from '../../options.ts'

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
  /** The limit of passes of the run. */
  readonly maxPasses: number
}

/** The limit of a single run, whatever those of the search: none has been seen to need as much. */
const MAX_PASSES_PER_RUN = 100_000

/** @param precision of the engine, which the defaults do not go below */
export const stoppingOptions = (options: StoppingOptions, precision: number): Stopping => ({
  tolerance: nonNegativeNumber('tolerance', options.tolerance ?? Math.max(1e-12, 10 * precision)),
  stationarity: nonNegativeNumber('stationarity', options.stationarity ?? Math.max(1e-6, 1e3 * precision)),
  maxPasses: MAX_PASSES_PER_RUN,
})

/**
 * Why a run ended: it converged; the limit of passes was reached; it was told to stop; it would not have come below
 * what was known already; nothing lowers the loss any more, though it is not stationary. Only 'stationary' is convergence.
 */
export type Reason = 'stationary' | 'passes' | 'stopped' | 'abandoned' | 'stalled'

/**
 * What differences of losses are measured against where the losses themselves are near zero: one count, or the whole
 * of data that sums to less.
 */
export const unitOf = (total: number): number => Math.min(1, total)

/** The size of a loss, for tolerances relative to it. */
export const sizeOf = (loss: number, unit: number): number => Math.max(unit, Math.abs(loss))

/** Whether a change of the loss is within the tolerance, relative to its size. */
export const isSettled = (previous: number, loss: number, unit: number, { tolerance }: Stopping): boolean =>
  Math.abs(previous - loss) <= tolerance * sizeOf(loss, unit)
