import type { Session } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { throwIfStopped } from '../../errors.ts'
import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import { countsOf, isSession } from '../../fit/fit.ts'
import { fitOptionsOf } from '../../fit/fit-options.ts'
import { alignModel } from '../../model/align.ts'
import { type Losses, lossesOf } from '../../model/loss.ts'
import type { Model } from '../../model/model.ts'
import { checkedOptions } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { countParameters, type Identification, identifyStructured } from '../identification/identification.ts'
import { identifyModel } from '../identification/local-identification.ts'
import { type Criteria, criteria } from './criteria.ts'
import { type Certainty, certaintyOf, cressieReadWithin, type Goodness, goodnessOfFit } from './goodness.ts'

/** A model compared with data: all that is known of a fit besides how it was found. */
export interface Evaluation extends Losses, Criteria, Goodness, Certainty {
  /** Free parameters, as they are counted; criteria and degrees of freedom count those that the table can tell apart. */
  readonly parameters: number
  readonly degreesOfFreedom: number
  readonly identification: Identification
  /** The share of the smallest class. */
  readonly smallestClass: number
}

export interface EvaluateOptions {
  /** Those that the model was fitted under: what they fix is no parameter. */
  readonly constraints?: Constraints
  /** Gives up with an `AbortError`: within the passes if they take long. After them it leaves out `cressieRead` alone. */
  readonly signal?: PlatformSignal
}

/** The options of `evaluate`. */
export const EVALUATE_OPTIONS = fitOptionsOf('constraints', 'signal')

/**
 * Evaluates a model by one or two passes over the data, which is a tensor or a session of any engine. Modes and labels are matched by
 * name; a label that only one of them has is refused.
 * @example
 * const { bic, identification } = await evaluate(answers, result.model)
 * bic // 4574.3
 * identification.verdict // 'identified'
 */
export const evaluate = async (
  data: Tensor | Session,
  model: Model,
  options: EvaluateOptions = {},
): Promise<Evaluation> => {
  const { modes } = countsOf(data)
  const { constraints, signal } = checkedOptions('evaluate', EVALUATE_OPTIONS, options)
  throwIfStopped(signal)
  const aligned = alignModel(model, modes)
  const setting = constraints === undefined ? undefined : constraintSetting(modes, model.rank, constraints)
  if (isSession(data)) return evaluateOn(data, aligned, setting, signal)
  const session = await wasmEngine().open(data, signal)
  try {
    return await evaluateOn(session, aligned, setting, signal)
  } finally {
    await session.close()
  }
}

/**
 * What is known of a fit that could not be evaluated: its likelihood and its size. Every other figure is NaN or undefined.
 * @example
 * const { parameters, bic } = unknownEvaluation(answers, model, result.logLikelihood)
 * parameters // 9
 * Number.isNaN(bic) // true
 */
export const unknownEvaluation = (data: Counts, model: Model, logLikelihood: number): Evaluation => {
  const { rank, shares } = model
  const parameters = countParameters(data.shape, rank)
  const degreesOfFreedom = Number.NaN
  return Object.freeze<Evaluation>({
    ...lossesOf(data, logLikelihood, model.total),
    ...criteria(logLikelihood, Number.NaN, data.total, Number.NaN),
    ...{ parameters, degreesOfFreedom },
    identification: { parameters, rank: parameters, degreesOfFreedom, verdict: 'not checked', method: 'none' },
    ...{ gSquared: undefined, chiSquared: undefined, cressieRead: undefined, pValue: undefined, sparse: true },
    ...{ entropy: undefined, relativeEntropy: undefined, classificationError: Number.NaN },
    averagePosteriors: shares.map(() => undefined),
    smallestClass: Math.min(...shares),
  })
}

/**
 * What is known of a fit by its likelihood alone, without a pass: criteria and G². Every other figure is NaN or undefined.
 * @example
 * const { bic, gSquared } = evaluateLikelihood(answers, model, result.logLikelihood)
 * bic // 4574.3
 */
export const evaluateLikelihood = (
  data: Counts,
  model: Model,
  logLikelihood: number,
  constraints?: Constraints,
): Evaluation => {
  const setting = constraints && constraintSetting(data.modes, model.rank, constraints)
  const identification =
    setting === undefined ? identifyModel(model) : identifyStructured(data.shape, model.rank, { constraints: setting })
  const { degreesOfFreedom } = identification
  const none = { logLikelihood, sumYYOverP: Number.NaN }
  return Object.freeze<Evaluation>({
    ...unknownEvaluation(data, model, logLikelihood),
    ...criteria(logLikelihood, identification.rank, data.total, Number.NaN),
    ...{ parameters: identification.parameters, degreesOfFreedom, identification },
    ...goodnessOfFit(data, none, undefined, degreesOfFreedom),
  })
}

/** @param model of the modes of the session @param signal looked at within passes that take long, and for Cressie and Read's statistic, which is left out once it fires */
export const evaluateOn = async (
  session: Session,
  model: Model,
  constraints: ConstraintSetting | undefined,
  signal: PlatformSignal | undefined,
): Promise<Evaluation> => {
  const { parameters, rank, shares, total: weight } = model
  const { data } = session
  const measures = await session.measure(parameters, signal)
  const identification =
    constraints === undefined ? identifyModel(model) : identifyStructured(data.shape, rank, { constraints })
  const { degreesOfFreedom } = identification
  const certainty = certaintyOf(measures, data.total, rank)
  const between = await cressieReadWithin(data, parameters, signal)
  return Object.freeze({
    ...lossesOf(data, measures.logLikelihood, weight),
    // Where a cell is impossible, the criteria are infinite.
    ...criteria(measures.logLikelihood, identification.rank, data.total, certainty.entropy),
    parameters: identification.parameters,
    degreesOfFreedom,
    identification,
    ...goodnessOfFit(data, measures, between, degreesOfFreedom),
    ...certainty,
    smallestClass: Math.min(...shares),
  })
}
