import { nonNegativeNumber, wholeNumber } from '../options.ts'

/** When a run ends. */
export interface StoppingOptions {
  /** The change of the loss from one pass to the next, relative to the loss, that counts as none. Default 1e-12. */
  readonly tolerance?: number
  /** The stationarity residual that counts as stationary. Default 1e-6. */
  readonly stationarity?: number
  /** The most passes a start may take. Default 20 000. */
  readonly maxPasses?: number
}

export type Stopping = Required<StoppingOptions>

export const stoppingOptions = (options: StoppingOptions): Stopping => ({
  tolerance: nonNegativeNumber('tolerance', options.tolerance ?? 1e-12),
  stationarity: nonNegativeNumber('stationarity', options.stationarity ?? 1e-6),
  maxPasses: wholeNumber('maxPasses', options.maxPasses ?? 20_000, 1),
})

/** Why a run ended. Only 'stationary' is convergence. */
export type Reason = 'stationary' | 'passes' | 'stopped'

/** Whether a change of the loss is within the tolerance, relative to the loss or to 1 where that is larger. */
export const isSettled = (previous: number, loss: number, { tolerance }: Stopping): boolean =>
  Math.abs(previous - loss) <= tolerance * Math.max(1, Math.abs(loss))
