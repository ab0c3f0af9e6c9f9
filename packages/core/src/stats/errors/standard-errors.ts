import type { Session } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { OptionError, throwIfStopped } from '../../errors.ts'
import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import { countsOf, isSession } from '../../fit/fit.ts'
import { fitOptionsOf } from '../../fit/fit-options.ts'
import { checkAligned } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { interiorParameters } from '../identification/boundary.ts'
import { BOUNDARY, type FreeParameters, freeParameters } from '../identification/free-parameters.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import type { ModelData } from '../model-data/model-data.ts'
import { isLinkedData, placedLinksIn } from '../model-data/placed-links.ts'
import { cellsOf, isModelData, placedIn } from '../model-data/placed-model.ts'
import { covarianceOf } from './covariance.ts'
import { UNIT_OPTIONS, type UnitOptions } from './covariate-units.ts'
import { errorsOf, type StandardErrors, spreadOf, withoutErrors } from './error-results.ts'
import { linkedErrors } from './linked-errors.ts'
import { drawnRows, placedErrors } from './placed-errors.ts'
import { type ProfileOptions, profileIntervals } from './profile-intervals.ts'
import { DEFAULT_STANDARD_ERRORS, STANDARD_ERROR_KINDS, type StandardErrorKind } from './sandwich.ts'
import {
  checkDesignIndex,
  type DesignIndex,
  designModes,
  indexDesign,
  prepareDesign,
  type SurveyDesign,
  withSizes,
} from './survey-design.ts'

export interface StandardErrorOptions extends UnitOptions {
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
   * With weights: how many observations they belong to. CovariateDesign effects compare with a simple sample of as many. Default: the total of the
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
  ...UNIT_OPTIONS,
  onInterval: { check: is.function },
} as const satisfies OptionTable<StandardErrorOptions>

/**
 * Computes standard errors and confidence intervals of a maximum-likelihood fit. For a model with covariates, pass the `data` of the fit, or a tensor with
 * the covariates as modes; the result then has the coefficients (`covariates`), and shares are mean memberships.
 * @example
 * const errors = await standardErrors(answers, result.model)
 * errors.shares // [0.03, 0.03]
 * errors.intervals?.factors[1][0] // of the first class's probabilities in the second mode
 */
export const standardErrors = async (
  data: Tensor | Session | ModelData | LinkedData,
  model: Model,
  options: StandardErrorOptions = {},
): Promise<StandardErrors> => {
  const given = checkedOptions('standardErrors', STANDARD_ERROR_OPTIONS, options)
  const { constraints, design, squares } = given
  throwIfStopped(given.signal)
  const hasMore = model?.structure?.kind === 'logit' || model?.items?.some(item => item !== undefined) === true
  const isRows = design !== undefined && !isModelData(data as ModelData) && hasMore
  const rows = isRows ? prepareDesign(cellsOf('standardErrors', data as Tensor | Session), design) : data
  const placing = { constraints, squares, design: designModes(design) }
  const linked = placedLinksIn(data, model, squares)
  if (linked !== undefined) {
    if (design !== undefined)
      throw new OptionError('design', 'cannot be combined with linked rows: persons or groups are the clusters')
    checkDrawn(
      given.kind,
      undefined,
      squares,
      isLinkedData(data) ? (squares?.length ?? 0) : countsOf(data as Tensor).cells,
    )
    return linkedErrors(linked, model, given, squares !== undefined)
  }
  const found = placedIn('standardErrors', rows as Tensor | Session | ModelData, model, placing, true)
  if (found === undefined) return plainErrors(data as Tensor | Session, model, given)
  checkDrawn(given.kind, design, found.data.squares, found.data.tensor.cells)
  const counted = isRows ? withSizes(rows as Tensor, design) : design
  return placedErrors(found, model, { ...given, drawn: drawnRows(found.data, counted, given.observations) })
}

/** Of a model of class sizes and probabilities alone. */
const plainErrors = async (
  data: Tensor | Session,
  model: Model,
  { design, ...given }: StandardErrorOptions & Pick<Setting, 'kind' | 'confidence' | 'boundary'>,
): Promise<StandardErrors> => {
  const { squares, profile, observations, signal, onInterval } = given
  const constraints = given.constraints && constraintSetting(model.modes, model.rank, given.constraints)
  const setting = { ...given, squares, profile, observations, constraints, signal, onInterval }
  const counts = countsOf(data)
  checkDrawn(setting.kind, design, squares, counts.cells)
  if (design === undefined) checkAligned(model, counts.modes)
  const designIndex = design === undefined ? undefined : indexDesign(counts, design)
  if (designIndex !== undefined) checkDesignIndex(counts, model, designIndex)
  if (isSession(data)) return errorsOn(data, model, setting, designIndex)
  const session = await wasmEngine().open(data, signal)
  try {
    return await errorsOn(session, model, setting, designIndex)
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
  designIndex: DesignIndex | undefined,
): Promise<StandardErrors> => {
  const { kind, confidence, boundary, squares, observations, constraints, signal } = setting
  const open =
    designIndex === undefined ? await interiorParameters(session, model.parameters, boundary, signal) : undefined
  const covariance = (of: FreeParameters) =>
    covarianceOf(session, model, of, kind, { designIndex, squares, observations, signal })
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
