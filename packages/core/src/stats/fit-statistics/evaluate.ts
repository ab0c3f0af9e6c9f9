import type { Measures, Session } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { throwIfStopped } from '../../errors.ts'
import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import { countsOf, isSession } from '../../fit/fit.ts'
import { fitOptionsOf } from '../../fit/fit-options.ts'
import { alignModel } from '../../model/align.ts'
import { jointModel } from '../../model/given-table.ts'
import { isNumber } from '../../model/items/item.ts'
import { lossesOf, lossOffset } from '../../model/loss.ts'
import type { Model } from '../../model/model.ts'
import { checkedOptions } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { countParameters, type Identification, identifyStructured } from '../identification/identification.ts'
import { identifyModel } from '../identification/local-identification.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import type { ModelData } from '../model-data/model-data.ts'
import { placedLinksIn } from '../model-data/placed-links.ts'
import { type PlacedModel, placedIn } from '../model-data/placed-model.ts'
import { criteria } from './criteria.ts'
import { type Evaluation, logDensityOf } from './evaluation.ts'
import { certaintyOf, fitByCellsWithin, goodnessOfFit, NO_GOODNESS, unmeasured } from './goodness.ts'
import { evaluateLinked } from './linked-evaluation.ts'

export interface EvaluateOptions {
  /** Those that the model was fitted under: what they fix is no parameter. */
  readonly constraints?: Constraints
  /** Gives up with an `AbortError`: within the passes if they take long. After them it leaves out what takes a scan of the cells. */
  readonly signal?: PlatformSignal
}

/** The options of `evaluate`. */
export const EVALUATE_OPTIONS = fitOptionsOf('constraints', 'signal')

/**
 * Evaluates a model on data (a tensor, or a session of any engine) in one or two passes. Modes and labels are matched by name; throws an `OptionError` if
 * only one of them has a label. For a model with covariates the data has these as modes too, and rows without them are left out; or it is the `data` of the
 * fit. For a model of persons over time or of groups it has these columns too. If all covariates have categories, G² and X² are of the table given these;
 * else they are undefined.
 * @example
 * const { bic, identification } = await evaluate(answers, result.model)
 * bic // 4574.3
 * identification.verdict // 'identified'
 */
export const evaluate = async (
  data: Tensor | Session | ModelData | LinkedData,
  model: Model,
  options: EvaluateOptions = {},
): Promise<Evaluation> => {
  const { constraints, signal } = checkedOptions('evaluate', EVALUATE_OPTIONS, options)
  throwIfStopped(signal)
  const linked = placedLinksIn(data, model)
  if (linked !== undefined) return evaluateLinked(linked, signal)
  const placed = placedIn('evaluate', data as Tensor | Session | ModelData, model, { constraints })
  if (placed !== undefined) {
    const session = await wasmEngine().open(placed.data.tensor, signal)
    return evaluatePlaced(placed, { session, signal }).finally(() => session.close())
  }
  const { modes } = countsOf(data as Tensor | Session)
  const aligned = alignModel(model, modes)
  const setting = constraints === undefined ? undefined : constraintSetting(modes, model.rank, constraints)
  if (isSession(data as Tensor | Session)) return evaluateOn(data as Session, aligned, setting, signal)
  const session = await wasmEngine().open(data as Tensor, signal)
  try {
    return await evaluateOn(session, aligned, setting, signal)
  } finally {
    await session.close()
  }
}

/**
 * The evaluation of a fit that was not evaluated: likelihood and size; all other figures are NaN or undefined.
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
    parameters,
    degreesOfFreedom,
    identification: { parameters, rank: parameters, degreesOfFreedom, verdict: 'not checked', method: 'none' },
    logDensity: logDensityOf(data, model.items, logLikelihood),
    ...NO_GOODNESS,
    ...certaintyOf(unmeasured(logLikelihood, rank), data.total, rank),
    smallestClass: Math.min(...shares),
  })
}

/**
 * Evaluates a fit by its likelihood alone, without a pass: criteria and G². Every other figure is NaN or undefined.
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
  const identification = identificationOf(model, constraints && constraintSetting(data.modes, model.rank, constraints))
  const { degreesOfFreedom } = identification
  return Object.freeze<Evaluation>({
    ...unknownEvaluation(data, model, logLikelihood),
    ...criteria(logLikelihood, identification.rank, data.total, Number.NaN),
    parameters: identification.parameters,
    degreesOfFreedom,
    identification,
    ...goodnessOfFit(data, unmeasured(logLikelihood, model.rank), undefined, degreesOfFreedom),
  })
}

/** @param model of the modes of the session @param signal looked at within passes that take long, and for statistics that take a scan of the cells, which are left out once it fires */
export const evaluateOn = async (
  session: Session,
  model: Model,
  constraints: ConstraintSetting | undefined,
  signal: PlatformSignal | undefined,
): Promise<Evaluation> => {
  const { parameters, rank, shares, total: weight } = model
  const { data } = session
  const measures = await session.measure(parameters, signal)
  const identification = identificationOf(model, constraints)
  const { degreesOfFreedom } = identification
  const hasNumbers = model.items.some(item => item !== undefined && item.spec.kind !== 'ordinal')
  const certainty = certaintyOf(measures, data.total, rank)
  const byCells = hasNumbers ? undefined : await fitByCellsWithin(data, parameters, signal)
  return Object.freeze({
    ...lossesOf(data, measures.logLikelihood, weight),
    ...(hasNumbers && { divergence: undefined }),
    logDensity: logDensityOf(data, model.items, measures.logLikelihood),
    // Where a cell is impossible, the criteria are infinite.
    ...criteria(measures.logLikelihood, identification.rank, data.total, certainty.entropy),
    parameters: identification.parameters,
    degreesOfFreedom,
    identification,
    ...(hasNumbers ? NO_GOODNESS : goodnessOfFit(data, measures, byCells, degreesOfFreedom)),
    ...certainty,
    smallestClass: Math.min(...shares),
  })
}

/** What a table can tell of a model. */
export const identificationOf = (model: Model, constraints: ConstraintSetting | undefined): Identification => {
  const items = model.modes.map((_, n) => model.itemModel(n))
  if (constraints === undefined && items.every(item => item === undefined)) return identifyModel(model)
  return identifyStructured(
    model.modes.map(({ size }) => size),
    model.rank,
    { constraints, items },
  )
}

/**
 * Evaluates a model in the form of its data, by a pass of a session on it.
 * @param identification if it is known
 */
export const evaluatePlaced = async (
  found: PlacedModel,
  {
    session,
    signal,
    identification,
  }: {
    readonly session: Session
    readonly signal?: PlatformSignal | undefined
    readonly identification?: Identification | undefined
  },
): Promise<Evaluation> => {
  const { data, placed } = found
  const { rank, factors } = placed.parameters
  const model = { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, placed.memberships(data.design)] }
  const evaluation = placedEvaluation(found, await session.measure(model, signal), identification)
  if (!hasTable(found)) return evaluation
  const joint = jointModel(model, data.tensor)
  const measures = await session.measure(joint, signal)
  const byCells = await fitByCellsWithin(data.tensor, joint, signal)
  return Object.freeze({ ...evaluation, ...goodnessOfFit(data.tensor, measures, byCells, evaluation.degreesOfFreedom) })
}

/** Whether counts of observations have a table that a model can be compared with: of the answers for every combination of categories. */
const hasTable = ({ data, placed: { items = [] } }: PlacedModel): boolean => {
  const { design, known, squares, drawn, tensor } = data
  return (
    design.covariates.every(({ numeric }) => !numeric) &&
    items.every(item => item === undefined || !isNumber(item.spec)) &&
    [known, squares].every(each => each === undefined) &&
    drawn === tensor &&
    !tensor.missing.includes(true)
  )
}

/** What is known of a model in the form of its data; without measures, the certainty of the classes is not known. */
export const placedEvaluation = (
  { data, placed: { parameters, items = [] } }: PlacedModel,
  measures: Measures,
  identification = identifyStructured(data.items.shape, parameters.rank, data.structure),
): Evaluation => {
  const { rank, shares } = parameters
  const { total } = data.tensor
  const { logLikelihood } = measures
  const certainty = certaintyOf(measures, total, rank)
  const { degreesOfFreedom } = identification
  return Object.freeze({
    logDensity: logDensityOf(data.items, items, logLikelihood),
    loss: lossOffset(total) - logLikelihood,
    divergence: undefined,
    logLikelihood,
    logProbability: Number.NaN,
    ...criteria(logLikelihood, identification.rank, total, certainty.entropy),
    parameters: identification.parameters,
    degreesOfFreedom,
    identification,
    ...NO_GOODNESS,
    ...certainty,
    smallestClass: Math.min(...shares),
  })
}
