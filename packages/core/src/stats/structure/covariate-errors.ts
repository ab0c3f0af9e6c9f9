import type { Design } from '../../fit/covariates/design.ts'
import { logitInformation } from '../../fit/covariates/logit.ts'
import type { Parameters } from '../../model/parameters.ts'
import { posteriorInto } from '../../model/posterior.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { columnScores } from '../errors/cell-scores.ts'
import { estimateCovariance, type FreeInformation, SINGULAR, type StandardErrorKind } from '../errors/sandwich.ts'
import { curvature, derivatives, type FreeParameters, freeParameters } from '../identification/free-parameters.ts'

/** More products than this take minutes. */
const MOST_PRODUCTS = 1e11
/** Once a fit is told to stop, this many are still made: a second or so. */
const LAST_PRODUCTS = 1e9
/** Products between two turns of the event loop. */
const TURN = 1e8

/** Information that is this part of what it could be is none: the likelihood no longer changes with the coefficient. */
const FLAT = 1e-10

/** A membership model whose errors are asked for: the memberships of every combination, the reference's coefficients being zero. */
export interface Memberships {
  readonly design: Design
  readonly memberships: Float64Array
  /** The class that the others are held against. */
  readonly reference: number
  readonly kind: StandardErrorKind
  /** Ends what would take long. */
  readonly signal?: AbortSignal | undefined
}

export interface CovariateErrors {
  /** Of the coefficients, one list of terms per class: not a number for the reference, and where an estimate has run off to infinity. */
  readonly coefficients: Float64Array
  /** Of the coefficients, likewise ordered: not a number where one of the two has no error. */
  readonly ofCoefficients: Float64Array
  /** Of the shares, the mean memberships over the covariates as they were observed, and then of every factor. */
  readonly covariance: Float64Array
  /** How many parameters were free. */
  readonly free: number
}

/**
 * How exactly the data determines a fit with covariates: coefficients and probabilities together. Else why not, in words.
 * @param tensor the answers, and last the combination of the covariates
 */
export const covariateErrors = async (
  tensor: Tensor,
  parameters: Parameters,
  explained: Memberships,
): Promise<CovariateErrors | string> => {
  const { rank } = parameters
  const { design, reference, kind } = explained
  const width = design.terms.length
  const others = Array.from({ length: rank }, (_, k) => k).filter(k => k !== reference)
  const free = withoutShares(freeParameters(parameters))
  const logits = others.length * width
  const size = logits + free.count
  if ((tensor.cells * size * size) / 2 > MOST_PRODUCTS)
    return `${size} free parameters and ${tensor.cells} cells are too many for the information`
  const all = await informationOf(tensor, parameters, explained, others, free)
  if (typeof all === 'string') return all
  const squares = new Float64Array(width)
  for (let i = 0; i < design.values.length; i++)
    squares[i % width] += design.weights[Math.floor(i / width)] * design.values[i] * design.values[i]
  // A coefficient that has run off to infinity is taken as known, so that the others have their errors.
  const known = Array.from({ length: size }, (_, i) => i).filter(
    i => i >= logits || all.empirical[i * size + i] > FLAT * squares[i % width],
  )
  const among = (matrix: Float64Array) =>
    Float64Array.from({ length: known.length ** 2 }, (_, i) => matrix[known[Math.floor(i / known.length)] * size + known[i % known.length]]) // biome-ignore format: one matrix
  const information = { empirical: among(all.empirical), observed: () => among(all.observed()) }
  const found = estimateCovariance(information, known.length, kind)
  if (found === undefined)
    return kind === 'empirical'
      ? 'the scores of the cells do not span all parameters: take fewer classes or covariates'
      : SINGULAR[kind]
  const { covariance } = found
  const coefficients = rank * width
  const ofCoefficients = new Float64Array(coefficients ** 2).fill(Number.NaN)
  const explaining = known.flatMap((i, at) =>
    i < logits ? [{ at, i: others[Math.floor(i / width)] * width + (i % width) }] : [],
  )
  for (const a of explaining)
    for (const b of explaining) ofCoefficients[a.i * coefficients + b.i] = covariance[a.at * known.length + b.at]
  const map = allDerivatives(explained, others, free, known)
  return {
    coefficients: Float64Array.from({ length: coefficients }, (_, i) => Math.sqrt(ofCoefficients[i * (coefficients + 1)])), // biome-ignore format: one array
    ofCoefficients,
    covariance: congruence(map, free.values.length, covariance, known.length),
    free: known.length,
  }
}

/** The shares are no parameters: they follow from the coefficients. */
const withoutShares = ({ values, columns: [shares, ...columns], count }: FreeParameters): FreeParameters => ({
  values,
  columns,
  count: count - Math.max(0, shares.moving.length - 1),
})

/**
 * The information about the coefficients and then the free probabilities. With S_k the score of a cell if it were of class k, its own is
 * g = Σ Ψ_k·S_k, and the observed information is that of complete data less Σ y·(Σ Ψ_k·S_k·S_kᵀ − g·gᵀ), what is lost by not knowing
 * the class (Louis).
 */
const informationOf = async (
  tensor: Tensor,
  { rank, factors }: Parameters,
  { design, memberships, kind, signal }: Memberships,
  others: readonly number[],
  free: FreeParameters,
): Promise<FreeInformation | string> => {
  const { indices, values, cells } = tensor
  const width = design.terms.length
  const logits = others.length * width
  const size = logits + free.count
  const { modes: columns } = columnScores(free, factors, rank)
  const perTurn = Math.ceil(TURN / (size * size))
  const empirical = new Float64Array(size * size)
  const within = kind === 'empirical' ? undefined : new Float64Array(size * size)
  const batch = Array.from({ length: BATCH }, () => new Float64Array(size))
  let waiting = 0
  const posterior = new Float64Array(rank)
  const gathered = new Float64Array(free.values.length)
  // The membership is all that the shares would be.
  const explained = { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, memberships] }
  const patterns = indices[factors.length]
  // The complete score of a class: where it is not zero, and what it is there.
  const places = Int32Array.from({ length: size }, (_, i) => i)
  const own = new Float64Array(size)
  for (let cell = 0; cell < cells; cell++) {
    if (cell % perTurn === 0) {
      if (signal?.aborted && ((cells - cell) * size * size) / 2 > LAST_PRODUCTS)
        return 'the fit was stopped before they were computed'
      if (cell > 0) await eventLoopTurn()
    }
    const z = patterns[cell]
    if (posteriorInto(explained, indices, cell, posterior) === Number.NEGATIVE_INFINITY)
      return 'the model makes cells of the data impossible: it was not fitted to them'
    const score = batch[waiting]
    const root = Math.sqrt(values[cell])
    for (let k = 0; k < rank; k++) {
      let at = 0
      others.forEach(l => {
        const excess = (k === l ? 1 : 0) - memberships[z * rank + l]
        for (let p = 0; p < width; p++) own[at++] = excess * design.values[z * width + p]
      })
      let count = logits
      for (let n = 0; n < factors.length; n++) {
        const j = indices[n][cell]
        if (j === MISSING) continue
        const { rows, scores, first } = columns[n][k]
        gathered[first + j * rank] += values[cell] * posterior[k]
        for (let i = 0; i < rows.length; i++) {
          places[count] = logits + rows[i]
          own[count++] = scores[j * rows.length + i]
        }
      }
      for (let i = 0; i < count; i++) score[places[i]] += root * posterior[k] * own[i]
      if (within !== undefined) addSquare(within, places, own, count, size, values[cell] * posterior[k])
    }
    // Four cells at a time: the matrix is read and written once for them.
    if (++waiting < BATCH && cell < cells - 1) continue
    addSquares(empirical, batch, size)
    for (const each of batch) each.fill(0)
    waiting = 0
  }
  mirror(empirical, size)
  const observed = (): Float64Array => {
    const lost = within!
    mirror(lost, size)
    const result = empirical.map((entry, i) => entry - lost[i])
    const complete = logitInformation(design, memberships, rank, others)
    for (let i = 0; i < logits; i++) for (let j = 0; j < logits; j++) result[i * size + j] += complete[i * logits + j]
    const mass = (positions: readonly number[]) => positions.reduce((sum, at) => sum + gathered[at], 0)
    const curved = curvature(free, mass)
    for (let i = 0; i < free.count; i++)
      for (let j = 0; j < free.count; j++) result[(logits + i) * size + logits + j] += curved[i * free.count + j]
    return result
  }
  return { empirical, observed }
}

/** The derivatives of the shares and of all probabilities (rows) by the parameters that are known to be determined (columns). */
const allDerivatives = (
  { design, memberships }: Memberships,
  others: readonly number[],
  free: FreeParameters,
  known: readonly number[],
): Float64Array => {
  const width = design.terms.length
  const logits = others.length * width
  const rank = memberships.length / design.patterns
  const total = design.weights.reduce((sum, weight) => sum + weight, 0)
  const probabilities = derivatives(free)
  const map = new Float64Array(free.values.length * known.length)
  known.forEach((i, at) => {
    if (i >= logits) {
      for (let row = rank; row < free.values.length; row++)
        map[row * known.length + at] = probabilities[row * free.count + i - logits]
      return
    }
    const [k, p] = [others[Math.floor(i / width)], i % width]
    for (let z = 0; z < design.patterns; z++) {
      const part = (design.weights[z] / total) * design.values[z * width + p]
      const own = memberships[z * rank + k]
      for (let l = 0; l < rank; l++)
        map[l * known.length + at] += part * memberships[z * rank + l] * ((l === k ? 1 : 0) - own)
    }
  })
  return map
}

/** Cells that are taken together. */
const BATCH = 4

/** Adds the squares of four scores below the diagonal. */
const addSquares = (matrix: Float64Array, [a, b, c, d]: readonly Float64Array[], size: number): void => {
  for (let i = 0; i < size; i++) {
    const [ai, bi, ci, di] = [a[i], b[i], c[i], d[i]]
    const row = i * size
    for (let j = 0; j <= i; j++) matrix[row + j] += ai * a[j] + bi * b[j] + (ci * c[j] + di * d[j])
  }
}

/** Adds the square of a vector, of which some entries are listed, below the diagonal. */
const addSquare = (
  matrix: Float64Array,
  places: Int32Array,
  entries: Float64Array,
  count: number,
  size: number,
  times: number,
): void => {
  for (let i = 0; i < count; i++) {
    const part = times * entries[i]
    if (part === 0) continue
    for (let j = 0; j < count; j++)
      if (places[j] <= places[i]) matrix[places[i] * size + places[j]] += part * entries[j]
  }
}

const mirror = (matrix: Float64Array, size: number): void => {
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix[j * size + i] = matrix[i * size + j]
}
