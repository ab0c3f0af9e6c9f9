import { lacking } from '../../engine/abilities.ts'
import { type Information, MOST_INFORMATION, type Session } from '../../engine/engine.ts'
import type { Model } from '../../model/model.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { curvature, derivatives, type FreeParameters, logDerivatives } from '../identification/free-parameters.ts'
import { freeDirections, rankOfDirections, whereText } from '../identification/local-identification.ts'
import { estimateCovariance, type FreeInformation, SINGULAR, type StandardErrorKind } from './sandwich.ts'
import { betweenClusters, clusterScores, modelInformation, type Placing } from './survey-design.ts'

export interface Covariance {
  /** Of all parameters. */
  readonly covariance: Float64Array
  /** ½·gᵀ·I⁻¹·g with g the gradient and I the information: what a Newton step would still win. */
  readonly shortfall: number
  /** Under a design or weights: its size, and the variances of all parameters if observations had been drawn one by one. */
  readonly sample: SampleSize | undefined
}

export interface SampleSize {
  readonly clusters: number | null
  readonly strata: number | null
  readonly simple: Float64Array
}

/** How the observations were drawn, where not one by one and all with the same chance. */
export interface Drawn {
  readonly placing: Placing | undefined
  /** Of every cell, the sum of the squares of its weights. */
  readonly squares: Float64Array | undefined
  /** How many observations there are, if that is not the total. */
  readonly observations?: number | undefined
}

/** The covariance of all parameters, or why there is none. */
export const covarianceOf = async (
  session: Session,
  model: Model,
  free: FreeParameters,
  kind: StandardErrorKind,
  { placing, squares, observations }: Drawn,
): Promise<Covariance | string> => {
  const { cells, shape, total } = session.data
  const { count } = free
  const rows = shape.reduce((sum, size) => sum + size, 1)
  const reason = lacking(session, squares === undefined ? 'standard errors' : 'standard errors of weighted data')
  if (reason !== undefined) return reason
  if (rows * model.rank > MOST_INFORMATION) {
    const what = placing === undefined ? 'shares and probabilities' : 'shares, probabilities, and clusters × classes'
    return `${rows * model.rank} ${what} are too many: at most ${MOST_INFORMATION}; the bootstrap has no such limit`
  }
  const rank = rankOfDirections(model, freeDirections(free))
  if (rank !== undefined && rank.rank < count) {
    return `the data does not determine all parameters (${rank.rank} of ${count} that are free; ${whereText(rank)}): there are others with the same likelihood`
  }
  // At a maximum the scores sum to zero: they span one direction less than there are cells.
  if (kind === 'empirical' && cells <= count) {
    return `there are ${cells} distinct cells for ${count} free parameters, whose outer products cannot span them: set kind 'observed'`
  }
  const whole = await session.information!(placing?.parameters ?? model.parameters)
  if (whole.impossible > 0) return 'the model makes cells of the data impossible: it was not fitted to them'
  const information = placing === undefined ? whole : modelInformation(whole, placing)
  const drawn =
    placing !== undefined
      ? clusterVariance(whole, free, placing)
      : squares === undefined
        ? undefined
        : await weightedVariance(session, model, free, squares)
  if (typeof drawn === 'string') return drawn
  const found = estimateCovariance(freeInformation(information, free), count, kind, drawn?.matrix)
  if (found === undefined) return SINGULAR[kind]
  const { covariance, bread } = found
  // The information of weights that average 1 is that of as many observations.
  const perObservation = total / (observations ?? total)
  const all = (of: Float64Array) => congruence(derivatives(free), free.values.length, of, count)
  return {
    covariance: all(covariance),
    shortfall: congruence(gradientOf(information, free), 1, bread, count)[0] / 2,
    sample: drawn === undefined ? undefined : { ...drawn, simple: all(bread).map(each => each * perObservation) },
  }
}

/** The variance of the scores' sum where every observation has a weight: Σ w²·s·sᵀ, the information of the squares. */
const weightedVariance = async (session: Session, model: Model, free: FreeParameters, squares: Float64Array) => {
  const squared = await session.reweight!(squares)
  try {
    const { empirical: matrix } = freeInformation(await squared.information!(model.parameters), free)
    return { matrix, clusters: null, strata: null }
  } finally {
    await squared.close()
  }
}

/** The variance of the scores' sum under a design, in the free parameters. */
const clusterVariance = (whole: Information, free: FreeParameters, placing: Placing) => {
  const map = logDerivatives(free)
  const size = free.values.length
  const scores = clusterScores(whole, placing).map(({ score, stratum }) => ({
    stratum,
    score: Float64Array.from({ length: free.count }, (_, row) => {
      let sum = 0
      for (let at = 0; at < size; at++) sum += map[row * size + at] * score[at]
      return sum
    }),
  }))
  return betweenClusters(scores, free.count, placing)
}

/**
 * The information about the free parameters. With s = G·u the score of a cell, u that in the logarithms of all parameters, the
 * empirical one is G·Σ y·uuᵀ·Gᵀ. The observed one, the second derivatives with their sign changed, is that of complete data
 * (what each class's columns would tell if it were known who belongs to it) less what is lost by not knowing it.
 */
export const freeInformation = (information: Information, free: FreeParameters): FreeInformation => {
  const { count } = free
  const size = free.values.length
  const map = logDerivatives(free)
  const empirical = congruence(map, count, information.outer, size)
  const observed = (): Float64Array => {
    const joint = jointOf(information)
    const mass = (positions: readonly number[]) => positions.reduce((sum, at) => sum + joint[at * size + at], 0)
    const complete = curvature(free, mass)
    const within = congruence(map, count, joint, size)
    return empirical.map((entry, i) => complete[i] - (within[i] - entry))
  }
  return { empirical, observed }
}

/** The derivatives of the log-likelihood by the free parameters. */
const gradientOf = ({ rank, rows, outer }: Information, free: FreeParameters): Float64Array => {
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
