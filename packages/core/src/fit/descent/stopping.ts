import { nonNegativeNumber } from '../../options.ts'
import type { Counts } from '../../tensor/tensor.ts'

/** Stopping rules of a run. It has converged if the first two hold; it also ends if little more can be gained. */
export interface StoppingOptions {
  /** The change of the loss from one step to the next, relative to the loss, that counts as none. Default 1e-12. */
  readonly tolerance?: number
  /** The stationarity residual that counts as stationary. Default 1e-6. */
  readonly stationarity?: number
  /**
   * A run also ends if its last steps, extrapolated, promise less than this part of the loss; 0 for never. Default: 0 on small
   * data (3e7 cells × modes × classes or fewer), else 1e-6, since on a flat ridge of many parameters the last digits take longer
   * than all others. The extrapolation is no bound: a run that crosses a saddle may stop before the loss falls again.
   */
  readonly minGain?: number
}

export interface Stopping {
  readonly tolerance: number
  readonly stationarity: number
  readonly minGain: number
  /** The maximum number of passes of the run. */
  readonly maxPasses: number
  /** Whether another run goes on from what is worth it: then this one may be in single precision alone. */
  readonly preliminary?: boolean
}

/** The limit of a single run, whatever the search allows: no run has been seen to need as many passes. */
const MAX_PASSES_PER_RUN = 100_000

/** Above this many cells × modes × classes a pass is expensive. */
const DEAR = 3e7

/** Whether a pass is expensive: runs then end once the remaining gain is negligible. */
export const isDear = ({ cells, shape }: Pick<Counts, 'cells' | 'shape'>, rank: number): boolean =>
  cells * shape.length * rank > DEAR

/** The options with their defaults: by the size of the data, and not below the precision of the engine. */
export const stoppingOptions = (
  options: StoppingOptions,
  { cells, shape }: Counts,
  rank: number,
  precision: number,
): Stopping => ({
  tolerance: nonNegativeNumber('tolerance', options.tolerance ?? Math.max(1e-12, 10 * precision)),
  stationarity: nonNegativeNumber('stationarity', options.stationarity ?? Math.max(1e-6, 1e3 * precision)),
  minGain: nonNegativeNumber('minGain', options.minGain ?? (isDear({ cells, shape }, rank) ? 1e-6 : 0)),
  maxPasses: MAX_PASSES_PER_RUN,
})

/**
 * Why a run ended: 'stationary' (converged), 'settled' (negligible expected gain), 'passes' (limit of passes), 'stopped' (by signal or time limit), 'abandoned'
 * (could not beat the best), 'stalled' (rounding), 'failed' (engine failure).
 */
export type Reason = 'stationary' | 'settled' | 'passes' | 'stopped' | 'abandoned' | 'stalled' | 'failed'

export const REASONS: readonly Reason[] = [
  'stationary',
  'settled',
  'passes',
  'stopped',
  'abandoned',
  'stalled',
  'failed',
]

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

/** Steps over which the speed of a run is taken, twice: at least this many, and this part of all, since slow runs slow down slowly. */
const SPAN = { least: 20, part: 0.2 }
/** The estimate is of a curve that flattens; what it may leave out is allowed for by this factor. */
const CAUTION = 2
/** Gains below this many nats are none, however small the loss is. */
const NONE = 0.01

/**
 * An extrapolation of how much lower a run may still come, in nats, from its last steps: a fall that shrinks by the same ratio from
 * span to span has a known sum left. The ratio is taken over whole spans and over halves of the last one, and the slower counts:
 * the steep first steps of a run are in the earlier of two whole spans, and make the later one look flat. Undefined before there is
 * enough to extrapolate from, or if the fall does not slow down. It is no bound: a run that crosses a saddle slows down before it falls again.
 */
export const gainToCome = (trace: readonly number[]): number | undefined => {
  const last = trace.length - 1
  const span = Math.max(SPAN.least, Math.floor(SPAN.part * last))
  if (last < 2 * span) return undefined
  const [whole, half] = [extrapolated(trace, span), extrapolated(trace, Math.floor(span / 2))]
  return whole === undefined || half === undefined ? undefined : Math.max(whole, half)
}

const extrapolated = (trace: readonly number[], span: number): number | undefined => {
  const last = trace.length - 1
  const before = trace[last - 2 * span] - trace[last - span]
  const now = trace[last - span] - trace[last]
  if (!(now > 0)) return 0
  return now < before ? (CAUTION * now * now) / (before - now) : undefined
}

/** Whether the gain that is extrapolated is next to nothing. */
export const isNegligible = (gain: number | undefined, loss: number, unit: number, stopping: Stopping): boolean =>
  stopping.minGain > 0 && gain !== undefined && gain <= Math.max(NONE, stopping.minGain * sizeOf(loss, unit))
