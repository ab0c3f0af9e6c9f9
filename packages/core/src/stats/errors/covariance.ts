import { lacking } from '../../engine/abilities.ts'
import { type Information, MOST_INFORMATION, type Session } from '../../engine/engine.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import type { StopSignal } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import type { Interruptible } from '../../numeric/interruptible.ts'
import { congruence, congruenceSteps } from '../../numeric/symmetric.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { curvature, derivatives, type FreeParameters, logDerivatives } from '../identification/free-parameters.ts'
import { freeDirections, rankOfDirections, whereText } from '../identification/local-identification.ts'
import { covarianceSteps, SINGULAR, type StandardErrorKind, scalingFactor } from './sandwich.ts'
import { type DesignIndex, designVariance, modelScores, type ScoreVariance, withoutDesign } from './survey-design.ts'

export interface Covariance {
  /** Of all parameters. */
  readonly covariance: Float64Array
  /** ½·gᵀ·I⁻¹·g with g the gradient and I the information: what a Newton step would still gain. */
  readonly shortfall: number
  /** Under a design or weights: its size, and the variances of all parameters if observations had been drawn one by one. */
  readonly sample: SampleSize | undefined
}

export interface SampleSize {
  readonly clusters: number | undefined
  readonly strata: number | undefined
  readonly simple: Float64Array
  /** The scaling factor of the log-likelihood. */
  readonly scaling?: number
  /** The replicate weights that the covariance is by. */
  readonly replicates?: { readonly kind: string; readonly count: number }
}

/** Of Student's t: clusters less strata, or replicates less 1; undefined where observations were drawn one by one. */
export const degreesOf = ({
  clusters,
  strata,
  replicates,
}: Pick<SampleSize, 'clusters' | 'strata' | 'replicates'>): number | undefined => {
  if (replicates !== undefined) return replicates.count - 1
  return clusters === undefined || strata === undefined ? undefined : clusters - strata
}

/** How the observations were drawn, where not one by one and all with the same chance. */
export interface Drawn {
  readonly designIndex: DesignIndex | undefined
  /** Of every cell, the sum of the squares of its weights. */
  readonly squares: Float64Array | undefined
  /** How many observations there are, if that is not the total. */
  readonly observations?: number | undefined
  /** Gives up with an `AbortError`, if the work takes long. */
  readonly signal?: StopSignal | undefined
}

/** The covariance of all parameters, or why there is none. */
export const covarianceOf = async (
  session: Session,
  model: Model,
  free: FreeParameters,
  kind: StandardErrorKind,
  drawn: Drawn,
): Promise<Covariance | string> => {
  const { designIndex, squares, signal } = drawn
  const needs =
    designIndex !== undefined
      ? 'clusters of a sample'
      : squares !== undefined
        ? 'standard errors of weighted data'
        : 'standard errors'
  const reason = lacking(session, needs) ?? unidentified(session.data.cells, model, free, kind)
  if (reason !== undefined) return reason
  if (designIndex === undefined) {
    const variance = squares && (() => weightedVariance(session, model, free, squares, signal))
    return covarianceOn(session, model, free, kind, variance, drawn)
  }
  const data = session.data as Tensor
  const alone = withoutDesign(data, designIndex)
  const answers = await (session.open === undefined ? wasmEngine().open(alone, signal) : session.open(alone, signal))
  try {
    const scores = modelScores(data, model.parameters, free, designIndex)
    const variance = () => designVariance(data, free.count, scores, designIndex)
    return await covarianceOn(answers, model, free, kind, variance, drawn)
  } finally {
    await answers.close()
  }
}

/** Why the data cannot determine the parameters, where it cannot. */
export const unidentified = (
  cells: number,
  model: Model,
  free: FreeParameters,
  kind: StandardErrorKind,
): string | undefined => {
  const { count } = free
  const size = allSize(model)
  if (size > MOST_INFORMATION)
    return `${size} shares and probabilities are too many: at most ${MOST_INFORMATION}; the bootstrap has no such limit`
  const rank = rankOfDirections(model, freeDirections(free))
  if (rank !== undefined && rank.rank < count)
    return `the data does not determine all parameters (${rank.rank} of ${count} free ones; ${whereText(rank)}): other values have the same likelihood`
  // At a maximum the scores sum to zero: they span one direction less than there are cells.
  if (kind === 'empirical' && cells <= count)
    return `${cells} distinct cells are too few for standard errors of ${count} free parameters from the scores: use observed standard errors`
  return undefined
}

const allSize = ({ rank, modes }: Model): number => rank * modes.reduce((sum, { size }) => sum + size, 1)

/** @param variance of the scores' sum, where observations were not drawn one by one */
const covarianceOn = async (
  session: Session,
  model: Model,
  free: FreeParameters,
  kind: StandardErrorKind,
  variance: (() => ScoreVariance | Promise<ScoreVariance>) | undefined,
  { observations, signal }: Pick<Drawn, 'observations' | 'signal'>,
): Promise<Covariance | string> => {
  const { count } = free
  const { total } = session.data
  const information = await session.information!(model.parameters, signal)
  if (information.impossible > 0) return 'the model makes cells of the data impossible: it was not fitted to them'
  const drawn = await variance?.()
  const empirical = await runCooperatively(empiricalSteps(information, free), signal)
  const basis =
    kind === 'empirical' ? empirical : await runCooperatively(observedSteps(information, free, empirical), signal)
  const meat = kind === 'sandwich' ? (drawn?.matrix ?? empirical) : undefined
  const found = await runCooperatively(covarianceSteps(basis, count, meat), signal)
  if (found === undefined) return SINGULAR[kind]
  const { covariance, bread } = found
  // The information of weights that average 1 is that of as many observations.
  const perObservation = total / (observations ?? total)
  const all = (of: Float64Array) =>
    runCooperatively(congruenceSteps(derivatives(free), free.values.length, of, count), signal)
  return {
    covariance: await all(covariance),
    shortfall: congruence(gradientOf(information, free), 1, bread, count)[0] / 2,
    sample: drawn && {
      ...drawn,
      simple: (await all(bread)).map(each => each * perObservation),
      scaling: scalingFactor(bread, drawn.matrix, count),
    },
  }
}

/** The variance of the scores' sum where every observation has a weight: Σ w²·s·sᵀ, the information of the squares. */
const weightedVariance = async (
  session: Session,
  model: Model,
  free: FreeParameters,
  squares: Float64Array,
  signal: StopSignal | undefined,
): Promise<ScoreVariance> => {
  const squared = await session.reweight!(squares)
  try {
    const information = await squared.information!(model.parameters, signal)
    const matrix = await runCooperatively(empiricalSteps(information, free), signal)
    return { matrix, clusters: undefined, strata: undefined }
  } finally {
    await squared.close()
  }
}

/**
 * The empirical information about the free parameters, the sum of the outer products of the observations' scores: with s = G·u the score of a
 * cell, u that in the logarithms of all parameters, it is G·Σ y·uuᵀ·Gᵀ.
 */
export const empiricalSteps = ({ outer }: Information, free: FreeParameters): Interruptible<Float64Array> =>
  congruenceSteps(logDerivatives(free), free.count, outer, free.values.length)

/**
 * The observed information, the second derivatives of the log-likelihood with their sign changed: that of complete data (what each class's
 * columns would tell if it were known who belongs to it) less what is lost by not knowing it.
 */
export function* observedSteps(
  information: Information,
  free: FreeParameters,
  empirical: Float64Array,
): Interruptible<Float64Array> {
  const size = free.values.length
  const joint = jointOf(information)
  yield size * size
  const mass = (positions: readonly number[]) => positions.reduce((sum, at) => sum + joint[at * size + at], 0)
  const complete = curvature(free, mass)
  const within = yield* congruenceSteps(logDerivatives(free), free.count, joint, size)
  return empirical.map((entry, i) => complete[i] - (within[i] - entry))
}

/** The derivatives of the log-likelihood by the free parameters. */
export const gradientOf = ({ rank, rows, outer }: Information, free: FreeParameters): Float64Array => {
  const size = rows * rank
  const map = logDerivatives(free)
  const gradient = new Float64Array(free.count)
  for (let at = 0; at < size; at++) {
    // The first row is of all cells, and posteriors sum to 1: what is left is the score.
    let score = 0
    for (let l = 0; l < rank; l++) score += outer[at * size + l]
    for (let row = 0; row < free.count; row++) gradient[row] += map[row * size + at] * score
  }
  return gradient
}

/** Σ y·Ψ_k over the cells that have a and b, within a class; 0 between classes. */
const jointOf = ({ rank, rows, outer }: Information): Float64Array => {
  const size = rows * rank
  const joint = new Float64Array(size * size)
  for (let a = 0; a < size; a++) {
    for (let b = a % rank; b < size; b += rank) {
      const first = b - (b % rank)
      for (let l = 0; l < rank; l++) joint[a * size + b] += outer[a * size + first + l]
    }
  }
  return joint
}
