import type { Session } from '../engine/engine.ts'
import { mStepOf } from '../fit/descent/m-step.ts'
import { run } from '../fit/descent/run.ts'
import type { Parameters } from '../model/parameters.ts'
import { chiSquareQuantile } from '../numeric/special.ts'
import type { FreeParameters } from './free-parameters.ts'

/** The refits that are made without being asked for: this many cells × modes × classes, for all parameters at 0 or 1 together. */
const QUICK = 1e6

/** Intervals of the probabilities at 0 or 1, by position. */
export const boundaryIntervals = async (
  session: Session,
  parameters: Parameters,
  { columns }: FreeParameters,
  { profile, level }: { readonly profile: boolean | undefined; readonly level: number },
): Promise<Map<number, readonly [number, number]>> => {
  const found = new Map<number, readonly [number, number]>()
  const probabilities = columns.filter(({ mode, boundary }) => mode >= 0 && boundary.length > 0)
  const number = probabilities.reduce((sum, { boundary }) => sum + boundary.length, 0)
  const { cells, shape } = session.data
  if (!(profile ?? number * cells * shape.length * parameters.rank <= QUICK)) return found
  const drop = chiSquareQuantile(level, 1) / 2
  for (const { mode, class: of, boundary, entries } of probabilities) {
    for (const at of boundary) {
      const label = (at - entries[0]) / parameters.rank
      const other = entries.find(entry => entry !== at) as number
      // Of two labels, one is what the other is not.
      const known = entries.length === 2 ? found.get(other) : undefined
      const bound = known ?? (await profileBound(session, parameters, { mode, class: of as number, label }, drop))
      if (bound === undefined) continue
      found.set(at, known === undefined ? bound : [1 - bound[1], 1 - bound[0]])
    }
  }
  return found
}

/** A probability: of a label in a mode, within a class. */
interface Probability {
  readonly mode: number
  readonly class: number
  readonly label: number
}

/** How much of every column is spread over its labels before a refit: EM cannot leave a zero. */
const SPREAD = 0.02
/** How close to the drop that was asked for the bound's own must be, in nats. */
const NEAR = 1e-3
/** Refits for one bound: the first few bracket it, the others halve it. */
const MOST_REFITS = 30
const STOPPING = { tolerance: 1e-9, stationarity: 1e-5, gain: 0, maxPasses: 2000 }

/**
 * The interval of a probability at 0 or 1: to where the log-likelihood, maximized with the probability held there, has fallen
 * by `drop`. Undefined where it falls by less all the way.
 */
const profileBound = async (
  session: Session,
  parameters: Parameters,
  where: Probability,
  drop: number,
): Promise<readonly [number, number] | undefined> => {
  const { logLikelihood } = await session.measure(parameters)
  const at = parameters.factors[where.mode][where.label * parameters.rank + where.class]
  const isZero = at < 0.5
  let start = parameters
  /** How far the log-likelihood has fallen at a distance from the boundary, less the drop: rises with the distance. */
  const excess = async (distance: number): Promise<number> => {
    const found = await refit(session, start, where, isZero ? distance : 1 - distance)
    start = found.parameters
    return logLikelihood - found.logLikelihood - drop
  }
  // A class with m observations of the mode that never show the label allows about drop/m.
  let [low, high] = [0, Math.min(0.5, drop / (session.data.total * parameters.shares[where.class]))]
  let below = -drop
  let above = await excess(high)
  let refits = 1
  for (; above < 0; refits++) {
    if (high > 0.999 || refits > MOST_REFITS) return undefined
    ;[low, below, high] = [high, above, Math.min((1 + high) / 2, 2 * high)]
    above = await excess(high)
  }
  // Between the ends, by the straight line through them; the end that stays gives way by half (the Illinois rule).
  let [last, distance] = [0, high]
  for (let value = above; Math.abs(value) > NEAR && refits < MOST_REFITS; refits++) {
    distance = low + ((high - low) * below) / (below - above)
    value = await excess(distance)
    const side = value < 0 ? -1 : 1
    if (side < 0) [low, below, above] = [distance, value, last === side ? above / 2 : above]
    else [high, above, below] = [distance, value, last === side ? below / 2 : below]
    last = side
  }
  return isZero ? [0, distance] : [1 - distance, 1]
}

/** The maximum with one probability held at a value, by EM from a model that is near. */
const refit = async (session: Session, start: Parameters, where: Probability, value: number) => {
  const { rank, shares, factors } = start
  const spread: Parameters = {
    rank,
    shares: shares.map(share => (1 - SPREAD) * share + SPREAD / rank),
    factors: factors.map(factor => factor.map(p => (1 - SPREAD) * p + (SPREAD * rank) / factor.length)),
  }
  hold(spread.factors[where.mode], rank, where, value)
  const plain = mStepOf({ added: 0, width: 0 })
  const held = mStepOf({ added: 0, width: 0, fixed: [{ ...where, value }] })
  // The conditions of a maximum do not hold for what is held: the run ends where it no longer moves.
  const steps = factors.map((_, n) => (n === where.mode ? { ...held, descends: false } : plain))
  const { parameters, failure } = await run(session, spread, { stopping: STOPPING, algorithm: 'em', steps })
  if (failure !== undefined) throw failure
  return { parameters, logLikelihood: (await session.measure(parameters)).logLikelihood }
}

/** Sets one probability, and brings the others of its column to the rest; in proportion, or evenly where they are all zero. */
const hold = (factor: Float64Array, rank: number, { class: k, label }: Probability, value: number): void => {
  const labels = factor.length / rank
  const rest = 1 - factor[label * rank + k]
  for (let j = 0; j < labels; j++) {
    const at = j * rank + k
    factor[at] = j === label ? value : (1 - value) * (rest > 0 ? factor[at] / rest : 1 / (labels - 1))
  }
}
