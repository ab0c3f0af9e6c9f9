import type { Session } from '../../engine/engine.ts'
import type { LogitDesign } from '../../fit/covariates/logit.ts'
import type { ConstraintProjector } from '../../fit/descent/constraint-projector.ts'
import { mStepOf } from '../../fit/descent/m-step.ts'
import { run } from '../../fit/descent/run.ts'
import { Pace } from '../../fit/running/pace.ts'
import { withMemberships } from '../../fit/search/replicate.ts'
import { pairing } from '../../model/pairing.ts'
import type { ModelParameters, Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { holding, type Place, valueAt } from './fixed-parameter.ts'

/** A model that was fitted with one of its parameters held, and how far its log-likelihood is below the maximum. */
interface Held {
  readonly parameters: ModelParameters
  readonly fall: number
}

/** The profile of the likelihood of a model: its maximum with one parameter held, as a function of where it is held. */
export interface Profile {
  /** The parameters at the maximum. */
  readonly parameters: ModelParameters
  /** How far the log-likelihood has to fall for a bound. */
  readonly drop: number
  /** The best of refits with a parameter held, from several starts. */
  refit(place: Place, value: number, starts: readonly ModelParameters[]): Promise<Held>
  readonly stopped: () => boolean
}

type Signal = Pick<PlatformSignal, 'aborted'> | undefined

/** How close to the drop the fall at a bound must be, in nats. */
const NEAR = 1e-3
/** A change from one step to the next that counts as none, in nats; and relative to the loss, below which there is only rounding. */
const SETTLED = { nats: 1e-6, relative: 1e-15 }
/**
 * The residual that counts as stationary: it is per observation, and the loss can still fall by about N/2 times its square. It is
 * this over √N, and no more than the other.
 */
const STATIONARY = { byRoot: 3e-3, most: 1e-5 }
const MAX_PASSES = 2000
/** Passes of plain EM before acceleration. */
const WARM_UP = 5
/** A refit of the model itself that reduces the loss by more than this part of the drop shows that it is not at its maximum. */
const ELSEWHERE = 0.1

/**
 * The profile around a model that was fitted by maximum likelihood.
 * @param explained what explains membership: the last mode of the session's data is then its combinations
 */
export const profileOf = async (
  session: Session,
  fitted: ModelParameters,
  logLikelihood: number,
  drop: number,
  signal?: Signal,
  explained?: LogitDesign,
): Promise<Profile> => {
  const { total } = session.data
  const steps = fitted.factors.map(() => mStepOf({ added: 0, width: 0 }))
  const pace = new Pace()
  const nanos = session.traits.nanosPerPass(fitted.rank)
  // A signal and a timer are heard between passes only if they get their turn.
  const onPass = () => (pace.due(nanos) ? eventLoopTurn() : undefined)
  const descend = async (start: ModelParameters, size: number, projector?: ConstraintProjector) => {
    const stopping = {
      tolerance: Math.max(SETTLED.nats / size, SETTLED.relative),
      stationarity: Math.min(STATIONARY.most, STATIONARY.byRoot / Math.sqrt(total)),
      minGain: 0,
      maxPasses: MAX_PASSES,
    }
    const options = {
      stopping,
      algorithm: 'accelerated',
      steps,
      projector,
      explained,
      warmUp: WARM_UP,
      signal,
      onPass,
    } as const
    const { parameters, loss, failure, trace } = await run(session, start, options)
    if (failure !== undefined) throw failure
    return { parameters, loss, first: trace[0] }
  }
  // The last digits of the fit: where its loss is in the thousands of millions, they are whole nats.
  const size = Math.max(1, Math.abs(logLikelihood))
  const best = await descend(fitted, size)
  const isMaximum = best.first - best.loss < ELSEWHERE * drop
  const [parameters, lowest] = isMaximum ? [best.parameters, best.loss] : [fitted, best.first]
  return {
    parameters,
    drop,
    stopped: () => signal?.aborted === true,
    async refit(place, value, starts) {
      const projector = holding(place, value)
      let found: Held = { parameters, fall: Number.POSITIVE_INFINITY }
      for (const start of starts) {
        const from = copyOf(start)
        projector.project(from)
        if (
          (value === 0 || value === 1) &&
          !Number.isFinite((await session.measure(measured(from, explained))).logLikelihood)
        )
          continue
        const { parameters: own, loss } = await descend(from, size, projector)
        // Where classes have changed places, the parameter is no longer that of its class.
        const isSame = starts.length === 1 || pairing(parameters, own).every((l, k) => l === k)
        if (isSame && loss - lowest < found.fall) found = { parameters: own, fall: loss - lowest }
      }
      return found
    },
  }
}

/** The parameters of a pass. */
export const measured = (parameters: ModelParameters, explained: LogitDesign | undefined): Parameters =>
  explained === undefined ? parameters : withMemberships(parameters, explained)

/** How far from the estimate a refit was held, and what came of it. */
interface Reached extends Held {
  readonly distance: number
}

/** Refits on one side of an estimate. */
const MOST_REFITS = 40
/** The profile is followed in steps that multiply the distance from the estimate by no less and no more than this. */
const STEP = { least: 1.5, most: 4 }
/** From this part of the way to 0 or 1 on, the next step goes there. */
const LAST_STEP = 0.9
/** Ends of a bracket that are this close together, relative to their distance, are one: the profile jumps there. */
const SAME = 1e-9

/**
 * How far an interval goes on one side of an estimate: to where the log-likelihood has fallen by the drop, or to 0 or 1. The profile is
 * followed from the estimate, each refit from the one before. A refit can end in a local maximum, so a bound counts only if refits from
 * other starts do not get higher there; else the profile is followed further from the best of them. Undefined if it was stopped.
 * @param place the parameter
 * @param side where it is (undefined between 0 and 1), which way to go, and how far the bound might be
 */
export const profileBound = async (
  { parameters, drop, refit, stopped }: Profile,
  place: Place,
  { end, toward, guess }: { readonly end: 0 | 1 | undefined; readonly toward: 0 | 1; readonly guess: number },
): Promise<number | undefined> => {
  const estimate = end ?? valueAt(parameters, place)
  const reach = Math.abs(toward - estimate)
  const heldAt = (distance: number) => (distance >= reach ? toward : estimate + (toward === 1 ? distance : -distance))
  // The log-likelihood falls in proportion to the distance from an estimate at 0 or 1, and to its square elsewhere.
  const scale = (fall: number) => (end === undefined ? Math.sqrt(Math.max(0, fall)) : Math.max(0, fall))
  let inside: Reached = { distance: 0, fall: 0, parameters }
  let outside: Reached | undefined
  /** What is left of the weight of each end: the one that stays gives way by half (the Illinois rule). */
  let weights = { inside: 1, outside: 1 }
  for (let refits = 0; refits < MOST_REFITS; refits++) {
    const distance =
      outside === undefined
        ? outward(inside, scale, drop, guess, reach)
        : between(inside, outside, scale, drop, weights)
    const found = { distance, ...(await refit(place, heldAt(distance), [inside.parameters])) }
    if (stopped()) return undefined
    if (found.fall < drop) {
      weights = { inside: 1, outside: outside !== undefined && weights.inside === 1 ? weights.outside / 2 : 1 }
      inside = found
      if (distance >= reach) return toward
    } else {
      weights = { inside: weights.outside === 1 && outside !== undefined ? weights.inside / 2 : 1, outside: 1 }
      outside = found
    }
    if (outside === undefined) continue
    const ends = [outside, inside].find(({ fall }) => Math.abs(fall - drop) <= NEAR)
    const bound = ends ?? (outside.distance - inside.distance <= SAME * outside.distance ? outside : undefined)
    if (bound === undefined) continue
    const other = await refit(place, heldAt(bound.distance), otherStarts(parameters, inside.parameters))
    if (stopped()) return undefined
    if (other.fall >= Math.min(bound.fall, drop) - NEAR) return heldAt(bound.distance)
    inside = { ...other, distance: bound.distance }
    outside = undefined
    weights = { inside: 1, outside: 1 }
    if (inside.distance >= reach) return toward
  }
  return heldAt(outside?.distance ?? inside.distance)
}

/** The next distance to try, outside of all that were tried. */
const outward = (
  { distance, fall }: Reached,
  scale: (fall: number) => number,
  drop: number,
  guess: number,
  reach: number,
): number => {
  // Half of the guess first: the shorter the step, the surer a refit finds what the maximum has become.
  const times = Math.min(STEP.most, Math.max(STEP.least, scale(drop) / scale(Math.max(fall, 0))))
  const next = distance === 0 ? guess / 2 : times * distance
  return next > LAST_STEP * reach ? reach : next
}

/** The distance at which the straight line through both ends is as high as the drop. */
const between = (
  inside: Reached,
  outside: Reached,
  scale: (fall: number) => number,
  drop: number,
  weights: { readonly inside: number; readonly outside: number },
): number => {
  const below = weights.inside * (scale(drop) - scale(inside.fall))
  const above = weights.outside * (scale(outside.fall) - scale(drop))
  const part = Number.isFinite(above) ? below / (below + above) : 0.5
  return inside.distance + (outside.distance - inside.distance) * part
}

/** How much of something else is mixed into a start: a little of everything, so that no zero binds, or much of it. */
const MIXED = { little: 0.02, much: 0.2, random: [0.3, 0.3, 0.4, 0.4, 0.5, 0.5] }

/** Where else refits begin. */
const otherStarts = (estimate: ModelParameters, near: ModelParameters): ModelParameters[] => {
  const { rank, factors } = estimate
  const shape = factors.map(factor => factor.length / rank)
  const even: Parameters = {
    rank,
    shares: new Float64Array(rank).fill(1 / rank),
    factors: factors.map(factor => new Float64Array(factor.length).fill(rank / factor.length)),
  }
  return [
    estimate,
    mixture(near, even, MIXED.little),
    mixture(estimate, even, MIXED.much),
    ...MIXED.random.map((part, start) => mixture(estimate, randomStart(shape, rank, 1, start), part)),
  ]
}

const mixture = (a: ModelParameters, b: Parameters, part: number): ModelParameters => ({
  ...a,
  shares: a.shares.map((share, k) => (1 - part) * share + part * b.shares[k]),
  factors: a.factors.map((factor, n) => factor.map((p, i) => (1 - part) * p + part * b.factors[n][i])),
})

const copyOf = ({ shares, factors, ...rest }: ModelParameters): ModelParameters => ({
  ...rest,
  shares: shares.slice(),
  factors: factors.map(factor => factor.slice()),
})
