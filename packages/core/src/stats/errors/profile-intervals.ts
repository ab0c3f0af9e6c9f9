import type { Session } from '../../engine/engine.ts'
import { orStopped } from '../../errors.ts'
import type { LogitDesign } from '../../fit/covariates/logit.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { Column, FreeParameters } from '../identification/free-parameters.ts'
import type { Place } from './fixed-parameter.ts'
import { measured, profileBound, profileOf } from './profile-bound.ts'

/** Which intervals are profile-likelihood intervals, and why others near 0 or 1 are not. */
export interface ProfileRecord {
  /** How many are. */
  readonly computed: number
  /** How many should be and are not: at 0 or 1 there is then none, and near it one by the standard error, which may be far too wide. */
  readonly left: number
  /** Why not; undefined where none is left. */
  readonly reason: string | undefined
}

export interface ProfileOptions {
  /** Whether to do it, whatever it takes; undefined where it is quick. */
  readonly profile: boolean | undefined
  readonly signal?: PlatformSignal | undefined
  readonly onInterval?: ((done: number, total: number) => void) | undefined
}

/** The standard errors of all parameters, and how many of them an interval is wide on either side. */
export interface Spread {
  readonly errors: readonly number[]
  readonly width: number
}

export interface Profiled {
  readonly intervals: ReadonlyMap<number, readonly [number, number]>
  readonly record: ProfileRecord
}

/** The refits that are made without being asked for: this many cells × modes × classes, for all bounds together. */
const QUICK = 1e7

/** A parameter whose interval is to be found by refits. */
interface Wanted {
  readonly at: number
  readonly place: Place
  /** 0 or 1 for a parameter that is there. */
  readonly end: 0 | 1 | undefined
  /** Of two that sum to 1, the other one. */
  readonly other: number | undefined
}

/**
 * The parameters whose intervals cannot be based on standard errors: those at 0 or 1, and those within the width of an interval of it, where
 * the logit changes without limit.
 */
const wantedOf = (rank: number, free: FreeParameters, { errors, width }: Spread): Wanted[] =>
  free.columns.flatMap(({ mode, class: of, entries, moving, boundary }: Column) => {
    const { values } = free
    const isNear = (at: number) => Math.min(values[at], 1 - values[at]) < width * errors[at]
    const own = [...boundary, ...moving.filter(isNear)].sort((a, b) => a - b)
    return own.map(at => ({
      at,
      place: of === undefined ? { mode, class: at, label: 0 } : { mode, class: of, label: (at - entries[0]) / rank },
      end: boundary.includes(at) ? (values[at] < 0.5 ? 0 : 1) : undefined,
      other: entries.length === 2 ? entries.find(entry => entry !== at) : undefined,
    }))
  })

/** That no refits were made, and why, where there should have been some. */
export const unprofiled = (rank: number, free: FreeParameters, spread: Spread, reason: string): Profiled => {
  const left = wantedOf(rank, free, spread).length
  return { intervals: new Map(), record: { computed: 0, left, reason: left > 0 ? reason : undefined } }
}

/**
 * Intervals by the profile of the likelihood, by position, for those parameters that need it.
 * @param explained what explains membership: the last mode of the session's data is then its combinations
 */
export const profileIntervals = async (
  session: Session,
  parameters: ModelParameters,
  free: FreeParameters,
  spread: Spread,
  { profile, signal, onInterval }: ProfileOptions,
  explained?: LogitDesign,
): Promise<Profiled> => {
  const intervals = new Map<number, readonly [number, number]>()
  // Mean memberships are no parameters of a logit: no refit can hold them.
  const isParameter = ({ place }: Wanted) => explained === undefined || place.mode >= 0
  const wanted = wantedOf(parameters.rank, free, spread).filter(isParameter)
  const { errors, width } = spread
  const ended = (reason: string | undefined) => {
    const left = wanted.length - intervals.size
    return { intervals, record: { computed: intervals.size, left, reason: left > 0 ? reason : undefined } }
  }
  const { cells, shape, total } = session.data
  const bounds = wanted.reduce((sum, { end }) => sum + (end === undefined ? 2 : 1), 0)
  if (bounds === 0 || profile === false) return ended('profiling is turned off')
  if (profile === undefined && bounds * cells * shape.length * parameters.rank > QUICK) return ended(SLOW)
  if (signal?.aborted) return ended(STOPPED)
  const drop = (width * width) / 2
  const { logLikelihood } = await session.measure(measured(parameters, explained))
  if (Number.EPSILON * Math.abs(logLikelihood) > LOST * drop) return ended(ROUNDED)
  const around = await orStopped(profileOf(session, parameters, logLikelihood, drop, signal, explained))
  if (around === undefined) return ended(STOPPED)
  for (const { at, place, end, other } of wanted) {
    const known = other === undefined ? undefined : intervals.get(other)
    if (known !== undefined) {
      intervals.set(at, [1 - known[1], 1 - known[0]])
    } else {
      // A class with m observations of a mode that never show a label allows about drop/m.
      const members = total * (place.mode < 0 ? 1 : parameters.shares[place.class])
      const guess = end === undefined ? width * errors[at] : Math.min(0.5, drop / members)
      const bound = (toward: 0 | 1) =>
        end === toward ? toward : orStopped(profileBound(around, place, { end, toward, guess }))
      const [low, high] = [await bound(0), await bound(1)]
      if (low === undefined || high === undefined) return ended(STOPPED)
      intervals.set(at, [Math.min(low, free.values[at]), Math.max(high, free.values[at])])
    }
    onInterval?.(intervals.size, wanted.length)
  }
  return ended(undefined)
}

/** From this part of the drop on, rounding of the log-likelihood decides where an interval ends. */
const LOST = 0.1
const ROUNDED =
  'the log-likelihood is so large that rounding hides the fall that ends an interval. Divide all counts by a constant'
const SLOW = 'profiling would be slow on data of this size. The bootstrap gives better ones'
/** Why intervals are missing if a signal has ended the refits. */
export const STOPPED = 'profiling was stopped early'
