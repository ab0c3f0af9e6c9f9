import { defined } from '../../defined.ts'
import type { NamedParameter } from '../../model/items/item.ts'
import type { Model } from '../../model/model.ts'
import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { chiSquareQuantile, studentQuantile } from '../../numeric/special.ts'
import type { Label } from '../../tensor/mode.ts'
import type { FreeParameters } from '../identification/free-parameters.ts'
import { type Covariance, degreesOf, type SampleSize } from './covariance.ts'
import type { CovariateEffects } from './covariate-effects.ts'
import type { CoefficientLimit } from './infinite-coefficients.ts'
import { type Profiled, type ProfileRecord, type Spread, STOPPED, unprofiled } from './profile-intervals.ts'
import type { StandardErrorKind } from './sandwich.ts'
import type { WaldTest } from './wald.ts'

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

/** A number for each parameter: shares, and probabilities by mode, class and label. */
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
  /** For every mode the parameters of its item with their errors; undefined for categories. */
  readonly items?: readonly (readonly ItemParameter[] | undefined)[]
  /** The coefficients of a model with covariates, with their errors and tests. */
  readonly covariates?: CovariateEffects
  /** Of a model of persons over time: the initial class sizes, the transitions and the class sizes by wave. */
  readonly chain?: ChainErrors
  /** Of a model of groups: the sizes of the group classes, and the class sizes within each. */
  readonly nested?: NestedErrors
  /** Of linked rows with covariates: their coefficients. */
  readonly effects?: readonly LinkEffects[]
}

/** A probability with its standard error; undefined at 0 and 1. */
export interface Estimated {
  readonly value: number
  readonly error: number | undefined
  /** On the logit scale. */
  readonly interval: Interval | undefined
}

/** A coefficient of a covariate on the classes of linked rows. */
export interface LinkCoefficient {
  /** The class that is left, counted from 1; undefined if the effect is not on transitions. */
  readonly from: number | undefined
  /** The class (or group class), counted from 1. */
  readonly class: number
  /** Whether it is the class of persons who never change; undefined if the model has none. */
  readonly stays: boolean | undefined
  readonly term: string
  /** For an intercept of a step or a group class its number, counted from 1, if there are several. */
  readonly of: number | undefined
  readonly estimate: number
  /** Where it is at the maximum of the likelihood: infinite, for example, if nobody with some category is in a class. */
  readonly limit: CoefficientLimit
  /** Undefined if the coefficient is not finite. */
  readonly error: number | undefined
  readonly z: number | undefined
  readonly pValue: number | undefined
  readonly oddsRatio: number
  /** Of the odds ratio. */
  readonly interval: Interval | undefined
}

/** Effects of covariates on the classes of linked rows. */
export interface LinkEffects {
  /** The class at the first wave, transitions, the class of a group, or that of a member. */
  readonly part: 'initial' | 'transitions' | 'groups' | 'mixes'
  /** The class that the others are compared with; undefined for transitions, where it is the class that is left. */
  readonly reference: number | undefined
  readonly covariates: readonly string[]
  readonly coefficients: readonly LinkCoefficient[]
  /** Whether anything depends on a covariate at all: Wald's test that all its coefficients are zero. */
  readonly tests: readonly { readonly covariate: string; readonly test: WaldTest | undefined }[]
}

export interface ChainErrors {
  readonly initial: readonly Estimated[]
  /** For every step, or once for all: a row for each class left. */
  readonly transitions: readonly (readonly (readonly Estimated[])[])[]
  /** The class sizes, by wave. */
  readonly sizes: readonly (readonly Estimated[])[]
  /** The part of the persons who never change, and their class sizes. */
  readonly stayers?: { readonly share: Estimated; readonly sizes: readonly Estimated[] }
}

export interface NestedErrors {
  readonly groupSizes: readonly Estimated[]
  readonly mixes: readonly (readonly Estimated[])[]
}

/** A parameter of an item, such as the mean of a class. */
export interface ItemParameter extends Omit<NamedParameter, 'at' | 'by'> {
  /** Undefined if it is not free, or if the data does not determine it. */
  readonly error: number | undefined
  /** Of a parameter above zero on the logarithmic scale, and of a correlation on that of Fisher's z. */
  readonly interval: Interval | undefined
}

/** Design effects. Clusters, strata and degrees of freedom are undefined for weighted samples without clusters. */
export interface DesignEffects {
  readonly clusters: number | undefined
  readonly strata: number | undefined
  /** Clusters less strata, or replicates less 1: of Student's t, which the intervals use. */
  readonly degreesOfFreedom: number | undefined
  /**
   * The scaling factor of the log-likelihood, tr(A⁻¹·B) divided by the number of free parameters: for scaled likelihood-ratio tests of nested
   * models. Undefined by replicate weights.
   */
  readonly scaling?: number
  /** The replicate weights, if the errors are by them. */
  readonly replicates?: { readonly kind: string; readonly count: number }
  /** The variance of every parameter over what it would be if observations had been drawn one by one; undefined where it has none. */
  readonly effects: ByParameter<number | undefined>
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
    kind,
    confidence,
    reason,
    stopped,
    shares: undefined,
    factors: undefined,
    intervals: undefined,
    boundary: boundaryOf(model, free, () => undefined),
    free: free.count,
    shortfall: undefined,
    covariance: undefined,
    profile: { computed: 0, left: 0, reason: undefined },
  })

/** The standard error of every parameter, and how many of them an interval is wide on either side. */
export const spreadOf = (
  { values }: FreeParameters,
  { covariance, sample }: Pick<Covariance, 'covariance' | 'sample'>,
  confidence: number,
): Spread => {
  return {
    errors: Array.from(values, (_, at) => Math.sqrt(Math.max(0, covariance[at * values.length + at]))),
    width: widthOf(sample, confidence),
  }
}

/** How many standard errors an interval reaches to either side. */
export const widthOf = (sample: SampleSize | undefined, confidence: number): number => {
  const degrees = sample === undefined ? undefined : degreesOf(sample)
  return degrees === undefined ? Math.sqrt(chiSquareQuantile(confidence, 1)) : studentQuantile(confidence, degrees)
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
    kind,
    confidence,
    reason: undefined,
    stopped: record.reason === STOPPED,
    ...byParameter(model, at => known.get(at)![0]),
    intervals: byParameter(model, at => known.get(at)![1]),
    profile: record,
    boundary,
    free: free.count,
    shortfall,
    covariance,
    ...(sample !== undefined && { design: designEffects(model, free, covariance, sample) }),
  })
}

const designEffects = (
  model: Model,
  { values }: FreeParameters,
  covariance: Float64Array,
  sample: SampleSize,
): DesignEffects => {
  const { clusters, strata, simple, replicates, scaling } = sample
  const effect = (at: number) => {
    const diagonal = at * values.length + at
    return simple[diagonal] > 0 ? covariance[diagonal] / simple[diagonal] : undefined
  }
  return {
    clusters,
    strata,
    degreesOfFreedom: degreesOf(sample),
    effects: byParameter(model, effect),
    ...defined({ scaling, replicates }),
  }
}

export const logitInterval = (value: number, error: number, width: number): Interval => {
  const logit = log(value / (1 - value))
  const reach = (width * error) / (value * (1 - value))
  return [1 / (1 + exp(reach - logit)), 1 / (1 + exp(-reach - logit))]
}

/** A list for the shares, and for every mode and class a list over the labels. */
const byParameter = <T>({ rank, modes, items }: Model, of: (at: number) => T): ByParameter<T> => {
  let offset = rank
  const shares = Array.from({ length: rank }, (_, k) => of(k))
  const factors = modes.map((mode, n) => {
    const first = offset
    const size = items[n] === undefined ? mode.size : 0
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
