import { newStatistics, type Session } from '../engine/engine.ts'
import { OptionError } from '../errors.ts'
import { copyParameters, newParameters, type Parameters } from '../model/parameters.ts'
import { mStep } from './m-step.ts'
import { stationarity } from './stationarity.ts'
import { isSettled, type Reason, type Stopping } from './stopping.ts'

const IMPOSSIBLE =
  'the start gives no chance to some cell of the data, and EM cannot leave a zero: start from a model without zeros there'

/** One run from one start. */
export interface Run {
  /** The last model whose loss is known: `loss`, `stationarity` and the last entry of `trace` are its own. */
  readonly parameters: Parameters
  readonly loss: number
  /** The loss of every model passed over, the start's first. */
  readonly trace: readonly number[]
  readonly passes: number
  readonly stationarity: number
  readonly reason: Reason
}

export interface RunHooks {
  readonly signal?: AbortSignal | undefined
  /** Called after every pass; may return a promise to wait for. */
  readonly onPass?: ((pass: number, loss: number) => void | Promise<void>) | undefined
}

/**
 * Plain EM, the paper's algorithm: a pass gives the statistics of all modes and the loss of the model it was given; the
 * next model is the statistics normalized. The loss never rises. Ends at a model that is stationary and whose loss
 * no longer moves, at the limit of passes, or when the signal says so.
 */
export const runEm = async (
  session: Session,
  start: Parameters,
  total: number,
  stopping: Stopping,
  { signal, onPass }: RunHooks = {},
): Promise<Run> => {
  const { rank } = start
  const shape = start.factors.map(factor => factor.length / rank)
  const statistics = newStatistics(shape, rank)
  let current = newParameters(shape, rank)
  let next = newParameters(shape, rank)
  copyParameters(start, current)
  const trace: number[] = []
  for (;;) {
    await session.pass(current, statistics)
    const loss = current.weights.reduce((sum, weight) => sum + weight, 0) - statistics.logLikelihood
    if (!Number.isFinite(loss)) throw new OptionError(IMPOSSIBLE)
    trace.push(loss)
    await onPass?.(trace.length, loss)
    const settled = trace.length > 1 && isSettled(trace[trace.length - 2], loss, stopping)
    const residual = settled ? stationarity(current, statistics, total) : Number.POSITIVE_INFINITY
    const reason: Reason | undefined =
      residual <= stopping.stationarity
        ? 'stationary'
        : signal?.aborted
          ? 'stopped'
          : trace.length >= stopping.maxPasses
            ? 'passes'
            : undefined
    if (reason !== undefined) {
      const final = settled ? residual : stationarity(current, statistics, total)
      return { parameters: current, loss, trace, passes: trace.length, stationarity: final, reason }
    }
    mStep(statistics, current, next)
    ;[current, next] = [next, current]
  }
}
