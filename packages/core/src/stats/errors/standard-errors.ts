import type { Session } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { OptionError, throwIfStopped } from '../../errors.ts'
import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import { countsOf, isSession } from '../../fit/fit.ts'
import { fitOptionsOf } from '../../fit/fit-options.ts'
import { checkAligned } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { chiSquareQuantile, studentQuantile } from '../../numeric/special.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { Label } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { BOUNDARY, type FreeParameters, freeParameters } from '../identification/free-parameters.ts'
import { aboveZero } from '../identification/near-zero.ts'
import { type Covariance, covarianceOf, degreesOf, type SampleSize } from './covariance.ts'
import {
  type Profiled,
  type ProfileOptions,
  type ProfileRecord,
  profileIntervals,
  type Spread,
  STOPPED,
  unprofiled,
} from './profile-intervals.ts'
import { DEFAULT_STANDARD_ERRORS, STANDARD_ERROR_KINDS, type StandardErrorKind } from './sandwich.ts'
import { checkPlaced, type Placing, placeDesign, type SurveyDesign } from './survey-design.ts'

export interface StandardErrorOptions {
  /**
   * 'sandwich' (default): from the scores and the curvature, valid even if the model is not quite true. 'empirical': from the outer
   * products of the scores. 'observed': from the second derivatives of the log-likelihood.
   */
  readonly kind?: StandardErrorKind
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** How near to 0 or 1 a parameter must be to count as at the boundary, unless the data puts it elsewhere. Default 1e-6. */
  readonly boundary?: number
  /** The constraints under which the model was fitted: what they fix is known, and what they make equal is estimated together. */
  readonly constraints?: Constraints
  /**
   * How the sample was drawn, for data with modes that say so: 'sandwich', the only kind then, measures how much clusters differ within
   * strata (Taylor linearization).
   */
  readonly design?: SurveyDesign
  /**
   * Where the data's values are sums of sampling weights: for every cell, in the order of the tensor, the sum of their squares.
   * 'sandwich', the only kind then, measures how much weighted observations differ. A design needs none: its clusters say it.
   */
  readonly squares?: Float64Array
  /**
   * With weights: how many observations they belong to. Design effects compare with a simple sample of as many. Default: the total of the
   * data, which is right if the weights average 1, as those of `readTensor` do.
   */
  readonly observations?: number
  /**
   * Whether parameters at 0 or 1, or nearer to it than an interval is wide, get an interval by the profile of the likelihood: refits with
   * the parameter held elsewhere. Default: where that is quick; never under a design or weights.
   */
  readonly profile?: boolean
  /** Stops the work. During refits, intervals that are not yet computed are left out; before them, it fails with an `AbortError`. */
  readonly signal?: PlatformSignal
  /** Called after every interval by refits, with the number done and the number of all. */
  readonly onInterval?: (done: number, total: number) => void
}

export type Interval = readonly [low: number, high: number]

/** A parameter at 0 or 1: it has no standard error. */
export interface BoundaryParameter {
  /** Undefined where it is a share. */
  readonly mode: string | undefined
  readonly label: Label | undefined
  /** The class, counted from 0. */
  readonly class: number
  readonly value: 0 | 1
  /** From the boundary to where the likelihood of a refit has fallen as far as the confidence allows; undefined where none was computed. */
  readonly interval: Interval | undefined
}

/** A number for every share, and for every mode, class and label. */
export interface ByParameter<T> {
  readonly shares: readonly T[]
  readonly factors: readonly (readonly (readonly T[])[])[]
}

export interface StandardErrors {
  /** 'replicates': by replicate weights. */
  readonly kind: StandardErrorKind | 'replicates'
  readonly confidence: number
  /** Why there are none, in words: then `shares`, `factors`, `intervals` and `covariance` are undefined. */
  readonly reason: string | undefined
  /** Undefined for a parameter at 0 or 1, and for those of a class without members. */
  readonly shares: ByParameter<number | undefined>['shares'] | undefined
  /** By mode, class and label. */
  readonly factors: ByParameter<number | undefined>['factors'] | undefined
  /** On the logit scale; by profile likelihood for parameters at or near 0 or 1. */
  readonly intervals: ByParameter<Interval | undefined> | undefined
  readonly profile: ProfileRecord
  /** Whether a signal or the time limit stopped it before all was computed: `reason` or `profile.reason` says what is missing. */
  readonly stopped: boolean
  readonly boundary: readonly BoundaryParameter[]
  /** How many parameters were free: neither at 0 or 1, nor the rest of a sum. */
  readonly free: number
  /**
   * About how far the log-likelihood is below its maximum, in nats: near 0 after a fit that converged. Standard errors
   * mean little if it is not, for example after a fit with a prior.
   */
  readonly shortfall: number | undefined
  /**
   * Of the shares and then every factor, in the order of `Parameters`: a symmetric matrix, row by row, with zeros where a
   * parameter is at 0 or 1. The variance of a function of them with gradient g is gᵀ·covariance·g.
   */
  readonly covariance: Float64Array | undefined
  /** The effects of a design or of weights, if there are any. */
  readonly design?: DesignEffects
}

/** Clusters, strata and degrees of freedom are undefined where observations were drawn one by one, with weights. */
export interface DesignEffects {
  readonly clusters: number | undefined
  readonly strata: number | undefined
  /** Clusters less strata, or replicates less 1: of Student's t, which the intervals use. */
  readonly degreesOfFreedom: number | undefined
  /** The replicate weights, if the errors are by them. */
  readonly replicates?: { readonly kind: string; readonly count: number }
  /** The variance of every parameter over what it would be if observations had been drawn one by one; undefined where it has none. */
  readonly effects: ByParameter<number | undefined>
}

/** The options of `standardErrors`. */
export const STANDARD_ERROR_OPTIONS = {
  kind: { check: is.oneOf(STANDARD_ERROR_KINDS), default: DEFAULT_STANDARD_ERRORS },
  confidence: { check: is.proportion, default: 0.95 },
  boundary: {
    check: is.number('a number from 0 to below 0.5', 0, 0.5, value => value >= 0 && value < 0.5),
    default: BOUNDARY,
  },
  profile: { check: is.flag },
  design: { check: is.thing('an object', value => typeof value === 'object') },
  squares: { check: is.thing('a Float64Array', value => (value as unknown) instanceof Float64Array) },
  observations: { check: is.positive },
  ...fitOptionsOf('constraints', 'signal'),
  onInterval: { check: is.function },
} as const satisfies OptionTable<StandardErrorOptions>

/**
 * Standard errors and confidence intervals of a model that was fitted to the data by maximum likelihood.
 * @example
 * const errors = await standardErrors(answers, result.model)
 * errors.shares // [0.03, 0.03]
 * errors.intervals?.factors[1][0] // of the first class's probabilities in the second mode
 */
export const standardErrors = async (
  data: Tensor | Session,
  model: Model,
  options: StandardErrorOptions = {},
): Promise<StandardErrors> => {
  const { design, ...given } = checkedOptions('standardErrors', STANDARD_ERROR_OPTIONS, options)
  const { squares, profile, observations, signal, onInterval } = given
  throwIfStopped(signal)
  const constraints = given.constraints && constraintSetting(model.modes, model.rank, given.constraints)
  const setting = { ...given, squares, profile, observations, constraints, signal, onInterval }
  const counts = countsOf(data)
  checkDrawn(setting.kind, design, squares, counts.cells)
  if (design === undefined) checkAligned(model, counts.modes)
  const placing = design === undefined ? undefined : placeDesign(counts, design)
  if (placing !== undefined) checkPlaced(counts, model, placing)
  if (isSession(data)) return errorsOn(data, model, setting, placing)
  const session = await wasmEngine().open(data, signal)
  try {
    return await errorsOn(session, model, setting, placing)
  } finally {
    await session.close()
  }
}

/** Refuses what cannot be where observations were not drawn one by one and all with the same chance. */
export const checkDrawn = (
  kind: StandardErrorKind,
  design: SurveyDesign | undefined,
  squares: Float64Array | undefined,
  cells: number,
): void => {
  if ((design !== undefined || squares !== undefined) && kind !== 'sandwich')
    throw new OptionError('kind', `must be 'sandwich' with ${design === undefined ? 'weights' : 'a design'}`, kind)
  if (design !== undefined && squares !== undefined)
    throw new OptionError('squares', 'cannot be combined with a design, which uses the weights of whole clusters')
  if (squares !== undefined && squares.length !== cells)
    throw new OptionError('squares', `must have ${cells} numbers, one per cell`, squares.length)
}

type Setting = Required<Pick<StandardErrorOptions, 'kind' | 'confidence' | 'boundary'>> &
  ProfileOptions & {
    readonly squares: Float64Array | undefined
    readonly observations: number | undefined
    readonly constraints: ConstraintSetting | undefined
  }

const errorsOn = async (
  session: Session,
  model: Model,
  setting: Setting,
  placing: Placing | undefined,
): Promise<StandardErrors> => {
  const { kind, confidence, boundary, squares, observations, constraints, signal } = setting
  const open = placing === undefined ? await aboveZero(session, model.parameters, boundary, signal) : undefined
  const covariance = (of: FreeParameters) =>
    covarianceOf(session, model, of, kind, { placing, squares, observations, signal })
  let free = freeParameters(model.parameters, boundary, open, constraints)
  let found = await covariance(free)
  if (typeof found === 'string' && open !== undefined && open.size > 0) {
    // What is next to zero may be all that the data does not determine: then it counts as zero.
    free = freeParameters(model.parameters, boundary, new Set(), constraints)
    found = await covariance(free)
  }
  if (typeof found === 'string') return withoutErrors(model, free, { kind, confidence }, found)
  const spread = spreadOf(free, found, confidence)
  const profiled =
    found.sample !== undefined
      ? 'with weights or a design there is no likelihood to profile'
      : constraints !== undefined
        ? 'fits with constraints are not profiled'
        : await profileIntervals(session, model.parameters, free, spread, setting)
  return errorsOf(model, free, setting, found, profiled)
}

/** That there are none, and why. */
export const withoutErrors = (
  model: Model,
  free: FreeParameters,
  { kind, confidence }: Pick<StandardErrors, 'kind' | 'confidence'>,
  reason: string,
  stopped = false,
): StandardErrors =>
  Object.freeze({
    ...{ kind, confidence, reason, stopped, shares: undefined, factors: undefined, intervals: undefined },
    ...{
      boundary: boundaryOf(model, free, () => undefined),
      free: free.count,
      shortfall: undefined,
      covariance: undefined,
    },
    profile: { computed: 0, left: 0, reason: undefined },
  })

/** The standard error of every parameter, and how many of them an interval is wide on either side. */
const spreadOf = (
  { values }: FreeParameters,
  { covariance, sample }: Pick<Covariance, 'covariance' | 'sample'>,
  confidence: number,
): Spread => {
  const degrees = sample === undefined ? undefined : degreesOf(sample)
  return {
    errors: Array.from(values, (_, at) => Math.sqrt(Math.max(0, covariance[at * values.length + at]))),
    width: degrees === undefined ? Math.sqrt(chiSquareQuantile(confidence, 1)) : studentQuantile(confidence, degrees),
  }
}

/**
 * The standard errors and intervals that follow from a covariance.
 * @param profiled the intervals by refits, or why there are none
 */
export const errorsOf = (
  model: Model,
  free: FreeParameters,
  { kind, confidence }: Pick<StandardErrors, 'kind' | 'confidence'>,
  found: Omit<Covariance, 'shortfall'> & { readonly shortfall: number | undefined },
  profiled: Profiled | string,
): StandardErrors => {
  const { covariance, shortfall, sample } = found
  const spread = spreadOf(free, found, confidence)
  const { intervals, record } = typeof profiled === 'string' ? unprofiled(model.rank, free, spread, profiled) : profiled
  const known = new Map<number, readonly [number | undefined, Interval | undefined]>()
  for (const { entries, moving, boundary, known: given } of free.columns) {
    for (const at of entries) {
      const error = spread.errors[at]
      const byProfile = intervals.get(at)
      if (moving.includes(at)) known.set(at, [error, byProfile ?? logitInterval(free.values[at], error, spread.width)])
      else if (boundary.includes(at)) known.set(at, [undefined, byProfile ?? undefined])
      // The only label of a mode has probability 1 whatever the data, and what is fixed is what it is.
      else known.set(at, given.includes(at) ? [0, [free.values[at], free.values[at]]] : [undefined, undefined])
    }
  }
  const boundary = boundaryOf(model, free, at => intervals.get(at) ?? undefined)
  return Object.freeze({
    ...{
      kind,
      confidence,
      reason: undefined,
      stopped: record.reason === STOPPED,
      ...byParameter(model, at => known.get(at)![0]),
    },
    ...{ intervals: byParameter(model, at => known.get(at)![1]), profile: record },
    ...{ boundary, free: free.count, shortfall, covariance },
    ...(sample !== undefined && { design: designEffects(model, free, covariance, sample) }),
  })
}

const designEffects = (
  model: Model,
  { values }: FreeParameters,
  covariance: Float64Array,
  sample: SampleSize,
): DesignEffects => {
  const { clusters, strata, simple, replicates } = sample
  const effect = (at: number) => {
    const diagonal = at * values.length + at
    return simple[diagonal] > 0 ? covariance[diagonal] / simple[diagonal] : undefined
  }
  return {
    ...{ clusters, strata, degreesOfFreedom: degreesOf(sample), effects: byParameter(model, effect) },
    ...(replicates !== undefined && { replicates }),
  }
}

const logitInterval = (value: number, error: number, width: number): Interval => {
  const logit = log(value / (1 - value))
  const reach = (width * error) / (value * (1 - value))
  return [1 / (1 + exp(reach - logit)), 1 / (1 + exp(-reach - logit))]
}

/** A list for the shares, and for every mode and class a list over the labels. */
const byParameter = <T>({ rank, modes }: Model, of: (at: number) => T): ByParameter<T> => {
  let offset = rank
  const shares = Array.from({ length: rank }, (_, k) => of(k))
  const factors = modes.map(({ size }) => {
    const first = offset
    offset += size * rank
    return Array.from({ length: rank }, (_, k) => Array.from({ length: size }, (_, j) => of(first + j * rank + k)))
  })
  return { shares, factors }
}

const boundaryOf = (
  { modes, rank }: Model,
  { columns, values }: FreeParameters,
  interval: (at: number) => Interval | undefined,
): BoundaryParameter[] =>
  columns.flatMap(({ mode, class: of, boundary, entries }) =>
    boundary.map(at => ({
      mode: mode < 0 ? undefined : modes[mode].name,
      label: mode < 0 ? undefined : modes[mode].label((at - entries[0]) / rank),
      class: of ?? at,
      value: values[at] < 0.5 ? (0 as const) : (1 as const),
      interval: interval(at),
    })),
  )
